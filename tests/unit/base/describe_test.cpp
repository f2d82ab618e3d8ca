#include "base/describe.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "fewdim/error.hpp"

namespace fewdim {

// A method's options with one member of every kind, as a method file would declare them.
enum class Flavor { red, green, deep_blue };
struct SampleOptions {
  Components components = 2;
  bool scale = false;
  int ddof = 1;
  Index block = 16;
  Seed seed = 0;
  double tolerance = 1e-9;
  Flavor color = Flavor::green;
  std::string unit = "cm";
  Vector<double> weights{};  // not described
};

template <>
struct EnumNames<Flavor> {
  static constexpr std::array names{std::pair{Flavor::red, "red"}, std::pair{Flavor::green, "green"},
                                    std::pair{Flavor::deep_blue, "deep-blue"}};
};

template <class Visitor>
void describe(SampleOptions& o, Visitor&& field) {
  field(o.components, {.name = "components", .flag = 'k', .help = "how many"});
  field(o.scale, {.name = "scale", .help = "divide by the standard deviation"});
  field(o.ddof, {.name = "ddof", .minimum = 0, .maximum = 1, .help = "normalizer"});
  field(o.block, {.name = "block", .minimum = 1});
  field(o.seed, {.name = "seed"});
  field(o.tolerance, {.name = "tolerance", .minimum = 0, .maximum = 0.5});
  field(o.color, {.name = "color"});
  field(o.unit, {.name = "unit", .choices = {"cm", "mm"}});
}

namespace {

SampleOptions from(const OptionMap& map) { return options_from_map<SampleOptions>(map, "sample"); }

std::string message_of(const OptionMap& map) {
  try {
    from(map);
  } catch (const InvalidOption& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Describe, FieldsCarryTypeDefaultRangeAndChoices) {
  using Type = OptionField::Type;
  const auto fields = fields_of<SampleOptions>();
  ASSERT_EQ(fields.size(), 8u);
  EXPECT_EQ(fields[0].name, "components");
  EXPECT_EQ(fields[0].flag, 'k');
  EXPECT_EQ(fields[0].type, Type::components);
  EXPECT_EQ(fields[0].fallback, OptionValue(std::string("2")));
  EXPECT_EQ(fields[0].help, "how many");
  EXPECT_EQ(fields[1].type, Type::boolean);
  EXPECT_EQ(fields[1].fallback, OptionValue(false));
  EXPECT_EQ(fields[2].type, Type::integer);
  EXPECT_EQ(fields[2].fallback, OptionValue(std::int64_t{1}));
  EXPECT_EQ(fields[2].maximum, 1.0);
  EXPECT_EQ(fields[3].maximum, std::nullopt);
  EXPECT_EQ(fields[5].type, Type::real);
  EXPECT_EQ(fields[5].fallback, OptionValue(1e-9));
  EXPECT_EQ(fields[6].type, Type::choice);
  EXPECT_EQ(fields[6].choices, (std::vector<std::string>{"red", "green", "deep-blue"}));
  EXPECT_EQ(fields[6].fallback, OptionValue(std::string("green")));
  EXPECT_EQ(fields[7].type, Type::choice);
}

TEST(Describe, AnEmptyMapGivesTheDefaults) { EXPECT_EQ(options_to_map(from({})), options_to_map(SampleOptions{})); }

TEST(Describe, MapAndOptionsRoundTrip) {
  SampleOptions o;
  o.components = 0.95;
  o.scale = true;
  o.ddof = 0;
  o.block = std::numeric_limits<Index>::max();
  o.seed = std::numeric_limits<Seed>::max();  // beyond int64: travels as digits
  o.tolerance = 1.0 / 3.0;
  o.color = Flavor::deep_blue;
  o.unit = "mm";
  const SampleOptions back = from(options_to_map(o));
  EXPECT_EQ(back.components, o.components);
  EXPECT_EQ(back.scale, o.scale);
  EXPECT_EQ(back.ddof, o.ddof);
  EXPECT_EQ(back.block, o.block);
  EXPECT_EQ(back.seed, o.seed);
  EXPECT_EQ(back.tolerance, o.tolerance);
  EXPECT_EQ(back.color, o.color);
  EXPECT_EQ(back.unit, o.unit);
}

TEST(Describe, TextFromTheCommandLineIsConverted) {
  const SampleOptions o = from({{"components", "95%"},
                                {"scale", "yes"},
                                {"ddof", "0"},
                                {"seed", "18446744073709551615"},
                                {"tolerance", "1e-3"},
                                {"color", "red"}});
  EXPECT_EQ(o.components, Components(0.95));
  EXPECT_TRUE(o.scale);
  EXPECT_EQ(o.ddof, 0);
  EXPECT_EQ(o.seed, std::numeric_limits<Seed>::max());
  EXPECT_EQ(o.tolerance, 1e-3);
  EXPECT_EQ(o.color, Flavor::red);
}

TEST(Describe, NumbersFromOtherFrontEndsAreConverted) {
  EXPECT_EQ(from({{"components", std::int64_t{7}}}).components, Components(7));
  EXPECT_EQ(from({{"components", "all"}}).components, Components(Components::all));
  EXPECT_EQ(from({{"components", 0.5}}).components, Components(0.5));
  EXPECT_EQ(from({{"block", 4.0}}).block, 4);
  EXPECT_EQ(from({{"tolerance", std::int64_t{0}}}).tolerance, 0.0);
}

TEST(Describe, RefusalsNameMethodOptionValueAndBound) {
  EXPECT_EQ(message_of({{"ddof", std::int64_t{2}}}), "sample: ddof=2 must be between 0 and 1");
  EXPECT_EQ(message_of({{"ddof", "two"}}), "sample: ddof=two must be a whole number");
  EXPECT_EQ(message_of({{"ddof", 0.5}}), "sample: ddof=0.5 must be a whole number");
  EXPECT_EQ(message_of({{"ddof", "99999999999"}}), "sample: ddof=99999999999 must be between 0 and 1");
  EXPECT_EQ(message_of({{"block", std::int64_t{0}}}), "sample: block=0 must be at least 1");
  EXPECT_EQ(message_of({{"block", "9223372036854775808"}}),
            "sample: block=9223372036854775808 must be at most 9223372036854775807");
  EXPECT_EQ(message_of({{"components", std::int64_t{-1}}}), "sample: components=-1 must be at least 1; or give all");
  EXPECT_EQ(message_of({{"seed", std::int64_t{-1}}}), "sample: seed=-1 must be at least 0");
  EXPECT_EQ(message_of({{"seed", "18446744073709551616"}}), "sample: seed=18446744073709551616 must be a whole number");
  EXPECT_EQ(message_of({{"tolerance", "nan"}}), "sample: tolerance=nan must be a finite number");
  EXPECT_EQ(message_of({{"tolerance", "1e-3x"}}), "sample: tolerance=1e-3x must be a finite number");
  EXPECT_EQ(message_of({{"tolerance", -1.0}}), "sample: tolerance=-1 must be between 0 and 0.5");
  EXPECT_EQ(message_of({{"scale", "maybe"}}), "sample: scale=maybe must be true or false");
  EXPECT_EQ(message_of({{"scale", std::int64_t{1}}}), "sample: scale=1 must be true or false");
  EXPECT_EQ(message_of({{"color", "rad"}}),
            "sample: color=rad must be one of red, green, deep-blue; did you mean red?");
  EXPECT_EQ(message_of({{"color", true}}), "sample: color=true must be text");
  EXPECT_EQ(message_of({{"unit", "parsec"}}), "sample: unit=parsec must be one of cm, mm");
  EXPECT_EQ(message_of({{"components", "0"}}), "sample: components=0 must be at least 1; or give all");
  EXPECT_TRUE(message_of({{"components", 50.0}}).starts_with("sample: components=50 is not a number of components"));
  EXPECT_TRUE(
      message_of({{"components", false}}).starts_with("sample: components=false is not a number of components"));
}

TEST(Describe, UnknownNamesGetTheNearest) {
  EXPECT_EQ(message_of({{"tolerence", 0.1}}),
            "sample: tolerence=0.1 is not an option of this method; did you mean tolerance?");
  EXPECT_EQ(message_of({{"comp", "3"}}), "sample: comp=3 is not an option of this method; did you mean components?");
  EXPECT_EQ(message_of({{"zzzzzz", "3"}}),
            "sample: zzzzzz=3 is not an option of this method; there are components, scale, ddof, block, seed, "
            "tolerance, color, "
            "unit");
}

TEST(Describe, NearestNameIsEmptyWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("pac", {"pca", "svd"}), "pca");
  EXPECT_EQ(nearest_name("isomap", {"pca", "svd"}), "");
  EXPECT_EQ(nearest_name("", {"pca", "svd"}), "");
  EXPECT_EQ(nearest_name("pca", {}), "");
}

}  // namespace
}  // namespace fewdim

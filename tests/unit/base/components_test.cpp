#include <gtest/gtest.h>

#include <limits>

#include "fewdim/error.hpp"
#include "fewdim/options.hpp"

namespace fewdim {
namespace {

using Kind = Components::Kind;

TEST(Components, ParsesEveryForm) {
  EXPECT_EQ(Components::parse("50"), Components(50));
  EXPECT_EQ(Components::parse("1"), Components(1));
  EXPECT_EQ(Components::parse("0.95"), Components(0.95));
  EXPECT_EQ(Components::parse("95%"), Components(0.95));
  EXPECT_EQ(Components::parse("100%"), Components(1.0));
  EXPECT_EQ(Components::parse("1.0"), Components(1.0));
  EXPECT_EQ(Components::parse("all").count, Components::all);
  EXPECT_EQ(Components::parse("all").kind, Kind::count);
  EXPECT_EQ(Components::parse("auto"), Components("auto"));
  EXPECT_EQ(Components::parse("auto:minka"), Components("minka"));
}

TEST(Components, TextReadsBackToTheSame) {
  const double third = 1.0 / 3.0;
  for (const Components& c : {Components(1), Components(784), Components(Components::all), Components(0.95),
                              Components(1.0), Components(third), Components(1e-9),
                              Components(std::nextafter(1.0, 0.0)), Components(std::numeric_limits<Index>::max()),
                              Components("auto"), Components("minka"), Components("gavish-donoho")})
    EXPECT_EQ(Components::parse(c.text()), c) << c.text();
}

TEST(Components, RefusesTheRestAndSaysWhatItTakes) {
  for (const char* bad : {"",      " 5",   "5 ",   "five", "-3",  "0",     "0.0",
                          "-0.5",  "1.5",  "101%", "0%",   "%",   "nan",   "inf",
                          "auto:", "Auto", "+",    "-",    "+-3", "1e400", "99999999999999999999",
                          "0x10",  "50,",  "95%%", "minka"})
    EXPECT_THROW(Components::parse(bad), InvalidOption) << bad;
  try {
    Components::parse("five");
    FAIL();
  } catch (const InvalidOption& error) {
    EXPECT_STREQ(
        error.what(),
        "components=five is not a number of components; give a count (50), a share of the variance (0.95 or 95%), all, "
        "auto, or auto:CRITERION");
  }
}

}  // namespace
}  // namespace fewdim

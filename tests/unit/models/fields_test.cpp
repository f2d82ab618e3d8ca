// One description writes, reads and checks: tried on a thing that no model has.
#include "models/fields.hpp"

#include <gtest/gtest.h>

#include "fewdim/attachment.hpp"
#include "fewdim/error.hpp"
#include "fewdim/model_arrays.hpp"
#include "fewdim/pca.hpp"
#include "models/file/array_fields.hpp"
#include "models/file/metadata_fields.hpp"
#include "models/names.hpp"
#include "models/soundness.hpp"
#include "support/data.hpp"

namespace fewdim {

struct Lamp {
  double height = 0.0;
  Index bulbs = 0;
  Metric metric = Metric::euclidean;
  bool lit = false;
  double heat = 0.0;  // of lit ones
  std::vector<double> hours{};
  Matrix<double> light{};
  Vector<double> shares{};
};

void describe(Lamp& lamp, ModelFields& f) {
  f.value("height", lamp.height, Numbers::positive);
  f.value("bulbs", lamp.bulbs);
  f.choice("metric", lamp.metric);
  f.group("glow", lamp.lit, [&] {
    f.value("lit", lamp.lit);
    f.value("heat", lamp.heat);
  });
  f.list(
      "days", std::ssize(lamp.hours), [&](Index size) { lamp.hours.resize(static_cast<std::size_t>(size)); },
      [&](Index i) { f.value("hours", lamp.hours[static_cast<std::size_t>(i)]); });
  f.array("light", lamp.light, {.rows = 3, .cols = lamp.bulbs, .transposed = true});
  f.array("shares", lamp.shares, {.rows = lamp.bulbs, .must = Numbers::share});
}

namespace {

Lamp sample_lamp() {
  return {.height = 1.5,
          .bulbs = 2,
          .metric = Metric::cosine,
          .lit = true,
          .heat = 40.0,
          .hours = {1.0, 2.5},
          .light = Matrix<double>::Constant(3, 2, 0.25),
          .shares = Vector<double>::Constant(2, 0.5)};
}

nlohmann::ordered_json written_values(const Lamp& lamp) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  MetadataWriter writer(out);
  describe_to(lamp, writer);
  return out;
}

Lamp read_values(const std::string& text) {
  const nlohmann::json object = nlohmann::json::parse(text);
  JsonFields fields(object, "lamp");
  Lamp lamp;
  MetadataReader reader(object, fields, "lamp");
  describe(lamp, reader);
  fields.done();
  return lamp;
}

std::string lamp_refusal(const std::function<void(Lamp&)>& change, SoundnessCheck::Depth depth) {
  Lamp lamp = sample_lamp();
  change(lamp);
  const std::string who = "lamp";
  SoundnessCheck check(who, depth);
  try {
    describe(lamp, check);
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

TEST(ModelFields, ValuesAreReadAsTheyWereWritten) {
  const std::string text = written_values(sample_lamp()).dump();
  EXPECT_EQ(text, R"({"height":1.5,"bulbs":2,"metric":"cosine","glow":{"lit":true,"heat":40.0},)"
                  R"("days":[{"hours":1.0},{"hours":2.5}]})");
  EXPECT_EQ(written_values(read_values(text)).dump(), text);
  Lamp dark = sample_lamp();
  dark.lit = false;
  EXPECT_FALSE(written_values(dark).contains("glow"));
}

TEST(ModelFields, WhatIsMissingUnknownOrOfAnotherTypeIsRefused) {
  for (const char* text :
       {R"({"bulbs":2,"metric":"cosine","days":[]})", R"({"height":1,"bulbs":-2,"metric":"cosine","days":[]})",
        R"({"height":1,"bulbs":2,"metric":"warm","days":[]})", R"({"height":1,"bulbs":2,"metric":"cosine","days":{}})",
        R"({"height":1,"bulbs":2,"metric":"cosine","days":[{"minutes":1}]})",
        R"({"height":1,"bulbs":2,"metric":"cosine","days":[],"glow":{"lit":true}})",
        R"({"height":1,"bulbs":2,"metric":"cosine","days":[],"color":1})"})
    EXPECT_THROW(read_values(text), DataError) << text;
  EXPECT_NO_THROW(read_values(R"({"height":1,"bulbs":2,"metric":"cosine","days":[]})"));
}

TEST(ModelFields, ArraysGoOneComponentAfterTheOtherAndBack) {
  Lamp lamp = sample_lamp();
  lamp.light << 1, 2, 3, 4, 5, 6;
  Archive archive;
  ArrayAdder adder(archive, false);
  describe(lamp, adder);
  ASSERT_EQ(archive.tensors.size(), 2U);
  EXPECT_EQ(archive.tensors[0].shape, (std::vector<std::uint64_t>{2, 3}));
  const std::string path = "lamp";
  ArrayReader arrays(archive, path);
  ArrayTaker taker(arrays);
  Lamp back = sample_lamp();
  describe(back, taker);
  arrays.done();
  EXPECT_EQ(back.light, lamp.light);
  EXPECT_EQ(back.shares, lamp.shares);
}

TEST(ModelFields, SizesAndNumbersAreCheckedAsTheyAreDescribed) {
  using Depth = SoundnessCheck::Depth;
  EXPECT_EQ(lamp_refusal([](Lamp&) {}, Depth::numbers), "");
  EXPECT_EQ(lamp_refusal([](Lamp& l) { l.light.resize(3, 5); }, Depth::sizes),
            "lamp: 'light' is 5×3, the model needs 2×3");
  EXPECT_EQ(lamp_refusal([](Lamp& l) { l.shares = Vector<double>::Zero(3); }, Depth::sizes),
            "lamp: 'shares' has 3 entries, the model needs 2");
  EXPECT_EQ(lamp_refusal([](Lamp& l) { l.shares[1] = 1.5; }, Depth::numbers),
            "lamp: 'shares' holds 1.5, which is not from 0 to 1");
  EXPECT_EQ(lamp_refusal([](Lamp& l) { l.height = 0.0; }, Depth::numbers),
            "lamp: 'height' holds 0, which is not finite and positive");
  EXPECT_EQ(lamp_refusal([](Lamp& l) { l.shares[1] = 1.5; }, Depth::sizes), "");
  EXPECT_EQ(lamp_refusal([](Lamp& l) { l.light.resize(0, 0); }, Depth::numbers), "");
}

TEST(Attachment, IsOfOneKindOrNone) {
  const Attachment none, lamp(sample_lamp());
  EXPECT_FALSE(none);
  EXPECT_EQ(none.get<Lamp>(), nullptr);
  ASSERT_TRUE(lamp);
  ASSERT_NE(lamp.get<Lamp>(), nullptr);
  EXPECT_EQ(lamp.get<Lamp>()->height, 1.5);
  EXPECT_EQ(lamp.get<std::string>(), nullptr);
}

TEST(ModelArrays, AreThoseOfTheShapeWhereTheyLie) {
  const Model model = fit_pca(test::sample(20, 4), {.components = Components(2)});
  const std::vector<ModelArray> arrays = shape_arrays(model);
  ASSERT_FALSE(arrays.empty());
  EXPECT_EQ(arrays[0].name, "components");
  EXPECT_EQ(arrays[0].numbers, model.linear().map.data());
  EXPECT_EQ(arrays[0].rows, 2);
  EXPECT_EQ(arrays[0].cols, 4);
  const auto mean = std::ranges::find(arrays, "mean", &ModelArray::name);
  ASSERT_NE(mean, arrays.end());
  EXPECT_TRUE(mean->vector);
  EXPECT_EQ(mean->rows, 4);
}

}  // namespace
}  // namespace fewdim

#include "models/file/strict_json.hpp"

#include <gtest/gtest.h>

#include "fewdim/error.hpp"

namespace fewdim {
namespace {

std::string refusal_of(const std::string& text, const JsonLimits& limits = {}) {
  try {
    parse_strict(text, "x", limits);
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(StrictJson, BuildsTheDocumentThatNlohmannBuilds) {
  const std::string text = R"({"a":[1,-2,3.5,true,null,"x",{"b":{}},[]],"c":18446744073709551615,"d":"\u00e9\n"})";
  EXPECT_EQ(parse_strict(text, "x"), nlohmann::json::parse(text));
}

TEST(StrictJson, RefusesDuplicateKeysAtEveryDepth) {
  EXPECT_EQ(refusal_of(R"({"a":1,"a":1})"), "x: the key 'a' appears twice");
  EXPECT_EQ(refusal_of(R"({"b":{"a":1,"c":2,"a":{}}})"), "x: the key 'a' appears twice");
  EXPECT_EQ(refusal_of(R"({"a":1,"\u0061":1})"), "x: the key 'a' appears twice");  // the same key, spelled otherwise
  EXPECT_EQ(refusal_of(R"([{"a":1},{"a":1}])"), "accepted");
}

TEST(StrictJson, RefusesWhatIsNotExactlyOneDocument) {
  for (const char* bad : {"", " ", "{", "{}x", "{}{}", "[1,]", "{\"a\":1,}", "nan", "NaN", "[1e400]", "'a'", "\"\xff\"",
                          "[01]", "{a:1}", "/*c*/1", "\"a"})
    EXPECT_TRUE(refusal_of(bad).starts_with("x: not valid JSON at byte ")) << bad << ": " << refusal_of(bad);
  EXPECT_EQ(refusal_of(std::string("{} \0 x", 6)), "x: not valid JSON at byte 4");
}

TEST(StrictJson, DepthAndNumberOfValuesAreBounded) {
  EXPECT_EQ(refusal_of("[[[]]]", {.depth = 3}), "accepted");
  EXPECT_EQ(refusal_of("[[[[]]]]", {.depth = 3}), "x: nested deeper than 3");
  EXPECT_EQ(refusal_of(std::string(1000000, '[')), "x: nested deeper than 8");
  EXPECT_EQ(refusal_of("[1,2,3]", {.values = 4}), "accepted");
  EXPECT_EQ(refusal_of("[1,2,3,4]", {.values = 4}), "x: more than 4 values");
}

TEST(JsonFields, GivesTypedValuesAndRefusesTheRest) {
  const auto object = parse_strict(R"({"t":"x","l":["a","b"],"n":7,"r":0.5,"z":null,"b":true,"m":-1})", "x");
  JsonFields fields(object, "x");
  EXPECT_EQ(fields.text("t"), "x");
  EXPECT_EQ(fields.texts("l"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(fields.index("n"), 7);
  EXPECT_EQ(fields.number("r"), 0.5);
  EXPECT_TRUE(std::isnan(fields.number("z")));
  EXPECT_TRUE(fields.boolean("b"));
  EXPECT_THROW(fields.done(), DataError);  // nobody asked for m
  EXPECT_THROW(fields.natural("m"), DataError);
  EXPECT_THROW(JsonFields(object, "x").text("n"), DataError);
  EXPECT_THROW(JsonFields(object, "x").text("missing"), DataError);
  EXPECT_THROW(JsonFields(object["l"], "x"), DataError);
}

}  // namespace
}  // namespace fewdim

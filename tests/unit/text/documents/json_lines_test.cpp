// One JSON object a line.

#include <gtest/gtest.h>

#include "unit/text/reading.hpp"

namespace fewdim {
namespace {

using test::read_text;
using test::Reading;
using test::refusal_of;
using test::Texts;

TEST(JsonLines, JoinTitleAndText) {
  const Reading reading = read_text(
      "{\"id\": 7, \"title\": \"T\", \"text\": \"a\\nb\\u00e9\", \"body\": \"not this\"}\n"
      "\n"
      "{\"abstract\": [\"one\", \"two\"], \"meta\": {\"text\": \"no\"}, \"_id\": \"x\"}\r\n"
      "{\"url\": \"http://e\", \"text\": null}\n"
      "{\"title\": \"only\", \"tags\": [[\"a\"]]}");
  EXPECT_EQ(reading.ids, (Texts{"7", "x", "http://e", "4"}));
  EXPECT_EQ(reading.texts, (Texts{"T\na\nbé", "one\ntwo", "", "only"}));
  EXPECT_TRUE(reading.places[1].ends_with("x:3"));
}

TEST(JsonLines, TakeTheKeysThatAreAskedFor) {
  DocumentOptions options;
  options.text_fields = {"b", "a"};
  options.id_field = "k";
  const Reading reading = read_text("{\"a\": \"1\", \"b\": 2.50, \"k\": true}\n{\"k\": \"z\"}\n", options);
  EXPECT_EQ(reading.ids, (Texts{"true", "z"}));
  EXPECT_EQ(reading.texts, (Texts{"2.50\n1", ""}));
  EXPECT_EQ(refusal_of("{\"a\": \"1\"}\n", options), "x:1: an object without the key \"k\"; give another --id-field");
  EXPECT_EQ(refusal_of("{\"k\": 1}\n{\"k\": 2}\n", options),
            "x:2: no object has the key \"b\"; give another --text-field");
}

TEST(JsonLines, RefuseWhatIsNoObject) {
  const auto refusal = [](const std::string& line) { return refusal_of("{\"text\":\"a\"}\n" + line, {}, "x.jsonl"); };
  EXPECT_TRUE(refusal("[1]").starts_with("x.jsonl:2: a list, not an object"));
  EXPECT_TRUE(refusal("12").starts_with("x.jsonl:2: not a JSON object; give"));
  EXPECT_TRUE(refusal("{\"text\":").starts_with("x.jsonl:2: not a JSON object, at byte"));
  EXPECT_TRUE(refusal("{\"text\":\"a\"} x").starts_with("x.jsonl:2: not a JSON object, at byte"));
  EXPECT_TRUE(refusal("{\"words\":\"a\"}").starts_with("x.jsonl:2: no key \"text\""));
  EXPECT_TRUE(refusal("{\"text\":\"\\ud800\"}").starts_with("x.jsonl:2: not a JSON object"));
  EXPECT_TRUE(refusal("{\"text\":\"\\u0000\"}").starts_with("x.jsonl:2: a zero byte"));
  EXPECT_TRUE(refusal("{\"text\":\"\xe9\"}").starts_with("x.jsonl:2:10: the byte 0xe9 is not UTF-8"));
  EXPECT_TRUE(refusal("{\"n\": 1e999999}").starts_with("x.jsonl:2: not a JSON object"));
  const std::string deep = "{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + ",\"text\":\"\"}";
  EXPECT_EQ(refusal(deep), "x.jsonl:2: JSON nested deeper than 64 levels");
  EXPECT_TRUE(refusal("{\"id\":\"2\",\"text\":\"\"}\n{\"id\":\"2\",\"text\":\"\"}")
                  .starts_with("x.jsonl:3: the id \"2\" is that of x.jsonl:2, too"));
}

TEST(JsonLines, ReplaceWhatIsNotText) {
  DocumentOptions options;
  options.encoding_errors = EncodingErrors::replace;
  const Reading reading = read_text("{\"text\":\"a\xe9\\u0000b\"}\n", options);
  EXPECT_EQ(reading.texts, (Texts{"a\xef\xbf\xbd b"}));
}

TEST(JsonLines, ArePrefixSafe) {
  DocumentOptions options;
  options.format = "jsonl";
  test::expect_every_prefix_is_safe(
      "{\"id\":1,\"text\":\"\\u00e9\\\"\",\"x\":[{\"y\":-1.5e3},null]}\n{\"title\":\"é\"}\n", options);
}

}  // namespace
}  // namespace fewdim

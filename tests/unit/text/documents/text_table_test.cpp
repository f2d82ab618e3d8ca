// Tables with a column of text: RFC 4180 and tabs.

#include <gtest/gtest.h>

#include "unit/text/reading.hpp"

namespace fewdim {
namespace {

using test::read_text;
using test::Reading;
using test::refusal_of;
using test::Texts;

TEST(TextTable, ReadsQuotesAsRfc4180) {
  const Reading reading = read_text(
      "ID,Title,other,Text\r\n"
      "a,\"one, two\",1,\"line\r\n\r\nwith \"\"quotes\"\"\"\r\n"
      "b,,2,plain\r\n"
      "\r\n"
      "c,short\r\n",
      {}, "x.csv");
  EXPECT_EQ(reading.ids, (Texts{"a", "b", "c"}));
  EXPECT_EQ(reading.texts, (Texts{"one, two\nline\n\nwith \"quotes\"", "plain", "short"}));
  EXPECT_TRUE(reading.places[1].ends_with("x.csv:5"));
}

TEST(TextTable, ReadsTabs) {
  const Reading reading = read_text("docno\tbody\n1\t\"Yes\", she said\n2\t\"a \"\"b\"\"\"\n3\ta \"\n", {}, "x.tsv");
  EXPECT_EQ(reading.ids, (Texts{"1", "2", "3"}));
  EXPECT_EQ(reading.texts, (Texts{"\"Yes\", she said", "a \"b\"", "a \""}));
  EXPECT_EQ(read_text("id;text\n1;a,b\n", {}, "x.csv").texts, (Texts{"a,b"}));
}

TEST(TextTable, TakesTheColumnWithMostText) {
  std::string content = "n,remark,code\n";
  Texts expected, ids;
  for (int i = 0; i < 150; ++i) {  // more than the sample of 100
    expected.push_back("a remark of some length " + std::to_string(i));
    ids.push_back(std::to_string(i + 1));
    content += std::to_string(i) + "," + expected.back() + ",x\n";
  }
  const Reading reading = read_text(content, {}, "x.csv");
  EXPECT_EQ(reading.texts, expected);
  EXPECT_EQ(reading.ids, ids);
  EXPECT_EQ(read_text("name\nsome words\n", {}, "x.csv").texts, (Texts{"some words"}));
}

TEST(TextTable, TakesTheColumnsThatAreAskedFor) {
  DocumentOptions options;
  options.text_fields = {"c", "A"};
  options.id_field = "b";
  const Reading reading = read_text("a,b,c\n1,2,3\n", options, "x.csv");
  EXPECT_EQ(reading.ids, (Texts{"2"}));
  EXPECT_EQ(reading.texts, (Texts{"3\n1"}));
  options.id_field = "z";
  EXPECT_EQ(refusal_of("a,b,c\n1,2,3\n", options, "x.csv"), "x.csv:1: no column \"z\"; give --id-field one of a, b, c");
}

TEST(TextTable, RefusesWhatIsNoTable) {
  EXPECT_EQ(refusal_of("id,text\n1,a\n2,\"b\nc\n", {}, "x.csv"),
            "x.csv:3: a quote that is opened here and not closed; close it");
  EXPECT_EQ(refusal_of("id,text\n1,a, b\n", {}, "x.csv"),
            "x.csv:2: 3 fields, the header has 2; put quotes around text with delimiters in it");
  EXPECT_TRUE(refusal_of("id,text\n", {}, "x.csv").starts_with("x.csv: no document"));
  EXPECT_TRUE(refusal_of("", {}, "x.csv").starts_with("x.csv: no document"));
  EXPECT_TRUE(refusal_of("id,text\n1,\"a\nb\xe9\"\n", {}, "x.csv").starts_with("x.csv:3:2: the byte 0xe9"));
  EXPECT_TRUE(refusal_of("id,text\n1,a\n1,b\n", {}, "x.csv").starts_with("x.csv:3: the id \"1\" is that of x.csv:2"));
  DocumentOptions small;
  small.longest = 100;
  std::string open = "id,text\n1,\"";
  for (int i = 0; i < 50; ++i) open += "line\n";
  EXPECT_TRUE(refusal_of(open, small, "x.csv").find(": a document of more than") != std::string::npos);
}

TEST(TextTable, IsPrefixSafe) {
  DocumentOptions options;
  for (const char* format : {"csv", "tsv"}) {
    options.format = format;
    test::expect_every_prefix_is_safe("id,te\txt\n1,\"a\"\"é\n\"\t\"b\"\"\",x\n2;3,\"\"\"\"\n", options);
  }
}

}  // namespace
}  // namespace fewdim

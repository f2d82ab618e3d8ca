// TREC's documents and topics.

#include <gtest/gtest.h>

#include "unit/text/reading.hpp"

namespace fewdim {
namespace {

using test::read_text;
using test::Reading;
using test::refusal_of;
using test::Texts;

const std::string documents =
    "<DOC>\n<DOCNO> FT911-1 </DOCNO>\n<DOCID>7</DOCID>\n<HEADLINE>\nAn &amp; B\n</HEADLINE>\n<TEXT>\n<P>\nx < y\n</P>\n"
    "</TEXT>\n</DOC>\n\n<DOC><DOCNO>2</DOCNO>two</DOC><doc id=\"3\" url=\"u\">three</doc>\n";

TEST(Trec, ReadsDocuments) {
  const Reading reading = read_text(documents);
  EXPECT_EQ(reading.ids, (Texts{"FT911-1", "2", "3"}));
  ASSERT_EQ(reading.texts.size(), 3u);
  EXPECT_NE(reading.texts[0].find("An & B"), std::string::npos);
  EXPECT_NE(reading.texts[0].find("x < y"), std::string::npos);
  EXPECT_EQ(reading.texts[0].find("FT911"), std::string::npos);
  EXPECT_EQ(reading.texts[0].find('7'), std::string::npos);
  EXPECT_EQ(reading.texts[0].find("TEXT"), std::string::npos);
  EXPECT_EQ(reading.texts[1], "two");
  EXPECT_EQ(reading.texts[2], "three");
  EXPECT_TRUE(reading.places[1].ends_with("x:14"));
}

TEST(Trec, TakesTheTagsThatAreAskedFor) {
  DocumentOptions options;
  options.text_fields = {"headline"};
  options.id_field = "DOCID";
  EXPECT_EQ(read_text(documents.substr(0, documents.find("<DOC><DOCNO>2")), options).texts, (Texts{"An & B"}));
}

TEST(Trec, ReadsTopics) {
  const std::string topics =
      "<top>\n\n<num> Number: 301 \n<title> International Organized Crime \n\n<desc> Description: \nIdentify "
      "organizations.\n\n<narr> Narrative: \nA relevant document\n\n</top>\n\n"
      "<top>\n<num>302</num><title>Polio</title><desc>Is it\nunder control?</desc><narr>n</narr></top>\n";
  const Reading reading = read_text(topics);
  EXPECT_EQ(reading.ids, (Texts{"301", "302"}));
  EXPECT_EQ(reading.texts,
            (Texts{"International Organized Crime\nIdentify organizations.", "Polio\nIs it\nunder control?"}));
  DocumentOptions options;
  options.text_fields = {"title"};
  EXPECT_EQ(read_text(topics, options).texts, (Texts{"International Organized Crime", "Polio"}));
}

TEST(Trec, RefusesWhatIsNoDocument) {
  EXPECT_EQ(refusal_of("<DOC>\n<DOCNO>1</DOCNO>\n"), "x:1: <DOC> without </DOC>; the file may be cut off");
  EXPECT_TRUE(refusal_of("<DOC>\ntext</DOC>\n").starts_with("x:1: a document without <DOCNO>"));
  EXPECT_TRUE(refusal_of("<DOC><DOCNO>1</DOCNO></DOC>\nstray\n").starts_with("x:2: text outside of <DOC>"));
  EXPECT_TRUE(refusal_of("<DOC><DOCNO>1</DOCNO></DOC>\n<DOC><DOCNO>1</DOCNO></DOC>")
                  .starts_with("x:2: the id \"1\" is that of x:1"));
}

TEST(Trec, IsLinearInHostileText) {
  for (const char* unit : {"<DOCNO>", "<TEXT ", "<a=\"", "<a='<a=\"", "<!--", "</DOC", "&#"}) {
    std::string content = "<DOC><DOCNO>1</DOCNO><TEXT>";
    for (int i = 0; i < 100'000; ++i) content += unit;
    EXPECT_EQ(read_text(content + "</TEXT></DOC>\n").report.documents, 1) << unit;
  }
}

TEST(Trec, IsPrefixSafe) {
  DocumentOptions options;
  options.format = "trec";
  test::expect_every_prefix_is_safe(documents + "<top><num>1<title>é</top>", options);
}

}  // namespace
}  // namespace fewdim

// The classic test collections as they are distributed: .I .T .W, *TEXT, numbered texts.

#include <gtest/gtest.h>

#include "support/data.hpp"
#include "unit/text/reading.hpp"

namespace fewdim {
namespace {

using test::read_all;
using test::read_text;
using test::Reading;
using test::refusal_of;
using test::Texts;

// The fields of CACM, in its order.
const std::string cacm =
    ".I 1\n"
    ".T\n"
    "Preliminary Report-International Algebraic Language\n"
    ".B\n"
    "CACM December, 1958\n"
    ".A\n"
    "Perlis, A. J.\n"
    ".N\n"
    "CA581203 JB March 22, 1978  8:28 PM\n"
    ".X\n"
    "100\t5\t1\n"
    ".I  12\n"
    ".T\n"
    "Accelerating Convergence\n"
    ".W \n"
    "A technique is\n"
    "discussed.\n";

TEST(Smart, JoinsTitleAndBody) {
  const Texts ids{"1", "12"};
  const Texts texts{"Preliminary Report-International Algebraic Language",
                    "Accelerating Convergence\nA technique is\ndiscussed."};
  std::string dos;
  for (const char c : cacm) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const std::string& content : {cacm, dos, "\n" + cacm}) {
    const Reading reading = read_text(content);
    EXPECT_EQ(reading.ids, ids);
    EXPECT_EQ(reading.texts, texts);
  }
  EXPECT_TRUE(read_text(cacm).places[1].ends_with("x:12"));
}

TEST(Smart, TakesTheLettersThatAreAskedFor) {
  DocumentOptions options;
  options.text_fields = {".A", "W"};
  EXPECT_EQ(read_text(cacm, options).texts, (Texts{"Perlis, A. J.", "A technique is\ndiscussed."}));
  options.text_fields = {"Author"};
  EXPECT_EQ(refusal_of(cacm, options),
            "x:1: a field of this format is a capital letter, not \"Author\"; give --text-field W");
}

TEST(Smart, ReadsTime) {
  const Reading reading = read_text(
      "*TEXT 017 01/04/63 PAGE 020\n\nTHE ALLIES AFTER NASSAU\n\n*TEXT 020 01/04/63 PAGE 021\n\nTHE ROAD\n\n*STOP\n");
  EXPECT_EQ(reading.ids, (Texts{"017", "020"}));
  EXPECT_NE(reading.texts[0].find("THE ALLIES AFTER NASSAU"), std::string::npos);
  EXPECT_EQ(reading.texts[1].find("STOP"), std::string::npos);
  EXPECT_EQ(read_text("*FIND     1\n\nKENNEDY\n\n*FIND     2\n\nEFFORTS\n\n").ids, (Texts{"1", "2"}));
}

TEST(Smart, ReadsNumberedTexts) {
  // NPL, and the queries of LISA.
  const Reading npl =
      read_text("1\ncompact memories have\nflexible capacities\n   /\n2\nan electronic counter\n   /\n");
  EXPECT_EQ(npl.ids, (Texts{"1", "2"}));
  EXPECT_EQ(npl.texts, (Texts{"compact memories have\nflexible capacities", "an electronic counter"}));
  const Reading lisa = read_text("1\nI AM INTERESTED\nIN SYSTEMS. #\n2\nANYTHING #\n");
  EXPECT_EQ(lisa.texts, (Texts{"I AM INTERESTED\nIN SYSTEMS. ", "ANYTHING "}));
  const Reading documents = read_text("Document    1\nTITLE.\n\nTEXT.\n" + std::string(44, '*') +
                                      "\nDocument    2\nOTHER\n" + std::string(44, '*') + "\n");
  EXPECT_EQ(documents.ids, (Texts{"1", "2"}));
  EXPECT_EQ(documents.texts, (Texts{"TITLE.\n\nTEXT.", "OTHER"}));
  const std::string marks = "1\na\n /\n2\nan odd #\n*STAR\n /\n";
  EXPECT_EQ(read_text(marks).texts, (Texts{"a", "an odd #\n*STAR"}));
  // A list of numbers is not one of documents.
  EXPECT_EQ(read_text("1\n2\n3\n").texts, (Texts{"1", "2", "3"}));
}

TEST(Smart, RefusesRepeatedIdsWithBothPlaces) {
  EXPECT_EQ(refusal_of(".I 1\n.W\na\n.I 1\n.W\nb\n"),
            "x:4: the id \"1\" is that of x:1, too; give each document its own, another --id-field, or "
            "--id-field none to number them");
}

TEST(Smart, IsPrefixSafe) {
  DocumentOptions options;
  options.format = "smart";
  test::expect_every_prefix_is_safe(cacm + ".I 13\n.W\né\n", options);
  test::expect_every_prefix_is_safe("1\nab\n /\n2\nc #\n", options);
  test::expect_every_prefix_is_safe("*TEXT 017 X\n\nA\n*STOP\n", options);
}

TEST(Smart, ReadsTheRealCollections) {
  const std::string med = test::shared_data("ir_med/MED.ALL"), adi = test::shared_data("ir_adi/ADI.ALL");
  if (med.empty() || adi.empty()) GTEST_SKIP() << "needs ir_med and ir_adi of the shared data";
  const Reading documents = read_all({med});
  EXPECT_EQ(documents.report.documents, 1033);  // SOURCE.txt
  EXPECT_EQ(documents.report.empty, 0);
  EXPECT_EQ(documents.ids.back(), "1033");
  EXPECT_TRUE(documents.texts[0].starts_with("correlation between maternal and fetal plasma levels of glucose"));
  EXPECT_EQ(read_all({test::shared_data("ir_med/MED.QRY")}).report.documents, 30);
  const Reading small = read_all({adi});
  EXPECT_EQ(small.report.documents, 82);
  EXPECT_EQ(small.texts[0].find("WHITE"), std::string::npos);  // the author
  EXPECT_EQ(read_all({test::shared_data("ir_adi/ADI.QRY")}).report.documents, 35);
}

}  // namespace
}  // namespace fewdim

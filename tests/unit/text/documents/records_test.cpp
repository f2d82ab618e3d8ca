// "Field: value" paragraphs, as Debian's package lists have them.

#include <gtest/gtest.h>

#include "unit/text/reading.hpp"

namespace fewdim {
namespace {

using test::read_text;
using test::Reading;
using test::refusal_of;
using test::Texts;

const std::string packages =
    "Package: 0ad\n"
    "Version: 0.0.26-3\n"
    "Depends: 0ad-data,\n"
    " libc6\n"
    "Description: Real-time strategy game\n"
    " A free game.\n"
    " .\n"
    "  Indented.\n"
    "Description-md5: d943033bedada21853d2ae54a2578a7b\n"
    "\n"
    "\n"
    "Package: 7zip\n"
    "Description-en: archiver\n"
    "Tag: x::y\n";

TEST(Records, TakeNameAndDescription) {
  const Reading reading = read_text(packages);
  EXPECT_EQ(reading.ids, (Texts{"0ad", "7zip"}));
  EXPECT_EQ(reading.texts, (Texts{"0ad\nReal-time strategy game\nA free game.\n\n Indented.", "7zip\narchiver"}));
  EXPECT_TRUE(reading.places[1].ends_with("x:12"));
}

TEST(Records, TakeTheFieldsThatAreAskedFor) {
  DocumentOptions options;
  options.format = "records";
  options.text_fields = {"depends", "Tag"};
  options.id_field = "package";
  const Reading reading = read_text(packages, options);
  EXPECT_EQ(reading.ids, (Texts{"0ad", "7zip"}));
  EXPECT_EQ(reading.texts, (Texts{"0ad-data,\nlibc6", "x::y"}));
  options.text_fields = {"Licence"};
  EXPECT_EQ(refusal_of(packages, options), "x:14: no record has the field \"Licence\"; give another --text-field");
  options.text_fields = {};
  options.id_field = "Version";
  EXPECT_EQ(refusal_of(packages, options), "x:12: a record without the field \"Version\"; give another --id-field");
}

TEST(Records, OfOtherThingsAreTextThroughout) {
  const Reading reading = read_text("Name: tea\nTaste: bitter\n or not\n\nName: milk\nColor: white\n");
  EXPECT_EQ(reading.ids, (Texts{"tea", "milk"}));
  EXPECT_EQ(reading.texts, (Texts{"tea\nbitter\nor not", "milk\nwhite"}));
}

TEST(Records, ThatComeAgainAreSkippedOrNumbered) {
  const auto record = [](const std::string& text) { return "Package: a\nDescription: " + text + "\n\n"; };
  const Reading reading = read_text(record("one") + record("one") + record("two") + record("three") + record("two"));
  EXPECT_EQ(reading.ids, (Texts{"a", "a#2", "a#3"}));
  EXPECT_EQ(reading.texts, (Texts{"a\none", "a\ntwo", "a\nthree"}));
  EXPECT_EQ(reading.report.repeated, 2);
  EXPECT_EQ(reading.report.renamed, 2);
}

TEST(Records, ThatAllHaveOneIdTakeLinearTime) {
  std::string content;
  for (int i = 0; i < 50'000; ++i) content += "Status: ok\nNumber: " + std::to_string(i) + "\n\n";
  const Reading reading = read_text(content);  // quadratic work would take a minute
  EXPECT_EQ(reading.ids.front(), "ok");
  EXPECT_EQ(reading.ids.back(), "ok#50000");
  // A name that is taken is passed over.
  const std::string taken =
      "Package: a#2\nDescription: x\n\nPackage: a\nDescription: y\n\nPackage: a\nDescription: z\n";
  EXPECT_EQ(read_text(taken).ids, (Texts{"a#2", "a", "a#3"}));
}

TEST(Records, RefuseOtherLines) {
  DocumentOptions options;
  options.format = "records";
  EXPECT_TRUE(refusal_of("Package: a\nno field\n", options).starts_with("x:2: not a \"Field: value\" line"));
  EXPECT_EQ(read_text("# a comment\nPackage: a\n# another\nDescription: b\n", options).texts, (Texts{"a\nb"}));
}

TEST(Records, ArePrefixSafe) {
  DocumentOptions options;
  options.format = "records";
  test::expect_every_prefix_is_safe(packages + "Package: é\nDescription: ü\n", options);
}

}  // namespace
}  // namespace fewdim

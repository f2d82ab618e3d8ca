// Whether the first line of a table names its columns or is a document: a document that is lost, and queries that are
// shifted by one, are wrong answers.

#include <gtest/gtest.h>

#include "support/data.hpp"
#include "unit/text/reading.hpp"

namespace fewdim {
namespace {

using test::read_text;
using test::Reading;
using test::refusal_of;
using test::Texts;

bool header_of(const std::string& content, const std::string& name = "x.tsv") {
  const Reading reading = read_text(content, {}, name);
  EXPECT_EQ(reading.report.tables.size(), 1u);
  return reading.report.tables.at(0).header;
}

TEST(TableHeader, NumbersAboveNumbersAreDocuments) {
  const Reading reading =
      read_text("1\twhat similarity laws\n2\twhat are the structural\n3\twhat problems\n", {}, "x.tsv");
  EXPECT_EQ(reading.ids, (Texts{"1", "2", "3"}));
  EXPECT_EQ(reading.texts, (Texts{"what similarity laws", "what are the structural", "what problems"}));
  const TableReading& table = reading.report.tables.at(0);
  EXPECT_FALSE(table.header);
  EXPECT_FALSE(table.header_given);
  EXPECT_EQ(table.id, "1");
  EXPECT_EQ(table.text, (Texts{"2"}));
}

TEST(TableHeader, UsualNamesAreAHeader) {
  for (const char* content :
       {"id\ttext\n1\ta\n", "ID\tText\nmay\tsome words\n", "docno\tbody\n1\ta b c d\n", "title\tabstract\nOne\ta b c\n",
        "text\nsome words here\n", "name\tBeschreibung\nx\ty z\n"})
    EXPECT_TRUE(header_of(content)) << content;
  const Reading reading = read_text("id\ttext\nmay\tPlant tomatoes\n", {}, "x.tsv");
  EXPECT_EQ(reading.ids, (Texts{"may"}));
  EXPECT_EQ(reading.report.tables.at(0).id, "id");
  EXPECT_EQ(reading.report.tables.at(0).text, (Texts{"text"}));
}

TEST(TableHeader, AUsualNameMayBeTheTextOfADocument) {
  EXPECT_FALSE(header_of("1\tname\n2\tplace\n3\ttime\n"));
  EXPECT_FALSE(header_of("w1\tsummary\nw2\tplace\nw3\ttime\n"));
}

TEST(TableHeader, WordsAboveNumbersAreAHeader) {
  EXPECT_TRUE(header_of("nr\tSatz\n1\tein kurzer Satz\n2\tnoch einer\n"));
  EXPECT_TRUE(header_of("Respondent,What do you think of our service in general?\n1,Not much\n2,Fine\n", "x.csv"));
}

TEST(TableHeader, IdsOfOneKindAreDocuments) {
  EXPECT_FALSE(header_of("c1\tHuman machine\nc2\tA survey\nm1\tThe generation\n"));
  EXPECT_FALSE(header_of("PMC-10\ta b\nPMC-11\tc d\nPMC-9\te f\n"));
  EXPECT_FALSE(header_of("notes/a1.txt\ta b\nnotes/b22.txt\tc d\nnotes/c3.txt\te f\n"));
  EXPECT_TRUE(header_of("doc\tSatz\nc1\tHuman machine\nc2\tA survey\n"));
}

TEST(TableHeader, SentencesAreDocumentsAndNamesAboveThemAreAHeader) {
  EXPECT_FALSE(header_of("may\tPlant tomatoes in May\nroses\tThey want water\nweeds\tPull them out by hand\n"));
  EXPECT_TRUE(header_of("Thema\tInhalt\nmay\tPlant tomatoes in May\nroses\tThey want water\n"));
  EXPECT_FALSE(header_of("Plant tomatoes in May\nThey want water\n", "x.csv"));
  EXPECT_TRUE(header_of("Satz\nPlant tomatoes in May\nThey want water\n", "x.csv"));
}

TEST(TableHeader, WhereNothingTellsNoDocumentIsLost) {
  EXPECT_FALSE(header_of("apple\nplum\npear\n", "x.csv"));
  EXPECT_FALSE(header_of("apple\tplum\n"));  // one line
  EXPECT_EQ(read_text("apple\nplum\npear\n", {}, "x.csv").report.documents, 3);
}

TEST(TableHeader, IsWhatTheCallerSays) {
  DocumentOptions options;
  options.header = true;
  const Reading with = read_text("1\ta b\n2\tc d\n", options, "x.tsv");
  EXPECT_EQ(with.texts, (Texts{"c d"}));
  EXPECT_TRUE(with.report.tables.at(0).header_given);
  options.header = false;
  EXPECT_EQ(read_text("id\ttext\n2\tc d\n", options, "x.tsv").texts, (Texts{"text", "c d"}));
}

TEST(TableHeader, ColumnsGoByNumberWhereThereIsNone) {
  DocumentOptions options;
  options.text_fields = {"3", "2"};
  options.id_field = "1";
  const std::string content = "7\tone\ta b c\n8\ttwo\td e f\n";
  const Reading reading = read_text(content, options, "x.tsv");
  EXPECT_EQ(reading.ids, (Texts{"7", "8"}));
  EXPECT_EQ(reading.texts, (Texts{"a b c\none", "d e f\ntwo"}));
  options.text_fields = {"body"};
  EXPECT_EQ(refusal_of(content, options, "x.tsv"),
            "x.tsv:1: no column \"body\", as the first line is taken as a document; give --text-field a number from 1 "
            "to 3, or --header where that line holds names");
  options.text_fields = {"4"};
  EXPECT_TRUE(refusal_of(content, options, "x.tsv").starts_with("x.tsv:1: no column \"4\""));
  options.text_fields = {"one"};  // a column that is asked for by its name makes the line a header
  options.id_field = "";
  EXPECT_EQ(read_text(content, options, "x.tsv").texts, (Texts{"two"}));
}

TEST(TableHeader, IdsAreWordsThatTellDocumentsApart) {
  const Reading labels = read_text("sport\tthe game was long\nsport\tthey lost again\ncity\ta new road\n", {}, "x.tsv");
  EXPECT_EQ(labels.ids, (Texts{"1", "2", "3"}));
  EXPECT_EQ(labels.report.tables.at(0).id, "");
  const Reading second = read_text("sport\tk1\tthe game was long\nsport\tk2\tthey lost again\n", {}, "x.tsv");
  EXPECT_EQ(second.ids, (Texts{"k1", "k2"}));
  DocumentOptions numbered;
  numbered.id_field = "none";
  EXPECT_EQ(read_text("k1\ta b\nk1\tc d\n", numbered, "x.tsv").ids, (Texts{"1", "2"}));
  EXPECT_EQ(read_text("id\ttext\nk1\ta b\nk1\tc d\n", numbered, "x.tsv").ids, (Texts{"1", "2"}));
  EXPECT_EQ(read_text(".I 1\n.W\na\n.I 1\n.W\nb\n", numbered).ids, (Texts{"1", "2"}));
  EXPECT_EQ(read_text("{\"id\": \"a\", \"text\": \"b\"}\n", numbered, "x.jsonl").ids, (Texts{"1"}));
}

TEST(TableHeader, IsFoundFileByFile) {
  const test::Folder folder;
  const Reading reading = test::read_all(
      {folder.write("a.tsv", "id\ttext\nc1\tone two\n"), folder.write("b.tsv", "c2\tthree four\nc3\tfive six\n")});
  EXPECT_EQ(reading.ids, (Texts{"c1", "c2", "c3"}));
  ASSERT_EQ(reading.report.tables.size(), 2u);
  EXPECT_TRUE(reading.report.tables[0].header);
  EXPECT_FALSE(reading.report.tables[1].header);
}

TEST(TableHeader, OfTheRealCollections) {
  const std::string med = test::shared_data("ir_med/MED.ALL");
  if (med.empty()) GTEST_SKIP() << "needs ir_med of the shared data";
  for (const char* file : {"ir_med/MED.ALL", "ir_med/MED.QRY", "ir_adi/ADI.ALL", "ir_adi/ADI.QRY"}) {
    const Reading smart = test::read_all({test::shared_data(file)});
    for (const char* prefix : {"", "d"}) {
      std::string content;
      for (std::size_t i = 0; i < smart.ids.size(); ++i) {
        std::string text = smart.texts[i];
        for (char& c : text) c = c == '\n' || c == '\t' ? ' ' : c;
        content += prefix + smart.ids[i] + "\t" + text + "\n";
      }
      EXPECT_EQ(read_text(content, {}, "x.tsv").report.documents, smart.report.documents) << file << prefix;
      EXPECT_EQ(read_text("id\ttext\n" + content, {}, "x.tsv").report.documents, smart.report.documents) << file;
      EXPECT_EQ(read_text("Nummer\tInhalt\n" + content, {}, "x.tsv").report.documents, smart.report.documents) << file;
    }
  }
}

}  // namespace
}  // namespace fewdim

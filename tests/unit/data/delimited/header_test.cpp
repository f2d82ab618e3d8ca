#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fewdim/io.hpp"
#include "unit/data/text_files.hpp"

namespace fewdim {
namespace {

using text_files::bytes_of;
using text_files::Folder;
using text_files::message_of;
using Names = std::vector<std::string>;

/// What was read, and what was decided about it.
struct Read {
  Dataset data;
  std::vector<ReadDecision> decisions;

  std::string told(ReadDecision::About about) const {
    std::string text;
    for (const ReadDecision& decision : decisions)
      if (decision.about == about) text += spoken(decision.text, speak_command_line);
    return text;
  }
};

Read look(const std::string& text, const ReadOptions& options = {}) {
  Read out;
  out.data = parse_delimited(bytes_of(text), options, {}, &out.decisions);
  return out;
}

void expect_header(const std::string& text, const Names& names, const std::string& reason) {
  const Read found = look(text);
  EXPECT_EQ(found.data.column_names, names) << text;
  EXPECT_EQ(found.told(ReadDecision::About::header),
            fmt::format("the first line is a header ({}); use --no-header if it is data", reason))
      << text;
}

void expect_data(const std::string& text, Index rows) {
  const Read found = look(text);
  EXPECT_EQ(found.data.rows(), rows) << text;
  EXPECT_TRUE(found.data.column_names.empty()) << text;
  EXPECT_EQ(found.told(ReadDecision::About::header),
            "the first line is data, of numbers as the lines below; use --header if it holds names")
      << text;
}

void expect_question(const std::string& text, const std::string& reason) {
  EXPECT_EQ(message_of<DataError>([&] { look(text); }),
            fmt::format("t.csv: can't tell whether the first line is a header: {}; use --header if it holds names, "
                        "--no-header if it is data",
                        reason));
  for (const bool header : {true, false}) {  // the remedies work
    ReadOptions options;
    options.header = header;
    EXPECT_EQ(look(text, options).data.column_names.empty(), !header);
    EXPECT_EQ(look(text, options).told(ReadDecision::About::header), "");
  }
}

TEST(DelimitedHeader, NamesOverNumbersNeedNoWord) {
  const Read found = look("a,b\n1,2\n3,4\n");
  EXPECT_EQ(found.data.rows(), 2);
  EXPECT_TRUE(found.decisions.empty());
}

TEST(DelimitedHeader, NumbersThatCountOverOtherNumbersAreNames) {
  expect_header("0,1,2\n0.5,7.25,-1.5\n3.25,0.125,2.5\n", {"0", "1", "2"}, "it counts 0, 1, 2");  // pandas
  expect_header("1;2;3;4\n0,5;7,25;-1,5;2,5\n3,5;0,5;2,5;1,5\n", {"1", "2", "3", "4"}, "it counts 1, 2, 3, ...");
  expect_header("0\t1\n0.5\t7.25\n3.25\t0.125\n-1.5\t2.5\n", {"0", "1"}, "it counts 0, 1");
  // Whole numbers below: five columns are no chance.
  expect_header("0,1,2,3,4\n5,3,8,1,9\n2,7,1,9,4\n", {"0", "1", "2", "3", "4"}, "it counts 0, 1, 2, ...");
  expect_header(
      "\xef\xbb\xbf"
      "0,1,2\r\n0.5,7.25,-1.5\r\n3.25,0.125,2.5\r\n",
      {"0", "1", "2"}, "it counts 0, 1, 2");
}

TEST(DelimitedHeader, YearsAreNames) {
  const Names years{"2019", "2020", "2021"};
  expect_header("2019,2020,2021\n1.5,2.5,3.25\n4.5,1.5,9.75\n", years,
                "2019, 2020, 2021 follow each other, and the rows below are other numbers");
  expect_header("country,2019,2020\nAustria,1.5,2.5\nBelgium,3.5,4.5\n", {"2019", "2020"},
                "2019, 2020 follow each other, and the rows below are other numbers");
  // Whole numbers of the same size: the word over the names tells.
  expect_header("country,2019,2020\nAustria,2100,1900\nBelgium,1800,2050\nChile,1500,2500\n", {"2019", "2020"},
                "2019, 2020 follow each other, and the rows below are other numbers");
  expect_header("place,1990,2000,2010\nx1,5,2,7\nx2,3,4,9\nx3,1,8,3\n", {"1990", "2000", "2010"},
                "1990, 2000, 2010 follow each other, and the rows below are other numbers");
}

TEST(DelimitedHeader, NumbersOfGenesAreNames) {
  const std::string below = "s1,7.25,3.5,6.125,2.5,8.75\ns2,6.5,3.25,5.5,2.75,9.5\ns3,7.75,2.5,6.5,3.5,8.25\n";
  const Names genes{"780", "5982", "3310", "7849", "2978"};
  expect_header("sample,780,5982,3310,7849,2978\n" + below, genes, "780, 5982, 3310, ... are unlike the numbers below");
  expect_header("780,5982,3310,7849,2978\n7.25,3.5,6.125,2.5,8.75\n6.5,3.25,5.5,2.75,9.5\n7.75,2.5,6.5,3.5,8.25\n",
                genes, "780, 5982, 3310, ... are unlike the numbers below");
  // Some are as small as the values; that all are whole is no chance.
  expect_header("7,5982,3310,7849,2978\n7.25,3.5,6.125,2.5,8.75\n6.5,3.25,5.5,2.75,9.5\n7.75,2.5,6.5,3.5,8.25\n",
                {"7", "5982", "3310", "7849", "2978"}, "7, 5982, 3310, ... are unlike the numbers below");
  // Wavelengths have fractions.
  expect_header("400.5,402.25,404.5,406,408.5\n.1,.2,.3,.4,.5\n.2,.1,.3,.5,.4\n.3,.1,.2,.4,.5\n",
                {"400.5", "402.25", "404.5", "406", "408.5"}, "400.5, 402.25, 404.5, ... are unlike the numbers below");
}

TEST(DelimitedHeader, QuotesAndAnEmptyCornerTell) {
  expect_header("\"1990\",\"1991\"\n1,2\n", {"1990", "1991"}, "its numbers are in quotes, those below are not");
  const Read found = look(",0,1\n0,1.5,2.5\n1,3.5,4.5\n2,0.5,1.5\n");  // pandas, with its index
  EXPECT_EQ(found.data.column_names, (Names{"0", "1"}));
  EXPECT_EQ(found.data.row_names, (Names{"0", "1", "2"}));
  EXPECT_EQ(found.told(ReadDecision::About::header),
            "the first line is a header (its first cell is empty); use --no-header if it is data");
}

TEST(DelimitedHeader, RowsOfNumbersStayRows) {
  for (const auto& [text, rows] :
       {std::pair<const char*, Index>{"1,2\n3,4\n", 2},
        {"1,2,3\n4,5,6\n7,8,9\n", 3},                                    // every row is like the first
        {"1,2,3,4,5\n2,4,6,8,10\n3,6,9,12,15\n", 3},                     // rank one
        {"0,1,2,3,4\n1,0,1,2,3\n2,1,0,1,2\n3,2,1,0,1\n4,3,2,1,0\n", 5},  // distances of points on a line
        {"0,0,0\n0.1,0.2,0.3\n0.2,0.4,0.6\n0.3,0.5,0.7\n", 4},           // names differ
        {"5,3,4\n4.5,3.5,4.25\n5.5,2.5,3.25\n5.25,3.25,4.5\n", 4},
        {"0,1\n1,0\n1,1\n0,0\n", 4},
        {"5.1,3.5,1.4,0.2\n4.9,3,1.4,0.2\n4.7,3.2,1.3,0.2\n", 3},
        {"NA,2\n3,4\n", 2},
        {"1,2,3\n4,5,7\n", 2},  // one row says little
        {"2,4\n3.5,1.25\n0.5,6.5\n3.25,2.5\n", 4}})
    expect_data(text, rows);
}

TEST(DelimitedHeader, AsksWhereItIsOpen) {
  expect_question("1,2,3\n4,6,5\n7,8,1\n2,2,9\n", "it counts 1, 2, 3");
  expect_question("2019,2020\n2100,1900\n1800,2050\n1500,2500\n",
                  "2019, 2020 follow each other, and the rows below are other numbers");
  // A trajectory may start at 0, 1: its next row is near.
  expect_question("0,1\n0.1,0.995\n0.5,0.87\n0.9,0.43\n", "it counts 0, 1");
  // So may a table of steps: the first column goes on.
  expect_question("0,1,2\n1,0.5,7.5\n2,3.5,0.25\n3,1.5,4.5\n", "it counts 0, 1, 2");
  expect_question("1000,2500\n1.5,2.5\n1.25,2.75\n1.75,2.25\n", "1000, 2500 are unlike the numbers below");
}

TEST(DelimitedHeader, ANameBesideANumberIsAskedAboutWithARemedyThatWorks) {
  const std::string text = "key,5,9\n7,1,2\n";
  EXPECT_EQ(
      message_of<DataError>([&] { look(text); }),
      "t.csv: can't tell whether the first line is a header: \"key\" in it is a name over numbers, 5 is a number; "
      "use --header if it holds names, or make \"key\" a missing value with --na key");
  ReadOptions options;
  options.na_words.emplace_back("key");
  EXPECT_EQ(look(text, options).data.rows(), 2);
  options = {};
  options.header = true;
  EXPECT_EQ(look(text, options).data.column_names, (Names{"key", "5", "9"}));
  EXPECT_EQ(look("key,0,1,2\n7,1,2,3\n").data.column_names, (Names{"key", "0", "1", "2"}));
}

TEST(DelimitedHeader, AStreamDecidesAsTheWholeFile) {
  const Folder folder;
  for (const char* text : {"0,1,2\n0.5,7.25,-1.5\n3.25,0.125,2.5\n", "1,2\n3,4\n", "id,x,label:kind\n7,1,a\n9,2,b\n",
                           ",0,1\n0,1.5,2.5\n1,3.5,4.5\n2,0.5,1.5\n"}) {
    const std::string path = folder.write("t.csv", text);
    ReadOptions options;
    options.stream = true;
    std::vector<ReadDecision> streamed;
    const Dataset stream = read(path, options, {}, &streamed);
    const Read whole = look(text);
    EXPECT_EQ(stream.column_names, whole.data.column_names);
    ASSERT_EQ(streamed.size(), whole.decisions.size()) << text;
    for (std::size_t i = 0; i < streamed.size(); ++i) EXPECT_EQ(streamed[i].text, whole.decisions[i].text);
  }
}

TEST(DelimitedHeader, ColumnsThatNumberTheRowsAreNoFeatures) {
  for (const char* name : {"Unnamed: 0", "id", "Index"}) {
    const Read found = look(fmt::format("{},x\n7,1.5\n3,2.5\n9,0.5\n", name));
    EXPECT_EQ(found.data.column_names, Names{"x"}) << name;
    EXPECT_EQ(found.data.row_names, (Names{"7", "3", "9"}));
    EXPECT_EQ(found.told(ReadDecision::About::row_names),
              fmt::format("column 1 \"{}\" holds the rows' names; use --id none if it is a feature", name));
  }
  ReadOptions options;
  options.id = "none";
  EXPECT_EQ(look("id,x\n7,1.5\n3,2.5\n", options).data.cols(), 2);
  EXPECT_TRUE(look("id,x\n7,1.5\n3,2.5\n", options).decisions.empty());
  // Under another name it may be a time: it stays, and that is told.
  const Read counted = look("step,x\n1,1.5\n2,2.5\n3,0.5\n");
  EXPECT_EQ(counted.data.cols(), 2);
  EXPECT_EQ(counted.told(ReadDecision::About::row_names),
            "column 1 \"step\" counts the rows and is taken as a feature; use --id step if it holds their names");
  options.id = "step";
  EXPECT_EQ(look("step,x\n1,1.5\n2,2.5\n3,0.5\n", options).data.cols(), 1);
  EXPECT_TRUE(look("id,x\n7.5,1.5\n3.5,2.5\n").data.row_names.empty());  // no numbers of rows
}

TEST(DelimitedHeader, ALabelIsKnownByItsName) {
  const Read found = look("x,y,label:kind\n1,2,0\n3,4,1\n");
  EXPECT_EQ(found.data.column_names, (Names{"x", "y"}));
  EXPECT_EQ(found.data.labels, (Names{"0", "1"}));
  EXPECT_EQ(found.data.label_name, "kind");
  EXPECT_EQ(found.told(ReadDecision::About::label),
            "column 3 \"kind\" is the label, not a feature; use --label none if it is one");
  EXPECT_EQ(look("Label,x\n3,1\n3,2\n").data.labels, (Names{"3", "3"}));
  ReadOptions options;
  options.label = "none";
  EXPECT_EQ(look("x,y,label:kind\n1,2,0\n3,4,1\n", options).data.column_names, (Names{"x", "y", "kind"}));
  for (const char* wanted : {"kind", "label:kind", "3"}) {
    options.label = wanted;
    EXPECT_EQ(look("x,y,label:kind\n1,2,0\n3,4,1\n", options).data.labels, (Names{"0", "1"})) << wanted;
    EXPECT_TRUE(look("x,y,label:kind\n1,2,0\n3,4,1\n", options).decisions.empty());
  }
  // Two of them: one is chosen, and the other is no feature either.
  const std::string two = "x,label:a,label:b\n1,2,0\n3,4,1\n";
  EXPECT_EQ(message_of<DataError>([&] { look(two); }),
            "t.csv: column 2 \"a\" and column 3 \"b\" are both named as labels; choose one with --label a");
  options.label = "a";
  EXPECT_EQ(look(two, options).data.column_names, Names{"x"});
  EXPECT_EQ(look(two, options).told(ReadDecision::About::unused), "'b' is named as a label, and left out");
}

TEST(DelimitedHeader, FeaturesAreTakenByName) {
  ReadOptions options;
  options.features = {"y", "x"};
  const Read found = look("x,kind,y,z\n1,a,2,3\n4,b,5,6\n", options);
  EXPECT_EQ(found.data.column_names, (Names{"y", "x"}));
  EXPECT_EQ(found.data.matrix<double>()(1, 0), 5.0);
  EXPECT_EQ(found.told(ReadDecision::About::unused), "2 columns that the model does not use were left out: kind, z");
  // Its names make a line a header, whatever they look like, and a column a feature.
  options.features = {"2", "1"};
  EXPECT_EQ(look("1,2\n3,4\n5,6\n", options).data.column_names, (Names{"2", "1"}));
  options.features = {"id", "label"};
  EXPECT_EQ(look("id,label\n3,4\n5,6\n", options).data.cols(), 2);
  // Without names they go by their places.
  options.features = {"x", "y"};
  EXPECT_EQ(look("1,2\n3,4\n", options).data.rows(), 2);
  EXPECT_EQ(message_of<DataError>([&] { look("x,z\n1,2\n", options); }),
            "t.csv: lacks 1 of the model's columns: 'y'; the columns there are 'x', 'z'");
  EXPECT_EQ(message_of<DataError>([&] { look("x,y,y\n1,2,3\n", options); }),
            "t.csv: has several columns of the name 'y'; use --drop NUMBER for those that the model does not know");
  options.drop = {"3"};
  EXPECT_EQ(look("x,y,y\n1,2,3\n", options).data.cols(), 2);
  options = {};
  options.features = {"a", "a"};  // the first is the first
  EXPECT_EQ(look("a,b,a\n1,2,3\n", options).data.matrix<double>()(0, 1), 3.0);
  options.features = {"PC1", "PC2"};
  options.features_optional = true;
  EXPECT_EQ(look("u,v\n1,2\n", options).data.column_names, (Names{"u", "v"}));
}

TEST(DelimitedHeader, RemediesForTextColumnsWork) {
  const std::string text = "date,x,city,y,kind\nMay,1,Bonn,2,a\nMay,3,Bern,4,b\n";
  const std::string message = message_of<DataError>([&] { look(text); });
  EXPECT_EQ(
      message,
      "t.csv: column 1 \"date\" (\"May\" ...), column 3 \"city\" (\"Bonn\" ...), column 5 \"kind\" (\"a\" ...) hold "
      "text, not numbers; use --id date --drop city,kind, --label date --drop city,kind or --drop date,city,kind");
  ReadOptions id, label, drop;
  id.id = "date", id.drop = {"city", "kind"};
  label.label = "date", label.drop = {"city", "kind"};
  drop.drop = {"date", "city", "kind"};
  for (const ReadOptions& options : {id, label, drop}) EXPECT_EQ(look(text, options).data.cols(), 2);
  // What is taken already is not proposed again, and names that can't be typed are numbers.
  ReadOptions options;
  options.label = "kind";
  EXPECT_EQ(message_of<DataError>([&] { look("x,\"a,b\",kind\n1,u,v\n2,u,w\n", options); }),
            "t.csv: column 2 \"a,b\" (\"u\" ...) holds text, not numbers; use --drop 2");
  EXPECT_EQ(message_of<DataError>([&] { look("x,true,kind\n1,u,v\n2,u,w\n", options); }),
            "t.csv: column 2 \"true\" (\"u\" ...) holds text, not numbers; use --drop 2");
}

}  // namespace
}  // namespace fewdim

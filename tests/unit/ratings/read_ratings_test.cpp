#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "fewdim/error.hpp"
#include "fewdim/ratings.hpp"

namespace fewdim {
namespace {

class ReadRatings : public ::testing::Test {
 protected:
  ReadRatings() : path_(std::filesystem::temp_directory_path() / ("ratings-" + std::to_string(::getpid()) + ".csv")) {}
  ~ReadRatings() override { std::filesystem::remove(path_); }
  std::string file(const std::string& text) const {
    std::ofstream(path_, std::ios::binary) << text;
    return path_.string();
  }
  std::string fault(const std::string& text, const RatingsOptions& options = {}) const {
    try {
      read_ratings(file(text), options);
    } catch (const DataError& e) {
      return e.message(speak_command_line);
    }
    return "none";
  }

  std::filesystem::path path_;
};

TEST_F(ReadRatings, LinesOfEveryKindAreTheSameRatings) {
  for (const char* text : {"user,item,rating\na,x,5\nb,x,3\na,y,1\n", "a,x,5\nb,x,3\na,y,1",
                           "a\tx\t5\t881250949\nb\tx\t3\t1\na\ty\t1\t2\n",
                           "a::x::5::978300760\nb::x::3::978300761\r\na::y::1::978300762\r\n",
                           "a;x;5\n\nb;x;3\na;y;1\n", "rating,item,user\n5,x,a\n3,x,b\n1,y,a\n",
                           "\xEF\xBB\xBFuserId,movieId,rating,timestamp\na,x,5,1\nb,x,3,2\na,y,1,3\n",
                           "\"a\",\"x\",5\n\"b\",\"x\",3\n\"a\",\"y\",1\n"}) {
    const Dataset data = read_ratings(file(text));
    EXPECT_EQ(data.row_names, (std::vector<std::string>{"a", "b"})) << text;
    EXPECT_EQ(data.column_names, (std::vector<std::string>{"x", "y"})) << text;
    const Matrix<double> expected{{5.0, 1.0}, {3.0, 0.0}};
    EXPECT_EQ(data.matrix<double>(), expected) << text;
    EXPECT_EQ(data.sparse<double>()->nonzeros(), 3);
    EXPECT_TRUE(data.hash.starts_with("xxh3:"));
  }
}

TEST_F(ReadRatings, ColumnsAreChosenByNameOrNumber) {
  const std::string text = "when,who,what,points\n1,a,x,5\n2,b,x,3\n";
  RatingsOptions options;
  options.user_column = "who", options.item_column = "what", options.value_column = "points";
  EXPECT_EQ(read_ratings(file(text), options).matrix<double>(), (Matrix<double>{{5.0}, {3.0}}));
  options.user_column = "2", options.item_column = "3", options.value_column = "4";
  EXPECT_EQ(read_ratings(file(text), options).row_names, (std::vector<std::string>{"a", "b"}));
  options.value_column = "none";
  EXPECT_EQ(read_ratings(file(text), options).matrix<double>(), (Matrix<double>{{1.0}, {1.0}}));
  options.value_column = "stars";
  EXPECT_NE(fault(text, options).find("--value-column 'stars'"), std::string::npos);
  EXPECT_EQ(read_ratings(file("a,x\nb,y\n")).matrix<double>(), (Matrix<double>{{1.0, 0.0}, {0.0, 1.0}}));
}

TEST_F(ReadRatings, FaultsHaveTheirPlace) {
  EXPECT_NE(fault("a,x,5\nb,x,three\n").find(":2:5: the value should be a number, found 'three'"), std::string::npos)
      << fault("a,x,5\nb,x,three\n");
  EXPECT_NE(fault("a,x,5\nb\n").find(":2:"), std::string::npos) << fault("a,x,5\nb\n");
  EXPECT_NE(fault("a,x,5\n,x,3\n").find("the user is missing"), std::string::npos);
  EXPECT_NE(fault("a,x,5\nb,x,nan\n").find("leave out what is missing"), std::string::npos);
  EXPECT_NE(fault("a,x,5\nb,x,1e999\n").find("should be a number"), std::string::npos);
  EXPECT_NE(fault("").find("empty"), std::string::npos);
  EXPECT_NE(fault("user,item,rating\n").find("no rating below the header"), std::string::npos);
  EXPECT_NE(fault("one\n").find("user,item,value"), std::string::npos);
}

TEST_F(ReadRatings, RepeatsAreRefusedWithBothPlacesOrAsAsked) {
  const std::string text = "a,x,5\nb,x,3\na,y,2\na,x,1\n";
  const std::string words = fault(text);
  EXPECT_NE(words.find(":4: user 'a' has rated item 'x' before, in line 1"), std::string::npos) << words;
  RatingsOptions options;
  for (const auto& [how, value] : {std::pair{RepeatedRatings::mean, 3.0}, std::pair{RepeatedRatings::first, 5.0},
                                   std::pair{RepeatedRatings::last, 1.0}}) {
    options.repeated = how;
    const Dataset data = read_ratings(file(text), options);
    EXPECT_EQ(data.matrix<double>(), (Matrix<double>{{value, 2.0}, {3.0, 0.0}}));
    EXPECT_EQ(data.sparse<double>()->nonzeros(), 3);
  }
}

TEST_F(ReadRatings, EveryBeginningOfAFileIsRatingsOrACleanError) {
  const std::string text = "user,item,rating,time\nanna,\"x, y\",4.5,881\nbert,z,-3,7\nanna,z,2e0,9\n";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    try {
      EXPECT_LE(read_ratings(file(text.substr(0, size))).rows(), 2);
    } catch (const DataError& e) {
      EXPECT_FALSE(std::string(e.what()).empty());
    }
  }
}

TEST_F(ReadRatings, PiecesAndThreadsChangeNothing) {
  std::string text;  // several pieces of 1 MiB
  for (int i = 0; i < 200'000; ++i) text += "u" + std::to_string(i % 997) + ",i" + std::to_string(i % 1009) + ",3.25\n";
  const std::string path = file(text);
  const Dataset one = read_ratings(path, {}, {.threads = 1});
  EXPECT_EQ(one.rows(), 997);
  EXPECT_EQ(one.cols(), 1009);
  EXPECT_EQ(one.sparse<double>()->nonzeros(), 200'000);
  EXPECT_EQ(one.row_names[996], "u996");
  for (const int threads : {2, 3}) {
    const Dataset more = read_ratings(path, {}, {.threads = threads});
    EXPECT_EQ(one.row_names, more.row_names);
    EXPECT_EQ(one.matrix<double>(), more.matrix<double>());
  }
}

TEST_F(ReadRatings, TablesAreToldFromLines) {
  for (const char* text :
       {"196\t242\t3\t881250949\n", "1::1193::5::978300760\n", "userId,movieId,rating\n1,2,3\n", "1,2,3.5\n"})
    EXPECT_TRUE(looks_like_ratings(file(text))) << text;
  for (const char* text : {"a,b,c\n1.5,2,3\n", "1.5,2,3\n", "1,2,3,4,5\n", ",x,y\nanna,1,2\n", ""})
    EXPECT_FALSE(looks_like_ratings(file(text))) << text;
}

TEST_F(ReadRatings, PairsNeedNoValue) {
  const std::vector<RatedPair> pairs = read_rated_pairs(file("user,item\na,x\nb,y\n"));
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[1].user, "b");
  EXPECT_TRUE(std::isnan(pairs[1].value));
  EXPECT_EQ(read_rated_pairs(file("a,x,2\nb,y,\n"))[0].value, 2.0);
}

}  // namespace
}  // namespace fewdim

// Labels of points from another table.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "fewdim/fewdim.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

class LabelFile {
 public:
  explicit LabelFile(const std::string& text)
      : path_(testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv") {
    std::ofstream(path_) << text;
  }
  ~LabelFile() { std::remove(path_.c_str()); }
  LabelFile(const LabelFile&) = delete;
  LabelFile& operator=(const LabelFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(ReadLabels, TakeTheOnlyColumnOrTheOneThatIsNamed) {
  EXPECT_EQ(read_labels(LabelFile("a\nb\na\n").path(), "", 3).labels, (std::vector<std::string>{"a", "b", "a"}));
  const LabelFile again("id,kind,size\nr1,\"x, y\",1\nr2,z,2.5\nr3,z,NA\n");
  const LabelColumn kinds = read_labels(again.path(), "kind", 3);
  EXPECT_EQ(kinds.name, "kind");
  EXPECT_EQ(kinds.labels, (std::vector<std::string>{"x, y", "z", "z"}));
  const LabelColumn sizes = read_labels(again.path(), "3", 3);
  const Vector<double> numbers = label_numbers(sizes.labels, sizes.name, again.path());
  EXPECT_EQ(numbers[1], 2.5);
  EXPECT_TRUE(std::isnan(numbers[2]));
}

TEST(ReadLabels, MayBeOfAllRowsWhereAModelLeftSomeOut) {
  Matrix<double> x = test::sample(40, 3);
  x.topRows(6).array() += 1000.0;  // a part of their own
  IsomapOptions options;
  options.neighborhood.k = 5;
  options.neighborhood.disconnected = Disconnected::largest;
  const Model model = fit_isomap(Dataset(x), options);
  ASSERT_EQ(model.left_out().size(), 6u);
  std::string lines;
  for (int i = 0; i < 40; ++i) lines += i < 6 ? "out\n" : "in\n";
  const LabelFile file(lines);
  EXPECT_EQ(read_labels(file.path(), "", 34, &model).labels, std::vector<std::string>(34, "in"));
  EXPECT_THROW(read_labels(file.path(), "", 34), DataError);
}

TEST(ReadLabels, RefusalsNameOptionsAsValues) {
  const LabelFile table("id,kind,size\nr1,x,1\nr2,z,2\n");
  try {
    read_labels(table.path(), "", 2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(error.message(speak_command_line).find("say with --label which"), std::string::npos);
    EXPECT_EQ(std::string(error.what()).find("--"), std::string::npos) << error.what();
  }
  EXPECT_THROW(read_labels(table.path(), "weight", 2), Error);
  EXPECT_THROW(read_labels(table.path(), "kind", 9), DataError);
  EXPECT_THROW(label_numbers({"1", "x"}, "kind", "table.csv"), DataError);
}

}  // namespace
}  // namespace fewdim

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "unit/models/sample_model.hpp"

namespace fewdim {
namespace {

/// What a shell command prints.
std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return text;
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, got);
  ::pclose(pipe);
  return text;
}

/// A Python with NumPy: FEWDIM_TEST_PYTHON, or the system's.
std::string python_with_numpy() {
  const char* chosen = std::getenv("FEWDIM_TEST_PYTHON");
  const std::string python = chosen ? chosen : "/usr/bin/python3";
  return std::system((python + " -c 'import numpy' 2>/dev/null").c_str()) == 0 ? python : "";
}

TEST(ReadModel, TheNumpyReaderPlacesRowsWhereTheModelDoes) {
  const std::string python = python_with_numpy();
  if (python.empty()) GTEST_SKIP() << "no Python with NumPy; install python3-numpy or set FEWDIM_TEST_PYTHON";
  const ScratchFolder scratch("read-model");
  const Model model = sample_model(6, 3, {.precision = Precision::float32});  // its file has F32 and F64 arrays
  model.save(scratch.file("model"));
  const Matrix<double> x = random_matrix(20, 6, 4), expected = model.transform(x);
  std::ofstream rows(scratch.file("rows.csv"));
  rows << "a,b,c,d,e,f\n";
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j) rows << fmt::format("{}{}", x(i, j), j + 1 < x.cols() ? ',' : '\n');
  rows.close();
  const std::string command =
      fmt::format("{} '{}/examples/read_model.py' '{}'", python, FEWDIM_SOURCE_DIR, scratch.file("model"));
  const std::string about = output_of(command);
  EXPECT_TRUE(about.starts_with("pca float32 fitted on 100 rows of iris.csv\n")) << about;
  std::istringstream lines(output_of(command + " '" + scratch.file("rows.csv") + "'"));
  std::string header;
  std::getline(lines, header);
  EXPECT_EQ(header, "PC1,PC2,PC3");
  for (Index i = 0; i < x.rows(); ++i)
    for (Index c = 0; c < 3; ++c) {
      double found = 0;
      char comma = 0;
      ASSERT_TRUE(lines >> found) << i;
      if (c + 1 < 3) lines >> comma;
      // Six products of numbers up to about 20 in another order of summation: 10 roundings of that size.
      EXPECT_NEAR(found, expected(i, c), 10 * 20 * 2.3e-16);
    }
}

}  // namespace
}  // namespace fewdim

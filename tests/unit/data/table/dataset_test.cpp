#include "fewdim/dataset.hpp"

#include <gtest/gtest.h>

#include "support/data.hpp"

namespace fewdim {
namespace {

TEST(Dataset, IsAViewOfWhatLives) {
  const Matrix<double> x = test::sample(5, 3);
  EXPECT_EQ(Dataset(x).dense<double>()->data, x.data());
  EXPECT_EQ(Dataset(x.rightCols(2)).dense<double>()->data, x.data() + 5);
}

TEST(Dataset, OwnsWhatIsTemporary) {
  const Matrix<double> x = test::sample(5, 3);
  const Dataset moved(Matrix<double>(x + x)), evaluated((x + x).eval());  // eval() returns a const temporary
  EXPECT_EQ(moved.matrix<double>(), x + x);
  EXPECT_EQ(evaluated.matrix<double>(), x + x);
}

}  // namespace
}  // namespace fewdim

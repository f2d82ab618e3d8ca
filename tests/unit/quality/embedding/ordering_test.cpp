#include "quality/embedding/ordering.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.hpp"

namespace fewdim {
namespace {

std::vector<std::uint32_t> twin(const std::vector<double>& values, Index left_out) {
  std::vector<std::uint32_t> order;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (static_cast<Index>(i) != left_out) order.push_back(static_cast<std::uint32_t>(i));
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return values[i]; });
  return order;
}

void expect_sorted(const std::vector<double>& values) {
  Ordering ordering;
  for (const Index left_out : {Index{-1}, Index{0}, std::ssize(values) - 1})
    EXPECT_EQ(ordering.sort(values.data(), std::ssize(values), left_out), twin(values, left_out)) << values.size();
}

std::vector<double> uniform(std::size_t count, double scale) {
  const Random random(7, 0);
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = scale * random.uniform(i);
  return values;
}

TEST(Ordering, EqualsAStableSort) {
  for (const std::size_t count : {1u, 2u, 100u, 511u, 512u, 513u, 5000u})
    for (const double scale : {1e-300, 1e-40, 1.0, 1e30, 1e300}) expect_sorted(uniform(count, scale));
}

TEST(Ordering, TiesGoToTheLowerPlace) {
  for (const std::size_t count : {40u, 3000u}) {
    std::vector<double> values = uniform(count, 8.0);
    for (double& value : values) value = std::floor(value);
    expect_sorted(values);
    expect_sorted(std::vector<double>(count, 0.0));
  }
}

TEST(Ordering, TellsDoublesOfOneFloatApart) {
  std::vector<double> values = uniform(2000, 1e-12);
  for (double& value : values) value += 1.0;
  expect_sorted(values);
}

TEST(Ordering, TakesZerosOfBothSignsAndInfinity) {
  std::vector<double> values = uniform(1000, 1.0);
  values[3] = values[900] = std::numeric_limits<double>::infinity();
  values[10] = 1e300;  // infinite as a float
  values[5] = 0.0;
  values[4] = -0.0;
  expect_sorted(values);
}

}  // namespace
}  // namespace fewdim

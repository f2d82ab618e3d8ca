#include "search/scores.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "fewdim/text_index.hpp"

namespace fewdim {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
using Numbers = std::vector<Index>;

TEST(LargestOf, TiesGoToTheLowerNumber) {
  EXPECT_EQ(largest_of({1, 3, 2, 3, 1, 3}, 2, 0), (Numbers{1, 3}));
  EXPECT_EQ(largest_of({1, 3, 2, 3, 1, 3}, 5, 0), (Numbers{1, 3, 5, 2, 0}));
  EXPECT_EQ(largest_of(std::vector<float>(100, 0.5F), 4, 0), (Numbers{0, 1, 2, 3}));
}

TEST(LargestOf, WhatIsAtTheFloorIsLeftOut) {
  EXPECT_EQ(largest_of({0, -1, 0.5F, 0, 1e-30F}, 10, 0), (Numbers{2, 4}));
  EXPECT_EQ(largest_of({0, -1, 0.5F}, 10, -kInf), (Numbers{2, 0, 1}));
  EXPECT_EQ(largest_of({-kInf, -1}, 10, -std::numeric_limits<float>::max()), (Numbers{1}));
}

TEST(LargestOf, NumbersThatAreNoneAreNeverAmongThem) {
  EXPECT_EQ(largest_of({kNan, 1, kNan, 2, kInf}, 10, 0), (Numbers{4, 3, 1}));
  EXPECT_EQ(largest_of({kNan, kNan}, 10, -kInf), Numbers{});
}

TEST(LargestOf, AnyCount) {
  EXPECT_EQ(largest_of({}, 3, 0), Numbers{});
  EXPECT_EQ(largest_of({1, 2}, 0, 0), Numbers{});
  EXPECT_EQ(largest_of({1, 2}, -1, 0), Numbers{});
  EXPECT_EQ(largest_of({1, 2}, std::numeric_limits<Index>::max(), 0), (Numbers{1, 0}));
}

TEST(LargestOf, IsTheBeginningOfTheSorted) {
  const Random random(4, 0);
  std::vector<float> scores;
  for (std::uint64_t i = 0; i < 5000; ++i) scores.push_back(static_cast<float>(random.below(i, 300)) - 50.0F);  // ties
  Numbers sorted;
  for (Index i = 0; i < std::ssize(scores); ++i)
    if (scores[static_cast<std::size_t>(i)] > 0) sorted.push_back(i);
  std::ranges::stable_sort(sorted, std::greater{}, [&](Index i) { return scores[static_cast<std::size_t>(i)]; });
  for (const Index count : {1, 2, 77, 5000}) {
    Numbers wanted = sorted;
    if (std::ssize(wanted) > count) wanted.resize(static_cast<std::size_t>(count));
    EXPECT_EQ(largest_of(scores, count, 0), wanted) << count;
  }
}

TEST(Cosines, AreDotProductsAtAnyLengthAndThreadCount) {
  for (const Index k : {1, 15, 16, 17, 33, 200}) {
    const Index n = 5000;  // three tasks
    TextIndex index;
    index.ids = std::vector<std::string>(static_cast<std::size_t>(n), "x");
    const Random random(7, static_cast<std::uint32_t>(k));
    std::vector<float> places, query;
    for (Index i = 0; i < n * k; ++i)
      places.push_back(static_cast<float>(random.normal(static_cast<std::uint64_t>(i))));
    for (Index c = 0; c < k; ++c)
      query.push_back(static_cast<float>(random.normal(static_cast<std::uint64_t>(n * k + c))));
    index.places = places;
    const std::vector<float> found = cosines_of(index, query, {.threads = 1});
    for (const Index i : {Index{0}, Index{2047}, Index{2048}, n - 1}) {
      double sum = 0.0, size = 0.0;
      for (Index c = 0; c < k; ++c) {
        const double part = static_cast<double>(places[static_cast<std::size_t>(i * k + c)]) *
                            static_cast<double>(query[static_cast<std::size_t>(c)]);
        sum += part;
        size += std::abs(part);
      }
      EXPECT_NEAR(static_cast<double>(found[static_cast<std::size_t>(i)]), sum, 1e-6 * size)
          << k;  // float32, k/16 steps
    }
    for (const int threads : {2, 3}) EXPECT_EQ(cosines_of(index, query, {.threads = threads}), found);
  }
}

TEST(Bm25, IsItsFormula) {
  // Three documents of lengths 2, 4, 6; mean 4. Term 0 is in the first twice, term 1 in all once.
  TextIndex index;
  index.ids = std::vector<std::string>{"a", "b", "c"};
  index.lengths = std::vector<float>{2, 4, 6};
  index.weights.mean_length = 4;
  index.terms = std::vector<std::string>{"s", "t"};
  index.posting_offsets = std::vector<std::int64_t>{0, 1, 4};
  index.posting_documents = std::vector<std::int32_t>{0, 0, 1, 2};
  index.posting_counts = std::vector<float>{2, 1, 1, 1};
  const double rare = std::log(1 + 2.5 / 1.5), common = std::log(1 + 0.5 / 3.5);
  const std::vector<float> found = bm25_of(index, {{0, 1.0F}, {1, 3.0F}});
  EXPECT_NEAR(found[0], rare * 4.4 / (2 + 1.2 * 0.625) + 3 * common * 2.2 / (1 + 1.2 * 0.625), 1e-6);
  EXPECT_NEAR(found[1], 3 * common * 2.2 / 2.2, 1e-6);
  EXPECT_NEAR(found[2], 3 * common * 2.2 / (1 + 1.2 * 1.375), 1e-6);
  EXPECT_EQ(bm25_of(index, {}), (std::vector<float>{0, 0, 0}));
  index.weights.mean_length = 0;  // no document had a term when it was fitted
  for (const float score : bm25_of(index, {{0, 1.0F}})) EXPECT_TRUE(std::isfinite(score));
}

}  // namespace
}  // namespace fewdim

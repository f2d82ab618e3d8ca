#include "report/plots/coloring.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace fewdim {
namespace {

std::vector<std::string> names_of(const PointColoring& coloring) {
  std::vector<std::string> names;
  for (const auto& entry : coloring.legend.entries) names.push_back(entry.name);
  return names;
}

TEST(Coloring, ClassesGetColorsInNaturalOrder) {
  const PointColoring c = color_by({"b10", "b9", "a", "b10"}, "kind");
  EXPECT_EQ(names_of(c), (std::vector<std::string>{"a", "b9", "b10"}));
  EXPECT_EQ(c.legend.title, "kind");
  EXPECT_FALSE(c.legend.ramp.has_value());
  EXPECT_EQ(c.colors[2], colors::classes[0]);
  EXPECT_EQ(c.colors[1], colors::classes[1]);
  EXPECT_EQ(c.colors[0], colors::classes[2]);
  EXPECT_EQ(c.colors[0], c.colors[3]);
}

TEST(Coloring, FewNumbersAreClassesByValue) {
  EXPECT_EQ(names_of(color_by({"10", "2", "-1", "2.5"}, "")), (std::vector<std::string>{"-1", "2", "2.5", "10"}));
}

TEST(Coloring, ManyNumbersGoAlongABar) {
  std::vector<std::string> labels;
  for (int i = 0; i <= 20; ++i) labels.push_back(std::to_string(i));
  labels.insert(labels.end(), {"", "NA", "NaN"});
  const PointColoring c = color_by(labels, "t");
  ASSERT_TRUE(c.legend.ramp.has_value());
  EXPECT_EQ(c.legend.ramp->low, 0);
  EXPECT_EQ(c.legend.ramp->high, 20);
  EXPECT_TRUE(c.legend.entries.empty());
  EXPECT_EQ(c.colors[0], viridis(0));
  EXPECT_EQ(c.colors[10], viridis(0.5));
  EXPECT_EQ(c.colors[20], viridis(1));
  for (std::size_t i = 21; i < 24; ++i) EXPECT_EQ(c.colors[i], colors::other);
}

TEST(Coloring, OneWordAmongTheNumbersMakesThemClasses) {
  std::vector<std::string> labels{"word"};
  for (int i = 0; i < 20; ++i) labels.push_back(std::to_string(i));
  EXPECT_FALSE(color_by(labels, "").legend.ramp.has_value());
}

TEST(Coloring, TooManyClassesKeepTheMostFrequentAndTheRestIsOther) {
  std::vector<std::string> labels;
  for (int k = 0; k < 80; ++k)
    for (int times = 0; times <= (k % 2 == 0 ? 5 : 0); ++times) labels.push_back(fmt::format("c{}", k));
  const PointColoring c = color_by(labels, "");
  const auto names = names_of(c);
  ASSERT_EQ(names.size(), most_classes);
  EXPECT_EQ(names.back(), "other (33 classes)");
  for (const int k : {0, 2, 4, 78})
    EXPECT_NE(std::find(names.begin(), names.end(), fmt::format("c{}", k)), names.end());
  EXPECT_EQ(names[1], "c1");  // of the rare, the first in order get what the 40 frequent have left
  EXPECT_EQ(std::count(c.colors.begin(), c.colors.end(), colors::other), 33);
}

TEST(Coloring, ClassesBeyondTheColorsDifferByTheirMarkers) {
  std::vector<std::string> labels;
  for (int k = 0; k < 30; ++k) labels.push_back(fmt::format("c{}", k));
  const PointColoring c = color_by(labels, "");
  ASSERT_EQ(c.legend.entries.size(), 30u);
  for (std::size_t a = 0; a < 30; ++a) {
    EXPECT_EQ(c.classes[a], static_cast<std::int32_t>(a));
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_FALSE(c.legend.entries[a].color == c.legend.entries[b].color &&
                   c.legend.entries[a].marker == c.legend.entries[b].marker);
  }
}

TEST(Coloring, ExactlyAsManyClassesAsColorsNeedNoOther) {
  std::vector<std::string> labels;
  for (std::size_t k = 0; k < most_classes; ++k) labels.push_back(fmt::format("c{}", k));
  const PointColoring c = color_by(labels, "");
  EXPECT_EQ(c.legend.entries.size(), most_classes);
  EXPECT_EQ(std::count(c.colors.begin(), c.colors.end(), colors::other), 0);
}

TEST(Coloring, MissingLabelsAreNamed) {
  EXPECT_EQ(names_of(color_by({"a", "", "b"}, "")), (std::vector<std::string>{"a", "b", "(none)"}));
  EXPECT_EQ(names_of(color_by({"", ""}, "")), (std::vector<std::string>{"(none)"}));
}

TEST(NaturalLess, OrdersDigitsAsNumbers) {
  EXPECT_TRUE(natural_less("x2", "x10"));
  EXPECT_FALSE(natural_less("x10", "x2"));
  EXPECT_TRUE(natural_less("x", "x1"));
  EXPECT_TRUE(natural_less("a9b2", "a9b11"));
  EXPECT_FALSE(natural_less("same", "same"));
  EXPECT_NE(natural_less("x01", "x1"), natural_less("x1", "x01"));             // different texts are never equal
  EXPECT_TRUE(natural_less("99999999999999999999", "100000000000000000000"));  // beyond every integer type
}

}  // namespace
}  // namespace fewdim

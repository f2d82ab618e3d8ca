#include "fewdim/enum_set.hpp"

#include <gtest/gtest.h>

namespace fewdim {
namespace {

enum class Fruit { apple, pear, plum, last = 63 };

TEST(EnumSet, HoldsWhatItWasGiven) {
  constexpr EnumSet<Fruit> none, two{Fruit::plum, Fruit::apple, Fruit::plum};
  EXPECT_TRUE(none.empty());
  EXPECT_FALSE(none.has(Fruit::apple));
  EXPECT_TRUE(none.members().empty());
  EXPECT_FALSE(two.empty());
  EXPECT_TRUE(two.has(Fruit::apple));
  EXPECT_FALSE(two.has(Fruit::pear));
  EXPECT_EQ(two.members(), (std::vector<Fruit>{Fruit::apple, Fruit::plum}));  // as declared, each once
}

TEST(EnumSet, ReachesItsLastMember) {
  EnumSet<Fruit> set;
  set.add(Fruit::last);
  EXPECT_TRUE(set.has(Fruit::last));
  EXPECT_EQ(set.members(), std::vector<Fruit>{Fruit::last});
  EXPECT_EQ(set, EnumSet<Fruit>{Fruit::last});
  EXPECT_NE(set, EnumSet<Fruit>{});
}

}  // namespace
}  // namespace fewdim

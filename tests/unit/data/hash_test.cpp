#include "data/hash.hpp"

#include <gtest/gtest.h>

namespace fewdim {
namespace {

TEST(Hash, IsXxh3) {
  // `printf '...' | xxhsum -H3` (xxHash 0.8): the empty input's value is in its specification, too.
  EXPECT_EQ(hash_of(""), "xxh3:2d06800538d394c2");
  EXPECT_EQ(hash_of("fewdim\n"), "xxh3:1bfcaf9facbbff30");
}

TEST(Hash, SeesEveryByte) {
  std::string text(1000, 'x');
  const std::string before = hash_of(text);
  for (const std::size_t at : {std::size_t{0}, std::size_t{499}, text.size() - 1}) {
    std::string changed = text;
    changed[at] = 'y';
    EXPECT_NE(hash_of(changed), before) << at;
  }
}

}  // namespace
}  // namespace fewdim

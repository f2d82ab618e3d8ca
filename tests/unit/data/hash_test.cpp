#include "data/hash.hpp"

#include <gtest/gtest.h>

namespace fewdim {
namespace {

TEST(Hash, IsXxh3) {
  // `printf '...' | xxhsum -H3` (xxHash 0.8): the empty input's value is in its specification, too.
  EXPECT_EQ(hash_of(""), "xxh3:2d06800538d394c2");
  EXPECT_EQ(hash_of("fewdim\n"), "xxh3:1bfcaf9facbbff30");
}

TEST(Hash, DoesNotDependOnThePieces) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += static_cast<char>(i * 31 % 251);
  for (const std::size_t step : {1, 7, 240, 1024, 5000}) {  // XXH3 has other ways for up to 16, 128, 240 bytes
    Hasher hasher;
    hasher.update("what restart() forgets");
    hasher.restart();
    for (std::size_t at = 0; at < text.size(); at += step) hasher.update(std::string_view(text).substr(at, step));
    EXPECT_EQ(hasher.text(), hash_of(text)) << step;
  }
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

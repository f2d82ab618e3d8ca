#include "features/string_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/random.hpp"
#include "fewdim/dataset.hpp"

namespace fewdim {
namespace {

using Texts = std::vector<std::string>;

/// The characters of a string, cut at every byte that does not go on with one.
Texts characters(const std::string& text) {
  Texts out;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) out.emplace_back();
    out.back() += c;
  }
  return out;
}

std::map<std::string, double> counts_of(const std::string& text, std::size_t length) {
  const Texts all = characters(text);
  std::map<std::string, double> counts;
  for (std::size_t i = 0; i + length <= all.size(); ++i) {
    std::string u;
    for (std::size_t j = i; j < i + length; ++j) u += all[j];
    counts[u] += 1.0;
  }
  return counts;
}

/// The kernel as its definition has it.
double naive(const std::string& s, const std::string& t, const StringKernel& kernel) {
  const auto product = [&](const std::string& a, const std::string& b) {
    double sum = 0.0;
    const auto other = counts_of(b, static_cast<std::size_t>(kernel.length));
    for (const auto& [u, count] : counts_of(a, static_cast<std::size_t>(kernel.length)))
      if (const auto found = other.find(u); found != other.end()) sum += count * found->second;
    return sum;
  };
  const double k = product(s, t);
  return !kernel.normalize || k == 0.0 ? k : k / std::sqrt(product(s, s) * product(t, t));
}

/// Strings of up to 12 characters of one to four bytes, drawn from few so that substrings come again; some are empty.
Texts strings(Index count, Seed seed) {
  const Texts alphabet{"a", "b", "c", "é", "日", "😀"};
  Texts out;
  for (Index i = 0; i < count; ++i) {
    const Random random(seed, static_cast<std::uint32_t>(i));
    std::string text;
    const std::uint64_t length = random.below(0, 13);
    for (std::uint64_t j = 1; j <= length; ++j) text += alphabet[random.below(j, alphabet.size())];
    out.push_back(text);
  }
  return out;
}

void expect_naive(const SubstringCounts& a, const Texts& s, const SubstringCounts& b, const Texts& t,
                  const StringKernel& kernel) {
  const Index m = a.block(), n = b.block();
  std::vector<double> tile(static_cast<std::size_t>(m * n));
  for (Index p = 0; p * m < a.size(); ++p)
    for (Index q = 0; q * n < b.size(); ++q) {
      spectrum_tile(a, p, m, b, q, n, tile.data());
      for (Index i = 0; i < m; ++i)
        for (Index j = 0; j < n; ++j) {
          const Index row = p * m + i, col = q * n + j;
          const double expected = row < a.size() && col < b.size() ? naive(s[static_cast<std::size_t>(row)],
                                                                           t[static_cast<std::size_t>(col)], kernel)
                                                                   : 0.0;
          ASSERT_EQ(tile[static_cast<std::size_t>(i * n + j)], expected) << row << ", " << col;
        }
    }
}

TEST(StringKernel, IsItsDefinition) {
  // Sums of whole numbers, one division and one root: the same bits as the definition's.
  const Texts texts = strings(50, 1), fresh = strings(23, 2);
  for (const Index length : {1, 2, 3, 5})
    for (const bool normalize : {false, true}) {
      const StringKernel kernel{length, normalize, {}};
      const SubstringCounts known(texts, kernel, 16, "test", {}), others(fresh, known, 8, "test", {});
      expect_naive(known, texts, known, texts, kernel);
      expect_naive(others, fresh, known, texts, kernel);
      for (std::size_t i = 0; i < texts.size(); ++i)
        EXPECT_EQ(known.diagonal(static_cast<Index>(i)), naive(texts[i], texts[i], kernel));
    }
}

TEST(StringKernel, CountsByHand) {
  // "banana" has ba, an, na, an, na; "bandana" ba, an, nd, da, an, na: 1 + 2·2 + 2·1 in common.
  const Texts texts{"banana", "bandana", "x"};
  const SubstringCounts counts(texts, {2, false, {}}, 3, "test", {});
  double k[9];
  spectrum_tile(counts, 0, 3, counts, 0, 3, k);
  const double expected[9] = {9, 7, 0, 7, 8, 0, 0, 0, 0};
  for (int i = 0; i < 9; ++i) EXPECT_EQ(k[i], expected[i]) << i;
  EXPECT_EQ(counts.too_short(), 1);
}

TEST(StringKernel, ACharacterIsACodePoint) {
  // é in one code point and in two are different strings, as they are to Unicode without normalization.
  const Texts texts{"日本語", "日本", "caf\xc3\xa9", "cafe\xcc\x81"};
  const SubstringCounts counts(texts, {3, false, {}}, 4, "test", {});
  EXPECT_EQ(counts.diagonal(0), 1.0);
  EXPECT_EQ(counts.diagonal(1), 0.0);  // two characters in six bytes
  EXPECT_EQ(counts.diagonal(2), 2.0);
  EXPECT_EQ(counts.diagonal(3), 3.0);
}

TEST(StringKernel, IsOneWithItself) {
  const Texts texts{"a", std::string(1000, 'x'), "the quick brown fox"};
  for (const Index length : {1, 4}) {
    const SubstringCounts counts(texts, {length, true, {}}, 3, "test", {});
    double k[9];
    spectrum_tile(counts, 0, 3, counts, 0, 3, k);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(k[4 * i], length > 1 && i == 0 ? 0.0 : 1.0);
  }
}

TEST(StringKernel, RefusesWhatIsNotUtf8) {
  try {
    const SubstringCounts counts({"fine", "na\xefve"}, {2, true, {}}, 4, "test", {});
    FAIL();
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(), "test: text 2 is not UTF-8 at byte 3; convert it first");
  }
}

}  // namespace
}  // namespace fewdim

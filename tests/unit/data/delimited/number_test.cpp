#include "data/delimited/number.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "base/random.hpp"

namespace fewdim::delimited::number {
namespace {

template <class T>
T scanned(const std::string& text, char decimal = '.') {
  T value = -77, at_end = -77;
  const std::string line = text + "\n", inside = line + std::string(100, '7');
  EXPECT_EQ(scan(line.data(), line.data() + line.size(), decimal, at_end), line.data() + text.size()) << text;
  EXPECT_EQ(scan(inside.data(), inside.data() + inside.size(), decimal, value), inside.data() + text.size()) << text;
  EXPECT_EQ(std::memcmp(&value, &at_end, sizeof value), 0) << text;  // the fast way and the slow one
  return value;
}

template <class T>
void expect_same_bits(const std::string& text) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  T expected = 0;
  std::from_chars(text.data(), text.data() + text.size(), expected);  // the standard library rounds correctly
  EXPECT_EQ(std::bit_cast<Bits>(scanned<T>(text)), std::bit_cast<Bits>(expected)) << text;
}

void expect_both(const std::string& text) {
  expect_same_bits<double>(text);
  expect_same_bits<float>(text);
}

TEST(DelimitedNumber, ReadsEverySpelling) {
  for (const char* text : {"0",
                           "-0",
                           "1",
                           "-1",
                           "0.5",
                           ".5",
                           "5.",
                           "-.25",
                           "1e3",
                           "1E3",
                           "1e+3",
                           "1e-3",
                           "1.5e2",
                           "00012",
                           "0.0",
                           "123456789012345678",
                           "1234567890123456789",
                           "12345678901234567890",
                           "0.1",
                           "0.2",
                           "0.30000000000000004"})
    expect_both(text);
  EXPECT_TRUE(std::signbit(scanned<double>("-0.0")));
  EXPECT_EQ(scanned<double>("+2.5"), 2.5);
  EXPECT_EQ(scanned<double>("2,5", ','), 2.5);
  EXPECT_TRUE(std::isnan(scanned<double>("NaN")));
  EXPECT_EQ(scanned<double>("-Infinity"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(scanned<double>("iNf"), std::numeric_limits<double>::infinity());
}

TEST(DelimitedNumber, RoundsTiesToEven) {
  // 2^53 + 1 and its neighbors lie half way between two doubles, 2^24 + 1 between two floats; then a digit more or
  // less.
  for (const char* text :
       {"9007199254740993", "9007199254740993.0000000000000001", "9007199254740992.9999999", "9007199254740995",
        "16777217", "16777217.000001", "16777216.999999", "16777219", "1.00000005960464477539062500",
        "1.00000005960464477539062501", "1.00000005960464477539062499", "9007199254740993e0"})
    expect_both(text);
}

TEST(DelimitedNumber, ReachesTheEndsOfTheRange) {
  for (const char* text : {"1.7976931348623157e308", "2.2250738585072014e-308", "2.2250738585072011e-308", "4.9e-324",
                           "5e-324", "3.4028235e38", "1.1754944e-38", "1.4e-45", "1e-40", "123456e-320"})
    expect_same_bits<double>(text);
  for (const char* text : {"3.4028235e38", "1.1754944e-38", "1.4e-45", "1e-40", "8.5e37", "1.7e38", "3.4028234e38"})
    expect_same_bits<float>(text);
  EXPECT_EQ(scanned<double>("-1e-400"), 0.0);
}

TEST(DelimitedNumber, TooLargeIsNoNumber) {
  const auto refused = [](const std::string& text, auto value) {
    const std::string line = text + "\n", inside = line + std::string(100, '7');
    return scan(line.data(), line.data() + line.size(), '.', value) == nullptr &&
           scan(inside.data(), inside.data() + inside.size(), '.', value) == nullptr;
  };
  for (const char* text : {"1e400", "-1e400", "+1e400", "1e99999999999", "1.7976931348623159e308"})
    EXPECT_TRUE(refused(text, double{})) << text;
  for (const char* text : {"1e39", "-1e39", "3.4028236e38"}) EXPECT_TRUE(refused(text, float{})) << text;
}

TEST(DelimitedNumber, AgreesWithTheStandardLibraryOnManyNumbers) {
  const Random random(11, 0);
  for (std::uint64_t i = 0; i < 40000; ++i) {
    const double u = random.uniform(3 * i),
                 scale = std::pow(10.0, static_cast<double>(random.below(3 * i + 1, 70)) - 35.0);
    const int digits = static_cast<int>(random.below(3 * i + 2, 20)) + 1;
    expect_both(fmt::format("{:.{}g}", (u - 0.5) * scale, digits));
    expect_both(fmt::format("{:.{}e}", (u - 0.5) * scale, digits));
    expect_both(fmt::format("{:.{}f}", (u - 0.5) * 1000, digits));
  }
}

TEST(DelimitedNumber, AgreesOnBitPatternsOfAllKinds) {
  std::mt19937_64 random(12);
  for (int i = 0; i < 40000; ++i) {
    const std::uint64_t bits = random();
    const auto wide = std::bit_cast<double>(bits);
    if (!std::isfinite(wide)) continue;
    char text[40];
    const auto end = std::to_chars(text, text + sizeof text, wide);
    expect_same_bits<double>(std::string(text, end.ptr));
    const auto narrow = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (!std::isfinite(narrow)) continue;
    const auto narrow_end = std::to_chars(text, text + sizeof text, narrow);
    expect_same_bits<float>(std::string(text, narrow_end.ptr));
  }
}

TEST(DelimitedNumber, RefusesWhatIsNoNumber) {
  for (const std::string text :
       {"", "abc", "-", "+", "+-1", "--1", ".", "e5", "-e5", "1,5", "0x10", "1 2", "1e", "1e+", "1.2.3"}) {
    double value = 0;
    EXPECT_FALSE(parse_whole(text, '.', value)) << text;
    const std::string line = text + "\n" + std::string(100, '7');
    const char* end = scan(line.data(), line.data() + line.size(), '.', value);
    EXPECT_TRUE(end == nullptr || *end != '\n') << text;
  }
}

}  // namespace
}  // namespace fewdim::delimited::number

#include "data/wav.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "fewdim/error.hpp"
#include "fewdim/io.hpp"
#include "unit/data/format_helpers.hpp"

namespace fewdim {
namespace {

std::string little(std::uint64_t value, int size) {
  std::string out;
  for (int i = 0; i < size; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
  return out;
}

struct Parts {
  int code = 1, channels = 2, bits = 16;
  std::uint32_t rate = 44100;
  std::string extra{};  ///< chunks before the sound
  std::string sound{};
};

std::string wav(const Parts& p) {
  const int frame = p.channels * p.bits / 8;
  const std::string fmt = little(p.code, 2) + little(p.channels, 2) + little(p.rate, 4) + little(p.rate * frame, 4) +
                          little(frame, 2) + little(p.bits, 2);
  const std::string body =
      "WAVEfmt " + little(fmt.size(), 4) + fmt + p.extra + "data" + little(p.sound.size(), 4) + p.sound;
  return "RIFF" + little(body.size(), 4) + body;
}

Dataset parsed(const std::string& content, const ReadOptions& options = {}) {
  return parse_wav(test::as_bytes(content), options, {});
}

// By the definition of the format: full scale is 2^(bits − 1), 8 bits are unsigned around 128.
TEST(Wav, SamplesAreSharesOfFullScale) {
  const Dataset x16 = parsed(wav({.sound = little(0x7FFF, 2) + little(0x8000, 2) + little(0, 2) + little(0xFFFF, 2)}));
  EXPECT_EQ(x16.precision(), Precision::float32);
  EXPECT_EQ(x16.column_names, (std::vector<std::string>{"channel1", "channel2"}));
  Matrix<double> expected(2, 2);
  expected << 32767.0 / 32768.0, -1.0, 0.0, -1.0 / 32768.0;
  EXPECT_EQ(x16.matrix<double>(), expected);
  EXPECT_EQ(parsed(wav({.channels = 1, .bits = 8, .sound = std::string("\x00\x80\xFF", 3)})).matrix<double>(),
            (Matrix<double>(3, 1) << -1.0, 0.0, 127.0 / 128.0).finished());
  EXPECT_EQ(parsed(wav({.channels = 1, .bits = 24, .sound = little(0x800000, 3) + little(1, 3)})).matrix<double>(),
            (Matrix<double>(2, 1) << -1.0, 0x1p-23).finished());
  const Dataset x32 = parsed(wav({.channels = 1, .bits = 32, .sound = little(0x7FFFFFFF, 4)}));
  EXPECT_EQ(x32.precision(), Precision::float64);
  EXPECT_EQ(x32.matrix<double>()(0, 0), 2147483647.0 / 2147483648.0);
}

TEST(Wav, OddChunksBeforeTheSoundAreSteppedOver) {
  const std::string extra = "LIST" + little(3, 4) + std::string("abc\0", 4);
  EXPECT_EQ(parsed(wav({.channels = 1, .extra = extra, .sound = little(16384, 2)})).matrix<double>()(0, 0), 0.5);
}

TEST(Wav, ExtensibleHeadsAreRead) {
  const std::string guid("\x01\x00\x00\x00\x00\x00\x10\x00\x80\x00\x00\xAA\x00\x38\x9B\x71", 16);
  const std::string fmt = little(0xFFFE, 2) + little(1, 2) + little(8000, 4) + little(16000, 4) + little(2, 2) +
                          little(16, 2) + little(22, 2) + little(16, 2) + little(4, 4) + guid;
  const std::string body = "WAVEfmt " + little(40, 4) + fmt + "data" + little(2, 4) + little(0x4000, 2);
  EXPECT_EQ(parsed("RIFF" + little(body.size(), 4) + body).matrix<double>()(0, 0), 0.5);
}

TEST(Wav, SoundOfUnknownLengthGoesToTheEnd) {
  std::string content = wav({.channels = 1, .sound = little(1, 2) + little(2, 2)});
  content.replace(40, 4, little(0xFFFFFFFF, 4));
  EXPECT_EQ(parsed(content).rows(), 2);
}

TEST(Wav, WhatIsWrittenReadsBack) {
  Matrix<double> x(999, 3);
  const Random random(1, 0);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = 3.0 * random.normal(static_cast<std::uint64_t>(i));
  const Matrix<float> single = x.cast<float>();
  test::TemporaryFile file;
  const std::string path = file.path() + ".wav";
  write(x, path, {.overwrite = true, .own = {{"sample_rate", 12345}}});
  EXPECT_EQ(read(path).matrix<double>(), x);
  EXPECT_EQ(settings_of_file(path), (OptionMap{{"sample_rate", 12345}}));
  write(single, path, {.overwrite = true});
  EXPECT_EQ(read(path).precision(), Precision::float32);
  EXPECT_EQ(read(path).matrix<float>(), single);
  EXPECT_EQ(settings_of_file(path), (OptionMap{{"sample_rate", 8000}}));
  for (const int bits : {8, 16, 24, 32}) {
    write(x, path, {.overwrite = true, .own = {{"wav_bits", bits}}});  // beyond ±1: each channel by its peak
    const Dataset back = read(path);
    for (Index c = 0; c < 3; ++c) {
      const double peak = x.col(c).cwiseAbs().maxCoeff();
      const double step = std::ldexp(1.0, 1 - bits);  // half of it by rounding, one where +1 becomes the largest number
      EXPECT_LE((back.matrix<double>().col(c) - x.col(c) / peak).cwiseAbs().maxCoeff(), step) << bits;
    }
    const Matrix<double> once = back.matrix<double>();
    write(back, path + "2.wav", {.overwrite = true, .own = {{"wav_bits", bits}}});
    EXPECT_EQ(read(path + "2.wav").matrix<double>(), once) << bits;  // whole numbers stay what they are
  }
  std::filesystem::remove(path);
  std::filesystem::remove(path + "2.wav");
}

TEST(Wav, IsKnownByItsContent) {
  test::TemporaryFile file(wav({.channels = 1, .sound = little(16384, 2)}));
  EXPECT_EQ(read(file.path()).matrix<double>()(0, 0), 0.5);
}

TEST(Wav, EveryPrefixIsRefused) {
  const std::string whole = wav({.sound = std::string(8, 'x')});
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THROW(parsed(whole.substr(0, size)), DataError) << size;
  EXPECT_EQ(parsed(whole).rows(), 2);
}

TEST(Wav, EveryChangedByteIsReadOrRefused) {
  const std::string whole = wav({.extra = "LIST" + little(2, 4) + "ab", .sound = std::string(8, 'x')});
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const int value : {0, 1, 3, 127, 128, 255}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(value);
      try {
        EXPECT_LE(parsed(changed).rows(), 8);
      } catch (const DataError&) {
      }
    }
}

void expect_refused(const std::string& content, const std::string& words) {
  try {
    parsed(content);
    FAIL() << words;
  } catch (const DataError& e) {
    EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
  }
}

TEST(Wav, RefusesWhatItCantRead) {
  expect_refused("RIFX", "not a .wav file");
  expect_refused(wav({.code = 85, .sound = std::string(8, 'x')}), "code 85");
  expect_refused(wav({.bits = 12, .sound = std::string(6, 'x')}), "12-bit");
  expect_refused(wav({.channels = 0}), "no channels");
  expect_refused(wav({.rate = 0, .sound = std::string(8, 'x')}), "sample rate");
  expect_refused(wav({.sound = std::string(7, 'x')}), "whole number of frames");
  const std::string fmt =
      little(16, 4) + little(1, 2) + little(1, 2) + little(8000, 4) + little(16000, 4) + little(2, 2) + little(16, 2);
  expect_refused(wav({.extra = "fmt " + fmt, .sound = std::string(8, 'x')}), "second 'fmt '");
  const std::string early = "WAVEdata" + little(2, 4) + "xx";
  expect_refused("RIFF" + little(early.size(), 4) + early, "before the 'fmt '");
}

TEST(Wav, RefusesWhatItCantWrite) {
  const Matrix<double> x = Matrix<double>::Constant(3, 2, 0.5), bad = Matrix<double>::Constant(3, 2, NAN),
                       wide = Matrix<double>::Zero(1, 70'000);
  test::TemporaryFile file;
  const std::string path = file.path() + ".wav";
  EXPECT_THROW(write(x, path, {.own = {{"wav_bits", 12}}}), InvalidOption);
  EXPECT_THROW(write(x, path, {.own = {{"sample_rate", 0}}}), InvalidOption);
  EXPECT_THROW(write(bad, path, {.own = {{"wav_bits", 16}}}), DataError);
  EXPECT_THROW(write(wide, path), DataError);
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace fewdim

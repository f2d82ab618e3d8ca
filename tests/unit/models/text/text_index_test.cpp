#include "fewdim/text_index.hpp"

#include <gtest/gtest.h>
#include <zstd.h>

#include "base/random.hpp"
#include "fewdim/error.hpp"
#include "models/text/repacked_texts.hpp"

namespace fewdim {
namespace {

using Strings = std::vector<std::string>;
using Ends = std::vector<std::int64_t>;

TEST(StringList, HoldsStringsOfAnyLength) {
  const Strings strings{"", "a", std::string("with\0zero", 9), "", "größe", std::string(100'000, 'x'), ""};
  const StringList list(strings);
  ASSERT_EQ(list.size(), 7);
  for (Index i = 0; i < 7; ++i) EXPECT_EQ(list[i], strings[static_cast<std::size_t>(i)]);
  EXPECT_EQ(StringList().size(), 0);
  EXPECT_EQ(StringList(Strings{}).size(), 0);
  EXPECT_EQ(StringList(Strings{""})[0], "");
}

TEST(StringList, FindsWhatIsThere) {
  const Strings sorted{"", "a", "ab", "abc", "b", "zz", "é", "\xff"};  // by bytes, not by letters
  const StringList list(sorted);
  for (Index i = 0; i < list.size(); ++i) EXPECT_EQ(list.find(sorted[static_cast<std::size_t>(i)]), i);
  for (const char* none : {"aa", "abcd", "c", "zzz", "e", "\xff\xff"}) EXPECT_EQ(list.find(none), -1) << none;
  EXPECT_EQ(StringList().find("a"), -1);
  EXPECT_EQ(StringList().find(""), -1);
}

PackedTexts packed(const Strings& texts) {
  PackedTexts::Builder builder;
  for (const std::string& text : texts) builder.add(text);
  return builder.finish();
}

template <class T>
std::vector<T> copy(const SharedArray<T>& array) {
  return {array.begin(), array.end()};
}

/// Some 300 KiB of texts that don't pack to nothing, with empty ones at all places that matter.
Strings many_texts() {
  Strings texts{""};
  for (std::uint32_t i = 0; i < 400; ++i) {
    const Random random(3, i);
    std::string text;
    for (std::uint64_t j = 0; j < random.below(0, 1600); ++j) text += static_cast<char>('a' + random.below(j + 1, 26));
    texts.push_back(text);
    if (i % 50 == 0) texts.emplace_back();
  }
  texts.emplace_back();
  return texts;
}

TEST(PackedTexts, GiveBackWhatWasPacked) {
  const Strings texts = many_texts();
  const PackedTexts list = packed(texts);
  ASSERT_EQ(list.size(), std::ssize(texts));
  EXPECT_GT(list.frames().size(), 3);
  for (Index i = list.size() - 1; i >= 0; --i) ASSERT_EQ(list[i], texts[static_cast<std::size_t>(i)]) << i;
}

TEST(PackedTexts, FramesEndWithATextNotWithinOne) {
  const std::string frame(64 << 10, 'f');  // fills one to its brim
  for (const Strings& texts :
       {Strings{frame, frame}, Strings{frame, "", frame, ""}, Strings{"", frame + "1", "x", frame},
        Strings{std::string(1 << 20, 'g'), "x"}, Strings{frame.substr(1), "y", "z"}}) {
    const PackedTexts list = packed(texts);
    ASSERT_EQ(list.size(), std::ssize(texts));
    for (Index i = 0; i < list.size(); ++i) EXPECT_TRUE(list[i] == texts[static_cast<std::size_t>(i)]) << i;
  }
}

TEST(PackedTexts, NothingAndOnlyEmptyTexts) {
  EXPECT_EQ(packed({}).size(), 0);
  EXPECT_EQ(PackedTexts().size(), 0);
  const PackedTexts empty = packed({"", "", ""});
  EXPECT_EQ(empty.size(), 3);
  EXPECT_EQ(empty[0] + empty[1] + empty[2], "");
  EXPECT_TRUE(empty.bytes().empty());
}

TEST(PackedTexts, SomeOfThemAndMoreAreRepacked) {
  const Strings texts = many_texts(), more{"", "one more", ""};
  const PackedTexts list = packed(texts);
  for (const Index step : {1, 2, 7, 399}) {
    Strings wanted;
    std::vector<Index> kept;
    for (Index i = step - 1; i < list.size(); i += step) {
      kept.push_back(i);
      wanted.push_back(texts[static_cast<std::size_t>(i)]);
    }
    wanted.insert(wanted.end(), more.begin(), more.end());
    const PackedTexts found = repacked(list, kept, more);
    ASSERT_EQ(found.size(), std::ssize(wanted));
    for (Index i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], wanted[static_cast<std::size_t>(i)]) << i;
  }
  EXPECT_EQ(repacked(list, {}, {}).size(), 0);
  EXPECT_EQ(repacked(packed({"", ""}), {0, 1}, more)[3], "one more");
}

/// Refused at once, or where a text is asked for; nothing else.
void expect_refused(std::vector<char> bytes, Ends frames, Ends ends) {
  EXPECT_THROW(
      {
        const PackedTexts list(std::move(bytes), std::move(frames), std::move(ends));
        for (Index i = 0; i < list.size(); ++i) list[i];
      },
      DataError);
}

TEST(PackedTexts, FramesThatDoNotFitAreRefused) {
  const PackedTexts list = packed(many_texts());
  const std::vector<char> bytes = copy(list.bytes());
  const Ends frames = copy(list.frames()), ends = copy(list.ends());
  const auto after = [&](auto change) {
    std::vector<char> b = bytes;
    Ends f = frames, e = ends;
    change(b, f, e);
    expect_refused(std::move(b), std::move(f), std::move(e));
  };
  after([](auto&, auto& f, auto&) { f.pop_back(); });
  after([](auto&, auto& f, auto&) { f.push_back(f.back()); });
  after([](auto&, auto& f, auto&) { f[1] = f[0] - 1; });
  after([](auto&, auto& f, auto&) { f[0] = -5; });
  after([](auto&, auto& f, auto&) { f.back() += 1; });
  after([](auto&, auto& f, auto&) { f.clear(); });
  after([](auto& b, auto&, auto&) { b.resize(b.size() - 1); });
  after([](auto& b, auto&, auto&) { b.clear(); });
  after([](auto&, auto&, auto& e) { e.back() += 1; });
  after([](auto&, auto&, auto& e) { e.back() = std::numeric_limits<std::int64_t>::max(); });
  after([](auto&, auto&, auto& e) { e.clear(); });
  after([](auto&, auto&, auto& e) { e.erase(e.begin() + 100, e.end()); });
}

TEST(PackedTexts, EveryChangedByteIsRefusedOrGivesTexts) {
  const PackedTexts list = packed({"some text that is packed", "another text", "", "some text that is packed"});
  for (std::size_t at = 0; at < static_cast<std::size_t>(list.bytes().size()); ++at)
    for (int flip = 1; flip < 256; flip += 2) {
      std::vector<char> bytes = copy(list.bytes());
      bytes[at] = static_cast<char>(bytes[at] ^ flip);
      try {
        const PackedTexts damaged(std::move(bytes), copy(list.frames()), copy(list.ends()));
        for (Index i = 0; i < damaged.size(); ++i)
          EXPECT_EQ(std::ssize(damaged[i]), list.ends()[i] - (i == 0 ? 0 : list.ends()[i - 1]));
      } catch (const DataError&) {
      }
    }
}

TEST(PackedTexts, AFrameThatAnnouncesMoreThanItCanHoldIsRefusedBeforeItIsUnpacked) {
  // Magic number, a descriptor that says: one segment, its size in eight bytes; then 2^50.
  std::vector<char> bytes{'\x28', '\xb5', '\x2f', '\xfd', '\xe0', 0, 0, 0, 0, 0, 0, 4, 0};
  bytes.insert(bytes.end(), {'\x01', 0, 0});  // an empty block, the last
  const std::int64_t huge = std::int64_t{1} << 50;
  ASSERT_EQ(ZSTD_getFrameContentSize(bytes.data(), bytes.size()), static_cast<unsigned long long>(huge));
  const std::int64_t size = std::ssize(bytes);
  EXPECT_THROW(PackedTexts(bytes, Ends{size}, Ends{huge}), DataError);
}

TEST(TextIndex, KnowsItsDocuments) {
  TextIndex index;
  index.ids = Strings{"b", "a", "", "b "};
  EXPECT_EQ(index.documents(), 4);
  EXPECT_EQ(index.document("a"), 1);
  EXPECT_EQ(index.document(""), 2);
  EXPECT_EQ(index.document("b "), 3);
  EXPECT_EQ(index.document("c"), -1);
}

}  // namespace
}  // namespace fewdim

#include "features/string_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "base/utf8.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

// A table's entry with its node and its share of the buckets.
constexpr std::uint64_t kVocabularyBytes = 64;
// A place in a text: its holder, and what sorting a block takes.
constexpr std::uint64_t kPlaceBytes = 24;

/// Calls use(u) for every substring of `length` characters, from the left; the text is UTF-8.
template <class Use>
void for_substrings(std::string_view text, Index length, Use use) {
  std::size_t end = 0;
  for (Index i = 0; i < length; ++i) {
    if (end >= text.size()) return;
    end += utf8_character(text.substr(end));
  }
  for (std::size_t begin = 0;;) {
    use(text.substr(begin, end - begin));
    if (end >= text.size()) return;
    begin += utf8_character(text.substr(begin));
    end += utf8_character(text.substr(end));
  }
}

void require_texts(const std::vector<std::string>& texts, std::string_view who) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].size() > std::numeric_limits<std::int32_t>::max())
      throw DataError(
          fmt::format("{}: text {} has {} bytes, and 2^31 is the most; cut it", who, i + 1, texts[i].size()));
    const std::size_t at = first_not_utf8(texts[i]);
    if (at != std::string_view::npos)
      throw DataError(fmt::format("{}: text {} is not UTF-8 at byte {}; convert it first", who, i + 1, at + 1));
  }
}

std::uint64_t places_of(const std::vector<std::string>& texts) {
  std::uint64_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  return bytes;
}

/// Σ of squared counts, for what is in any order; sorts it.
double sum_of_squares(std::vector<std::string_view>& all) {
  std::ranges::sort(all);
  double sum = 0.0;
  for (std::size_t first = 0; first < all.size();) {
    std::size_t end = first + 1;
    while (end < all.size() && all[end] == all[first]) ++end;
    sum += static_cast<double>(end - first) * static_cast<double>(end - first);
    first = end;
  }
  return sum;
}

}  // namespace

SubstringCounts::SubstringCounts(const std::vector<std::string>& texts, const StringKernel& kernel, Index block,
                                 std::string_view who, const Execution& exec)
    : length_(kernel.length), block_(block), normalize_(kernel.normalize) {
  require_texts(texts, who);
  const std::uint64_t places = places_of(texts) * kPlaceBytes;
  const auto require_room = [&] {
    require_memory(exec, places + vocabulary_.size() * kVocabularyBytes,
                   fmt::format("{}: the substrings of {} strings", who, texts.size()), "take fewer or shorter strings");
    if (vocabulary_.size() > std::numeric_limits<std::int32_t>::max() - (1 << 20))
      throw DataError(
          fmt::format("{}: there are more than 2^31 different substrings; {}", who, lower_option("length")));
  };
  std::size_t checked = 0;
  require_room();
  for (const std::string& text : texts)
    for_substrings(text, length_, [&](std::string_view u) {
      vocabulary_.try_emplace(u, static_cast<std::int32_t>(vocabulary_.size()));
      if (vocabulary_.size() < checked + (1 << 20)) return;
      checked = vocabulary_.size();
      require_room();
    });
  count_all(texts, vocabulary_, exec);
}

SubstringCounts::SubstringCounts(const std::vector<std::string>& texts, const SubstringCounts& known, Index block,
                                 std::string_view who, const Execution& exec)
    : length_(known.length_), block_(block), normalize_(known.normalize_) {
  require_texts(texts, who);
  require_memory(exec, places_of(texts) * kPlaceBytes, fmt::format("{}: {} strings", who, texts.size()),
                 "give them in parts");
  count_all(texts, known.vocabulary_, exec);
}

Index SubstringCounts::too_short() const { return std::ranges::count(squares_, 0.0); }

double SubstringCounts::diagonal(Index i) const {
  const double square = squares_[static_cast<std::size_t>(i)];
  return normalize_ && square > 0.0 ? 1.0 : square;
}

void SubstringCounts::count_all(const std::vector<std::string>& texts, const Vocabulary& vocabulary,
                                const Execution& exec) {
  const Index count = (std::ssize(texts) + block_ - 1) / block_;
  blocks_.resize(static_cast<std::size_t>(count));
  squares_.resize(texts.size());
  parallel_for(exec, count, [&](Index b) { count_block(texts, vocabulary, b); });
}

void SubstringCounts::count_block(const std::vector<std::string>& texts, const Vocabulary& vocabulary, Index block) {
  using Entry = std::tuple<std::int32_t, std::int32_t, std::int32_t>;  // substring, string, count
  const Index first = block * block_, last = std::min(first + block_, std::ssize(texts));
  std::vector<Entry> entries;
  std::vector<std::int32_t> ids;
  std::vector<std::string_view> unknown;
  for (Index s = first; s < last; ++s) {
    ids.clear();
    unknown.clear();
    for_substrings(texts[static_cast<std::size_t>(s)], length_, [&](std::string_view u) {
      const auto found = vocabulary.find(u);
      if (found == vocabulary.end())
        unknown.push_back(u);
      else
        ids.push_back(found->second);
    });
    std::ranges::sort(ids);
    double square = sum_of_squares(unknown);
    for (std::size_t i = 0; i < ids.size();) {
      std::size_t end = i + 1;
      while (end < ids.size() && ids[end] == ids[i]) ++end;
      const auto count = static_cast<double>(end - i);
      square += count * count;
      entries.emplace_back(ids[i], static_cast<std::int32_t>(s - first), static_cast<std::int32_t>(end - i));
      i = end;
    }
    squares_[static_cast<std::size_t>(s)] = square;
  }
  std::ranges::sort(entries);
  Block& out = blocks_[static_cast<std::size_t>(block)];
  out.holders.reserve(entries.size());
  for (const auto& [id, string, count] : entries) {
    if (out.ids.empty() || out.ids.back() != id) {
      out.ids.push_back(id);
      out.starts.push_back(out.holders.size());
    }
    out.holders.push_back({string, count});
  }
  out.starts.push_back(out.holders.size());
}

void spectrum_tile(const SubstringCounts& a, Index a_block, Index m, const SubstringCounts& b, Index b_block, Index n,
                   double* out) {
  std::fill_n(out, m * n, 0.0);
  const auto& left = a.blocks_[static_cast<std::size_t>(a_block)];
  const auto& right = b.blocks_[static_cast<std::size_t>(b_block)];
  for (std::size_t p = 0, q = 0; p < left.ids.size() && q < right.ids.size();) {
    if (left.ids[p] != right.ids[q]) {
      ++(left.ids[p] < right.ids[q] ? p : q);
      continue;
    }
    for (std::size_t i = left.starts[p]; i < left.starts[p + 1]; ++i) {
      double* row = out + left.holders[i].string * n;
      const auto times = static_cast<double>(left.holders[i].count);
      for (std::size_t j = right.starts[q]; j < right.starts[q + 1]; ++j)
        row[right.holders[j].string] += times * static_cast<double>(right.holders[j].count);
    }
    ++p, ++q;
  }
  if (!a.normalize_) return;
  const Index rows = std::min(m, a.size() - a_block * a.block_), cols = std::min(n, b.size() - b_block * b.block_);
  for (Index i = 0; i < rows; ++i) {
    const double own = a.squares_[static_cast<std::size_t>(a_block * a.block_ + i)];
    const double* others = b.squares_.data() + b_block * b.block_;
    for (Index j = 0; j < cols; ++j)  // the root of a square is exact: a string's similarity to itself is 1
      if (out[i * n + j] != 0.0) out[i * n + j] /= std::sqrt(own * others[j]);
  }
}

}  // namespace fewdim

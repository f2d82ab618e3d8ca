#include "fewdim/text_index.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "base/spill.hpp"
#include "fewdim/error.hpp"
#include "models/text/repacked_texts.hpp"

namespace fewdim {

namespace {

constexpr std::size_t kFrame = 64 << 10;    // a text is unpacked with all of its frame
constexpr std::int64_t kBlock = 128 << 10;  // zstd's: so much at most comes out of the three bytes that head a block

std::string unpacked(std::span<const char> frame, std::int64_t expected) {
  std::string whole(static_cast<std::size_t>(expected), '\0');
  const std::size_t size = ZSTD_decompress(whole.data(), whole.size(), frame.data(), frame.size());
  if (ZSTD_isError(size) != 0 || size != whole.size()) throw DataError("the packed texts are damaged");
  return whole;
}

}  // namespace

StringList::StringList(const std::vector<std::string>& strings) {
  std::vector<char> bytes;
  std::vector<std::int64_t> ends;
  ends.reserve(strings.size());
  for (const std::string& text : strings) {
    bytes.insert(bytes.end(), text.begin(), text.end());
    ends.push_back(std::ssize(bytes));
  }
  bytes_ = std::move(bytes);
  ends_ = std::move(ends);
}

Index StringList::find(std::string_view text) const {
  Index low = 0, high = size();
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if ((*this)[middle] < text)
      low = middle + 1;
    else
      high = middle;
  }
  return low < size() && (*this)[low] == text ? low : -1;
}

struct PackedTexts::Builder::Packed {
  SpillWriter writer;
};

PackedTexts::Builder::Builder(std::uint64_t most) : packed_(std::make_unique<Packed>(Packed{SpillWriter(most)})) {}
PackedTexts::Builder::~Builder() = default;

std::uint64_t PackedTexts::Builder::bytes() const {
  return packed_->writer.in_memory() + open_.size() + sizeof(std::int64_t) * ends_.size();
}

void PackedTexts::Builder::add(std::string_view text) {
  open_ += text;
  ends_.push_back((ends_.empty() ? 0 : ends_.back()) + std::ssize(text));
  if (open_.size() >= kFrame) close_frame();
}

void PackedTexts::Builder::close_frame() {
  if (open_.empty()) return;
  std::string frame(ZSTD_compressBound(open_.size()), '\0');
  const std::size_t size = ZSTD_compress(frame.data(), frame.size(), open_.data(), open_.size(), 3);
  if (ZSTD_isError(size) != 0)
    throw Error(ErrorKind::internal, fmt::format("texts can't be packed: {}", ZSTD_getErrorName(size)));
  packed_->writer.append(std::string_view(frame).substr(0, size));
  frames_.push_back(static_cast<std::int64_t>(packed_->writer.size()));
  open_.clear();
}

PackedTexts PackedTexts::Builder::finish() {
  close_frame();
  SpilledBytes all = packed_->writer.finish();
  return {SharedArray<char>(std::span<const char>(all.data, all.size), std::move(all.owner)), std::move(frames_),
          std::move(ends_)};
}

PackedTexts::PackedTexts(SharedArray<char> bytes, SharedArray<std::int64_t> frames, SharedArray<std::int64_t> ends)
    : bytes_(std::move(bytes)), frames_(std::move(frames)), ends_(std::move(ends)) {
  std::int64_t begin = 0;
  frame_begins_.reserve(static_cast<std::size_t>(frames_.size() + 1));
  frame_begins_.push_back(0);
  for (Index f = 0; f < frames_.size(); begin = frames_[f++]) {
    const auto size =
        frames_[f] < begin || frames_[f] > bytes_.size()
            ? ZSTD_CONTENTSIZE_ERROR
            : ZSTD_getFrameContentSize(bytes_.data() + begin, static_cast<std::size_t>(frames_[f] - begin));
    const std::int64_t room = (ends_.empty() ? 0 : ends_[ends_.size() - 1]) - frame_begins_.back();
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || std::cmp_greater(size, room) ||
        std::cmp_greater(size, (frames_[f] - begin) / 3 * kBlock))
      throw DataError("the packed texts are damaged");
    frame_begins_.push_back(frame_begins_.back() + static_cast<std::int64_t>(size));
  }
  if (begin != bytes_.size() || (!ends_.empty() && frame_begins_.back() != ends_[ends_.size() - 1]))
    throw DataError("the packed texts are damaged");
}

std::string PackedTexts::operator[](Index i) const {
  const std::int64_t begin = i == 0 ? 0 : ends_[i - 1], end = ends_[i];
  if (begin == end) return {};
  // The text lies in one frame: the last that begins at or before it.
  const auto after = std::ranges::upper_bound(frame_begins_, begin);
  const auto frame = static_cast<Index>(after - frame_begins_.begin()) - 1;
  const auto f = static_cast<std::size_t>(frame);
  if (frame >= frames_.size() || end > frame_begins_[f + 1]) throw DataError("the packed texts are damaged");
  const std::int64_t from = frame == 0 ? 0 : frames_[frame - 1];
  const std::string whole =
      unpacked(bytes_.view().subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(frames_[frame] - from)),
               frame_begins_[f + 1] - frame_begins_[f]);
  return whole.substr(static_cast<std::size_t>(begin - frame_begins_[f]), static_cast<std::size_t>(end - begin));
}

PackedTexts repacked(const PackedTexts& texts, const std::vector<Index>& kept, const std::vector<std::string>& more) {
  PackedTexts::Builder builder;
  const auto bytes = texts.bytes().view();
  std::span<const char> frame;
  std::string whole;
  std::int64_t from = 0, to = 0;  // of the frame, in all unpacked
  for (Index next = 0; const Index i : kept) {
    const std::int64_t begin = i == 0 ? 0 : texts.ends()[i - 1], end = texts.ends()[i];
    if (begin == end) {
      builder.add({});
      continue;
    }
    for (; begin >= to; ++next) {  // frames and their sizes were looked at when the texts were made
      const std::int64_t at = next == 0 ? 0 : texts.frames()[next - 1];
      frame = bytes.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(texts.frames()[next] - at));
      from = to;
      to += static_cast<std::int64_t>(ZSTD_getFrameContentSize(frame.data(), frame.size()));
      whole.clear();
    }
    if (whole.empty()) whole = unpacked(frame, to - from);
    if (end > to) throw DataError("the packed texts are damaged");
    builder.add(
        std::string_view(whole).substr(static_cast<std::size_t>(begin - from), static_cast<std::size_t>(end - begin)));
  }
  for (const std::string& text : more) builder.add(text);
  return builder.finish();
}

Index TextIndex::document(std::string_view id) const {
  for (Index i = 0; i < ids.size(); ++i)
    if (ids[i] == id) return i;
  return -1;
}

Index TextIndex::find_word(std::string_view text) const {
  if (const Index term = terms.find(text); term >= 0) return term;
  const Index other = other_words.find(text);
  return other >= 0 ? terms.size() + other : -1;
}

WordPostings TextIndex::postings(Index word) const {
  const bool term = is_term(word);
  const Index at = term ? word : word - terms.size();
  const SharedArray<std::int64_t>& offsets = term ? posting_offsets : other_offsets;
  const auto first = static_cast<std::size_t>(offsets[at]), count = static_cast<std::size_t>(offsets[at + 1]) - first;
  const auto part = [&](const auto& numbers) {
    return numbers.empty() ? numbers.view() : numbers.view().subspan(first, count);
  };
  return {part(term ? posting_documents : other_documents), part(term ? posting_counts : other_counts)};
}

std::uint64_t TextIndex::bytes() const {
  const auto of = [](const auto& array) { return static_cast<std::uint64_t>(array.size()) * sizeof(*array.data()); };
  return of(terms.bytes()) + of(terms.ends()) + of(ids.bytes()) + of(ids.ends()) + of(texts.bytes()) +
         of(texts.ends()) + of(posting_offsets) + of(posting_documents) + of(posting_counts) + of(lengths) +
         of(places) + of(norms) + of(other_words.bytes()) + of(other_words.ends()) + of(other_offsets) +
         of(other_documents) + of(other_counts);
}

}  // namespace fewdim

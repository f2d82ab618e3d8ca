#include "fewdim/text_index.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "base/spill.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr std::size_t kFrame = 64 << 10;  // a text is unpacked with all of its frame

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
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || std::cmp_greater(size, room))
      throw DataError("the packed texts are damaged");
    frame_begins_.push_back(frame_begins_.back() + static_cast<std::int64_t>(size));
  }
  if (!ends_.empty() && frame_begins_.back() != ends_[ends_.size() - 1])
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
  std::string whole(static_cast<std::size_t>(frame_begins_[f + 1] - frame_begins_[f]), '\0');
  const std::size_t size = ZSTD_decompress(whole.data(), whole.size(), bytes_.data() + from,
                                           static_cast<std::size_t>(frames_[frame] - from));
  if (ZSTD_isError(size) != 0 || size != whole.size()) throw DataError("the packed texts are damaged");
  return whole.substr(static_cast<std::size_t>(begin - frame_begins_[f]), static_cast<std::size_t>(end - begin));
}

Index TextIndex::document(std::string_view id) const {
  for (Index i = 0; i < ids.size(); ++i)
    if (ids[i] == id) return i;
  return -1;
}

std::uint64_t TextIndex::bytes() const {
  const auto of = [](const auto& array) { return static_cast<std::uint64_t>(array.size()) * sizeof(*array.data()); };
  return of(terms.bytes()) + of(terms.ends()) + of(ids.bytes()) + of(ids.ends()) + of(texts.bytes()) +
         of(texts.ends()) + of(posting_offsets) + of(posting_documents) + of(posting_counts) + of(lengths) +
         of(places) + of(norms);
}

}  // namespace fewdim

#include "text/counts/count_store.hpp"

namespace fewdim {

void CountStore::append(CountChunk&& chunk) {
  constexpr std::size_t kSmall = std::size_t{1} << 16;
  documents_ += chunk.documents;
  if (!chunks_.empty() && !chunks_.back().out && chunks_.back().lane == chunk.lane &&
      chunks_.back().bytes.size() < kSmall) {
    CountChunk& last = chunks_.back();
    last.documents += chunk.documents;
    last.bytes.insert(last.bytes.end(), chunk.bytes.begin(), chunk.bytes.end());
    return;
  }
  if (!chunks_.empty()) chunks_.back().bytes.shrink_to_fit();
  chunks_.push_back(std::move(chunk));
}

void CountStore::spill() {
  for (; in_memory_ < chunks_.size(); ++in_memory_) {
    CountChunk& chunk = chunks_[in_memory_];
    chunk.offset = file_.size();
    chunk.out = true;
    file_.append({reinterpret_cast<const char*>(chunk.bytes.data()), chunk.bytes.size()});
    chunk.bytes = {};
  }
}

std::vector<CountChunk>& CountStore::chunks() {
  if (in_memory_ > 0 && !read_.data) {
    read_ = file_.finish();
    for (std::size_t i = 0; i < in_memory_; ++i)
      chunks_[i].elsewhere = reinterpret_cast<const std::uint8_t*>(read_.data) + chunks_[i].offset;
  }
  return chunks_;
}

std::uint64_t CountStore::bytes() const {
  std::uint64_t bytes = chunks_.capacity() * sizeof(CountChunk);
  for (const CountChunk& chunk : chunks_) bytes += chunk.bytes.capacity();
  return bytes;
}

}  // namespace fewdim

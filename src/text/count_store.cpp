#include "text/count_store.hpp"

namespace fewdim {

void CountStore::append(CountChunk&& chunk) {
  constexpr std::size_t kSmall = std::size_t{1} << 16;
  documents_ += chunk.documents;
  if (!chunks_.empty() && chunks_.back().lane == chunk.lane && chunks_.back().bytes.size() < kSmall) {
    CountChunk& last = chunks_.back();
    last.documents += chunk.documents;
    last.bytes.insert(last.bytes.end(), chunk.bytes.begin(), chunk.bytes.end());
    return;
  }
  if (!chunks_.empty()) chunks_.back().bytes.shrink_to_fit();
  chunks_.push_back(std::move(chunk));
}

std::uint64_t CountStore::bytes() const {
  std::uint64_t bytes = chunks_.capacity() * sizeof(CountChunk);
  for (const CountChunk& chunk : chunks_) bytes += chunk.bytes.capacity();
  return bytes;
}

}  // namespace fewdim

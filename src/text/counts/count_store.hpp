#pragma once

#include <cstdint>
#include <vector>

#include "base/spill.hpp"
#include "fewdim/types.hpp"

namespace fewdim {

/// Counts of terms of consecutive documents, as one lane numbers its terms. A document is the number of its terms,
/// then 2·term, or 2·term + 1 and the count where that is above 1; all of them as varints (7 bits a byte, low ones
/// first).
struct CountChunk {
  static constexpr std::size_t kLongestNumber = 5;  ///< bytes of 32 bits and one more

  std::size_t lane = 0;
  Index documents = 0;
  std::vector<std::uint8_t> bytes{};
  const std::uint8_t* elsewhere = nullptr;  ///< the bytes, where they were written out
  std::uint64_t offset = 0;                 ///< of them among those written out
  bool out = false;                         ///< they were

  /// Where so many numbers can be put; written() then says where they end.
  std::uint8_t* make_room(std::size_t numbers) {
    const std::size_t size = bytes.size();
    bytes.resize(size + numbers * kLongestNumber);
    return bytes.data() + size;
  }
  static void put(std::uint8_t*& at, std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) *at++ = static_cast<std::uint8_t>(number | 0x80);
    *at++ = static_cast<std::uint8_t>(number);
  }
  void written(const std::uint8_t* end) { bytes.resize(static_cast<std::size_t>(end - bytes.data())); }

  /// Calls start(document, terms), then entry(term, count) for each of them.
  template <class Start, class Entry>
  void each(Start&& start, Entry&& entry) const {
    const std::uint8_t* at = elsewhere ? elsewhere : bytes.data();
    const auto take = [&] {
      std::uint64_t number = *at & 0x7f;
      for (int shift = 7; *at++ & 0x80; shift += 7) number |= static_cast<std::uint64_t>(*at & 0x7f) << shift;
      return number;
    };
    for (Index document = 0; document < documents; ++document) {
      const std::uint64_t terms = take();
      start(document, terms);
      for (std::uint64_t i = 0; i < terms; ++i) {
        const std::uint64_t code = take();
        entry(static_cast<std::int32_t>(code >> 1), code & 1 ? take() : 1);
      }
    }
  }
};

/// The counts of all documents, in order, before it is known which terms are kept: about two bytes for a term of a
/// document. Where there are too many, they go to a file without a name.
class CountStore {
 public:
  void append(CountChunk&& chunk);
  Index documents() const { return documents_; }
  std::uint64_t bytes() const;
  /// Writes what there is to disk.
  void spill();
  /// All of them, to be read. Nothing is appended any more.
  std::vector<CountChunk>& chunks();

 private:
  std::vector<CountChunk> chunks_;
  std::size_t in_memory_ = 0;  ///< the first chunk whose bytes are
  SpillWriter file_{0};
  SpilledBytes read_{};
  Index documents_ = 0;
};

}  // namespace fewdim

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "fewdim/types.hpp"

namespace fewdim {

/// Ids seen so far, by their 128-bit hashes: about 80 bytes an id, however long it is.
class KnownIds {
 public:
  struct Seen {
    std::uint64_t text = 0;    ///< hash of the text
    std::uint32_t path = 0;    ///< which of the inputs
    std::uint32_t copies = 1;  ///< texts under this id
    Index line = 0;            ///< where in the input
  };

  static std::uint64_t text_hash(std::string_view text);
  /// Remembers a document; or returns the one that has been seen under its id.
  Seen* add(std::string_view id, const Seen& document);
  /// A new id for a document with another text than those seen under its id: "id#2", "id#3", ...; empty where its text
  /// has been seen, too.
  std::string rename(const std::string& id, Seen& first, const Seen& document);

 private:
  struct Hash {
    std::uint64_t low, high;
    bool operator==(const Hash&) const = default;
  };
  struct LowHalf {
    std::size_t operator()(const Hash& hash) const { return hash.low; }
  };
  std::unordered_map<Hash, Seen, LowHalf> seen_;
};

}  // namespace fewdim

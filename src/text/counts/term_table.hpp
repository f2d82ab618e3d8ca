#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fewdim {

/// Terms by number, in the order of their first appearance: words, and n-grams as a term and the word after it, so that
/// an n-gram takes 8 bytes and its hash 8 more, whatever its words are.
class TermTable {
 public:
  std::int32_t add_word(std::string_view word);
  std::int32_t add_run(std::int32_t prefix, std::int32_t word);
  /// Adds term `id` of another table; `map` has the numbers here of all its terms before that.
  std::int32_t add_from(const TermTable& other, std::int32_t id, const std::vector<std::int32_t>& map);

  std::int32_t size() const { return static_cast<std::int32_t>(nodes_.size()); }
  std::string text(std::int32_t id) const;
  std::uint64_t bytes() const;

 private:
  struct Node {
    std::int32_t prefix;  ///< of a run: the term before its last word; of a word: -1
    std::int32_t last;    ///< of a run: its last word; of a word: its place in starts_
  };
  /// Places of terms, by open addressing: a power of two, at most two thirds full. Part of the hash stands beside the
  /// number, so that other terms are passed by without a look at them.
  struct Slot {
    std::int32_t id = -1;
    std::uint32_t tag = 0;
  };
  struct Slots {
    std::vector<Slot> places = std::vector<Slot>(64);
    std::size_t used = 0;
  };
  std::string_view word(const Node& node) const;
  std::int32_t place(Slots& slots, std::uint32_t tag, const Node& node);
  std::int32_t new_id() const;

  std::vector<Node> nodes_;
  std::vector<char> characters_;
  std::vector<std::uint64_t> starts_{0};
  Slots words_, runs_;
};

}  // namespace fewdim

#include "text/counts/term_table.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <limits>

#include "base/remedy.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

std::uint32_t tag_of(std::string_view text) {
  return static_cast<std::uint32_t>(XXH3_64bits(text.data(), text.size()));
}

/// The finalizer of MurmurHash3 (Appleby) spreads a pair over all bits.
std::uint32_t tag_of(std::int32_t prefix, std::int32_t word) {
  std::uint64_t x = static_cast<std::uint64_t>(prefix) << 32 | static_cast<std::uint32_t>(word);
  x = (x ^ x >> 33) * 0xff51afd7ed558ccdULL;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ULL;
  return static_cast<std::uint32_t>(x ^ x >> 33);
}

}  // namespace

std::string_view TermTable::word(const Node& node) const {
  const auto i = static_cast<std::size_t>(node.last);
  return {characters_.data() + starts_[i], static_cast<std::size_t>(starts_[i + 1] - starts_[i])};
}

std::int32_t TermTable::new_id() const {
  if (nodes_.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw DataError("words: there are more than 2,147,483,647 terms; " + lower_option("ngrams"));
  return size();
}

std::int32_t TermTable::place(Slots& slots, std::uint32_t tag, const Node& node) {
  const std::int32_t id = new_id();
  nodes_.push_back(node);
  const auto put = [&](const Slot& slot) {
    const std::size_t mask = slots.places.size() - 1;
    std::size_t at = slot.tag & mask;
    while (slots.places[at].id >= 0) at = (at + 1) & mask;
    slots.places[at] = slot;
  };
  if (++slots.used * 3 > slots.places.size() * 2) {
    std::vector<Slot> old(slots.places.size() * 2);
    old.swap(slots.places);
    for (const Slot& slot : old)
      if (slot.id >= 0) put(slot);
  }
  put({id, tag});
  return id;
}

std::int32_t TermTable::add_word(std::string_view text) {
  const std::uint32_t tag = tag_of(text);
  const std::size_t mask = words_.places.size() - 1;
  for (std::size_t at = tag & mask; words_.places[at].id >= 0; at = (at + 1) & mask) {
    const Slot& slot = words_.places[at];
    if (slot.tag == tag && word(nodes_[static_cast<std::size_t>(slot.id)]) == text) return slot.id;
  }
  const auto place_of_text = static_cast<std::int32_t>(starts_.size() - 1);
  characters_.insert(characters_.end(), text.begin(), text.end());
  starts_.push_back(characters_.size());
  return place(words_, tag, {-1, place_of_text});
}

std::int32_t TermTable::add_run(std::int32_t prefix, std::int32_t last) {
  const std::uint32_t tag = tag_of(prefix, last);
  const std::size_t mask = runs_.places.size() - 1;
  for (std::size_t at = tag & mask; runs_.places[at].id >= 0; at = (at + 1) & mask) {
    const Slot& slot = runs_.places[at];
    if (slot.tag != tag) continue;
    const Node& node = nodes_[static_cast<std::size_t>(slot.id)];
    if (node.prefix == prefix && node.last == last) return slot.id;
  }
  return place(runs_, tag, {prefix, last});
}

std::int32_t TermTable::add_from(const TermTable& other, std::int32_t id, const std::vector<std::int32_t>& map) {
  const Node& node = other.nodes_[static_cast<std::size_t>(id)];
  if (node.prefix < 0) return add_word(other.word(node));
  return add_run(map[static_cast<std::size_t>(node.prefix)], map[static_cast<std::size_t>(node.last)]);
}

std::string TermTable::text(std::int32_t id) const {
  const Node& node = nodes_[static_cast<std::size_t>(id)];
  if (node.prefix < 0) return std::string(word(node));
  std::string text = this->text(node.prefix) + ' ';
  return text += word(nodes_[static_cast<std::size_t>(node.last)]);
}

std::uint64_t TermTable::bytes() const {
  return nodes_.capacity() * sizeof(Node) + characters_.capacity() + starts_.capacity() * sizeof(std::uint64_t) +
         (words_.places.capacity() + runs_.places.capacity()) * sizeof(Slot);
}

}  // namespace fewdim

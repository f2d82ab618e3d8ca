#include "text/term_table.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <limits>

#include "fewdim/error.hpp"

namespace fewdim {

namespace {

std::uint64_t hash_of_pair(std::int32_t prefix, std::int32_t word) {
  return spread(static_cast<std::uint64_t>(prefix) << 32 | static_cast<std::uint32_t>(word));
}

}  // namespace

std::string_view TermTable::word(const Node& node) const {
  const auto i = static_cast<std::size_t>(node.last);
  return {characters_.data() + starts_[i], static_cast<std::size_t>(starts_[i + 1] - starts_[i])};
}

std::uint64_t TermTable::hash_of(const Node& node) const {
  if (node.prefix >= 0) return hash_of_pair(node.prefix, node.last);
  const std::string_view text = word(node);
  return XXH3_64bits(text.data(), text.size());
}

std::int32_t TermTable::new_id() const {
  if (nodes_.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw DataError("words: there are more than 2,147,483,647 terms; lower ngrams");
  return size();
}

void TermTable::place(Slots& slots, std::uint64_t hash, const Node& node) {
  const std::int32_t id = new_id();
  nodes_.push_back(node);
  const auto put = [&](std::int32_t number, std::uint64_t number_hash) {
    const std::uint64_t mask = slots.ids.size() - 1;
    std::uint64_t at = number_hash & mask;
    while (slots.ids[at] >= 0) at = (at + 1) & mask;
    slots.ids[at] = number;
  };
  if (static_cast<std::size_t>(++slots.used) * 2 <= slots.ids.size()) return put(id, hash);
  std::vector<std::int32_t> old(slots.ids.size() * 2, -1);
  old.swap(slots.ids);
  for (const std::int32_t number : old)
    if (number >= 0) put(number, hash_of(nodes_[static_cast<std::size_t>(number)]));
  put(id, hash);
}

std::int32_t TermTable::add_word(std::string_view text) {
  const std::uint64_t hash = XXH3_64bits(text.data(), text.size()), mask = words_.ids.size() - 1;
  for (std::uint64_t at = hash & mask; words_.ids[at] >= 0; at = (at + 1) & mask) {
    const std::int32_t id = words_.ids[at];
    if (word(nodes_[static_cast<std::size_t>(id)]) == text) return id;
  }
  const auto place_of_text = static_cast<std::int32_t>(starts_.size() - 1);
  characters_.insert(characters_.end(), text.begin(), text.end());
  starts_.push_back(characters_.size());
  place(words_, hash, {-1, place_of_text});
  return size() - 1;
}

std::int32_t TermTable::add_run(std::int32_t prefix, std::int32_t last) {
  const std::uint64_t hash = hash_of_pair(prefix, last), mask = runs_.ids.size() - 1;
  for (std::uint64_t at = hash & mask; runs_.ids[at] >= 0; at = (at + 1) & mask) {
    const std::int32_t id = runs_.ids[at];
    const Node& node = nodes_[static_cast<std::size_t>(id)];
    if (node.prefix == prefix && node.last == last) return id;
  }
  place(runs_, hash, {prefix, last});
  return size() - 1;
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
         (words_.ids.capacity() + runs_.ids.capacity()) * sizeof(std::int32_t);
}

}  // namespace fewdim

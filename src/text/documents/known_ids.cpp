#include "text/documents/known_ids.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace fewdim {

std::uint64_t KnownIds::text_hash(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

KnownIds::Seen* KnownIds::add(std::string_view id, const Seen& document) {
  const XXH128_hash_t hash = XXH3_128bits(id.data(), id.size());
  const auto [place, is_new] = seen_.try_emplace({hash.low64, hash.high64}, document);
  return is_new ? nullptr : &place->second;
}

std::string KnownIds::rename(const std::string& id, Seen& first, const Seen& document) {
  if (first.text == document.text) return {};
  // Under the id and the text together, which no id is: ids have no zero byte.
  if (add(fmt::format("{}{}{:x}", id, '\0', document.text), document)) return {};
  std::string name;
  do name = fmt::format("{}#{}", id, ++first.copies);
  while (add(name, document));
  return name;
}

}  // namespace fewdim

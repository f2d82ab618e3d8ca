#include "text/known_ids.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace fewdim {

std::uint64_t KnownIds::text_hash(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

std::optional<KnownIds::Seen> KnownIds::add(std::string_view id, const Seen& document) {
  const XXH128_hash_t hash = XXH3_128bits(id.data(), id.size());
  const auto [place, is_new] = seen_.try_emplace({hash.low64, hash.high64}, document);
  return is_new ? std::nullopt : std::optional(place->second);
}

}  // namespace fewdim

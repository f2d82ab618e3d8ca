#include "data/hash.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace fewdim {

struct Hasher::State {
  XXH3_state_t inner;
};

Hasher::Hasher() : state_(new State, [](State* state) { delete state; }) { restart(); }

void Hasher::update(std::string_view bytes) noexcept { XXH3_64bits_update(&state_->inner, bytes.data(), bytes.size()); }

void Hasher::restart() noexcept { XXH3_64bits_reset(&state_->inner); }

std::string Hasher::text() const { return fmt::format("xxh3:{:016x}", XXH3_64bits_digest(&state_->inner)); }

std::string hash_of(std::string_view bytes) {
  return fmt::format("xxh3:{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

}  // namespace fewdim

#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace fewdim {

/// XXH3 (64 bits, seed 0) of bytes that come in pieces; how they are cut does not matter.
class Hasher {
 public:
  Hasher();
  void update(std::string_view bytes) noexcept;
  void restart() noexcept;
  /// "xxh3:" and 16 hexadecimal digits, as `xxhsum -H3` prints them, of what came so far.
  std::string text() const;

 private:
  struct State;
  std::unique_ptr<State, void (*)(State*)> state_;
};

/// The same of bytes that are all there.
std::string hash_of(std::string_view bytes);

}  // namespace fewdim

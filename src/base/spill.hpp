#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

/// Room for arrays that may be larger than memory: a file without a name in $TMPDIR (or /tmp), mapped. The system
/// writes its pages out where memory is short, and the file is gone with the process.
namespace fewdim {

struct SpilledBytes {
  char* data = nullptr;
  std::size_t size = 0;
  std::shared_ptr<void> owner{};
};

/// Bytes, all 0, in memory or in such a file. Throws IoError where the disk has no room.
SpilledBytes room_for(std::uint64_t bytes, bool on_disk);

template <class T>
struct Room {
  std::span<T> numbers{};
  std::shared_ptr<void> owner{};
};

template <class T>
Room<T> room_for_array(std::size_t count, bool on_disk) {
  SpilledBytes bytes = room_for(count * sizeof(T), on_disk);
  return {std::span<T>(reinterpret_cast<T*>(bytes.data), count), std::move(bytes.owner)};
}

/// Bytes that come one after the other: in memory up to `most`, then in a file.
class SpillWriter {
 public:
  explicit SpillWriter(std::uint64_t most);
  ~SpillWriter();
  SpillWriter(SpillWriter&& other) noexcept;
  SpillWriter& operator=(SpillWriter&& other) noexcept;

  void append(std::string_view bytes);
  std::uint64_t size() const { return written_ + memory_.size(); }
  std::uint64_t in_memory() const { return memory_.capacity(); }
  /// All of them, where they can be read; the writer is empty then.
  SpilledBytes finish();

 private:
  void flush();

  std::uint64_t most_;
  std::uint64_t written_ = 0;
  int file_ = -1;
  std::vector<char> memory_;
};

}  // namespace fewdim

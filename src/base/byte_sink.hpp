#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fewdim {

/// Where bytes go, in order: a file, or a compressor before it.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(const void* data, std::size_t size) = 0;  ///< throws IoError with the path and the reason
  void write(std::string_view text) { write(text.data(), text.size()); }
  virtual const std::string& path() const = 0;  ///< of the file, for messages
};

}  // namespace fewdim

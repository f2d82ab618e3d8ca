#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fewdim {

/// A file that appears whole or not at all: written beside its target, synced, then renamed over it. An
/// OutputFile that is destroyed without commit() leaves nothing behind. "-" is standard output, unbuffered by
/// rename. Refuses an existing target unless `overwrite`.
class OutputFile {
 public:
  OutputFile(std::string path, bool overwrite);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* data, std::size_t size);  ///< throws IoError with the path and the system's reason
  void write(std::string_view text) { write(text.data(), text.size()); }
  void commit();

  const std::string& path() const { return path_; }

 private:
  void fail(const char* what) const;

  std::string path_, temporary_;
  int descriptor_ = -1;
  int slot_ = -1;
};

}  // namespace fewdim

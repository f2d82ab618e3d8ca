#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/byte_sink.hpp"

namespace fewdim {

/// A file that appears whole or not at all: written in the folder of its target without a name (where the file system
/// has no such files, as NAME.PID.part), synced, then given its name. An OutputFile that is destroyed without commit()
/// leaves nothing behind, nor does a process that is killed, but for the .part file where there has to be one.
///
/// - "-" is standard output, and what is no regular file (/dev/null, a named pipe) is written as it comes.
/// - An existing target is refused unless `overwrite`; one that appears while the file is written, too.
/// - A symbolic link is followed: the file that it names is made or replaced, and the link stays.
/// - A file that is replaced hands down its mode, and its owner and group where the system permits.
class OutputFile : public ByteSink {
 public:
  OutputFile(std::string path, bool overwrite);
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  using ByteSink::write;
  void write(const void* data, std::size_t size) override;
  void commit();

  const std::string& path() const override { return path_; }

 private:
  struct Replaced {
    mode_t mode;
    uid_t owner;
    gid_t group;
  };

  [[noreturn]] void fail(const char* what) const;
  [[noreturn]] void refuse_existing(const char* when) const;
  void open_beside_target();
  void take_over(const Replaced& old) const;
  void take_part_name();
  void drop_part_name();
  void publish();

  std::string path_;    ///< as given, for messages
  std::string target_;  ///< what it stands for, links followed; empty where nothing has to be renamed
  std::string part_;    ///< the name it has meanwhile; empty: none
  bool overwrite_;
  std::optional<Replaced> replaced_;
  int descriptor_ = -1;
  int slot_ = -1;
};

}  // namespace fewdim

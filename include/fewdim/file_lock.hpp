#pragma once

#include <functional>
#include <string>

#include "fewdim/export.hpp"

namespace fewdim {

/// The right to change a file that is read, changed in memory and replaced by rename, as a model is: an exclusive
/// advisory lock (flock) on the file at the path. It ends with the process, however that ends, and leaves no other file
/// behind. Whoever waited for it finds the file that the holder has put there, not the one it replaced.
class FEWDIM_API FileLock {
 public:
  /// Called some ten times a second while another process holds the lock; false gives up.
  using Waiting = std::function<bool(double seconds)>;

  /// Waits for the lock. Throws IoError where the file can't be opened, and where `waiting` gave up.
  explicit FileLock(const std::string& path, const Waiting& waiting = {});
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  bool held() const { return problem_.empty(); }
  /// Why it is not held: the file system has no locks, or the path is no regular file. Empty where it is held.
  const std::string& problem() const { return problem_; }

 private:
  bool lock(const std::string& path, const Waiting& waiting, double& waited);
  void release();

  int descriptor_ = -1;
  std::string problem_;
};

}  // namespace fewdim

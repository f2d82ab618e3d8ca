#pragma once

#include <chrono>
#include <string>

#include "fewdim/execution.hpp"

namespace fewdim::cli {

/// One line on standard error for work that takes long: what, how far, how fast, how long yet. On a terminal it is
/// drawn over itself and wiped off at the end; elsewhere (asked for with --progress) a line is added now and then.
class ProgressBar {
 public:
  enum class Mode { off, redraw, lines };

  explicit ProgressBar(Mode mode) : mode_(mode) {}
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void report(const Progress& progress);
  void clear();

  /// The line for a report after so many seconds of its stage; for tests of the wording too.
  static std::string line(const Progress& progress, double seconds, std::size_t width);

 private:
  using Clock = std::chrono::steady_clock;

  Mode mode_;
  bool drawn_ = false;
  std::string stage_;
  Clock::time_point begin_ = Clock::now();  // of the program's work
  Clock::time_point stage_begin_ = Clock::now();
  Clock::time_point drawn_at_{};
};

}  // namespace fewdim::cli

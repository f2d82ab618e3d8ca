#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace fewdim {

/// Writes down how long each stage took.
class Stopwatch {
 public:
  using Seconds = std::vector<std::pair<std::string, double>>;

  explicit Stopwatch(Seconds& out) : out_(out) {}
  void lap(const std::string& stage) {
    const auto now = std::chrono::steady_clock::now();
    out_.emplace_back(stage, std::chrono::duration<double>(now - last_).count());
    last_ = now;
  }
  /// What went before is written down elsewhere.
  void restart() { last_ = std::chrono::steady_clock::now(); }

 private:
  Seconds& out_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace fewdim

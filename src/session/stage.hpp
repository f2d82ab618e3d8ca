#pragma once

#include <chrono>
#include <string_view>

#include "fewdim/inputs.hpp"

namespace fewdim {

/// Tells the context how long a stage took, from here to the end of the block.
class Stage {
 public:
  Stage(const SessionContext& context, std::string_view name) : context_(context), name_(name) {}
  ~Stage() {
    if (context_.spent) context_.spent(name_, std::chrono::duration<double>(Clock::now() - begin_).count());
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  const SessionContext& context_;
  std::string_view name_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace fewdim

#pragma once

#include <charconv>
#include <string_view>
#include <vector>

#include "base/byte_sink.hpp"

namespace fewdim {

/// Text on its way to a file. Numbers take the fewest digits that read back to the same bits.
class NumberWriter {
 public:
  explicit NumberWriter(ByteSink& out) : out_(out), buffer_(std::size_t{1} << 18) {}

  template <class Number>
  void number(Number value) {
    constexpr std::size_t longest = 32;
    if (buffer_.size() - used_ < longest) flush();
    used_ =
        static_cast<std::size_t>(std::to_chars(next(), buffer_.data() + buffer_.size(), value).ptr - buffer_.data());
  }
  void text(std::string_view words) {
    if (buffer_.size() - used_ < words.size()) flush();
    if (words.size() > buffer_.size()) return out_.write(words);
    words.copy(next(), words.size());
    used_ += words.size();
  }
  void character(char c) { text({&c, 1}); }
  void flush() {
    out_.write(buffer_.data(), used_);
    used_ = 0;
  }

 private:
  char* next() { return buffer_.data() + used_; }

  ByteSink& out_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
};

}  // namespace fewdim

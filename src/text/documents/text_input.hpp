#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "data/input/input.hpp"
#include "fewdim/documents.hpp"

namespace fewdim {

/// What the parsers of one call share. Options and report outlive them.
struct ReadingRules {
  const DocumentOptions& options;
  DocumentReport& report;
  std::uint64_t most_bytes =
      UINT64_MAX;         ///< of one line or text that is held: the share of the memory limit it may take
  bool numbered = false;  ///< documents are numbered, whatever ids they have
};

/// A file or pipe by lines, in memory of one line and a buffer. A byte order mark of UTF-8 is dropped.
class TextInput {
 public:
  TextInput(std::unique_ptr<ByteSource> source, std::string path, const ReadingRules& rules);

  const DocumentOptions& options() const { return rules_.options; }
  DocumentReport& report() const { return rules_.report; }
  bool numbered() const { return rules_.numbered; }
  const std::string& path() const { return path_; }
  /// What comes next, up to `count` bytes, without taking it; before the first line only.
  std::string_view beginning(std::size_t count);

  /// Goes to the next line; false at the end. Throws DataError for a line above the longest document allowed,
  /// OverMemory for one that takes too much of the memory limit.
  bool next_line();
  std::string_view line() const { return line_; }  ///< without its end; valid until the next call
  Index line_number() const { return number_; }
  void again() { again_ = true; }  ///< the next line will be this one once more

  /// Appends what should be text. `piece` lies in line(), so that bad bytes can be named by their place.
  void append(std::string& out, std::string_view piece);
  /// Appends a line of a text that has several.
  void append_line(std::string& out, std::string_view piece);
  /// All that is left, as one text.
  void append_rest(std::string& out);

  std::string place(Index line) const;  ///< "file:12"
  [[noreturn]] void refuse(Index line, const std::string& what) const;

 private:
  bool fill();  ///< more bytes behind those that are there; false at the end
  void make_room();
  void append_checked(std::string& out, std::string_view piece, Index line, std::size_t offset);
  bool fits(std::uint64_t bytes) const { return bytes <= std::min(rules_.options.longest, rules_.most_bytes); }
  [[noreturn]] void too_long(Index line) const;

  std::unique_ptr<ByteSource> source_;
  std::string path_;
  ReadingRules rules_;
  /// realloc() moves pages instead of copying them, and leaves alone what nobody has written to.
  std::unique_ptr<char, void (*)(void*)> buffer_;
  std::size_t room_ = 0, begin_ = 0, end_ = 0;
  bool ended_ = false, again_ = false;
  std::string_view line_{};
  Index number_ = 0;
};

}  // namespace fewdim

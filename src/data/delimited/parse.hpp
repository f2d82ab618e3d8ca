#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "data/delimited/delimited.hpp"

namespace fewdim::delimited {

/// What stopped the parser, and where.
struct Problem {
  enum class Kind { not_a_number, beyond_float32, beyond_float64, fields, blank_line, stray_quote, open_quote };
  Kind kind = Kind::not_a_number;
  const char* at = nullptr;      ///< the start of the cell
  const char* record = nullptr;  ///< the start of its record
  Index field = 0;
};

/// Throws the DataError that describes the problem. `text` holds the record; its first byte is on line `first_line`.
[[noreturn]] void report_problem(const Problem& problem, std::string_view text, Index first_line, const Layout& layout,
                                 const std::string& path);

/// Of several problems that tasks side by side run into, the first in the text: what is reported does not depend on
/// their order.
class FirstProblem {
 public:
  void note(const Problem& problem) {
    const std::lock_guard lock(mutex_);
    if (problem_ && problem_->at <= problem.at) return;
    problem_ = problem;
    place_ = problem.at;
  }
  /// Whether one is known before that place; then nothing behind it matters.
  bool before(const char* at) const {
    const char* place = place_;
    return place != nullptr && place < at;
  }
  const std::optional<Problem>& get() const { return problem_; }

 private:
  std::mutex mutex_;
  std::atomic<const char*> place_ = nullptr;
  std::optional<Problem> problem_;
};

/// Turns records into numbers and names.
template <class T>
class RecordParser {
 public:
  /// The records lie in a text that ends at `end`, with a newline before it and after each of them.
  RecordParser(const Layout& layout, const char* end) : layout_(layout), end_(end) {}

  /// Parses the record at p into row[0 .. cols) and, where not null, the name and the label. Returns the start of
  /// the next record, or null; then problem() says why.
  const char* parse(const char* p, T* row, std::string* name, std::string* label);
  const Problem& problem() const { return problem_; }

 private:
  template <bool Blanks>
  const char* parse_fields(const char* p, T* row, std::string* name, std::string* label);
  template <bool Blanks>
  bool ends_cell(const char* p) const;
  /// The cell at p, quotes and all; null when its quotes are wrong.
  template <bool Blanks>
  const char* take_cell(const char* p, Cell& cell);
  template <bool Blanks>
  const char* slow_number(const char* p, T& value);
  bool is_missing_value(T value) const;
  const char* stop(Problem::Kind kind, const char* at);

  const Layout& layout_;
  const char* end_;
  const char* record_ = nullptr;
  Index field_ = 0;
  Problem problem_;
};

extern template class RecordParser<float>;
extern template class RecordParser<double>;

}  // namespace fewdim::delimited

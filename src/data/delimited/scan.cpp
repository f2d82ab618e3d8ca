#include "data/delimited/scan.hpp"

#include <algorithm>
#include <cstring>

#include "base/parallel.hpp"

namespace fewdim::delimited {

namespace {

constexpr std::size_t stretch_size = std::size_t{256} << 10;
constexpr std::size_t npos = std::string_view::npos;

/// Newlines of a stretch that end records, for both ways it may start.
struct Newlines {
  Index outside = 0;  ///< if it starts outside quotes
  Index inside = 0;   ///< if it starts between quotes
  bool odd = false;   ///< the number of quotes
};

Newlines count_newlines(std::string_view text) {
  Newlines count;
  if (std::memchr(text.data(), '"', text.size()) == nullptr) {
    const char* end = text.data() + text.size();
    for (const char* p = text.data();
         (p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)))); ++p)
      ++count.outside;
    return count;
  }
  for (const char c : text) {
    if (c == '"') count.odd = !count.odd;
    if (c == '\n') ++(count.odd ? count.inside : count.outside);
  }
  return count;
}

/// The position after the first newline of the stretch that ends a record.
std::size_t after_newline(std::string_view text, std::size_t from, std::size_t to, bool inside) {
  for (std::size_t at = from; at < to; ++at) {
    if (text[at] == '"') inside = !inside;
    if (text[at] == '\n' && !inside) return at + 1;
  }
  return npos;
}

}  // namespace

std::vector<Stretch> find_records(std::string_view rows, const Execution& exec) {
  const std::size_t count = std::max<std::size_t>(1, (rows.size() + stretch_size - 1) / stretch_size);
  std::vector<Stretch> stretches(count);
  std::vector<Newlines> newlines(count);
  parallel_for(exec, static_cast<Index>(count), [&](Index i) {
    const std::size_t k = static_cast<std::size_t>(i);
    stretches[k].begin = k * stretch_size;
    stretches[k].end = std::min(rows.size(), (k + 1) * stretch_size);
    newlines[k] = count_newlines(rows.substr(stretches[k].begin, stretches[k].end - stretches[k].begin));
  });
  bool inside = false;
  Index row = 0;
  for (std::size_t k = 0; k < count; ++k) {
    Stretch& stretch = stretches[k];
    stretch.first_row = row;
    stretch.rows = inside ? newlines[k].inside : newlines[k].outside;
    if (stretch.rows > 0) stretch.first_record = after_newline(rows, stretch.begin, stretch.end, inside);
    if (k == 0) ++stretch.rows, stretch.first_record = 0;
    row += stretch.rows;
    inside = inside != newlines[k].odd;
  }
  return stretches;
}

std::vector<const char*> record_starts(std::string_view text, const Execution& exec) {
  const std::string_view rows = text.substr(0, text.size() - 1);
  const std::vector<Stretch> stretches = find_records(rows, exec);
  std::vector<const char*> starts(static_cast<std::size_t>(stretches.back().first_row + stretches.back().rows) + 1);
  parallel_for(exec, static_cast<Index>(stretches.size()), [&](Index k) {
    const Stretch& stretch = stretches[static_cast<std::size_t>(k)];
    std::size_t at = stretch.first_record;
    for (Index r = 0; r < stretch.rows; ++r) {
      starts[static_cast<std::size_t>(stretch.first_row + r)] = rows.data() + at;
      if (r + 1 < stretch.rows) at = after_newline(rows, at, rows.size(), false);
    }
  });
  starts.back() = text.data() + text.size();
  return starts;
}

std::size_t complete_records(std::string_view text) {
  if (std::memchr(text.data(), '"', text.size()) == nullptr) {
    const std::size_t newline = text.rfind('\n');
    return newline == npos ? 0 : newline + 1;
  }
  bool inside = false;
  std::size_t length = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') inside = !inside;
    if (text[at] == '\n' && !inside) length = at + 1;
  }
  return length;
}

}  // namespace fewdim::delimited

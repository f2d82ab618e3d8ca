#include "data/matrix_market/header.hpp"

#include <fmt/format.h>

#include "data/input/line_pieces.hpp"
#include "data/input/number_scanner.hpp"

namespace fewdim::matrix_market {

namespace {

std::string_view next_line(std::string_view& text) {
  const std::size_t newline = text.find('\n');
  const std::string_view line = text.substr(0, newline);
  text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
  return line;
}

std::string next_word(std::string_view& line) {
  const char* end = line.data() + line.size();
  const char* start = skip_blanks(line.data(), end);
  const char* stop = start;
  std::string word;
  while (stop != end && !is_blank(*stop) && word.size() < 40)
    word.push_back(*stop >= 'A' && *stop <= 'Z' ? static_cast<char>(*stop - 'A' + 'a') : *stop), ++stop;
  line.remove_prefix(static_cast<std::size_t>(stop - line.data()));
  return word;
}

void parse_banner(std::string_view line, Header& header) {
  const char* const start = line.data();
  const auto refuse = [&](const std::string& what) { throw TextFault{start, what}; };
  if (next_word(line) != "%%matrixmarket")
    refuse("a Matrix Market file starts with %%MatrixMarket, this one with " +
           shown_token(start, line.data() + line.size()));
  const std::string object = next_word(line), format = next_word(line), field = next_word(line),
                    symmetry = next_word(line);
  if (object != "matrix") refuse(fmt::format("holds a {:?}; only a 'matrix' can be read", object));
  if (format != "coordinate" && format != "array")
    refuse(fmt::format("format {:?} is not known; it is 'coordinate' or 'array'", format));
  header.coordinate = format == "coordinate";
  if (field == "complex" || symmetry == "hermitian")
    refuse("complex numbers can't be read; save the real and imaginary parts as columns");
  if (field == "real" || field == "double") {
    header.field = Field::real;
  } else if (field == "integer" || field == "unsigned-integer") {
    header.field = Field::integer;
  } else if (field == "pattern" && header.coordinate) {
    header.field = Field::pattern;
  } else {
    refuse(fmt::format("field {:?} is not known here; it is 'real', 'integer' or (coordinate only) 'pattern'", field));
  }
  if (symmetry == "general") {
    header.symmetry = Symmetry::general;
  } else if (symmetry == "symmetric") {
    header.symmetry = Symmetry::symmetric;
  } else if (symmetry == "skew-symmetric" && header.field != Field::pattern) {
    header.symmetry = Symmetry::skew;
  } else {
    refuse(fmt::format("symmetry {:?} is not known here; it is 'general', 'symmetric' or 'skew-symmetric'", symmetry));
  }
}

/// How many values an array file of n rows lists: all, the lower triangle, or that without its diagonal.
std::int64_t array_entries(const Header& header) {
  std::int64_t all = 0;
  if (__builtin_mul_overflow(header.rows, header.cols, &all)) return INT64_MAX;
  if (header.symmetry == Symmetry::general) return all;
  return (all + (header.symmetry == Symmetry::symmetric ? header.rows : -header.rows)) / 2;
}

void parse_size(std::string_view line, Header& header, std::size_t bytes_left) {
  const char *at = line.data(), *end = at + line.size();
  const auto number = [&](std::int64_t& value, const char* what) {
    at = skip_blanks(at, end);
    const char* start = at;
    if (!scan_integer(at, end, value) || (at != end && !is_blank(*at)))
      throw TextFault{start, fmt::format("the number of {} should be here, found {}", what, shown_token(start, end))};
  };
  number(header.rows, "rows");
  number(header.cols, "columns");
  if (header.coordinate) number(header.entries, "entries");
  at = skip_blanks(at, end);
  if (at != end) throw TextFault{at, "the size line goes on with " + shown_token(at, end)};
  const auto refuse = [&](const std::string& what) { throw TextFault{line.data(), what}; };
  if (header.cols > INT32_MAX)
    refuse(fmt::format("{} columns are more than the 2147483647 that can be read", header.cols));
  if (header.coordinate && header.rows > INT32_MAX)
    refuse(fmt::format("{} rows are more than the 2147483647 that a sparse file can have here", header.rows));
  if (header.symmetry != Symmetry::general && header.rows != header.cols)
    refuse(fmt::format("a symmetric matrix is square, this one is {} x {}", header.rows, header.cols));
  if (!header.coordinate) header.entries = array_entries(header);
  // "1 1\n" is the shortest entry of a coordinate file, "1\n" that of an array; the last newline may be missing.
  const std::int64_t shortest = header.coordinate ? 4 : 2;
  if (header.entries > static_cast<std::int64_t>(bytes_left + 1) / shortest)
    refuse(fmt::format("promises {} entries, but only {} bytes follow; cut short?", header.entries, bytes_left));
  // Rows cost memory even without entries, and nothing in the file vouches for them.
  const bool sparse_rows = header.coordinate && header.rows > (1 << 20) && std::uint64_t(header.rows) / 64 > bytes_left;
  if (sparse_rows || (header.cols == 0 && header.rows > INT32_MAX))
    refuse(fmt::format("promises {} rows for {} entries; drop the empty rows", header.rows, header.entries));
}

}  // namespace

Header parse_header(std::string_view text) {
  Header header;
  std::string_view line = next_line(text);
  parse_banner(line, header);
  while (true) {
    if (text.empty()) throw TextFault{text.data(), "ends before its size line; cut short?"};
    line = next_line(text);
    const char *end = line.data() + line.size(), *start = skip_blanks(line.data(), end);
    if (start != end && *start != '%') break;
  }
  header.size_line = line.data();
  header.body = text;
  parse_size(line, header, text.size());
  return header;
}

}  // namespace fewdim::matrix_market

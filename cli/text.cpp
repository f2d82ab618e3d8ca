#include "text.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "fewdim/error.hpp"

namespace fewdim::cli {

namespace {

template <class T>
bool read_all(std::string_view text, T& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

[[noreturn]] void refuse(const std::string& flag, const std::string& text, const std::string& bound) {
  throw Error(ErrorKind::usage, fmt::format("{} '{}' {}", flag, text, bound));
}

/// Letters, not bytes: a UTF-8 continuation byte takes no room.
std::size_t shown_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Edits that turn one word into the other: insert, delete, replace (Levenshtein).
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({replaced, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row.back();
}

bool looks_like_number(std::string_view text) {
  return !text.empty() && (text.front() == '-' || (text.front() >= '0' && text.front() <= '9'));
}

}  // namespace

std::vector<std::string> split_at(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (const char c : text) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (std::string& part : parts) {
    const std::size_t first = std::min(part.find_first_not_of(' '), part.size());
    part = part.substr(first, part.find_last_not_of(' ') + 1 - first);
  }
  return parts;
}

std::uint64_t parse_bytes(const std::string& text, const std::string& flag) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  std::string unit = text.substr(
      text.find_first_not_of(' ', end) == std::string::npos ? text.size() : text.find_first_not_of(' ', end));
  std::ranges::transform(unit, unit.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::string_view letters = "bkmgtp";
  double number = 0.0;
  const std::size_t power = unit.empty() ? 0 : letters.find(unit[0]);
  const std::string_view rest = unit.empty() ? "" : std::string_view(unit).substr(1);
  const bool decimal = rest == "b" && power > 0;
  if (!read_all(std::string_view(text).substr(0, end), number) || power == std::string_view::npos ||
      !(rest.empty() || decimal || (rest == "ib" && power > 0)))
    refuse(flag, text, "is not a size; write 4G, 512MiB, 1.5GB, or a number of bytes");
  const double bytes = number * std::pow(decimal ? 1000.0 : 1024.0, static_cast<double>(power));
  if (!(bytes >= 1.0 && bytes < 0x1p62)) refuse(flag, text, "must be at least one byte, and below 4 EiB");
  return static_cast<std::uint64_t>(bytes);
}

Index parse_whole(const std::string& text, const std::string& flag, Index minimum) {
  Index value = 0;
  if (!read_all(text, value) || value < minimum)
    refuse(flag, text, fmt::format("must be a whole number, {} or more", minimum));
  return value;
}

double parse_real(const std::string& text, const std::string& flag) {
  double value = 0;
  if (!read_all(text, value) || !std::isfinite(value)) refuse(flag, text, "must be a number");
  return value;
}

std::uint64_t parse_seed(const std::string& text) {
  std::uint64_t value = 0;
  if (!read_all(text, value)) refuse("--seed", text, "must be a whole number, 0 or more");
  return value;
}

std::string show_bytes(std::uint64_t bytes) {
  static constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024.0 && unit + 1 < units.size()) value /= 1024.0, ++unit;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, units[unit]);
}

std::string show_seconds(double seconds) {
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", std::max(seconds * 1000.0, 0.0));
  if (seconds < 100.0) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::min(seconds, 1e15));
  if (whole < 7200) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", show_count(whole / 3600), whole / 60 % 60);
}

std::string show_count(std::int64_t number) {
  std::string digits = std::to_string(number);
  for (std::ptrdiff_t at = std::ssize(digits) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

std::string show_option(const OptionValue& value) {
  return std::visit([](const auto& held) { return fmt::format("{}", held); }, value);
}

std::string flag_of(const std::string& name) {
  std::string flag = "--" + name;
  std::ranges::replace(flag, '_', '-');
  return flag;
}

namespace {

std::string with_word(const std::vector<std::string>& list, const char* word) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 < list.size() ? ", " : word, list[i]);
  return text;
}

}  // namespace

std::string one_of(const std::vector<std::string>& choices) { return with_word(choices, " or "); }
std::string all_of(const std::vector<std::string>& things) { return with_word(things, " and "); }

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_edits = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const bool begins = word.size() >= 3 && candidate.starts_with(word);
    const std::size_t count = begins ? 1 : edits(word, candidate);
    if (count >= best_edits || count >= std::max(word.size(), candidate.size()) - 1) continue;
    best = candidate;
    best_edits = count;
  }
  return best;
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text[0]);
    std::size_t size = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
    bool sound = size > 0 && size <= text.size() && first < 0xF5;
    std::uint32_t code = size <= 1 ? first : first & (0x7FU >> size);
    for (std::size_t i = 1; sound && i < size; ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      sound = (byte & 0xC0U) == 0x80U;
      code = code << 6U | (byte & 0x3FU);
    }
    if (!sound) size = 1;
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029;
    const bool turns = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0x200E ||
                       code == 0x200F || code == 0x061C;
    if (sound && !control && !turns)
      out += text.substr(0, size);
    else
      out += "\xef\xbf\xbd";
    text.remove_prefix(size);
  }
  return out;
}

std::string wrap(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = indent;
  for (const std::string& word : split_at(text, ' ')) {
    const std::size_t size = shown_width(word);
    if (column > indent && column + 1 + size > width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) out += ' ', ++column;
    out += word;
    column += size;
  }
  return out;
}

std::size_t terminal_width() {
  winsize size{};
  Index columns = 0;
  if (const char* asked = std::getenv("COLUMNS"); asked && read_all(std::string_view(asked), columns) && columns >= 40)
    return static_cast<std::size_t>(std::min<Index>(columns, 120));
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
    if (::isatty(descriptor) && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
      return std::min<std::size_t>(size.ws_col, 120);
  return 80;
}

std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t width) {
  if (rows.empty()) return {};
  const std::size_t columns = rows.front().size();
  std::vector<std::size_t> widths(columns, 0);
  std::vector<bool> numeric(columns, rows.size() > 1);
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      widths[c] = std::max(widths[c], shown_width(rows[r][c]));
      if (r > 0 && !looks_like_number(rows[r][c])) numeric[c] = false;
    }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    std::size_t at = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      const std::size_t blanks = widths[c] - shown_width(row[c]);
      if (c + 1 == columns && !numeric[c]) {
        line += wrap(row[c], at, std::max(width, at + 30));
        break;
      }
      line += numeric[c] ? std::string(blanks, ' ') + row[c] : row[c] + std::string(blanks, ' ');
      if (c + 1 < columns) line += "  ";
      at += widths[c] + 2;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

}  // namespace fewdim::cli

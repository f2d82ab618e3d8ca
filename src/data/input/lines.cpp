#include <fmt/format.h>

#include <algorithm>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/utf8.hpp"
#include "data/hash.hpp"
#include "data/input/input.hpp"
#include "data/input/line_pieces.hpp"
#include "data/memory_budget.hpp"

namespace fewdim {

namespace {

/// A zero byte is a character too, but whoever has one in a line of text has given another kind of file.
void require_text(std::string_view line) {
  if (const std::size_t at = line.find('\0'); at != std::string_view::npos)
    throw TextFault{line.data() + at, "a zero byte, which text has not; give a file with one string a line"};
  const std::size_t at = first_not_utf8(line);
  if (at != std::string_view::npos)
    throw TextFault{line.data() + at, fmt::format("the byte 0x{:02x} is not UTF-8 here; convert the file, as with "
                                                  "iconv -f latin1 -t utf-8",
                                                  static_cast<unsigned char>(line[at]))};
}

/// Without their ends; a last line may lack its end.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (end != std::string_view::npos && line.ends_with('\r')) line.remove_suffix(1);
    require_text(line);
    lines.emplace_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace

Dataset read_lines(const std::string& path, const Execution& exec) {
  const Bytes stored = load(path, exec);
  Bytes bytes = decompress(stored, exec);
  const std::string_view whole = bytes.text;
  constexpr std::string_view mark = "\xef\xbb\xbf";
  const std::string_view text = whole.starts_with(mark) ? whole.substr(mark.size()) : whole;
  if (text.empty()) throw DataError(fmt::format("{}: is empty; give a file with one string a line", shown_name(path)));

  const auto count = static_cast<std::uint64_t>(std::ranges::count(text, '\n')) + 1;
  require_memory(exec, 2 * count * sizeof(std::string) + 2 * text.size() + held_bytes(bytes),
                 fmt::format("{}: {} lines of text", shown_name(path), count), "take fewer lines");
  const std::vector<std::string_view> pieces = cut_into_pieces(text);
  std::vector<std::vector<std::string>> parts(pieces.size());
  std::vector<std::string> lines;
  lines.reserve(static_cast<std::size_t>(count));
  parse_pieces(
      bytes, pieces, exec, [&](std::size_t i, std::string_view piece) { parts[i] = lines_of(piece); },
      [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
          std::ranges::move(parts[i], std::back_inserter(lines));
          parts[i] = {};
        }
      });
  Dataset data = Dataset::of_texts(std::move(lines));
  data.source = path;
  data.hash = hash_of(stored.text);
  return data;
}

}  // namespace fewdim

#include "text/words/word_file.hpp"

#include <fmt/format.h>

#include "base/utf8.hpp"
#include "data/input/input.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

std::vector<WordLine> read_word_lines(const std::string& path) {
  const Bytes bytes = decompress(load(path, {}), {});
  std::string_view text = bytes.text;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::vector<WordLine> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (const std::size_t bad = std::min(first_not_utf8(line), line.find('\0')); bad != std::string_view::npos)
      throw DataError(fmt::format("{}:{}:{}: the byte 0x{:02x} is not text in UTF-8; give a file with one word a line",
                                  shown_name(path), number, bad + 1, static_cast<unsigned char>(line[bad])));
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!line.empty() && static_cast<unsigned char>(line.back()) <= ' ') line.remove_suffix(1);
    while (!line.empty() && static_cast<unsigned char>(line.front()) <= ' ') line.remove_prefix(1);
    if (!line.empty() && line.front() != '#') lines.push_back({std::string(line), number});
  }
  return lines;
}

}  // namespace fewdim

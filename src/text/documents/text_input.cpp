#include "text/documents/text_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "text/documents/encoding.hpp"

namespace fewdim {

namespace {

constexpr std::size_t read_size = std::size_t{256} << 10;

}  // namespace

TextInput::TextInput(std::unique_ptr<ByteSource> source, std::string path, const ReadingRules& rules)
    : source_(std::move(source)), path_(std::move(path)), rules_(rules), buffer_(nullptr, std::free) {
  const std::string_view head = beginning(4);
  if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff"))
    throw DataError(fmt::format("{}: is UTF-16; convert it, as with iconv -f utf-16 -t utf-8", shown_name(path_)));
  if (head.starts_with("\xef\xbb\xbf")) begin_ += 3;
}

/// Doubles, so that a long line is not moved over and over, up to the longest that is allowed.
void TextInput::make_room() {
  if (room_ - end_ >= read_size) return;
  const std::uint64_t longest = std::min({rules_.options.longest, rules_.most_bytes, std::uint64_t{1} << 62});
  const std::size_t least = end_ + read_size;
  const std::size_t size = std::max(least, std::min<std::size_t>(2 * room_, longest + 2 * read_size));
  auto* larger = static_cast<char*>(std::realloc(buffer_.get(), size));
  if (!larger) throw OverMemory(fmt::format("{}: no memory for a line of {}", shown_name(path_), format_bytes(size)));
  static_cast<void>(buffer_.release());
  buffer_.reset(larger);
  room_ = size;
}

bool TextInput::fill() {
  if (ended_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  make_room();
  const std::size_t got = source_->read(buffer_.get() + end_, std::min(room_ - end_, read_size));
  ended_ = got == 0;
  end_ += got;
  return got > 0;
}

std::string_view TextInput::beginning(std::size_t count) {
  while (end_ - begin_ < count && fill()) continue;
  return {buffer_.get() + begin_, std::min(count, end_ - begin_)};
}

bool TextInput::next_line() {
  if (again_) {
    again_ = false;
    return true;
  }
  std::size_t looked_at = 0;
  for (;;) {
    const char* start = buffer_.get() + begin_;
    const std::size_t there = end_ - begin_;
    const void* found = there > looked_at ? std::memchr(start + looked_at, '\n', there - looked_at) : nullptr;
    const std::size_t size = found ? static_cast<std::size_t>(static_cast<const char*>(found) - start) : there;
    if (!fits(size)) too_long(number_ + 1);
    if (!found) {
      looked_at = there;
      if (fill()) continue;
      if (there == 0) return false;
      start = buffer_.get() + begin_;
    }
    ++number_;
    line_ = {start, size};
    begin_ += size + (found ? 1 : 0);
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    return true;
  }
}

void TextInput::append_checked(std::string& out, std::string_view piece, Index line, std::size_t offset) {
  if (!fits(out.size() + piece.size())) too_long(line);
  const std::size_t at = first_not_text(piece);
  if (at == std::string_view::npos) {
    out.append(piece);
    return;
  }
  if (rules_.options.encoding_errors == EncodingErrors::replace) {
    rules_.report.replaced_bytes += append_replaced(out, piece);
    return;
  }
  const std::string_view before = piece.substr(0, at);
  const std::size_t last = before.rfind('\n');
  const Index lines = std::ranges::count(before, '\n');
  const std::size_t column = last == std::string_view::npos ? offset + at : at - last - 1;
  throw DataError(fmt::format("{}:{}: {}", place(line + lines), column + 1, not_text_reason(piece, at)));
}

void TextInput::append(std::string& out, std::string_view piece) {
  if (piece.empty()) return;
  append_checked(out, piece, number_, static_cast<std::size_t>(piece.data() - line_.data()));
}

void TextInput::append_line(std::string& out, std::string_view piece) {
  if (!out.empty()) out.push_back('\n');
  append(out, piece);
}

void TextInput::append_rest(std::string& out) {
  while (fits(end_ - begin_) && fill()) continue;
  if (!fits(end_ - begin_)) too_long(1);
  append_checked(out, {buffer_.get() + begin_, end_ - begin_}, 1, 0);
  begin_ = end_;
}

std::string TextInput::place(Index line) const { return fmt::format("{}:{}", shown_name(path_), line); }

void TextInput::refuse(Index line, const std::string& what) const {
  throw DataError(fmt::format("{}: {}", place(line), what));
}

void TextInput::too_long(Index line) const {
  if (rules_.most_bytes < rules_.options.longest)
    throw OverMemory(
        fmt::format("{}: a document of more than {}, a quarter of the memory limit; {}, or cut it into parts",
                    place(line), format_bytes(rules_.most_bytes), raise_option("memory_limit")));
  refuse(line, fmt::format("a document of more than {} ({} bytes); {}, or cut it into parts",
                           format_bytes(rules_.options.longest), rules_.options.longest, raise_option("longest")));
}

}  // namespace fewdim

#pragma once

#include <charconv>
#include <cstring>
#include <string>
#include <string_view>

#include "data/input/line_pieces.hpp"
#include "data/input/number_scanner.hpp"

/// Words of GML files.
namespace fewdim::gml {

struct Token {
  enum class Kind { word, number, text, open, close, end } kind = Kind::end;
  std::string_view text;
  const char* at = nullptr;
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  Token next() {
    using Kind = Token::Kind;
    skip_space();
    const char* const start = at_;
    if (at_ == end_) return {Kind::end, {}, start};
    if (*at_ == '[' || *at_ == ']') return {*at_++ == '[' ? Kind::open : Kind::close, {}, start};
    if (*at_ == '"') {
      const auto* close =
          static_cast<const char*>(std::memchr(start + 1, '"', static_cast<std::size_t>(end_ - start - 1)));
      if (!close) throw TextFault{start, "the quotes that open here are never closed"};
      at_ = close + 1;
      return {Kind::text, {start + 1, static_cast<std::size_t>(close - start - 1)}, start};
    }
    while (at_ != end_ && !is_end(*at_)) ++at_;
    const std::string_view word(start, static_cast<std::size_t>(at_ - start));
    const bool letter = (*start | 0x20) >= 'a' && (*start | 0x20) <= 'z';
    return {letter || *start == '_' ? Kind::word : Kind::number, word, start};
  }

  const char* place() const { return at_; }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  static bool is_end(char c) { return is_space(c) || c == '[' || c == ']' || c == '"'; }
  void skip_space() {
    while (at_ != end_) {
      if (is_space(*at_)) {
        ++at_;
      } else if (*at_ == '#') {
        while (at_ != end_ && *at_ != '\n') ++at_;
      } else {
        return;
      }
    }
  }

  const char *at_, *end_;
};

inline std::string token_text(const Token& token, const char* end) {
  return token.kind == Token::Kind::end ? "the end of the file" : shown_token(token.at, end);
}

inline std::string entity(std::string_view name) {
  if (name == "quot") return "\"";
  if (name == "amp") return "&";
  if (name == "apos") return "'";
  if (name == "lt") return "<";
  if (name == "gt") return ">";
  std::uint32_t code = 0;
  if (name.size() < 2 || name[0] != '#') return {};
  const bool hex = name[1] == 'x';
  name.remove_prefix(hex ? 2 : 1);
  const auto read = std::from_chars(name.data(), name.data() + name.size(), code, hex ? 16 : 10);
  if (read.ec != std::errc() || read.ptr != name.data() + name.size()) return {};
  if (code < 0x20 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  std::string out;
  if (code < 0x80) {
    out = {static_cast<char>(code)};
  } else if (code < 0x800) {
    out = {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
  } else if (code < 0x10000) {
    out = {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
           static_cast<char>(0x80 | (code & 0x3F))};
  } else {
    out = {static_cast<char>(0xF0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 0x3F)),
           static_cast<char>(0x80 | (code >> 6 & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
  }
  return out;
}

/// The characters that GML writes as &quot; and &#233;.
inline std::string decoded(std::string_view raw) {
  std::string out;
  for (std::size_t at = 0; at < raw.size();) {
    const std::size_t stop = raw[at] == '&' ? raw.substr(0, at + 12).find(';', at) : std::string_view::npos;
    std::string character;
    if (stop != std::string_view::npos) character = entity(raw.substr(at + 1, stop - at - 1));
    out += character.empty() ? std::string(1, raw[at]) : character;
    at = character.empty() ? at + 1 : stop + 1;
  }
  return out;
}

}  // namespace fewdim::gml

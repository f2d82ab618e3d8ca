#include <algorithm>

#include "text/documents/markup.hpp"
#include "text/documents/parsers.hpp"

namespace fewdim {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name_byte(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == ':'; }

bool ends_line(std::string_view name) {
  constexpr std::string_view blocks[] = {
      "address", "article", "aside", "blockquote", "body",       "br",     "caption", "dd",   "details",
      "div",     "dl",      "dt",    "fieldset",   "figcaption", "figure", "footer",  "form", "h1",
      "h2",      "h3",      "h4",    "h5",         "h6",         "head",   "header",  "hr",   "html",
      "legend",  "li",      "main",  "nav",        "ol",         "option", "p",       "pre",  "section",
      "summary", "table",   "tbody", "tfoot",      "thead",      "title",  "tr",      "ul"};
  return std::ranges::any_of(blocks, [&](std::string_view block) { return same_name(block, name); });
}

void end_line(std::string& out) {
  if (!out.empty() && out.back() != '\n') out.push_back('\n');
}

/// Bytes up to and with "</name ...>"; all of them where the element is not closed.
std::size_t element_size(std::string_view text, std::string_view name) {
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string_view::npos; ++at) {
    if (text.substr(at).starts_with("</") && begins_with_name(text.substr(at + 2), name)) {
      const std::size_t end = text.find('>', at);
      return end == std::string_view::npos ? text.size() : end + 1;
    }
  }
  return text.size();
}

/// Bytes of "<!-- -->", "<!DOCTYPE >", "<? >"; 0 where there is none of them.
std::size_t declaration_size(std::string_view text) {
  const auto through = [&](std::string_view end) {
    const std::size_t at = text.find(end);
    return at == std::string_view::npos ? text.size() : at + end.size();
  };
  if (text.starts_with("<!--")) return through("-->");
  return text.starts_with("<!") || text.starts_with("<?") ? through(">") : 0;
}

}  // namespace

Tag tag_at(std::string_view text) {
  Tag tag;
  if (text.size() < 3 || text[0] != '<') return tag;
  std::size_t at = 1;
  tag.closing = text[1] == '/';
  at += tag.closing ? 1 : 0;
  const std::size_t name = at;
  if (!is_letter(text[at])) return tag;
  while (at < text.size() && is_name_byte(text[at])) ++at;
  tag.name = text.substr(name, at - name);
  // A "<" outside of quotes shows that the one before was no tag. As stretches between quotes don't overlap but for the
  // two kinds of them, no byte is looked at more than a few times.
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '>') {
      tag.size = at + 1;
      return tag;
    } else if (c == '<') {
      return tag;
    } else if ((c == '"' || c == '\'') && text[at - 1] == '=') {
      quote = c;
    }
  }
  return tag;
}

std::string strip_html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find_first_of("<&"), text.size());
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    std::size_t size = text[0] == '&' ? append_entity(out, text) : declaration_size(text);
    if (size == 0 && text[0] == '<') {
      const Tag tag = tag_at(text);
      size = tag.size;
      const bool hidden = !tag.closing && (same_name(tag.name, "script") || same_name(tag.name, "style"));
      if (size > 0 && hidden) size += element_size(text.substr(size), tag.name);
      if (size > 0 && ends_line(tag.name)) end_line(out);
      if (size > 0 && (same_name(tag.name, "td") || same_name(tag.name, "th"))) out.push_back(' ');
    }
    if (size == 0) out.push_back(text[0]), size = 1;
    text.remove_prefix(size);
  }
  return out;
}

}  // namespace fewdim

#pragma once

#include <string>
#include <string_view>

/// Markup taken off. Time is linear in the text, whatever it holds.
namespace fewdim {

/// Tags, comments, scripts and styles go, entities become characters, tags of blocks end lines.
std::string strip_html(std::string_view text);

/// The marks of headings, emphasis, links, lists, tables and code go; what they mark stays.
std::string strip_markdown(std::string_view text);

/// Bytes of the entity that `text` begins with ("&eacute;", "&#233;", "&#xe9;"), its character appended to `out`; 0
/// where it begins with none that is known.
std::size_t append_entity(std::string& out, std::string_view text);

/// One tag "<name ...>" at the beginning of a text.
struct Tag {
  std::size_t size = 0;  ///< in bytes, with both brackets; 0: there is no tag here
  std::string_view name{};
  bool closing = false;
};
Tag tag_at(std::string_view text);

}  // namespace fewdim

#include <algorithm>

#include "text/documents/parsers.hpp"

namespace fewdim {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool same_name(std::string_view a, std::string_view b) { return a.size() == b.size() && begins_with_name(a, b); }

bool begins_with_name(std::string_view text, std::string_view name) {
  if (text.size() < name.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i)
    if (lower(text[i]) != lower(name[i])) return false;
  return true;
}

}  // namespace fewdim

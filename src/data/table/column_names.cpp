#include "data/table/column_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "base/remedy.hpp"
#include "base/utf8.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

/// What two spellings of a name share: bytes that are not UTF-8, and what stands for them in a model file, are one
/// mark.
std::string key_of(std::string_view name) {
  if (first_not_utf8(name) == std::string_view::npos && name.find("\xef\xbf\xbd") == std::string_view::npos)
    return std::string(name);
  std::string key;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t size = utf8_character(name.substr(at));
    const bool known = size > 0 && name.substr(at, size) != "\xef\xbf\xbd";
    if (known)
      key += name.substr(at, size);
    else if (!key.ends_with('\xff'))
      key += '\xff';
    at += std::max<std::size_t>(size, 1);
  }
  return key;
}

constexpr std::string_view label_mark = "label:";

}  // namespace

NameMatch match_names(const std::vector<std::string>& names, const std::vector<std::string>& wanted,
                      const std::vector<bool>& taken) {
  std::unordered_map<std::string, std::vector<Index>> places;
  for (std::size_t j = 0; j < names.size(); ++j)
    if (taken.empty() || !taken[j]) places[key_of(names[j])].push_back(static_cast<Index>(j));
  std::unordered_map<std::string, std::size_t> used;
  NameMatch match;
  for (const std::string& name : wanted) {
    const std::string key = key_of(name);
    const auto found = places.find(key);
    std::size_t& next = used[key];
    if (found == places.end() || next >= found->second.size())
      match.missing.push_back(name);
    else
      match.places.push_back(found->second[next++]);
  }
  for (const std::string& name : wanted)
    if (const auto found = places.find(key_of(name));
        found != places.end() && found->second.size() > used[key_of(name)])
      match.repeated = name;
  return match;
}

std::string unused_text(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 6;
  std::string text = names.size() == 1
                         ? "1 column that the model does not use was left out: "
                         : fmt::format("{} columns that the model does not use were left out: ", names.size());
  for (std::size_t i = 0; i < std::min(names.size(), shown); ++i)
    text += fmt::format("{}{}", i > 0 ? ", " : "", names[i]);
  return names.size() > shown ? fmt::format("{} and {} more", text, names.size() - shown) : text;
}

std::string some_names(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), shown); ++i)
    text += fmt::format("{}'{}'", i > 0 ? ", " : "", names[i]);
  return names.size() > shown ? fmt::format("{} and {} more", text, names.size() - shown) : text;
}

void require_match(const NameMatch& match, const std::vector<std::string>& names, const std::string& who) {
  if (!match.missing.empty())
    throw DataError(fmt::format("{}: lacks {} of the model's columns: {}; the columns there are {}", who,
                                match.missing.size(), some_names(match.missing), some_names(names)));
  if (!match.repeated.empty())
    throw DataError(
        fmt::format("{}: has several columns of the name '{}'; use {} for those that the model does not know", who,
                    match.repeated, set_option("drop", "NUMBER")));
}

bool is_label_name(std::string_view header) {
  std::string lower(header.substr(0, 7));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower == "label" || (header.starts_with(label_mark) && header.size() > label_mark.size());
}

std::string without_label_mark(const std::string& header) {
  return header.starts_with(label_mark) && header.size() > label_mark.size() ? header.substr(label_mark.size())
                                                                             : header;
}

std::string with_label_mark(const std::string& name) {
  return name.empty() || is_label_name(name) ? (name.empty() ? "label" : name) : fmt::format("{}{}", label_mark, name);
}

}  // namespace fewdim

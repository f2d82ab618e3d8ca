#include "text/documents/field_choice.hpp"

#include <algorithm>
#include <span>

#include "text/documents/parsers.hpp"

namespace fewdim {

namespace {

std::size_t first_of(std::span<const std::string_view> wanted, const std::vector<std::string>& names) {
  for (const std::string_view want : wanted)
    for (std::size_t i = 0; i < names.size(); ++i)
      if (same_name(names[i], want)) return i;
  return std::string::npos;
}

}  // namespace

std::vector<std::size_t> usual_text_fields(const std::vector<std::string>& names) {
  std::vector<std::size_t> fields;
  for (const std::size_t found : {first_of(usual_titles, names), first_of(usual_texts, names)})
    if (found != std::string::npos) fields.push_back(found);
  return fields;
}

std::size_t usual_id_field(const std::vector<std::string>& names) { return first_of(usual_ids, names); }

std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t most = 12, longest = 40;
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    out += (i > 0 ? ", " : "") + names[i].substr(0, longest);
  return names.size() > most ? out + ", ..." : out;
}

}  // namespace fewdim

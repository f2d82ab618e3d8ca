#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

/// The card of a format of that name; throws InvalidOption with the nearest name. `reader` is for the message.
template <class Card>
const Card& card_named(const std::vector<Card>& cards, std::string_view name, std::string_view reader) {
  const auto found = std::ranges::find(cards, name, &Card::name);
  if (found != cards.end()) return *found;
  std::vector<std::string> names;
  for (const Card& card : cards) names.push_back(card.name);
  const std::string near = nearest_name(name, names);
  throw InvalidOption(
      reader, "format", name, fmt::format("is not one of {}", fmt::join(names, ", ")),
      near.empty() ? fmt::format("see {}", use_command("formats")) : fmt::format("did you mean {}?", near));
}

}  // namespace fewdim

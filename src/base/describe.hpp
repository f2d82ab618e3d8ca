#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "fewdim/options.hpp"

/// The single declaration of a method's options. A method writes, in namespace fewdim,
///
///   template <> struct EnumNames<PcaRoute> {
///     static constexpr std::array names{std::pair{PcaRoute::automatic, "auto"}, std::pair{PcaRoute::svd, "svd"}};
///   };
///   template <class Visitor>
///   void describe(PcaOptions& o, Visitor&& field) {
///     field(o.components, {.name = "components", .flag = 'k', .help = "a number, a share of variance, ..."});
///     field(o.ddof, {.name = "ddof", .minimum = 0, .maximum = 1, .help = "normalizer N - ddof"});
///   }
///
/// and has fields_of<PcaOptions>(), options_from_map<PcaOptions>(map, "pca") and options_to_map(options). A member
/// may be bool, an integer, double, std::string, Components, or an enum with EnumNames; what is not described
/// (row weights, say) takes no part.
namespace fewdim {

/// What describe() says of a member; its type and its default come from the member itself.
struct FieldInfo {
  std::string_view name{};
  char flag = '\0';
  std::optional<double> minimum{};
  std::optional<double> maximum{};
  std::vector<std::string> choices{};  ///< of a std::string; an enum has its own
  std::string_view help{};
};

/// Specialized for each enum that is an option: `names`, an array of pairs (value, text).
template <class E>
struct EnumNames;

template <class E>
std::string enum_text(E value) {
  for (const auto& [known, text] : EnumNames<E>::names)
    if (known == value) return text;
  return {};
}

/// "true", "3", "1e-09", "auto": the shortest text that reads back to the same value.
std::string option_text(const OptionValue& value);

/// The candidate a person most likely meant by `word`; empty when none is near.
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

/// Conversions from what a front end delivers, which may be text; each throws InvalidOption with the method's name.
bool to_boolean(const OptionValue& value, const OptionField& field, std::string_view method);
double to_real(const OptionValue& value, const OptionField& field, std::string_view method);
std::string to_text(const OptionValue& value, const OptionField& field, std::string_view method);
Components to_components(const OptionValue& value, const OptionField& field, std::string_view method);
/// An integer as sign and magnitude, so that every int64 and uint64 passes; `lowest` and `highest` bound the member's
/// type.
struct WideInteger {
  bool negative = false;
  std::uint64_t magnitude = 0;
};
WideInteger to_integer(const OptionValue& value, const OptionField& field, std::string_view method, std::int64_t lowest,
                       std::uint64_t highest);

/// Throws InvalidOption, with the nearest known name, for the first name in `map` that is not in `fields`.
void require_known_names(const OptionMap& map, const std::vector<OptionField>& fields, std::string_view method);

template <class M>
constexpr OptionField::Type type_of_member() {
  using Type = OptionField::Type;
  if constexpr (std::is_same_v<M, bool>)
    return Type::boolean;
  else if constexpr (std::is_enum_v<M>)
    return Type::choice;
  else if constexpr (std::is_integral_v<M>)
    return Type::integer;
  else if constexpr (std::is_floating_point_v<M>)
    return Type::real;
  else if constexpr (std::is_same_v<M, Components>)
    return Type::components;
  else {
    static_assert(std::is_same_v<M, std::string>, "an option is a bool, number, string, enum or Components");
    return Type::text;
  }
}

template <class M>
OptionValue value_of_member(const M& member) {
  if constexpr (std::is_same_v<M, bool>)
    return member;
  else if constexpr (std::is_enum_v<M>)
    return enum_text(member);
  else if constexpr (std::is_integral_v<M>) {
    // A seed above 2^63 has no int64: it travels as its digits, and to_integer reads them back.
    if (!std::in_range<std::int64_t>(member)) return std::to_string(member);
    return static_cast<std::int64_t>(member);
  } else if constexpr (std::is_floating_point_v<M>) {
    if (std::isnan(member)) return std::string("auto");
    return static_cast<double>(member);
  } else if constexpr (std::is_same_v<M, Components>)
    return member.text();
  else
    return member;
}

template <class M>
OptionField field_of_member(const M& member, const FieldInfo& info) {
  OptionField field{.name = std::string(info.name),
                    .flag = info.flag,
                    .type = type_of_member<M>(),
                    .fallback = value_of_member(member),
                    .minimum = info.minimum,
                    .maximum = info.maximum,
                    .choices = info.choices,
                    .help = std::string(info.help)};
  if (!field.choices.empty()) field.type = OptionField::Type::choice;
  if constexpr (std::is_enum_v<M>)
    for (const auto& entry : EnumNames<M>::names) field.choices.emplace_back(entry.second);
  return field;
}

template <class M>
void set_member(M& member, const OptionValue& value, const OptionField& field, std::string_view method) {
  if constexpr (std::is_same_v<M, bool>)
    member = to_boolean(value, field, method);
  else if constexpr (std::is_enum_v<M>) {
    const std::string text = to_text(value, field, method);
    for (const auto& entry : EnumNames<M>::names)
      if (text == entry.second) member = entry.first;
  } else if constexpr (std::is_integral_v<M>) {
    using Limits = std::numeric_limits<M>;
    const auto lowest = std::is_signed_v<M> ? static_cast<std::int64_t>(Limits::min()) : 0;
    const WideInteger wide = to_integer(value, field, method, lowest, static_cast<std::uint64_t>(Limits::max()));
    member = static_cast<M>(wide.negative ? 0 - wide.magnitude : wide.magnitude);
  } else if constexpr (std::is_floating_point_v<M>)
    member = to_real(value, field, method);
  else if constexpr (std::is_same_v<M, Components>)
    member = to_components(value, field, method);
  else
    member = to_text(value, field, method);
}

/// Types, defaults, ranges and choices, for the method's card.
template <class Options>
std::vector<OptionField> fields_of() {
  std::vector<OptionField> fields;
  Options defaults{};
  describe(defaults,
           [&]<class M>(M& member, const FieldInfo& info) { fields.push_back(field_of_member(member, info)); });
  return fields;
}

/// The defaults, changed by what the map holds. Throws InvalidOption on an unknown name or a value out of bounds.
template <class Options>
Options options_from_map(const OptionMap& map, std::string_view method) {
  const std::vector<OptionField> fields = fields_of<Options>();
  require_known_names(map, fields, method);
  Options options{};
  std::size_t next = 0;
  describe(options, [&]<class M>(M& member, const FieldInfo&) {
    const OptionField& field = fields[next++];
    if (const auto given = map.find(field.name); given != map.end()) set_member(member, given->second, field, method);
  });
  return options;
}

template <class Options>
OptionMap options_to_map(const Options& options) {
  OptionMap map;
  Options copy = options;
  describe(copy, [&]<class M>(M& member, const FieldInfo& info) { map.emplace(info.name, value_of_member(member)); });
  return map;
}

}  // namespace fewdim

#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "fewdim/remedy.hpp"

/// Remedies as pieces of a message, for fmt::format("the rows need {}; {}, or use {}", bytes,
/// raise_option("memory_limit"), set_option("route", "krylov")). No message of the library has a flag in it: fronts
/// differ.
namespace fewdim {

/// The remedy as a mark inside of a string, which message_parts() finds again.
std::string marked(const Remedy& remedy);

inline std::string option_name(std::string_view option) { return marked({Remedy::Action::name, std::string(option)}); }
/// The value that it has: "components=80".
inline std::string option_is(std::string_view option, std::string_view value) {
  return marked({Remedy::Action::is, std::string(option), std::string(value)});
}
inline std::string set_option(std::string_view option, std::string_view value = {}) {
  return marked({Remedy::Action::set, std::string(option), std::string(value)});
}
inline std::string set_option(std::string_view option, const char* value) {
  return set_option(option, std::string_view(value));
}
/// A switch: "--header", "--no-header".
inline std::string set_option(std::string_view option, std::same_as<bool> auto on) {
  return set_option(option, on ? "true" : "false");
}
inline std::string set_option(std::string_view option,
                              std::integral auto value) requires(!std::same_as<decltype(value), bool>) {
  return set_option(option, std::string_view(std::to_string(value)));
}
inline std::string raise_option(std::string_view option) {
  return marked({Remedy::Action::raise, std::string(option)});
}
inline std::string lower_option(std::string_view option) {
  return marked({Remedy::Action::lower, std::string(option)});
}
inline std::string leave_out(std::string_view option) {
  return marked({Remedy::Action::leave_out, std::string(option)});
}
inline std::string use_command(std::string_view command) {
  return marked({Remedy::Action::command, std::string(command)});
}
inline std::string use_method(std::string_view method) { return marked({Remedy::Action::method, std::string(method)}); }

}  // namespace fewdim

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fewdim/export.hpp"

/// Messages name options, commands and methods as values; each front says them in its own words. The command line has
/// "raise --memory-limit", Python "raise memory_limit", a page a button.
namespace fewdim {

/// What a message says of an option, a command or a method.
struct Remedy {
  enum class Action {
    name,       ///< speaks of the option: "--memory-limit"
    is,         ///< the value that it has: "components=80"
    set,        ///< to this value: "--route krylov"; without a value to one that the reader knows: "--gamma"
    raise,      ///< "raise --memory-limit"
    lower,      ///< "lower -k"
    leave_out,  ///< "leave --stream out"
    command,    ///< run it: "`fewdim choose-k`"; `option` holds its name
    method,     ///< take another method: "ppca"; `option` holds its name
  };

  Action action = Action::name;
  std::string option{};  ///< as its card has it: "memory_limit", "components"
  std::string value{};   ///< "krylov", "7", "true"; empty: none

  bool operator==(const Remedy&) const = default;
};

/// How a front says a remedy.
using Speech = std::string (*)(const Remedy&);

/// "route = krylov", "raise memory_limit": members of options, as C++ has them.
FEWDIM_API std::string speak_cpp(const Remedy& remedy);
/// "--route krylov", "raise --memory-limit", "lower -k": flags of the command line.
FEWDIM_API std::string speak_command_line(const Remedy& remedy);

/// A piece of a message: text as it is, or a remedy.
struct MessagePart {
  std::string text{};  ///< empty where it is a remedy
  Remedy remedy{};
};

/// Of a marked message, as errors, warnings and notes of the library hold them; plain text has one part.
FEWDIM_API std::vector<MessagePart> message_parts(std::string_view marked);
/// The options that it proposes to change, and the commands and methods to use instead, in order.
FEWDIM_API std::vector<Remedy> remedies_of(std::string_view marked);
/// In the words of a front.
FEWDIM_API std::string spoken(std::string_view marked, Speech speech = speak_cpp);

}  // namespace fewdim

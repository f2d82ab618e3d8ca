#pragma once

#include <deque>
#include <functional>

#include "common.hpp"
#include "fewdim/method.hpp"

namespace fewdim::cli {

/// Options as a method's card declares them, and what was given for them.
class MethodOptions {
 public:
  explicit MethodOptions(std::vector<OptionField> fields) : fields_(std::move(fields)) {}

  /// `group`: the heading of a field in the help; "Method" where none is given.
  void declare(CLI::App& app, const std::function<std::string(const OptionField&)>& group = {});
  std::vector<std::string> flags() const;  ///< "--seed", ...: so that nobody else declares them
  OptionMap map() const;                   ///< what was given, as text: the method converts and validates

 private:
  struct Given {
    std::string name, value;
    const CLI::Option* option = nullptr;
  };
  std::vector<OptionField> fields_;
  std::deque<Given> given_;  // a deque: CLI11 keeps the addresses
};

/// "2", "auto", "off"; what a field has when nothing is given.
std::string default_text(const OptionField& field);
/// "--scale, --no-scale", "-k, --components": as help shows it.
std::string flags_text(const OptionField& field);
std::string value_text(const OptionField& field);   ///< "N", "a|b|c"; empty for a switch
std::string bounds_text(const OptionField& field);  ///< "0 to 1", "at least 0"; empty where there are none
/// The help with its bounds and its default.
std::string full_help(const OptionField& field);

}  // namespace fewdim::cli

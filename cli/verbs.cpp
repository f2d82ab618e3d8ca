#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common.hpp"
#include "ratings_verbs.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all = [] {
    std::vector<Verb> list = method_verbs();
    for (Verb (*make)() :
         {plan_verb,      choose_verb,   transform_verb,  inverse_verb,  fill_verb,       score_verb,    sample_verb,
          inspect_verb,   verify_verb,   quality_verb,    plot_verb,     search_verb,     similar_verb,  terms_verb,
          topics_verb,    add_verb,      remove_verb,     evaluate_verb, pagerank_verb,   hits_verb,     faces_verb,
          recognize_verb, compress_verb, decompress_verb, predict_verb,  recommend_verb,  generate_verb, convert_verb,
          denoise_verb,   images_verb,   methods_verb,    formats_verb,  completion_verb, man_verb})
      list.push_back(make());
    return list;
  }();
  return all;
}

const Verb& find_verb(const std::string& name) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) {
    if (verb.name == name) return verb;
    names.push_back(verb.name);
  }
  const std::string near = nearest(name, names);
  throw usage_error(
      fmt::format("'{}' is not a verb{}", name, near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

DeclaredVerb declare(const Verb& verb) {
  auto app = std::make_unique<CLI::App>(verb.title, "fewdim " + verb.name);
  app->set_help_flag();  // handled before parsing: required words may be missing then
  app->allow_extras();   // reported with the nearest name
  Action action = verb.declare(*app);
  return {std::move(app), std::move(action)};
}

std::vector<Argument> arguments_of(const CLI::App& app) {
  std::vector<Argument> arguments;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group() == hidden_group) continue;
    Argument argument;
    argument.option = option;
    argument.help = option->get_description();
    argument.group = option->get_group();
    for (const std::string& name : option->get_snames()) argument.flags.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) argument.flags.push_back("--" + name);
    argument.value = option->get_items_expected_max() == 0 ? "" : option->get_type_name();
    if (argument.value.find('|') != std::string::npos) argument.choices = split_at(argument.value, '|');
    arguments.push_back(std::move(argument));
  }
  // Words first, then the groups of the verb's own options as they come, then what it shares with others.
  static constexpr std::array<const char*, 3> shared{"Output", "Reading", "Common"};
  std::vector<std::string> groups;
  for (const Argument& argument : arguments)
    if (std::ranges::find(shared, argument.group) == shared.end()) groups.push_back(argument.group);
  groups.insert(groups.end(), shared.begin(), shared.end());
  std::ranges::stable_sort(arguments, {}, [&](const Argument& argument) {
    return argument.flags.empty() ? -1 : std::ranges::find(groups, argument.group) - groups.begin();
  });
  return arguments;
}

}  // namespace fewdim::cli

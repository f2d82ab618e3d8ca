#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common.hpp"
#include "fewdim/method.hpp"
#include "method_options.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

const char* extension_text(Extension extension) {
  switch (extension) {
    case Extension::exact:
      return "exact";
    case Extension::nystrom:
      return "nystrom";
    case Extension::heuristic:
      return "heuristic";
    case Extension::none:
      break;
  }
  return "none";
}

std::string capabilities_text(const Capabilities& can) {
  std::vector<std::string> words;
  if (can.extension != Extension::none) words.emplace_back("transform");
  if (can.inverse) words.emplace_back("inverse");
  if (can.sparse) words.emplace_back("sparse");
  if (can.stream) words.emplace_back("stream");
  if (can.weights) words.emplace_back("weights");
  if (can.missing) words.emplace_back("missing values");
  return fmt::format("{}", fmt::join(words, ", "));
}

Json field_json(const OptionField& field) {
  static constexpr const char* types[] = {"boolean", "integer", "real", "choice", "text", "components"};
  Json json{{"name", field.name}, {"flags", flags_text(field)}, {"type", types[static_cast<std::size_t>(field.type)]}};
  std::visit([&](const auto& value) { json["default"] = value; }, field.fallback);
  if (field.minimum) json["minimum"] = *field.minimum;
  if (field.maximum) json["maximum"] = *field.maximum;
  if (!field.choices.empty()) json["choices"] = field.choices;
  json["help"] = field.help;
  return json;
}

Json card_json(const MethodCard& card) {
  Json fields = Json::array();
  for (const OptionField& field : card.fields) fields.push_back(field_json(field));
  const Capabilities& can = card.capabilities;
  return {{"name", card.name},
          {"title", card.title},
          {"citation", card.citation},
          {"capabilities",
           {{"extension", extension_text(can.extension)},
            {"inverse", can.inverse},
            {"sparse", can.sparse},
            {"stream", can.stream},
            {"missing", can.missing},
            {"weights", can.weights}}},
          {"options", fields}};
}

/// A cell of a Markdown table must not hold its bars.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
  return text;
}

std::string markdown(const MethodCard& card) {
  std::string text = "| option | values | default | meaning |\n|---|---|---|---|\n";
  for (const OptionField& field : card.fields) {
    const std::string values =
        field.choices.empty() ? bounds_text(field) : fmt::format("{}", fmt::join(field.choices, ", "));
    text += fmt::format("| `{}` | {} | {} | {} |\n", flags_text(field), cell(values), cell(default_text(field)),
                        cell(field.help));
  }
  return text;
}

std::string markdown_list() {
  std::string text = "| method | | can | source |\n|---|---|---|---|\n";
  for (const MethodCard& card : methods())
    text += fmt::format("| `{}` | {} | {} | {} |\n", card.name, cell(card.title), capabilities_text(card.capabilities),
                        cell(card.citation));
  return text;
}

class Methods {
 public:
  explicit Methods(CLI::App& app) : run_("methods") {
    app.add_option("NAME", name_, "one method, with its options")->type_name("METHOD");
    add_switch(app, "--markdown", markdown_, "as a table for a document", "Output");
    run_.declare(app);
  }

  int operator()() {
    const MethodCard* card = name_.empty() ? nullptr : &method(name_);
    if (run_.json()) {
      Json list = Json::array();
      for (const MethodCard& each : methods())
        if (!card || card->name == each.name) list.push_back(card_json(each));
      run_.print_document({{"methods", list}});
    } else if (markdown_) {
      print(card ? markdown(*card) : markdown_list());
    } else {
      print(card ? one(*card) : all());
    }
    return 0;
  }

 private:
  static std::string all() {
    std::vector<std::vector<std::string>> rows{{"method", "can", "what"}};
    for (const MethodCard& card : methods())
      rows.push_back({card.name, capabilities_text(card.capabilities), card.title});
    return table(rows);
  }

  static std::string one(const MethodCard& card) {
    std::string text = fmt::format("{}: {}\n{}\ncan: {}\n\n", card.name, card.title, card.citation,
                                   capabilities_text(card.capabilities));
    std::vector<std::vector<std::string>> rows{{"option", "default", "meaning"}};
    for (const OptionField& field : card.fields) {
      const std::string values = field.choices.empty() ? bounds_text(field) : one_of(field.choices);
      rows.push_back({flags_text(field), default_text(field),
                      values.empty() ? field.help : fmt::format("{} ({})", field.help, values)});
    }
    return text + table(rows);
  }

  Run run_;
  std::string name_;
  bool markdown_ = false;
};

}  // namespace

Verb methods_verb() {
  return {"methods",
          "Help",
          "List the methods, or one with its options",
          "",
          {{"fewdim methods", "all"}, {"fewdim methods pca", "one"}},
          [](CLI::App& app) -> Action {
            const auto verb = std::make_shared<Methods>(app);
            return [verb] { return (*verb)(); };
          }};
}

}  // namespace fewdim::cli

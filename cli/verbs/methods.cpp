#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common.hpp"
#include "fewdim/method.hpp"
#include "method_options.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

template <class Kind>
std::vector<std::string> words(const EnumSet<Kind>& kinds) {
  std::vector<std::string> out;
  for (const Kind kind : kinds.members()) out.push_back(word_of(kind));
  return out;
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

/// Beside the kinds of data.
std::vector<std::string> conditions(const MethodInput& takes) {
  std::vector<std::string> out;
  if (takes.sparse) out.emplace_back("sparse");
  if (takes.stream) out.emplace_back("stream");
  if (takes.weights) out.emplace_back("weights");
  if (takes.missing == Support::yes) out.emplace_back("missing values");
  if (takes.missing == Support::on_request) out.emplace_back("missing values on request");
  if (takes.nonnegative) out.emplace_back("no negative numbers");
  return out;
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
  Json examples = Json::array();
  for (const auto& [command, what] : card.examples) examples.push_back({{"command", command}, {"what", what}});
  const MethodInput& takes = card.takes;
  const MethodOutput& gives = card.gives;
  return {{"name", card.name},
          {"title", card.title},
          {"citation", card.citation},
          {"task", word_of(card.task)},
          {"use_when", card.use_when},
          {"takes",
           {{"kinds", words(takes.kinds)},
            {"sparse", takes.sparse},
            {"stream", takes.stream},
            {"missing", word_of(takes.missing)},
            {"weights", takes.weights},
            {"nonnegative", takes.nonnegative}}},
          {"gives",
           {{"extension", word_of(gives.extension)},
            {"inverse", word_of(gives.inverse)},
            {"results", words(gives.results)},
            {"pictures", words(gives.pictures)},
            {"keeps_distances", gives.keeps_distances},
            {"squares", gives.squares}}},
          {"verified_by", word_of(card.verified_by)},
          {"unverified", card.unverified.empty() ? Json() : Json(said(card.unverified))},
          {"python_class", card.python_class},
          {"page", card.page},
          {"examples", examples},
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

/// The tasks in the order of their declaration, each with its methods.
std::vector<std::pair<Task, std::vector<const MethodCard*>>> by_task() {
  std::vector<std::pair<Task, std::vector<const MethodCard*>>> out;
  EnumSet<Task> tasks;
  for (const MethodCard& card : methods()) tasks.add(card.task);
  for (const Task task : tasks.members()) {
    out.emplace_back(task, std::vector<const MethodCard*>{});
    for (const MethodCard& card : methods())
      if (card.task == task) out.back().second.push_back(&card);
  }
  return out;
}

/// The method with a link to its page, from a document in docs/.
std::string linked(const MethodCard& card) {
  constexpr std::string_view folder = "docs/";
  const std::string_view page = card.page;
  return fmt::format("[`{}`]({})", card.name, page.starts_with(folder) ? page.substr(folder.size()) : page);
}

std::string row(const MethodCard& card, const std::vector<std::string>& cells) {
  std::string text = "| " + linked(card);
  for (const std::string& each : cells) text += fmt::format(" | {}", cell(each));
  return text + " |\n";
}

std::string yes(bool has) { return has ? "yes" : "–"; }
std::string yes(Support support) { return support == Support::no ? "–" : word_of(support); }

std::string markdown_list() {
  std::string text = "## Which method\n";
  const auto tasks = by_task();
  for (const auto& [task, cards] : tasks) {
    text += fmt::format("\n**{}**\n\n", word_of(task));
    for (const MethodCard* card : cards)
      text += fmt::format("- {}: {}. {}\n", linked(*card), card->title, card->use_when);
  }
  text +=
      "\n## What it takes\n\n| method | data | sparse | larger than memory | missing values | row weights | numbers "
      "below "
      "0 |\n|---|---|---|---|---|---|---|\n";
  for (const auto& [task, cards] : tasks)
    for (const MethodCard* card : cards) {
      const MethodInput& takes = card->takes;
      text += row(*card, {joined(words(takes.kinds)), yes(takes.sparse), yes(takes.stream), yes(takes.missing),
                          yes(takes.weights), takes.nonnegative ? "refused" : "yes"});
    }
  text +=
      "\n## What it gives\n\n| method | results | pictures | new rows | way back | verified by | Python class "
      "|\n|---|---|---|---|---|---|---|\n";
  for (const auto& [task, cards] : tasks)
    for (const MethodCard* card : cards) {
      const MethodOutput& gives = card->gives;
      text +=
          row(*card, {joined(words(gives.results)), joined(words(gives.pictures)), word_of(gives.extension),
                      yes(gives.inverse), card->verified_by == VerifiedBy::nothing ? "–" : word_of(card->verified_by),
                      fmt::format("`{}`", card->python_class)});
    }
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
  /// Indented below its heading: "  pca    Principal components ...".
  static std::string entry(const std::string& name, std::size_t column, const std::string& text) {
    std::string line = "  " + name;
    line.resize(std::max(column, line.size() + 1), ' ');
    return line + wrap(text, column, terminal_width()) + "\n";
  }

  static std::string all() {
    std::size_t column = 0;
    for (const MethodCard& card : methods()) column = std::max(column, card.name.size() + 4);
    std::string text;
    for (const auto& [task, cards] : by_task()) {
      text += fmt::format("{}{}\n", text.empty() ? "" : "\n", word_of(task));
      for (const MethodCard* card : cards)
        text += entry(card->name, column, card->title) + entry("", column, card->use_when);
    }
    return text + "\n`fewdim methods NAME` says what a method takes and gives, and lists its options.\n";
  }

  static std::string one(const MethodCard& card) {
    constexpr std::size_t column = 14;
    std::string text = fmt::format("{}: {}\n{}\n{}\n\n", card.name, card.title,
                                   wrap(card.use_when, 0, terminal_width()), card.citation);
    const std::vector<std::string> also = conditions(card.takes);
    text += entry("task", column, word_of(card.task));
    text += entry("takes", column, one_of(words(card.takes.kinds)) + (also.empty() ? "" : "; " + joined(also)));
    text += entry("gives", column, joined(words(card.gives.results)));
    text += entry("pictures", column, joined(words(card.gives.pictures)));
    text += entry("new rows", column, word_of(card.gives.extension));
    text += entry("way back", column, word_of(card.gives.inverse));
    text +=
        entry("verify", column, card.unverified.empty() ? word_of(card.verified_by) : "no: " + said(card.unverified));
    text += entry("Python", column, "fewdim." + card.python_class);
    text += entry("page", column, card.page) + "\n";
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
          "List the methods by task, or one with what it takes and gives and its options",
          "",
          {{"fewdim methods", "all"}, {"fewdim methods pca", "one"}},
          [](CLI::App& app) -> Action {
            const auto verb = std::make_shared<Methods>(app);
            return [verb] { return (*verb)(); };
          }};
}

}  // namespace fewdim::cli

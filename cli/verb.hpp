#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "fewdim/method.hpp"

namespace fewdim::cli {

/// What a verb does once its arguments are read; returns the exit code.
using Action = std::function<int()>;

struct Example {
  std::string command;
  std::string what;
};

/// One word after `fewdim`. Help, man page and completion are made from the options that `declare` adds.
struct Verb {
  std::string name;
  std::string group;  ///< "Methods", "Planning", "Models", "Documents", "Ranking", "Images", "Data", "Help"
  std::string title;  ///< one line
  std::string text;   ///< a paragraph, or empty
  std::vector<Example> examples;
  std::function<Action(CLI::App&)> declare;
};

/// The group of options that help, manual and completions leave out.
inline constexpr const char* hidden_group = "Hidden";  // not "": CLI11 would not name them in its errors

/// Every verb: one per registered method, then those of the families below.
const std::vector<Verb>& verbs();
/// The verb of that name; throws a usage error with the nearest name.
const Verb& find_verb(const std::string& name);

std::vector<Verb> method_verbs();             // verbs/fit.cpp: a loop over methods()
Verb verb_of(const MethodCard& card);         // the same: name, words and examples of a card; `declare` is open
Verb documents_verb(const MethodCard& card);  // verbs/lsi.cpp: of a method that takes documents
Verb search_verb();                           // verbs/search.cpp
Verb similar_verb();
Verb terms_verb();
Verb topics_verb();
Verb add_verb();  // verbs/add_remove.cpp
Verb remove_verb();
Verb evaluate_verb();  // verbs/evaluate.cpp
Verb pagerank_verb();  // verbs/pagerank_hits.cpp
Verb hits_verb();
Verb faces_verb();      // verbs/faces.cpp
Verb recognize_verb();  // verbs/recognize.cpp
Verb compress_verb();   // verbs/compress.cpp
Verb decompress_verb();
Verb denoise_verb();    // verbs/denoise.cpp
Verb transform_verb();  // verbs/transform.cpp
Verb inverse_verb();
Verb inspect_verb();  // verbs/inspect.cpp
Verb verify_verb();
Verb fill_verb();  // verbs/fill_score_sample.cpp
Verb score_verb();
Verb sample_verb();
Verb quality_verb();   // verbs/quality.cpp
Verb plot_verb();      // verbs/plot.cpp
Verb plan_verb();      // verbs/plan.cpp
Verb choose_verb();    // verbs/choose.cpp
Verb generate_verb();  // verbs/generate_convert.cpp
Verb convert_verb();
Verb images_verb();      // verbs/images.cpp
Verb methods_verb();     // verbs/methods.cpp
Verb formats_verb();     // verbs/formats.cpp
Verb completion_verb();  // verbs/completion.cpp
Verb man_verb();         // verbs/man.cpp

/// Positional words are in capitals in the names of arguments; choices stand in the type as "a|b|c".
struct Argument {
  const CLI::Option* option = nullptr;
  std::vector<std::string> flags;    ///< "-k", "--components"; empty for a positional word
  std::string value;                 ///< "FILE", "a|b|c"; empty for a switch
  std::vector<std::string> choices;  ///< of the value, when it has a fixed set
  std::string help;
  std::string group;
};
/// What was declared: words, then the verb's own options, then those it shares with other verbs. The one source of
/// help, man page and completion.
std::vector<Argument> arguments_of(const CLI::App& app);

/// The app of a verb with its options declared; the action runs after app.parse().
struct DeclaredVerb {
  std::unique_ptr<CLI::App> app;
  Action action;
};
DeclaredVerb declare(const Verb& verb);

}  // namespace fewdim::cli

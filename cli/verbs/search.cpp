#include "fewdim/search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "common.hpp"
#include "fewdim/ratings_index.hpp"
#include "fewdim/recommend.hpp"
#include "fewdim/text_index.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

/// Bold on a terminal, stars elsewhere.
std::string marked(const Snippet& snippet) {
  const bool terminal = ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  const char *on = terminal ? "\x1b[1m" : "*", *off = terminal ? "\x1b[0m" : "*";
  std::string out;
  std::size_t at = 0;
  for (const auto& [begin, end] : snippet.marks) {
    out += printable(snippet.text.substr(at, begin - at));
    out += on + printable(snippet.text.substr(begin, end - begin)) + off;
    at = end;
  }
  return out + printable(snippet.text.substr(at));
}

std::string reasons_text(const std::vector<ScorePart>& reasons) {
  std::vector<std::string> parts;
  for (const ScorePart& reason : reasons)
    parts.push_back(fmt::format("{} {:+.3f}", printable(reason.name), reason.part));
  return fmt::format("{}", fmt::join(parts, ", "));
}

Json reasons_json(const std::vector<ScorePart>& reasons) {
  Json list = Json::array();
  for (const ScorePart& reason : reasons) list.push_back({{"name", reason.name}, {"part", reason.part}});
  return list;
}

Json hits_json(const std::vector<Hit>& hits) {
  Json list = Json::array();
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const Hit& hit = hits[i];
    Json entry{{"rank", i + 1}, {"id", hit.id}, {"score", hit.score}, {"cosine", hit.cosine}};
    if (hit.bm25 > 0.0) entry["bm25"] = hit.bm25;
    if (!hit.snippet.text.empty()) {
      entry["snippet"] = hit.snippet.text;
      entry["marks"] = hit.snippet.marks;
    }
    if (!hit.matches.empty()) entry["matches"] = reasons_json(hit.matches);
    if (!hit.terms.empty()) entry["terms"] = reasons_json(hit.terms);
    if (!hit.concepts.empty()) entry["concepts"] = reasons_json(hit.concepts);
    list.push_back(std::move(entry));
  }
  return list;
}

std::string hits_text(const std::vector<Hit>& hits) {
  std::string text;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const Hit& hit = hits[i];
    text += fmt::format("{:>3}  {:.3f}  {}\n", i + 1, hit.score, printable(hit.id));
    const std::string snippet = marked(hit.snippet);
    if (!snippet.empty()) text += fmt::format("            {}\n", wrap(snippet, 12, terminal_width() - 1));
    if (!hit.matches.empty())
      text += fmt::format("            {}\n", wrap("matches: " + reasons_text(hit.matches), 12, terminal_width() - 1));
    if (!hit.terms.empty())
      text += fmt::format("            {}\n", wrap("terms: " + reasons_text(hit.terms), 12, terminal_width() - 1));
    if (!hit.concepts.empty())
      text +=
          fmt::format("            {}\n", wrap("concepts: " + reasons_text(hit.concepts), 12, terminal_width() - 1));
  }
  return text;
}

/// What search and similar have in common.
class Finder {
 public:
  Finder(std::string verb, CLI::App& app, const char* word, const char* help) : run_(std::move(verb)) {
    app.add_option("MODEL", path_, "an index that `fewdim lsi` kept with -m")->required()->type_name("FILE");
    app.add_option(word, words_, help)->required(run_.verb() == "search")->type_name("TEXT");
    if (run_.verb() == "similar")
      add_text(app, "--item", item_, "NAME", "of a model of ratings: items that are rated like this one", "Search");
    add_text(app, "-n,--count", count_, "N", "hits to show [10]", "Search");
    add_text(app, "--match", match_, "X",
             "share of term matching (BM25) in the score: 0 is meaning alone, 1 is words alone [0.2]", "Search");
    add_text(app, "--snippet", snippet_, "N", "characters of the text around the words that matter; 0: none [200]",
             "Search");
    add_switch(
        app, "--explain", explain_,
        "the words that matched, with their parts of the score, and the terms and concepts, with those of the cosine",
        "Search");
    run_.declare(app);
  }

  int operator()() {
    SearchOptions options;
    if (!count_.empty()) options.count = parse_whole(count_, "--count", 1);
    if (!match_.empty()) options.match = parse_real(match_, "--match");
    if (!snippet_.empty()) options.snippet = parse_whole(snippet_, "--snippet", 0);
    if (explain_) options.reasons = 6;
    const Model model = run_.timed("load", [&] { return Model::load(path_); });
    const std::string text = fmt::format("{}", fmt::join(words_, " "));
    if (run_.verb() == "similar" && (model.beside<RatingsIndex>() || !item_.empty()))
      return show_items(model, text, options);
    if (run_.verb() == "similar" && words_.empty()) throw usage_error("similar: name a document of the model");
    model.index();
    const bool search_text = run_.verb() == "search";
    const SearchResult found = run_.timed("search", [&] {
      return search_text ? search(model, text, options, run_.execution())
                         : similar(model, find_document(model, text), options, run_.execution());
    });
    if (run_.json()) {
      Json document{{search_text ? "query" : "document", text}, {"hits", hits_json(found.hits)}};
      if (search_text) {
        document["known"] = found.known;
        document["unknown"] = found.unknown;
        document["outside"] = Json::object();
        for (const OutsideWord& word : found.outside) document["outside"][word.word] = word.documents;
        document["match"] = found.match;
        document["suggestions"] = Json::object();
        for (const auto& [word, near] : found.suggestions) document["suggestions"][word] = near;
      }
      run_.print_document(std::move(document));
      return 0;
    }
    print(hits_text(found.hits));
    tell(found, search_text, model.index().all_words);
    return 0;
  }

 private:
  int show_items(const Model& model, const std::string& text, const SearchOptions& options) {
    model.ratings();
    if (text.empty() == item_.empty()) throw usage_error("similar: name one item of the model, with --item");
    if (!match_.empty() || !snippet_.empty() || explain_)
      throw usage_error("similar: --match, --snippet and --explain are for documents");
    const std::string& name = item_.empty() ? text : item_;
    const Index item = require_item(model, name);
    const std::vector<Recommendation> found =
        run_.timed("search", [&] { return similar_items(model, item, options.count); });
    if (run_.json()) {
      Json list = Json::array();
      for (const Recommendation& hit : found) list.push_back({{"item", hit.name}, {"cosine", hit.value}});
      run_.print_document({{"item", name}, {"items", std::move(list)}});
      return 0;
    }
    std::vector<std::vector<std::string>> rows{{"cosine", "item"}};
    for (const Recommendation& hit : found) rows.push_back({fmt::format("{:.3f}", hit.value), printable(hit.name)});
    print(table(rows));
    return 0;
  }

  void tell(const SearchResult& found, bool search_text, bool all_words) {
    std::vector<std::string> outside, unknown;
    for (const OutsideWord& word : found.outside)
      outside.push_back(fmt::format("{} ({} {})", printable(word.word), show_count(word.documents),
                                    word.documents == 1 ? "document" : "documents"));
    if (!outside.empty())
      run_.say(fmt::format("{}: {}",
                           found.match > 0.0 ? "no part of the concepts, found by matching"
                                             : "no part of the concepts, and --match 0 matches no words",
                           fmt::join(outside, ", ")));
    for (const std::string& word : found.unknown) unknown.push_back(printable(word));
    if (!unknown.empty())
      run_.say(fmt::format(
          "{}: {}",
          all_words ? "not in the collection" : "none of the terms of the index, which does not keep all words",
          fmt::join(unknown, ", ")));
    for (const auto& [word, near] : found.suggestions)
      run_.say(fmt::format("  {}: did you mean {}?", printable(word), printable(one_of(near))));
    if (!found.hits.empty()) return;
    if (search_text && found.known.empty())
      run_.say(fmt::format("no word of the query is {}, so nothing is near it",
                           all_words ? "in the collection" : "a term of the index"));
    else
      run_.say(search_text ? "nothing is near the query" : "the document has no terms, so nothing is near it");
  }

  Run run_;
  std::string path_, count_, match_, snippet_, item_;
  std::vector<std::string> words_;
  bool explain_ = false;
};

class Terms {
 public:
  explicit Terms(CLI::App& app) : run_("terms") {
    app.add_option("MODEL", path_, "an index that `fewdim lsi` kept with -m")->required()->type_name("FILE");
    app.add_option("WORD", words_, "a word, or several: terms near the middle of them")->required()->type_name("TEXT");
    add_text(app, "-n,--count", count_, "N", "terms to show [10]", "Search");
    run_.declare(app);
  }

  int operator()() {
    const Index count = count_.empty() ? 10 : parse_whole(count_, "--count", 1);
    const Model model = run_.timed("load", [&] { return Model::load(path_); });
    model.index();
    const std::string text = fmt::format("{}", fmt::join(words_, " "));
    const std::vector<NearTerm> near =
        run_.timed("search", [&] { return near_terms(model, text, count, run_.execution()); });
    if (run_.json()) {
      Json list = Json::array();
      for (const NearTerm& term : near)
        list.push_back({{"term", term.term}, {"cosine", term.cosine}, {"documents", term.documents}});
      run_.print_document({{"words", text}, {"terms", list}});
      return 0;
    }
    std::vector<std::vector<std::string>> rows{{"cosine", "documents", "term"}};
    for (const NearTerm& term : near)
      rows.push_back({fmt::format("{:.3f}", term.cosine), show_count(term.documents), printable(term.term)});
    print(table(rows));
    return 0;
  }

 private:
  Run run_;
  std::string path_, count_;
  std::vector<std::string> words_;
};

class Topics {
 public:
  explicit Topics(CLI::App& app) : run_("topics") {
    app.add_option("MODEL", path_, "a model that `fewdim lsi` or `fewdim complete` kept with -m")
        ->required()
        ->type_name("FILE");
    add_text(app, "--top", top_, "N", "terms to show at each end of a concept [8]", "Topics");
    add_text(app, "-n,--count", count_, "N", "concepts to show [10]", "Topics");
    add_text(app, "--first", first_, "N", "the first of them [1]", "Topics");
    run_.declare(app);
  }

  int operator()() {
    const Index top = top_.empty() ? 8 : parse_whole(top_, "--top", 1);
    const Index count = count_.empty() ? 10 : parse_whole(count_, "--count", 1);
    const Index first = first_.empty() ? 1 : parse_whole(first_, "--first", 1);
    const Model model = run_.timed("load", [&] { return Model::load(path_); });
    if (model.beside<RatingsIndex>()) return show_factors(model, first - 1, count, top);
    const std::vector<Topic> found =
        run_.timed("topics", [&] { return topics(model, first - 1, count, top, run_.execution()); });
    if (run_.json()) {
      Json list = Json::array();
      for (const Topic& topic : found)
        list.push_back({{"concept", topic.component + 1},
                        {"singular_value", topic.singular_value},
                        {"share", topic.share},
                        {"plus", pole_json(topic.plus)},
                        {"minus", pole_json(topic.minus)}});
      run_.print_document({{"topics", list}});
      return 0;
    }
    std::string text;
    for (const Topic& topic : found) {
      text += fmt::format("{}concept {}: singular value {:.4g}, {:.2f} % of the whole\n", text.empty() ? "" : "\n",
                          topic.component + 1, topic.singular_value, 100.0 * topic.share);
      text += pole_text("+", topic.plus);
      text += pole_text("-", topic.minus);
    }
    print(text);
    return 0;
  }

 private:
  /// Factors of a model of ratings, by the items at both ends.
  int show_factors(const Model& model, Index first, Index count, Index top) {
    const std::vector<FactorPoles> found = run_.timed("topics", [&] { return factor_poles(model, first, count, top); });
    const auto names = [](const std::vector<Recommendation>& pole) {
      std::vector<std::string> out;
      for (const Recommendation& item : pole) out.push_back(printable(item.name));
      return fmt::format("{}", fmt::join(out, ", "));
    };
    if (run_.json()) {
      const auto pole = [](const std::vector<Recommendation>& items) {
        Json out = Json::array();
        for (const Recommendation& item : items) out.push_back({{"item", item.name}, {"weight", item.value}});
        return out;
      };
      Json list = Json::array();
      for (const FactorPoles& f : found)
        list.push_back(
            {{"factor", f.name}, {"strength", f.strength}, {"plus", pole(f.plus)}, {"minus", pole(f.minus)}});
      run_.print_document({{"factors", std::move(list)}});
      return 0;
    }
    std::string text;
    for (const FactorPoles& f : found) {
      text += fmt::format("{}factor {}: moves predictions by {:.3g}\n", text.empty() ? "" : "\n", f.name, f.strength);
      for (const auto& [sign, pole] : {std::pair{"+", &f.plus}, std::pair{"-", &f.minus}})
        if (!pole->empty()) text += fmt::format("  {} {}\n", sign, wrap(names(*pole), 4, terminal_width() - 1));
    }
    print(text);
    return 0;
  }

  static Json pole_json(const Pole& pole) {
    return {{"terms", reasons_json(pole.terms)}, {"documents", reasons_json(pole.documents)}};
  }

  static std::string pole_text(const char* sign, const Pole& pole) {
    if (pole.terms.empty()) return {};
    std::vector<std::string> terms, documents;
    for (const ScorePart& term : pole.terms) terms.push_back(printable(term.name));
    for (const ScorePart& document : pole.documents) documents.push_back(printable(document.name));
    return fmt::format("  {} {}\n    {}\n", sign,
                       wrap(fmt::format("{}", fmt::join(terms, ", ")), 4, terminal_width() - 1),
                       wrap(fmt::format("documents: {}", fmt::join(documents, ", ")), 4, terminal_width() - 1));
  }

  Run run_;
  std::string path_, top_, count_, first_;
};

template <class Work>
Action action_of(std::shared_ptr<Work> work) {
  return [work] { return (*work)(); };
}

}  // namespace

Verb search_verb() {
  return {.name = "search",
          .group = "Documents",
          .title = "Find documents by meaning",
          .text =
              "Places the query among the documents, as one of them, and lists the nearest by cosine. Words need not "
              "be the same: those that occur in the same documents are near each other. --match mixes in term "
              "matching.",
          .examples = {{"fewdim search notes.fewdim \"what to plant in spring\"", "the ten nearest documents"},
                       {"fewdim search notes.fewdim roses -n 3 --explain", "and why"},
                       {"fewdim search notes.fewdim roses --match 0.5 --json", "half meaning, half words"}},
          .declare = [](CLI::App& app) {
            return action_of(std::make_shared<Finder>("search", app, "QUERY", "words to look for"));
          }};
}

Verb similar_verb() {
  return {.name = "similar",
          .group = "Documents",
          .title = "Documents near a document, or items that are rated alike",
          .text = "",
          .examples = {{"fewdim similar packages.fewdim gnuplot", "packages of the same kind"},
                       {"fewdim similar ratings.fewdim --item \"Toy Story\"", "of a model of ratings"}},
          .declare = [](CLI::App& app) {
            return action_of(std::make_shared<Finder>("similar", app, "ID", "the document's id"));
          }};
}

Verb terms_verb() {
  return {.name = "terms",
          .group = "Documents",
          .title = "Terms near a term: its synonyms in this collection",
          .text = "Cosines between the rows of VS, the terms' places.",
          .examples = {{"fewdim terms packages.fewdim video", "what is used like it"}},
          .declare = [](CLI::App& app) { return action_of(std::make_shared<Terms>(app)); }};
}

Verb topics_verb() {
  return {.name = "topics",
          .group = "Documents",
          .title = "What each concept or factor is about: terms, documents or items at both ends",
          .text = "",
          .examples = {{"fewdim topics packages.fewdim --top 12", "the first ten concepts"}},
          .declare = [](CLI::App& app) { return action_of(std::make_shared<Topics>(app)); }};
}

}  // namespace fewdim::cli

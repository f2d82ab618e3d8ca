#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "documents.hpp"
#include "fewdim/collection.hpp"
#include "fewdim/file_lock.hpp"
#include "fewdim/text_index.hpp"
#include "targets.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

/// A change of a collection, written back to its file or to another.
class Change {
 public:
  Change(std::string verb, CLI::App& app) : run_(std::move(verb)) {
    app.add_option("MODEL", path_, "an index that `fewdim lsi` kept with -m; it is replaced, unless -o names another")
        ->required()
        ->type_name("FILE");
    add_text(app, "-o,--output", output_, "FILE", "write the changed index here, and leave the other as it is",
             "Output");
  }
  virtual ~Change() = default;
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

  int operator()() {
    Targets targets(run_);
    if (!output_.empty()) {
      targets.add_input(path_);
      targets.add("--output", output_, Targets::Kind::model);
    }
    targets.check();
    std::optional<FileLock> lock;  // until the changed file is in its place: two changes at once must not lose one
    if (output_.empty()) take_lock(lock);
    const Model model = run_.timed("load", [&] { return Model::load(path_); });
    model.index();
    RevisionReport report;
    const Model changed = run_.timed(run_.verb(), [&] { return work(model, report); });
    const std::string& to = output_.empty() ? path_ : output_;
    if (output_.empty())
      run_.timed("write", [&] { changed.save(to, true); });
    else
      targets.write_with(to, "model", [&] { changed.save(to, run_.force()); });
    tell(changed, report, to);
    return 0;
  }

 private:
  void take_lock(std::optional<FileLock>& lock) {
    bool said = false;
    const auto waiting = [&](double seconds) {
      if (seconds > 1.0 && !said) {
        said = true;
        run_.say(fmt::format("{}: another program is changing it; waiting until that has ended", path_));
      }
      return true;
    };
    run_.timed("wait", [&] { lock.emplace(path_, waiting); });
    if (!lock->held())
      run_.warn(fmt::format("{}: {}; let no other program change it at the same time", path_, lock->problem()));
  }

 protected:
  virtual Model work(const Model& model, RevisionReport& report) = 0;
  Revision how() const { return update_ ? Revision::update : Revision::fold; }

  void tell(const Model& changed, const RevisionReport& report, const std::string& to) {
    const TextIndex& index = changed.index();
    if (run_.json()) {
      run_.print_document({{"model", to},
                           {"changed", report.documents},
                           {"documents", index.documents()},
                           {"folded", index.folded},
                           {"outside", report.outside},
                           {"outside_of_fit", report.outside_of_fit},
                           {"unknown_words", report.unknown_words},
                           {"discarded", report.discarded}});
      return;
    }
    const bool add = run_.verb() == "add";
    run_.say(fmt::format("{}: {} {} {}, {} in all", to, show_count(report.documents),
                         report.documents == 1 ? "document" : "documents", add ? "added" : "removed",
                         show_count(index.documents())));
    if (add && !update_) {
      run_.say(
          fmt::format("folded in (approximate): the concepts miss {:.1f} % of the new documents, {:.1f} % of those "
                      "they were made from; {:.1f} % of the words are none of its terms",
                      100.0 * report.outside, 100.0 * report.outside_of_fit, 100.0 * report.unknown_words));
      if (report.unknown_words > 0.2)
        run_.warn(
            index.all_words
                ? "many words of the new documents are none of the terms: they are found by matching, and have no "
                  "part in the concepts; fit anew for those"
                : "many words of the new documents are none of the terms, and not counted; fit anew for those");
      else if (report.outside > report.outside_of_fit + 0.1)
        run_.warn("the concepts hold the new documents less well than their own; --update takes them in, or fit anew");
    } else if (update_) {
      run_.say(
          fmt::format("the decomposition was updated{}",
                      add ? fmt::format(": {:.2g} % of the sum of squares was cut off by it, {:.1f} % of the words are "
                                        "none of its terms",
                                        100.0 * report.discarded, 100.0 * report.unknown_words)
                          : ""));
    }
  }

  Run run_;
  std::string path_, output_;
  bool update_ = false;
};

class Add : public Change {
 public:
  explicit Add(CLI::App& app) : Change("add", app) {
    input_.declare(app);
    add_switch(app, "--update", update_, "update the SVD (Zha & Simon 1999) instead of folding in", "Method");
    run_.declare(app);
  }

 private:
  Model work(const Model& model, RevisionReport& report) override {
    const auto source = input_.open(run_);
    Model changed = add_documents(model, *source, how(), report, run_.execution());
    DocumentReading::tell(source->report(), run_);
    return changed;
  }

  DocumentsInput input_;
};

class Remove : public Change {
 public:
  explicit Remove(CLI::App& app) : Change("remove", app) {
    app.add_option("ID", ids_, "documents to take out")->required()->type_name("TEXT");
    add_switch(app, "--update", update_, "take them out of the SVD, too, instead of the index alone", "Method");
    run_.declare(app);
  }

 private:
  Model work(const Model& model, RevisionReport& report) override {
    return remove_documents(model, ids_, how(), report, run_.execution());
  }

  std::vector<std::string> ids_;
};

template <class Work>
std::function<Action(CLI::App&)> declared() {
  return [](CLI::App& app) -> Action {
    const auto work = std::make_shared<Work>(app);
    return [work] { return (*work)(); };
  };
}

}  // namespace

Verb add_verb() {
  return {.name = "add",
          .group = "Documents",
          .title = "Add documents to an index",
          .text =
              "New documents are folded in: placed by the concepts there are, as queries are. That is fast and "
              "approximate, and how much the concepts miss is measured. --update takes them, and all that were folded "
              "in before, into the decomposition. Words that are none of its terms have no part in the concepts, and "
              "are found by matching.",
          .examples = {{"fewdim add packages.fewdim more.jsonl", "fold in"},
                       {"fewdim add packages.fewdim more.jsonl --update", "update the SVD"}},
          .declare = declared<Add>()};
}

Verb remove_verb() {
  return {.name = "remove",
          .group = "Documents",
          .title = "Take documents out of an index",
          .text = "",
          .examples = {{"fewdim remove packages.fewdim gnuplot", "it is found no more"}},
          .declare = declared<Remove>()};
}

}  // namespace fewdim::cli

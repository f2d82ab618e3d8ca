#include "fewdim/documents.hpp"

#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <utility>

#include "calls.hpp"
#include "data.hpp"
#include "documents.hpp"
#include "fewdim/collection.hpp"
#include "fewdim/file_lock.hpp"
#include "fewdim/method.hpp"
#include "fewdim/search.hpp"
#include "fewdim/text_index.hpp"
#include "functions.hpp"
#include "models.hpp"
#include "options.hpp"

namespace fewdim::python {

namespace {

/// Texts that are in memory, with their ids.
class GivenDocuments : public DocumentSource {
 public:
  GivenDocuments(std::vector<std::string> texts, std::vector<std::string> ids)
      : texts_(std::move(texts)), ids_(std::move(ids)) {
    report_.documents = std::ssize(texts_);
  }

  bool next(Document& out) override {
    if (at_ == texts_.size()) return false;
    out = {.id = ids_[at_], .text = texts_[at_], .place = "document " + std::to_string(at_ + 1)};
    ++at_;
    return true;
  }
  const DocumentReport& report() const override { return report_; }
  std::string name() const override { return "documents"; }

 private:
  std::vector<std::string> texts_, ids_;
  std::size_t at_ = 0;
  DocumentReport report_;
};

struct Guard {
  std::shared_ptr<FileLock> lock;
};

py::dict report_dict(const DocumentReport& report) {
  py::list tables;
  for (const TableReading& table : report.tables) {
    py::dict one;
    one["file"] = table.file;
    one["header"] = table.header;
    one["header_given"] = table.header_given;
    one["id"] = table.id;
    one["text"] = table.text;
    tables.append(one);
  }
  py::dict found;
  found["documents"] = report.documents;
  found["empty"] = report.empty;
  found["repeated"] = report.repeated;
  found["renamed"] = report.renamed;
  found["binary_files"] = report.binary_files;
  found["unreadable"] = report.unreadable;
  found["replaced_bytes"] = report.replaced_bytes;
  found["bytes"] = report.bytes;
  found["first_unreadable"] = report.first_unreadable;
  found["tables"] = tables;
  return found;
}

py::dict revision_dict(const RevisionReport& report) {
  py::dict found;
  found["documents"] = report.documents;
  found["outside"] = report.outside;
  found["outside_of_fit"] = report.outside_of_fit;
  found["unknown_words"] = report.unknown_words;
  found["discarded"] = report.discarded;
  return found;
}

struct Revised {
  FittedModel model;
  RevisionReport revision;
  DocumentReport reading;
};

py::tuple revised_tuple(Revised revised) {
  return py::make_tuple(std::move(revised.model), revision_dict(revised.revision), report_dict(revised.reading));
}

py::list reason_pairs(const std::vector<ScorePart>& reasons) {
  py::list pairs;
  for (const ScorePart& reason : reasons) pairs.append(py::make_tuple(reason.name, reason.part));
  return pairs;
}

/// All that a question finds.
py::dict answer_dict(const SearchResult& result) {
  py::list hits, outside, suggestions;
  for (const Hit& hit : result.hits) {
    py::dict one;
    one["document"] = hit.document;
    one["id"] = hit.id;
    one["score"] = hit.score;
    one["cosine"] = hit.cosine;
    one["bm25"] = hit.bm25;
    one["snippet"] = hit.snippet.text;
    one["matches"] = reason_pairs(hit.matches);
    one["terms"] = reason_pairs(hit.terms);
    one["concepts"] = reason_pairs(hit.concepts);
    hits.append(one);
  }
  for (const OutsideWord& word : result.outside) outside.append(py::make_tuple(word.word, word.documents));
  for (const auto& [word, near] : result.suggestions) suggestions.append(py::make_tuple(word, near));
  py::dict found;
  found["hits"] = hits;
  found["known"] = result.known;
  found["unknown"] = result.unknown;
  found["outside"] = outside;
  found["match"] = result.match;
  found["suggestions"] = suggestions;
  return found;
}

DocumentOptions document_options(const py::dict& given) {
  DocumentOptions o;
  o.format = given["format"].cast<std::string>();
  o.text_fields = given["text_fields"].cast<std::vector<std::string>>();
  o.id_field = given["id_field"].cast<std::string>();
  if (!given["header"].is_none()) o.header = given["header"].cast<bool>();
  const auto markup = given["strip"].cast<std::string>();
  o.markup = markup == "html" ? Markup::html : markup == "markdown" ? Markup::markdown : Markup::none;
  if (given["encoding_errors"].cast<std::string>() == "replace") o.encoding_errors = EncodingErrors::replace;
  o.longest = given["longest"].cast<std::uint64_t>();
  return o;
}

}  // namespace

OpenDocuments documents_of(const py::dict& source) {
  if (source.contains("texts"))
    return [texts = source["texts"].cast<std::vector<std::string>>(),
            ids = source["ids"].cast<std::vector<std::string>>()](const Execution&) -> std::unique_ptr<DocumentSource> {
      return std::make_unique<GivenDocuments>(texts, ids);
    };
  return [paths = source["paths"].cast<std::vector<std::string>>(),
          o = document_options(source)](const Execution& exec) { return open_documents(paths, o, exec); };
}

void bind_documents(py::module_& module) {
  bind_evaluation(module);
  py::class_<Guard>(module, "FileLock", "The right to change a file that other programs may change, too.")
      .def(py::init([](const std::string& path) {
             return compute({}, [path](const Execution& exec) {
               const auto waiting = [&exec](double) { return exec.progress({.stage = "waiting for another program"}); };
               return Guard{std::make_shared<FileLock>(path, waiting)};
             });
           }),
           py::arg("path"))
      .def_property_readonly("problem", [](const Guard& self) { return self.lock ? self.lock->problem() : ""; })
      .def("release", [](Guard& self) { self.lock.reset(); });
  module.def(
      "read_documents",
      [](const py::dict& source, std::uint64_t memory_limit) {
        auto [read, report] =
            compute(Call{0, memory_limit, py::none()}, [open = documents_of(source)](const Execution& e) {
              const auto documents = open(e);
              std::vector<std::pair<std::string, std::string>> all;
              for (Document one; documents->next(one); one = {})
                all.emplace_back(std::move(one.id), std::move(one.text));
              return std::pair(std::move(all), documents->report());
            });
        return py::make_tuple(std::move(read), report_dict(report));
      },
      py::arg("source"), py::arg("memory_limit") = 0);
  module.def(
      "text_ids", [](std::vector<std::string> texts) { return Dataset::of_texts(std::move(texts)).row_names; },
      py::arg("texts"));
  module.def(
      "fit_documents",
      [](const std::string& name, const py::dict& source, const py::dict& options, int threads,
         std::uint64_t memory_limit, py::object callback) {
        const MethodCard& card = method(name);
        auto [model, report] =
            compute(Call{threads, memory_limit, std::move(callback)},
                    [&card, open = documents_of(source), map = option_map(options)](const Execution& e) {
                      const auto documents = open(e);
                      FittedModel fitted{std::make_shared<const Model>(card.fit_documents(*documents, map, e))};
                      return std::pair(std::move(fitted), documents->report());
                    });
        return py::make_tuple(std::move(model), report_dict(report));
      },
      py::arg("method"), py::arg("source"), py::arg("options"), py::arg("threads") = 0, py::arg("memory_limit") = 0,
      py::arg("callback") = py::none());
  module.def(
      "add_documents",
      [](const FittedModel& self, const py::dict& source, bool update, int threads, std::uint64_t memory_limit) {
        return revised_tuple(compute(Call{threads, memory_limit, py::none()},
                                     [model = self.model, open = documents_of(source), update](const Execution& e) {
                                       const auto documents = open(e);
                                       Revised out;
                                       out.model.model = std::make_shared<const Model>(
                                           add_documents(*model, *documents, update ? Revision::update : Revision::fold,
                                                         out.revision, e));
                                       out.reading = documents->report();
                                       return out;
                                     }));
      },
      py::arg("model"), py::arg("source"), py::arg("update"), py::arg("threads") = 0, py::arg("memory_limit") = 0);
  module.def(
      "remove_documents",
      [](const FittedModel& self, const std::vector<std::string>& ids, bool update, int threads,
         std::uint64_t memory_limit) {
        return revised_tuple(
            compute(Call{threads, memory_limit, py::none()}, [model = self.model, ids, update](const Execution& e) {
              Revised out;
              out.model.model = std::make_shared<const Model>(
                  remove_documents(*model, ids, update ? Revision::update : Revision::fold, out.revision, e));
              return out;
            }));
      },
      py::arg("model"), py::arg("ids"), py::arg("update"), py::arg("threads") = 0, py::arg("memory_limit") = 0);
  module.def(
      "document_ids",
      [](const FittedModel& self) {
        py::list ids;
        const StringList& list = self.model->index().ids;
        for (Index i = 0; i < list.size(); ++i) ids.append(std::string(list[i]));
        return ids;
      },
      py::arg("model"));
  module.def(
      "find_document", [](const FittedModel& self, const std::string& id) { return find_document(*self.model, id); },
      py::arg("model"), py::arg("id"));
  module.def(
      "ask",
      [](const FittedModel& self, std::optional<std::string> text, Index document, Index count, double match,
         Index snippet, Index reasons) {
        const SearchOptions o{.count = count, .match = match, .snippet = snippet, .reasons = reasons};
        return answer_dict(compute({}, [model = self.model, text, document, o](const Execution& e) {
          return text ? search(*model, *text, o, e) : similar(*model, document, o, e);
        }));
      },
      py::arg("model"), py::arg("text"), py::arg("document"), py::arg("count"), py::arg("match"), py::arg("snippet"),
      py::arg("reasons"));
}

}  // namespace fewdim::python

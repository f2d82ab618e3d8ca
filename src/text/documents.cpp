#include "fewdim/documents.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "data/hash.hpp"
#include "fewdim/error.hpp"
#include "text/encoding.hpp"
#include "text/known_ids.hpp"
#include "text/markup.hpp"
#include "text/parsers.hpp"

namespace fewdim {

namespace {

constexpr std::size_t sample_size = std::size_t{64} << 10;

bool is_folder(const std::string& path) {
  struct stat status {};
  return path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

/// Fails before anything is read where a later input is missing.
void require_present(const std::vector<std::string>& paths) {
  if (paths.empty()) throw InvalidOption("documents", "paths", "none", "one at least", "give a file, a folder or -");
  for (const std::string& path : paths) {
    struct stat status {};
    if (path != "-" && ::stat(path.c_str(), &status) != 0)
      throw IoError(fmt::format("{}: can't be opened: {}", path, std::strerror(errno)));
  }
}

class Documents : public DocumentSource {
 public:
  Documents(const std::vector<std::string>& paths, const DocumentOptions& options, const Execution& exec)
      : paths_(paths), options_(options), exec_(exec) {
    require_present(paths_);
    open_next();
  }

  const DocumentReport& report() const override { return report_; }
  std::string name() const override {
    const std::string first = shown_name(paths_.front());
    return paths_.size() == 1 ? first : fmt::format("{} and {} more", first, paths_.size() - 1);
  }

  bool next(Document& out) override {
    while (parser_) {
      out.id.clear(), out.text.clear(), out.place.clear();
      if (!parser_->next(out)) {
        open_next();
        continue;
      }
      settle(out);
      if (!accept_id(out)) continue;
      count(out);
      return true;
    }
    finish();
    return false;
  }

 private:
  void open_next() {
    parser_.reset();
    if (next_path_ == paths_.size()) return;
    const std::string& path = paths_[next_path_++];
    const ReadingRules rules{options_, report_};
    const bool folder = is_folder(path);
    if (folder && options_.format != DocumentFormat::automatic && options_.format != DocumentFormat::folder)
      throw IoError(fmt::format("{}: is a folder; give a file, or --format=folder", path));
    if (folder || options_.format == DocumentFormat::folder) {
      const bool alone = paths_.size() == 1;
      const std::string prefix = !folder || alone ? "" : path + (path.ends_with('/') ? "" : "/");
      parser_ = parse_folder(path, prefix, rules);
      return;
    }
    auto input = std::make_unique<TextInput>(open_source(path), path, rules);
    DocumentFormat format = options_.format;
    if (format == DocumentFormat::automatic) format = detect_document_format(input->beginning(sample_size), path);
    parser_ = parser_of(format, std::move(input));
  }

  static Parser parser_of(DocumentFormat format, Input input) {
    switch (format) {
      case DocumentFormat::jsonl:
        return parse_json_lines(std::move(input));
      case DocumentFormat::csv:
        return parse_text_table(std::move(input), false);
      case DocumentFormat::tsv:
        return parse_text_table(std::move(input), true);
      case DocumentFormat::records:
        return parse_records(std::move(input));
      case DocumentFormat::smart:
        return parse_smart(std::move(input));
      case DocumentFormat::trec:
        return parse_trec(std::move(input));
      default:
        return parse_lines(std::move(input));
    }
  }

  const std::string& path() const { return paths_[next_path_ - 1]; }
  static std::string place(const std::string& path, Index line) {
    return line == 0 ? shown_name(path) : fmt::format("{}:{}", shown_name(path), line);
  }

  void settle(Document& out) const {
    if (out.place.empty()) out.place = place(path(), parser_->line());
    if (out.id.empty()) out.id = std::to_string(report_.documents + 1);
    std::ranges::replace(out.id, '\0', ' ');
    unify_line_ends(out.text);
    if (options_.markup == Markup::html) out.text = strip_html(out.text);
    if (options_.markup == Markup::markdown) out.text = strip_markdown(out.text);
  }

  /// False for a document to skip.
  bool accept_id(Document& out) {
    if (paths_.size() == 1 && parser_->numbered()) return true;
    const KnownIds::Seen document{KnownIds::text_hash(out.text), static_cast<std::uint32_t>(next_path_ - 1),
                                  parser_->line()};
    auto seen = known_.add(out.id, document);
    if (!seen) return true;
    if (!parser_->repeats())
      throw DataError(
          fmt::format("{}: the id \"{}\" is that of {}, too; give each document its own, or another "
                      "--id-field",
                      out.place, out.id, place(paths_[seen->path], seen->line)));
    const std::string id = out.id;
    for (Index number = 2; seen; ++number) {
      if (seen->text == document.text) return ++report_.repeated, false;
      out.id = fmt::format("{}#{}", id, number);
      seen = known_.add(out.id, document);
    }
    ++report_.renamed;
    return true;
  }

  void count(const Document& out) {
    ++report_.documents;
    if (trimmed(out.text).empty()) ++report_.empty;
    report_.bytes += out.text.size();
    constexpr std::string_view end("\0", 1);
    for (const std::string_view part : {std::string_view(out.id), end, std::string_view(out.text), end})
      hasher_.update(part);
    if (report_.documents % 1024 == 0) report_progress(exec_, "read", report_.documents, 0, "documents");
  }

  void finish() {
    if (report_.documents == 0)
      throw DataError(fmt::format("{}: no document in it; give a file or folder that has some", shown_name(path())));
    if (report_.hash.empty()) report_.hash = hasher_.text();
  }

  std::vector<std::string> paths_;
  DocumentOptions options_;
  Execution exec_;
  DocumentReport report_;
  std::size_t next_path_ = 0;
  Parser parser_;
  KnownIds known_;
  Hasher hasher_;
};

}  // namespace

std::unique_ptr<DocumentSource> open_documents(const std::vector<std::string>& paths, const DocumentOptions& options,
                                               const Execution& exec) {
  return std::make_unique<Documents>(paths, options, exec);
}

Dataset read_documents(const std::vector<std::string>& paths, const DocumentOptions& options, const Execution& exec) {
  const auto source = open_documents(paths, options, exec);
  const std::uint64_t limit = memory_limit(exec);
  std::vector<std::string> ids, texts;
  std::uint64_t bytes = 0;
  for (Document document; source->next(document);) {
    bytes += 2 * sizeof(std::string) + document.id.size() + document.text.size();
    if (bytes > limit) require_memory(exec, bytes, "documents: the text so far", "take fewer documents");
    ids.push_back(document.id);
    texts.push_back(document.text);
  }
  Dataset data = Dataset::of_texts(std::move(texts));
  data.row_names = std::move(ids);
  data.row_names_header = "id";
  data.source = paths.front();
  data.hash = source->report().hash;
  return data;
}

}  // namespace fewdim

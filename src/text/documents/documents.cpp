#include "fewdim/documents.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/hash.hpp"
#include "fewdim/error.hpp"
#include "text/documents/encoding.hpp"
#include "text/documents/known_ids.hpp"
#include "text/documents/markup.hpp"
#include "text/documents/parsers.hpp"

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
      : paths_(paths), options_(options), numbered_(options.id_field == "none"), exec_(exec) {
    if (numbered_) options_.id_field.clear();
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
    place_ = shown_name(path) + ":";
    // A document is held as it is read, as text and as words.
    const ReadingRules rules{options_, report_, memory_limit(exec_) / 4, numbered_};
    const bool folder = is_folder(path);
    const DocumentFormatCard* card = options_.format.empty() ? nullptr : &document_format(options_.format);
    if (folder && !card) card = folder_format();
    if (folder && !card->parse_folder)
      throw IoError(fmt::format("{}: is a folder; give a file, or {}", path, set_option("format", "folder")));
    if (card && card->parse_folder) {
      require_fields(*card);
      const bool alone = paths_.size() == 1;
      const std::string prefix = !folder || alone ? "" : path + (path.ends_with('/') ? "" : "/");
      parser_ = card->parse_folder(path, prefix, rules);
      return;
    }
    auto input = std::make_unique<TextInput>(open_source(path, rules.most_bytes), path, rules);
    if (!card) card = &detect_document_format(input->beginning(sample_size), path);
    require_fields(*card);
    parser_ = card->parse(std::move(input));
  }

  /// A field asked for where there are none is a format that was not found.
  void require_fields(const DocumentFormatCard& card) const {
    const std::string remedy = "leave it out, or give the " + set_option("format") + " that has fields";
    if (!card.text_fields && !options_.text_fields.empty())
      throw InvalidOption("documents", "text_fields", options_.text_fields.front(),
                          "none here: the input has no fields", remedy);
    if (!card.id_field && !options_.id_field.empty())
      throw InvalidOption("documents", "id_field", options_.id_field, "none here: the ids are given", remedy);
  }

  static const DocumentFormatCard* folder_format() {
    const auto found = std::ranges::find_if(document_formats(), [](const auto& card) { return card.parse_folder; });
    return &*found;
  }

  /// fmt and std::to_string take as long as all the rest of a short line.
  static void append_number(std::string& out, Index number) {
    char digits[24];
    out.append(digits, std::to_chars(digits, std::end(digits), number).ptr);
  }

  static std::string place(const std::string& path, Index line) {
    return line == 0 ? shown_name(path) : fmt::format("{}:{}", shown_name(path), line);
  }

  void settle(Document& out) const {
    if (out.place.empty()) {
      out.place = place_;
      append_number(out.place, parser_->line());
    }
    if (numbered_) out.id.clear();
    if (out.id.empty()) append_number(out.id, report_.documents + 1);
    std::ranges::replace(out.id, '\0', ' ');
    unify_line_ends(out.text);
    if (options_.markup == Markup::html) out.text = strip_html(out.text);
    if (options_.markup == Markup::markdown) out.text = strip_markdown(out.text);
  }

  /// False for a document to skip.
  bool accept_id(Document& out) {
    if (numbered_ || (paths_.size() == 1 && parser_->numbered())) return true;
    const KnownIds::Seen document{.text = KnownIds::text_hash(out.text),
                                  .path = static_cast<std::uint32_t>(next_path_ - 1),
                                  .line = parser_->line()};
    KnownIds::Seen* seen = known_.add(out.id, document);
    if (!seen) return true;
    if (!parser_->repeats())
      throw DataError(fmt::format(
          "{}: the id \"{}\" is that of {}, too; give each document its own, another {}, or {} to number them",
          out.place, out.id, place(paths_[seen->path], seen->line), set_option("id_field"),
          set_option("id_field", "none")));
    const std::string name = known_.rename(out.id, *seen, document);
    ++(name.empty() ? report_.repeated : report_.renamed);
    out.id = name;
    return !name.empty();
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
      throw DataError(
          fmt::format("{}: no document in it; give a file or folder that has some", shown_name(paths_.back())));
    if (report_.hash.empty()) report_.hash = hasher_.text();
  }

  std::vector<std::string> paths_;
  DocumentOptions options_;
  bool numbered_;
  Execution exec_;
  DocumentReport report_;
  std::size_t next_path_ = 0;
  std::string place_;  ///< the input's name and a colon
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
  return read_documents(*open_documents(paths, options, exec), exec);
}

Dataset read_documents(DocumentSource& source, const Execution& exec) {
  const std::uint64_t limit = memory_limit(exec);
  std::vector<std::string> ids, texts;
  std::uint64_t bytes = 0;
  for (Document document; source.next(document);) {
    bytes += 2 * sizeof(std::string) + document.id.size() + document.text.size();
    if (bytes > limit) require_memory(exec, bytes, "documents: the text so far", "take fewer documents");
    ids.push_back(document.id);
    texts.push_back(document.text);
  }
  Dataset data = Dataset::of_texts(std::move(texts));
  data.row_names = std::move(ids);
  data.row_names_header = "id";
  data.source = source.name();
  data.hash = source.report().hash;
  return data;
}

}  // namespace fewdim

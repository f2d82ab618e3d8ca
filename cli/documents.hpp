#pragma once

#include <memory>

#include "common.hpp"
#include "fewdim/documents.hpp"
#include "fewdim/inputs.hpp"

namespace fewdim::cli {

/// "auto|folder|lines|...": what --format takes.
extern const char* const document_format_names;

/// The options that say how documents are read.
class DocumentReading {
 public:
  /// `format`: with --format and --header; without where an input for tables has declared them.
  void declare(CLI::App& app, bool format = true);
  /// The first option that was given, for verbs that take documents in some cases only; empty: none.
  std::string first_given() const;
  void set_format(std::string format, std::string header) { format_ = std::move(format), header_ = std::move(header); }
  DocumentOptions options() const;

  /// What a person should know of what was read.
  static void tell(const DocumentReport& report, Run& run);
  /// How tables were taken, for a document of --json.
  static Json tables(const DocumentReport& report);

 private:
  std::vector<std::string> text_fields_;
  std::string format_, header_, id_field_, strip_, encoding_errors_, longest_;
};

/// Documents to read: where they are, and how.
class DocumentsInput {
 public:
  /// `flag`: empty for words of the command line, or an option such as "--queries".
  void declare(CLI::App& app, const std::string& flag = "");

  const std::vector<std::string>& paths() const { return paths_; }
  /// What the library's session reads.
  InputSource source() const;
  std::unique_ptr<DocumentSource> open(Run& run) const;

 private:
  std::vector<std::string> paths_;
  DocumentReading reading_;
};

}  // namespace fewdim::cli

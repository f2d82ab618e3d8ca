#pragma once

#include <memory>

#include "common.hpp"
#include "fewdim/documents.hpp"

namespace fewdim::cli {

/// Documents to read: where they are, and the options that say how.
class DocumentsInput {
 public:
  /// `flag`: empty for words of the command line, or an option such as "--queries".
  void declare(CLI::App& app, const std::string& flag = "");

  const std::vector<std::string>& paths() const { return paths_; }
  std::unique_ptr<DocumentSource> open(Run& run) const;
  /// What a person should know of what was read.
  static void tell(const DocumentReport& report, Run& run);

 private:
  DocumentOptions options() const;

  std::vector<std::string> paths_, text_fields_;
  std::string format_, id_field_, strip_, encoding_errors_, longest_;
};

}  // namespace fewdim::cli

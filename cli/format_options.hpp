#pragma once

#include <string>
#include <vector>

#include "common.hpp"
#include "fewdim/formats.hpp"

namespace fewdim::cli {

/// "csv|tsv|npy": what --format takes, and what --to takes.
const std::string& read_format_names();
const std::string& written_format_names();
/// The name itself; throws a usage error where no format of that name is read, or written.
std::string parse_format(const std::string& name);
std::string parse_target_format(const std::string& name);

/// The options that formats have of their own, as flags: --array of an .npz.
class FormatOptions {
 public:
  /// `fields`: &FormatCard::read_fields, or those of writing.
  explicit FormatOptions(std::vector<OptionField> FormatCard::*fields);

  void declare(CLI::App& app, const std::string& group);
  OptionMap map() const;            ///< of those that were given; throws a usage error for a value out of its bounds
  std::string first_given() const;  ///< its flag; empty: none
  bool given() const { return !first_given().empty(); }

 private:
  std::vector<OptionField> fields_;  ///< each name once
  std::vector<std::string> values_;
};

}  // namespace fewdim::cli

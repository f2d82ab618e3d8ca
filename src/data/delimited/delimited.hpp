#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/delimited/text.hpp"
#include "data/table/column_choice.hpp"
#include "fewdim/io.hpp"

/// Delimited text, in four steps that whole files and streams share: a sample of the first records
/// (delimited_sample), what it says about the file (delimited_layout), the record boundaries (delimited_scan), and
/// the numbers (delimited_parse).
namespace fewdim::delimited {

/// The first records: at most 1000 of them, and no more than it takes to pass 1 MiB (but two). Everything that is
/// detected is detected here, so that a stream and a whole file agree.
struct Sample {
  std::size_t begin = 0;   ///< where the first record starts
  std::size_t second = 0;  ///< where the record after it starts, or the end of the text
  std::vector<std::string_view> records;
};

/// The sample of a text; nothing when the text is not `complete` and too short to tell.
std::optional<Sample> take_sample(std::string_view text, bool complete, const std::string& path);

/// Throws DataError when the text starts like a binary file, or is UTF-16, with what to do.
void refuse_binary(std::string_view text, const std::string& path);

/// Words that stand for a missing value. One that reads as a number (99) is met by value, the others by spelling.
struct MissingWords {
  std::vector<std::string> words;
  std::vector<double> values;

  MissingWords() = default;
  MissingWords(const std::vector<std::string>& given, char decimal);
  bool holds(std::string_view word) const;
};

/// What becomes of a field: a place among the numbers, or one of these.
enum Role : Index { skipped = -1, row_name = -2, row_label = -3 };

/// How a delimited text is to be read.
struct Layout {
  char delimiter = ',';  ///< ' ': runs of blanks
  char decimal = '.';
  bool header = false;
  std::size_t data_begin = 0;      ///< where the first row starts
  Index fields = 0;                ///< in every record
  std::vector<std::string> names;  ///< of the fields, or empty
  ColumnChoice choice;
  bool features = false;     ///< the columns are those that a model knows
  std::vector<Index> roles;  ///< of each field: its place among the numbers, or a Role
  MissingWords missing;
  std::vector<ReadDecision> decisions;  ///< what to tell

  Index cols() const { return static_cast<Index>(choice.kept.size()); }
};

/// Throws OverMemory where the records are so long that deciding on their layout takes more than the memory limit.
void require_layout_memory(const Sample& sample, const ReadOptions& options, const std::string& path,
                           const Execution& exec);

/// Finds out delimiter, header and roles from the sample; throws DataError or InvalidOption where that fails.
Layout decide_layout(const Sample& sample, const ReadOptions& options, const std::string& path);

/// The delimiter that cuts the sample best, and the sign that stands for the decimal point under a delimiter.
char sniff_delimiter(const Sample& sample, const ReadOptions& options);
char sniff_decimal(const Sample& sample, char delimiter);

/// The names that travel with the numbers: column names, headers of the row-name and label columns.
void set_names(Dataset& data, const Layout& layout);

}  // namespace fewdim::delimited

#include <fmt/format.h>

#include <array>
#include <map>

#include "data/delimited/delimited.hpp"
#include "data/delimited/number.hpp"
#include "data/input/input.hpp"
#include "fewdim/error.hpp"

namespace fewdim::delimited {

namespace {

constexpr std::size_t most_records = 1000, sniffed_records = 50;
constexpr std::size_t most_bytes = std::size_t{1} << 20;

bool is_number(std::string_view text, char decimal) {
  double value = 0;
  return number::parse_whole(text, decimal, value);
}

/// "1,5": one comma between digits, and a number if the comma is the decimal sign.
bool has_decimal_comma(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || comma == 0 || comma + 1 >= text.size()) return false;
  if (!number::is_digit(text[comma - 1]) || !number::is_digit(text[comma + 1])) return false;
  return is_number(text, ',');
}

/// "1,500" or "12,345": could as well be thousands.
bool like_thousands(std::string_view text) {
  const std::size_t comma = text.find(',');
  std::size_t begin = 0;
  while (begin < comma && !number::is_digit(text[begin])) ++begin;
  return comma - begin >= 1 && comma - begin <= 3 && text[begin] != '0' && text.size() - comma - 1 == 3;
}

/// How well a delimiter cuts the records: the share of records with the usual number of fields, times the share of
/// numbers in them. 0 when it cuts nothing.
double score(const Sample& sample, char delimiter, const MissingWords& missing) {
  const std::size_t count = std::min(sample.records.size(), sniffed_records);
  const std::size_t first_row = count > 1 ? 1 : 0;
  std::vector<std::vector<Cell>> cells(count);
  std::map<std::size_t, std::size_t> counts;
  for (std::size_t i = 0; i < count; ++i) {
    split_cells(sample.records[i], delimiter, cells[i]);
    if (i >= first_row) ++counts[cells[i].size()];
  }
  std::size_t usual = 0, most = 0;
  for (const auto& [fields, times] : counts)
    if (times >= most) most = times, usual = fields;
  if (usual < 2) return 0.0;
  std::size_t numbers = 0;
  double agree = static_cast<double>(most);
  if (first_row > 0) agree += cells[0].size() == usual ? 1.0 : cells[0].size() + 1 == usual ? 0.5 : 0.0;
  for (std::size_t i = first_row; i < count; ++i) {
    if (cells[i].size() != usual) continue;
    for (const Cell& cell : cells[i])
      if (is_number(cell.text, '.') || missing.holds(cell.text) || (delimiter != ',' && has_decimal_comma(cell.text)))
        ++numbers;
  }
  const double share = static_cast<double>(numbers) / static_cast<double>(most * usual);
  return agree / static_cast<double>(count) * (0.01 + share);
}

}  // namespace

std::optional<Sample> take_sample(std::string_view text, bool complete, const std::string& path) {
  Sample sample;
  sample.begin = skip_preamble(text);
  sample.second = text.size();
  std::size_t at = sample.begin;
  while (at < text.size() && sample.records.size() < most_records) {
    if (sample.records.size() >= 2 && at - sample.begin >= most_bytes) return sample;
    const std::size_t length = record_length(text, at);
    const bool open = length == std::string_view::npos;
    if (!complete && (open || at + length >= text.size())) return std::nullopt;
    if (open)
      throw DataError(
          fmt::format("{}:{}: a quote opens here and is never closed; close it, or double a quote that is meant",
                      shown_name(path), line_at(text, at)));
    const std::string_view record = text.substr(at, length);
    if (!trimmed(record).empty()) sample.records.push_back(record);
    at = std::min(at + length + 1, text.size());
    if (sample.records.size() == 1 && sample.second == text.size()) sample.second = at;
  }
  if (!complete && sample.records.size() < most_records) return std::nullopt;
  return sample;
}

void refuse_binary(std::string_view text, const std::string& path) {
  struct Magic {
    std::string_view bytes;
    const char* kind;
  };
  using namespace std::string_view_literals;
  static constexpr Magic known[] = {{"\x89HDF\r\n"sv, "an HDF5 file"},
                                    {"PAR1\x15"sv, "a Parquet file"},
                                    {"ARROW1\0\0"sv, "an Arrow file"},
                                    {"\x93NUMPY"sv, "a NumPy array"},
                                    {"PK\x03\x04"sv, "a zip archive"},
                                    {"\xfd\x37zXZ"sv, "compressed with xz"},
                                    {"\xd0\xcf\x11\xe0"sv, "an old Excel file"},
                                    {"\x89PNG\r\n"sv, "a PNG image"},
                                    {"\xff\xd8\xff"sv, "a JPEG image"},
                                    {"%PDF-1."sv, "a PDF file"},
                                    {"SQLite format 3\0"sv, "an SQLite database"}};
  if (text.starts_with("BZh") && text.substr(3, 7).ends_with("1AY&SY"))
    throw DataError(fmt::format("{}: is compressed with bzip2; use gzip or zstd, or unpack it", shown_name(path)));
  for (const Magic& magic : known)
    if (text.starts_with(magic.bytes))
      throw DataError(
          fmt::format("{}: is {}, not delimited text; export it as CSV or .npy", shown_name(path), magic.kind));
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    throw DataError(fmt::format(
        "{}: is UTF-16 text; save it as UTF-8, or turn it into that with iconv -f UTF-16 -t UTF-8", shown_name(path)));
  // Without a byte order mark every other byte of plain letters and digits is 0.
  for (const std::size_t zero : {std::size_t{0}, std::size_t{1}})
    if (text.size() >= 4 && text[zero] == '\0' && text[zero + 2] == '\0' && text[1 - zero] > ' ' &&
        text[3 - zero] > ' ')
      throw DataError(
          fmt::format("{}: is UTF-16 text; save it as UTF-8, or turn it into that with iconv -f UTF-16{} -t UTF-8",
                      shown_name(path), zero == 0 ? "BE" : "LE"));
  if (text.substr(0, 4096).find('\0') != std::string_view::npos)
    throw DataError(fmt::format("{}: is binary, not delimited text; export it as CSV or .npy", shown_name(path)));
}

char sniff_delimiter(const Sample& sample, const ReadOptions& options) {
  if (options.delimiter != '\0') return options.delimiter;
  const MissingWords missing(options.na_words, '.');
  char best = ',';
  double best_score = 0.0;
  for (const char candidate : {',', '\t', ';', '|', ' '}) {  // the first wins a tie
    const double candidate_score = score(sample, candidate, missing);
    if (candidate_score > best_score) best = candidate, best_score = candidate_score;
  }
  return best;
}

char sniff_decimal(const Sample& sample, char delimiter) {
  bool comma = false, certain = delimiter == ';';  // files use ';' because the comma is taken
  std::vector<Cell> cells;
  for (const std::string_view record : sample.records) {
    split_cells(record, delimiter, cells);
    for (const Cell& cell : cells) {
      if (cell.text.find('.') != std::string_view::npos && is_number(cell.text, '.')) return '.';
      if (!has_decimal_comma(cell.text)) continue;
      comma = true;
      certain = certain || !like_thousands(cell.text);
    }
  }
  return comma && certain ? ',' : '.';
}

}  // namespace fewdim::delimited

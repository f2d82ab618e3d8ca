#include "data/input/file_format.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "data/delimited/number.hpp"

namespace fewdim {

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_number(std::string_view text) {
  double value = 0;
  return delimited::number::parse_whole(text, '.', value);
}

bool is_entry(std::string_view token) {
  const std::size_t colon = token.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view key = token.substr(0, colon);
  const bool index = std::all_of(key.begin(), key.end(), delimited::number::is_digit);
  return (index || key == "qid") && is_number(token.substr(colon + 1));
}

/// "label index:value index:value ... # comment"; sets `entries` when there is at least one pair.
bool is_svmlight_line(std::string_view line, bool& entries) {
  line = line.substr(0, line.find('#'));
  std::size_t tokens = 0;
  for (std::size_t at = line.find_first_not_of(" \t\r"); at != std::string_view::npos; ++tokens) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    const std::string_view token = line.substr(at, end - at);
    if (tokens == 0 ? !is_number(token.substr(0, token.find(','))) : !is_entry(token)) return false;
    entries = entries || tokens > 0;
    at = line.find_first_not_of(" \t\r", end);
  }
  return true;
}

bool is_svmlight(std::string_view head) {
  bool entries = false;
  for (int lines = 0; lines < 5 && !head.empty(); ++lines) {
    const std::size_t end = head.find('\n');
    if (end == std::string_view::npos && lines > 0) break;  // the head may end inside a line
    std::string_view line = head.substr(0, end);
    if (end == std::string_view::npos) line = line.substr(0, std::max<std::size_t>(line.find_last_of(" \t") + 1, 1));
    if (!is_svmlight_line(line, entries)) return false;
    head = end == std::string_view::npos ? "" : head.substr(end + 1);
  }
  return entries;
}

}  // namespace

Compression compression_of_name(const std::string& path) {
  const std::string name = lower(path);
  if (name.ends_with(".gz")) return Compression::gzip;
  return name.ends_with(".zst") ? Compression::zstd : Compression::none;
}

Format format_of_name(const std::string& path) {
  struct Ending {
    std::string_view text;
    Format format;
  };
  static constexpr std::array endings{Ending{".csv", Format::csv},         Ending{".tsv", Format::tsv},
                                      Ending{".tab", Format::tsv},         Ending{".npy", Format::npy},
                                      Ending{".npz", Format::npz},         Ending{".mtx", Format::matrix_market},
                                      Ending{".svm", Format::svmlight},    Ending{".svmlight", Format::svmlight},
                                      Ending{".libsvm", Format::svmlight}, Ending{".wav", Format::wav}};
  std::string name = lower(path);
  if (const Compression kind = compression_of_name(path); kind != Compression::none)
    name.erase(name.size() - (kind == Compression::gzip ? 3 : 4));
  for (const Ending& ending : endings)
    if (name.ends_with(ending.text)) return ending.format;
  return Format::automatic;
}

Format format_of_content(std::string_view head) {
  if (head.starts_with("\x93NUMPY")) return Format::npy;
  if (head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06")) return Format::npz;
  if (lower(std::string(head.substr(0, 14))) == "%%matrixmarket") return Format::matrix_market;
  if (head.starts_with("RIFF") && head.substr(0, 12).ends_with("WAVE")) return Format::wav;
  return is_svmlight(head.substr(0, 65536)) ? Format::svmlight : Format::csv;
}

const char* format_name(Format format) {
  switch (format) {
    case Format::csv:
      return "CSV";
    case Format::tsv:
      return "TSV";
    case Format::npy:
      return "NumPy .npy";
    case Format::npz:
      return "NumPy .npz";
    case Format::matrix_market:
      return "Matrix Market";
    case Format::svmlight:
      return "svmlight";
    case Format::wav:
      return "WAV";
    case Format::automatic:
      break;
  }
  return "automatic";
}

}  // namespace fewdim

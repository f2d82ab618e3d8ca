#include <fmt/format.h>

#include "base/output_file.hpp"
#include "base/remedy.hpp"
#include "data/formats.hpp"
#include "data/input/file_format.hpp"
#include "data/output_compress.hpp"
#include "data/table/checks.hpp"
#include "fewdim/error.hpp"
#include "fewdim/io.hpp"

namespace fewdim {

namespace {

void check_names(const Dataset& data) {
  const auto fits = [](const std::vector<std::string>& names, Index count) {
    return names.empty() || count < 0 || static_cast<Index>(names.size()) == count;
  };
  if (data.empty()) throw DataError("write: there is no data to write");
  require_numbers(data, "write");
  if (!fits(data.row_names, data.rows()) || !fits(data.labels, data.rows()) || !fits(data.column_names, data.cols()))
    throw DataError(fmt::format("write: {} row names, {} labels and {} column names do not fit a table of {} x {}",
                                data.row_names.size(), data.labels.size(), data.column_names.size(), data.rows(),
                                data.cols()));
}

const FormatCard& writing_format(const std::vector<FormatCard>& cards, const std::string& path,
                                 const WriteOptions& options) {
  const FormatCard* card = format_of_target(cards, path, options.format);
  if (!card)
    throw InvalidOption("", "output", path, "has no ending that names a format",
                        fmt::format("use {}, or give {}", written_endings(cards), set_option("WriteOptions::format")));
  if (card->write) return *card;
  const auto writes = [](const FormatCard& each) { return each.write != nullptr; };
  throw Unsupported(fmt::format("{}: {} is read only; write {}", path == "-" ? "standard output" : path, card->title,
                                titles_of(cards, writes, "or")));
}

}  // namespace

void write_to(const std::vector<FormatCard>& cards, const Dataset& data, const std::string& path,
              const WriteOptions& options, const Execution& exec) {
  const FormatCard& card = writing_format(cards, path, options);
  const Compression compression = compression_of_name(path);
  check_names(data);
  require_own_options(cards, card, options.own, &FormatCard::write_fields, path == "-" ? "standard output" : path);
  if (compression != Compression::none && !card.writes_compressed) {
    const auto compresses = [](const FormatCard& each) { return each.writes_compressed; };
    throw Unsupported(fmt::format("{}: only {} are written compressed; leave the last ending out", path,
                                  titles_of(cards, compresses, "and")));
  }
  OutputFile out(path, options.overwrite);
  if (compression == Compression::none) {
    card.write(data, out, options, exec);
  } else {
    const auto compressed = compressed_output(out, compression);
    card.write(data, *compressed, options, exec);
    compressed->finish();
  }
  out.commit();
}

void write(const Dataset& data, const std::string& path, const WriteOptions& options, const Execution& exec) {
  write_to(formats(), data, path, options, exec);
}

}  // namespace fewdim

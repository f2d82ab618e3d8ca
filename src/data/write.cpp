#include "data/delimited/write.hpp"

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

Format format_of_target(const std::string& path, const WriteOptions& options) {
  if (options.format != Format::automatic) return options.format;
  if (path == "-") return Format::csv;
  const Format format = format_of_name(path);
  if (format != Format::automatic) return format;
  throw InvalidOption("", "output", path, "has no ending that names a format",
                      "use .csv, .tsv, .npy, .npz, .mtx, .svm or .wav (.csv.gz and .csv.zst are compressed), or give " +
                          set_option("WriteOptions::format"));
}

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

}  // namespace

void write(const Dataset& data, const std::string& path, const WriteOptions& options, const Execution& exec) {
  const Format format = format_of_target(path, options);
  const Compression compression = compression_of_name(path);
  const bool text = format == Format::csv || format == Format::tsv;
  check_names(data);
  if (!text && compression != Compression::none)
    throw Unsupported(fmt::format("{}: only CSV and TSV are written compressed; leave the last ending out", path));

  OutputFile out(path, options.overwrite);
  const char delimiter = format == Format::tsv ? '\t' : ',';
  if (text && compression != Compression::none) {
    const auto compressed = compressed_output(out, compression);
    delimited::format_table(data, delimiter, options, exec, [&](std::string_view piece) { compressed->write(piece); });
    compressed->finish();
  } else if (text) {
    write_delimited(data, out, delimiter, options, exec);
  } else if (format == Format::npy) {
    write_npy(data, out);
  } else if (format == Format::npz) {
    write_npz(data, out);
  } else if (format == Format::matrix_market) {
    write_matrix_market(data, out);
  } else if (format == Format::wav) {
    write_wav(data, out, options);
  } else {
    write_svmlight(data, out);
  }
  out.commit();
}

}  // namespace fewdim

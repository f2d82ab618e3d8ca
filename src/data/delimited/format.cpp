#include "data/formats.hpp"

/// Tables in text: cells between commas or other delimiters.
namespace fewdim {

namespace {

void write_csv(const Dataset& data, ByteSink& out, const WriteOptions& options, const Execution& exec) {
  write_delimited(data, out, ',', options, exec);
}

ReadOptions with_tabs(ReadOptions options) {
  if (options.delimiter == '\0') options.delimiter = '\t';
  return options;
}

Dataset parse_tsv(const Bytes& bytes, const ReadOptions& options, const Execution& exec, ReadDecisions* decisions) {
  return parse_delimited(bytes, with_tabs(options), exec, decisions);
}

Dataset stream_tsv(const std::string& path, const ReadOptions& options, const Execution& exec,
                   ReadDecisions* decisions) {
  return stream_delimited(path, with_tabs(options), exec, decisions);
}

void write_tsv(const Dataset& data, ByteSink& out, const WriteOptions& options, const Execution& exec) {
  write_delimited(data, out, '\t', options, exec);
}

}  // namespace

FormatCard csv_format() {
  return {.name = "csv",
          .title = "CSV",
          .about = "cells between commas, semicolons, bars or blanks",
          .endings = {".csv"},
          .reads = {RowKind::dense},
          .writes = {RowKind::dense},
          .keeps = {RowTag::row_names, RowTag::column_names, RowTag::labels},
          .writes_compressed = true,
          .text_options = {TextOption::delimiter, TextOption::header, TextOption::na_words},
          .chooses_columns = true,
          .page = "docs/tables.md",
          .read = parse_delimited,
          .stream = stream_delimited,
          .write = write_csv};
}

FormatCard tsv_format() {
  FormatCard card = csv_format();
  card.name = "tsv";
  card.title = "TSV";
  card.about = "cells between tabs";
  card.endings = {".tsv", ".tab"};
  card.read = parse_tsv;
  card.stream = stream_tsv;
  card.write = write_tsv;
  return card;
}

}  // namespace fewdim

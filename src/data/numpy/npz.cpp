#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/describe.hpp"
#include "base/remedy.hpp"
#include "data/input/input.hpp"
#include "data/numpy/npy.hpp"
#include "data/numpy/npz_sparse.hpp"
#include "data/table/row_blocks.hpp"
#include "data/zip/zip.hpp"

namespace fewdim {

/// Options of the format itself.
struct NpzReading {
  std::string array{};
};

template <class Visitor>
void describe(NpzReading& o, Visitor&& field) {
  field(o.array, {.name = "array", .help = "which array of an .npz file [the only one]"});
}

namespace {

/// "X" for member "X.npy".
std::string array_name(const ZipMember& member) {
  const bool npy = member.name.size() > 4 && member.name.ends_with(".npy");
  return npy ? member.name.substr(0, member.name.size() - 4) : member.name;
}

/// "X (100, 3) <f8", or the name alone where the header can't be read.
std::string described(const ZipReader& zip, const ZipMember& member) {
  try {
    const NpyHeader header = parse_npy_header(zip.peek(member, 65546), member.name);
    return fmt::format("{} {} {}", array_name(member), header.shape_text(), header.type.name);
  } catch (const DataError&) {
    return array_name(member);
  }
}

bool numeric_table(const ZipReader& zip, const ZipMember& member) {
  try {
    const NpyHeader header = parse_npy_header(zip.peek(member, 65546), member.name);
    return header.type.numeric() && header.shape.size() >= 2;
  } catch (const DataError&) {
    return false;
  }
}

/// The array asked for, the only one, or the only table of numbers among several.
const ZipMember& choose_array(const ZipReader& zip, const std::string& asked, const std::string& name) {
  std::vector<const ZipMember*> tables;
  for (const ZipMember& member : zip.members()) {
    if (!asked.empty() && (array_name(member) == asked || member.name == asked)) return member;
    if (asked.empty() && numeric_table(zip, member)) tables.push_back(&member);
  }
  if (zip.members().empty()) throw DataError(fmt::format("{}: an archive without arrays", name));
  if (asked.empty() && zip.members().size() == 1) return zip.members().front();
  if (tables.size() == 1) return *tables.front();

  constexpr std::size_t most = 20;
  std::vector<std::string> list;
  for (std::size_t i = 0; i < std::min(most, zip.members().size()); ++i)
    list.push_back(described(zip, zip.members()[i]));
  if (zip.members().size() > most) list.push_back(fmt::format("and {} more", zip.members().size() - most));
  const std::string found = fmt::format("{}", fmt::join(list, ", "));
  if (!asked.empty()) throw DataError(fmt::format("{}: no array '{}' in it; it holds {}", name, asked, found));
  throw DataError(fmt::format("{}: say which array to read with {}; it holds {}", name, set_option("array"), found));
}

template <class T>
void write_dense(const Dataset& data, ZipWriter& zip) {
  const auto rows = static_cast<std::uint64_t>(count_rows(data)), cols = static_cast<std::uint64_t>(data.cols());
  zip.add("data.npy", [&](const ZipWriter::Sink& sink) {
    const std::string header = npy_header_text(npy_descr<T>, {rows, cols});
    sink(header.data(), header.size());
    for_each_row_block<T>(data,
                          [&](const T* block, Index count) { sink(block, std::size_t(count) * cols * sizeof(T)); });
  });
}

}  // namespace

Dataset parse_npz(const Bytes& bytes, const ReadOptions& options, const Execution& exec) {
  const std::string name = shown_name(bytes.path);
  const ZipReader zip(bytes, name);
  const std::string array = options_from_map<NpzReading>(options.own, name).array;
  if (array.empty() && is_sparse_npz(zip)) return read_sparse_npz(zip, name, options, exec);
  const ZipMember& member = choose_array(zip, array, name);
  return npy_dataset(zip.read(member, exec), fmt::format("{}: array '{}'", name, array_name(member)), options, exec);
}

void write_npz(const Dataset& data, ByteSink& out) {
  if (data.is_stream() && !data.stream()->rewindable())
    throw Unsupported("an .npz can't be written from a pipe: its checksum comes before the data; write .npy or csv");
  ZipWriter zip(out);
  if (const auto* view = data.sparse<double>()) {
    write_sparse_npz(*view, zip);
  } else if (const auto* narrow = data.sparse<float>()) {
    write_sparse_npz(*narrow, zip);
  } else if (data.precision() == Precision::float32) {
    write_dense<float>(data, zip);
  } else {
    write_dense<double>(data, zip);
  }
  zip.finish();
}

FormatCard npz_format() {
  return {
      .name = "npz",
      .title = "NumPy .npz",
      .about = "arrays of NumPy's in a zip archive, and sparse matrices of SciPy's",
      .endings = {".npz"},
      .binary = true,
      .reads = {RowKind::dense, RowKind::sparse},
      .writes = {RowKind::dense, RowKind::sparse},
      .read_fields = fields_of<NpzReading>(),
      .page = "docs/formats.md#npz",
      .recognize =
          [](std::string_view head) { return head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06"); },
      .read = [](const Bytes& bytes, const ReadOptions& options, const Execution& exec,
                 ReadDecisions*) { return parse_npz(bytes, options, exec); },
      .write = [](const Dataset& data, ByteSink& out, const WriteOptions&, const Execution&) { write_npz(data, out); }};
}

}  // namespace fewdim

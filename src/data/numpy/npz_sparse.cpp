#include "data/numpy/npz_sparse.hpp"

#include <fmt/format.h>

#include <exception>

#include "base/parallel.hpp"
#include "data/numpy/npz_arrays.hpp"
#include "data/table/block.hpp"
#include "data/table/csr_builder.hpp"

namespace fewdim {

namespace {

class SparseReader {
 public:
  SparseReader(const ZipReader& zip, const std::string& name, const Execution& exec)
      : zip_(zip), name_(name), exec_(exec), budget_(exec) {}

  Dataset read(const ReadOptions& options) {
    format_ = read_format();
    read_shape();
    const bool entries = format_ == "coo";
    if (entries) {
      load({"data", "row", "col"});
    } else {
      load({"data", "indices", "indptr"});
    }
    const bool narrow = options.precision.value_or(arrays_[0].header.type.precision()) == Precision::float32;
    if (format_ == "csr") return narrow ? from_rows<float>() : from_rows<double>();
    if (format_ == "csc") return narrow ? from_columns<float>() : from_columns<double>();
    return narrow ? from_entries<float>() : from_entries<double>();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw DataError(fmt::format("{}: {}", name_, what)); }

  /// A 0-d array of bytes ('|S3'), or of UTF-32 ('<U3') as early versions of SciPy wrote it.
  std::string read_format() {
    const std::string name = name_ + ": array 'format'";
    const ZipMember& member = *zip_.find("format.npy");
    if (member.size > 4096) fail("its sparse 'format' is not a word");
    const Bytes bytes = zip_.read(member, exec_);
    const NpyHeader header = parse_npy_header(bytes.text, name);
    require_data_bytes(header, bytes.text.size() - header.data_offset, name);
    if (!header.shape.empty() || (header.type.kind != 'S' && header.type.kind != 'U'))
      fail("its sparse 'format' is not a word");
    std::string word;
    for (const char c : bytes.text.substr(header.data_offset))
      if (c != '\0') word += c;
    if (word != "csr" && word != "csc" && word != "coo")
      fail(fmt::format("sparse format {:?} can't be read; save it with scipy.sparse.save_npz(file, A.tocsr())", word));
    return word;
  }

  void read_shape() {
    if (zip_.find("shape.npy")->size > 4096) fail("its sparse 'shape' is not a pair of numbers");
    const NpzArray shape = load_array(zip_, *zip_.find("shape.npy"), name_ + ": array 'shape'", exec_);
    require_index_type(shape);
    if (shape.count() != 2)
      fail(fmt::format("a sparse array of {} dimensions can't be read, only of 2", shape.count()));
    rows_ = shape.integer(0), cols_ = shape.integer(1);
    if (rows_ < 0 || cols_ < 0 || rows_ > INT32_MAX || cols_ > INT32_MAX)
      fail(fmt::format("a sparse matrix of {} x {} can't be read; 2147483647 rows and columns are the most", rows_,
                       cols_));
  }

  /// Loads the arrays into arrays_ side by side.
  void load(const std::vector<std::string>& names) {
    std::vector<const ZipMember*> members;
    std::uint64_t unpacked = 0;
    for (const std::string& name : names) {
      members.push_back(zip_.find(name + ".npy"));
      if (!members.back())
        fail(fmt::format("a sparse matrix of format {} has an array '{}'; it is missing", format_, name));
      if (members.back()->deflated) unpacked += members.back()->size;
    }
    budget_.take(unpacked, fmt::format("{}: unpacking it", name_));
    arrays_.resize(names.size());
    std::vector<std::exception_ptr> faults(names.size());
    parallel_for(exec_, Index(names.size()), [&](Index i) {
      const auto a = static_cast<std::size_t>(i);
      try {
        arrays_[a] = load_array(zip_, *members[a], fmt::format("{}: array '{}'", name_, names[a]), exec_);
      } catch (...) {
        faults[a] = std::current_exception();
      }
    });
    for (const auto& fault : faults)  // the first in this order, whichever was met first
      if (fault) std::rethrow_exception(fault);
  }

  std::shared_ptr<std::int64_t[]> offsets(std::int64_t lines) {
    return offsets_of(arrays_[2], lines, std::min(arrays_[0].count(), arrays_[1].count()), budget_);
  }

  /// A copy that may be changed, unless it is one already.
  template <class T>
  void make_own(NpzNumbers<T>& numbers, std::int64_t count) {
    if (numbers.own) return;
    budget_.take(std::uint64_t(count) * sizeof(T), name_ + ": sorting its rows");
    const auto copy = make_large_array<T>(std::size_t(count));
    std::copy(numbers.data, numbers.data + count, copy.get());
    numbers = {copy.get(), copy, copy.get()};
  }

  template <class T>
  Dataset from_rows() {
    const auto starts = offsets(rows_);
    const std::int64_t count = starts[std::size_t(rows_)];
    auto columns = indices_of(arrays_[1], count, cols_, budget_, exec_);
    auto values = values_of<T>(arrays_[0], count, budget_, exec_);
    if (!rows_in_order(rows_, starts.get(), columns.data, exec_)) {
      make_own(columns, count);
      make_own(values, count);
      order_rows(rows_, starts.get(), columns.own, values.own, exec_);
    }
    return {CsrView<T>{rows_, cols_, starts.get(), columns.data, values.data},
            std::make_shared<CsrParts>(CsrParts{starts, columns.owner, values.owner})};
  }

  template <class T>
  Dataset from_columns() {
    const auto starts = offsets(cols_);
    const std::int64_t count = starts[std::size_t(cols_)];
    budget_.take(std::uint64_t(count) * sizeof(std::int32_t), name_ + ": its column numbers");
    const auto columns = make_large_array<std::int32_t>(std::size_t(count));
    for (std::int64_t j = 0; j < cols_; ++j)
      std::fill(columns.get() + starts[std::size_t(j)], columns.get() + starts[std::size_t(j) + 1], std::int32_t(j));
    return sort_into_rows<T>(indices_of(arrays_[1], count, rows_, budget_, exec_).data, columns.get(), count);
  }

  template <class T>
  Dataset from_entries() {
    const std::int64_t count = arrays_[0].count();
    if (arrays_[1].count() != count || arrays_[2].count() != count)
      fail(fmt::format("arrays data, row and col have {}, {} and {} numbers; they should have equally many", count,
                       arrays_[1].count(), arrays_[2].count()));
    const auto rows = indices_of(arrays_[1], count, rows_, budget_, exec_);
    const auto columns = indices_of(arrays_[2], count, cols_, budget_, exec_);
    return sort_into_rows<T>(rows.data, columns.data, count);
  }

  template <class T>
  Dataset sort_into_rows(const std::int32_t* rows, const std::int32_t* columns, std::int64_t count) {
    // Rows cost memory even without entries, and nothing in the file vouches for them.
    if (rows_ > (1 << 20) && rows_ / 1024 > count)
      fail(fmt::format("promises {} rows for {} entries; drop the empty rows", rows_, count));
    const auto values = values_of<T>(arrays_[0], count, budget_, exec_);
    budget_.take(csr_builder_bytes<T>(std::uint64_t(rows_), std::uint64_t(count)),
                 fmt::format("{}: turning {} into rows", name_, format_), "raise the limit, or save it with .tocsr()");
    return csr_from_triples<T>(rows_, cols_, TripleView<T>{rows, columns, values.data, count}, exec_);
  }

  const ZipReader& zip_;
  const std::string& name_;
  const Execution& exec_;
  MemoryBudget budget_;
  std::string format_;
  std::int64_t rows_ = 0, cols_ = 0;
  std::vector<NpzArray> arrays_;  ///< data, then indices and indptr, or row and col
};

template <class T>
void add_array(ZipWriter& zip, const std::string& name, std::string_view descr, const T* data, std::uint64_t count) {
  zip.add(name + ".npy", [&](const ZipWriter::Sink& sink) {
    const std::string header = npy_header_text(descr, {count});
    sink(header.data(), header.size());
    sink(data, count * sizeof(T));
  });
}

}  // namespace

bool is_sparse_npz(const ZipReader& zip) {
  return zip.find("format.npy") && zip.find("shape.npy") && zip.find("data.npy");
}

Dataset read_sparse_npz(const ZipReader& zip, const std::string& name, const ReadOptions& options,
                        const Execution& exec) {
  return SparseReader(zip, name, exec).read(options);
}

template <class T>
void write_sparse_npz(const CsrView<T>& view, ZipWriter& zip) {
  const auto entries = static_cast<std::uint64_t>(view.nonzeros()), lines = static_cast<std::uint64_t>(view.rows) + 1;
  // SciPy has one type for both index arrays: int32 unless there are too many entries for it.
  if (entries <= INT32_MAX) {
    const std::vector<std::int32_t> offsets(view.offsets, view.offsets + lines);
    add_array(zip, "indices", "<i4", view.columns, entries);
    add_array(zip, "indptr", "<i4", offsets.data(), lines);
  } else {
    const std::vector<std::int64_t> columns(view.columns, view.columns + entries);
    add_array(zip, "indices", "<i8", columns.data(), entries);
    add_array(zip, "indptr", "<i8", view.offsets, lines);
  }
  const std::string format = npy_header_text("|S3", {}) + "csr";
  zip.add("format.npy", [&](const ZipWriter::Sink& sink) { sink(format.data(), format.size()); });
  const std::int64_t shape[] = {view.rows, view.cols};
  add_array(zip, "shape", "<i8", shape, 2);
  add_array(zip, "data", npy_descr<T>, view.values, entries);
}

template void write_sparse_npz(const CsrView<float>&, ZipWriter&);
template void write_sparse_npz(const CsrView<double>&, ZipWriter&);

}  // namespace fewdim

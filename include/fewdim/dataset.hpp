#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "fewdim/error.hpp"
#include "fewdim/export.hpp"
#include "fewdim/types.hpp"

namespace fewdim {

/// Dense numbers seen where they lie: element (i, j) is data[i * row_stride + j * col_stride].
template <class T>
struct DenseView {
  const T* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index row_stride = 0;
  Index col_stride = 0;

  T operator()(Index i, Index j) const { return data[i * row_stride + j * col_stride]; }
  bool row_major() const { return col_stride == 1; }
};

/// Compressed sparse rows: row i holds entries offsets[i] .. offsets[i+1], columns ascending and without repeats.
template <class T>
struct CsrView {
  Index rows = 0;
  Index cols = 0;
  const std::int64_t* offsets = nullptr;  ///< rows + 1 of them
  const std::int32_t* columns = nullptr;
  const T* values = nullptr;

  std::int64_t nonzeros() const { return rows == 0 ? 0 : offsets[rows]; }
};

/// The owner of a CsrView's arrays.
template <class T>
struct Csr {
  Index rows = 0;
  Index cols = 0;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> columns;
  std::vector<T> values;

  CsrView<T> view() const { return {rows, cols, offsets.data(), columns.data(), values.data()}; }
};

/// What stands beside the numbers of a stream's rows.
struct RowTags {
  bool named = false;                      ///< the rows have names: known before the first is read
  bool labeled = false;                    ///< the rows have labels
  std::vector<std::string> names, labels;  ///< of the rows that the last read() gave, one each
};

/// Rows that arrive in order, for data larger than memory.
class FEWDIM_API RowStream {
 public:
  virtual ~RowStream() = default;
  virtual Index cols() const = 0;
  virtual std::optional<Index> rows() const = 0;  ///< when known ahead
  virtual Precision precision() const = 0;        ///< what read() delivers without loss
  virtual bool rewindable() const = 0;            ///< a file is, a pipe is not
  virtual void rewind() = 0;                      ///< back to the first row; throws Unsupported on a pipe
  /// Fills up to max_rows rows (row-major, cols() apart) and returns how many; 0 at the end.
  virtual Index read(double* out, Index max_rows) = 0;
  virtual Index read(float* out, Index max_rows) = 0;
  /// Names and labels of the rows that the last read() gave. A stream keeps those of no other: they would grow with the
  /// input.
  virtual const RowTags& tags() const;
  /// "xxh3:<16 hex digits>" of the input, once a pass has seen all of its bytes in order; empty before.
  virtual std::string hash() const { return {}; }
};

/// A table of numbers with the names that travel with it. Rows are objects, columns are features.
///
/// A Dataset built from an Eigen matrix is a view: no copy is made, and the matrix must outlive it. One built
/// from a temporary, or by the readers, shares ownership of its storage; copies of a Dataset are cheap.
class FEWDIM_API Dataset {
 public:
  Dataset() = default;

  /// A view of any Eigen matrix, map or block that has its numbers in memory.
  template <class Derived>
  requires(std::is_same_v<typename Derived::Scalar, float> || std::is_same_v<typename Derived::Scalar, double>)
      Dataset(const Eigen::MatrixBase<Derived>& m) {  // NOLINT: implicit, so that fit_pca(X) reads as it should
    static_assert(bool(Derived::Flags & Eigen::DirectAccessBit), "evaluate the expression into a matrix first");
    using T = typename Derived::Scalar;
    const auto& d = m.derived();
    view_ = DenseView<T>{d.data(), d.rows(), d.cols(), d.rowStride(), d.colStride()};
  }

  /// Takes over a temporary matrix.
  template <class T, int Options>
  Dataset(Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Options>&& m) {  // NOLINT
    auto owned = std::make_shared<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Options>>(std::move(m));
    view_ = DenseView<T>{owned->data(), owned->rows(), owned->cols(), owned->rowStride(), owned->colStride()};
    owner_ = std::move(owned);
  }

  /// Eigen's eval() returns a const temporary: that is copied.
  template <class T, int Options>
  Dataset(const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Options>&& m)  // NOLINT
      : Dataset(Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Options>(m)) {}

  template <class T>
  Dataset(DenseView<T> view, std::shared_ptr<const void> owner = {}) : view_(view), owner_(std::move(owner)) {}
  template <class T>
  Dataset(CsrView<T> view, std::shared_ptr<const void> owner = {}) : view_(view), owner_(std::move(owner)) {}
  template <class T>
  Dataset(Csr<T>&& csr) {  // NOLINT
    auto owned = std::make_shared<Csr<T>>(std::move(csr));
    view_ = owned->view();
    owner_ = std::move(owned);
  }
  Dataset(std::shared_ptr<RowStream> stream) : view_(std::move(stream)) {}  // NOLINT

  /// Strings instead of numbers, for methods that compare strings: rows() of them, and no columns. Their beginnings, of
  /// 60 characters at most, are the rows' names.
  static Dataset of_texts(std::vector<std::string> texts);

  Index cols() const;
  Index rows() const;  ///< -1 for a stream that does not know
  Precision precision() const;
  bool empty() const { return std::holds_alternative<std::monostate>(view_) && texts.empty(); }
  bool is_text() const { return std::holds_alternative<std::monostate>(view_) && !texts.empty(); }
  bool is_dense() const { return dense<float>() != nullptr || dense<double>() != nullptr; }
  bool is_sparse() const { return sparse<float>() != nullptr || sparse<double>() != nullptr; }
  bool is_stream() const { return stream() != nullptr; }
  std::uint64_t bytes() const;     ///< of the numbers or texts as they lie in memory; 0 for a stream
  std::string input_hash() const;  ///< hash, or that of a stream that has been read to its end

  /// The view of that kind, or null when the data set is of another.
  template <class T>
  const DenseView<T>* dense() const {
    return std::get_if<DenseView<T>>(&view_);
  }
  template <class T>
  const CsrView<T>* sparse() const {
    return std::get_if<CsrView<T>>(&view_);
  }
  RowStream* stream() const {
    const auto* held = std::get_if<std::shared_ptr<RowStream>>(&view_);
    return held ? held->get() : nullptr;
  }

  /// The numbers as an Eigen matrix, converted where needed. Copies; refuses streams.
  template <class T>
  Matrix<T> matrix() const;

  std::vector<std::string> row_names;     ///< empty, or one per row
  std::vector<std::string> column_names;  ///< empty, or one per column
  std::string row_names_header;           ///< header of the row-name column, as found
  std::vector<std::string> labels;        ///< empty, or one per row: a class to color by, never used in a fit
  std::string label_name;                 ///< header of the label column, as found
  std::vector<std::string> texts;         ///< empty, or one per row; UTF-8
  Vector<double> weights;  ///< empty (ones), or one per row: how much it counts, for methods that take weights
  std::string source;      ///< where it came from: a path, "-", "digits"
  std::string hash;        ///< "xxh3:<16 hex digits>" of the input, when a reader made it; see input_hash()

 private:
  std::variant<std::monostate, DenseView<double>, DenseView<float>, CsrView<double>, CsrView<float>,
               std::shared_ptr<RowStream>>
      view_;
  std::shared_ptr<const void> owner_;
};

extern template FEWDIM_API Matrix<float> Dataset::matrix<float>() const;
extern template FEWDIM_API Matrix<double> Dataset::matrix<double>() const;

}  // namespace fewdim

#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "base/random.hpp"
#include "fewdim/dataset.hpp"

/// Data for tests: small, made on the spot, the same every time.
namespace fewdim::test {

/// Independent normals with column j of standard deviation 1/(1+j/4) and mean `level`·(j+1), so that spectra have gaps.
template <class T = double>
Matrix<T> sample(Index rows, Index cols, Seed seed = 1, double level = 1.0) {
  Matrix<T> x(rows, cols);
  for (Index j = 0; j < cols; ++j) {
    const Random random(seed, static_cast<std::uint32_t>(j));
    for (Index i = 0; i < rows; ++i)
      x(i, j) = static_cast<T>(random.normal(static_cast<std::uint64_t>(i)) / (1.0 + 0.25 * static_cast<double>(j)) +
                               level * static_cast<double>(j + 1));
  }
  return x;
}

/// The same with about `share` of the entries kept, the others zero.
template <class T = double>
Matrix<T> sparse_sample(Index rows, Index cols, double share, Seed seed = 1) {
  Matrix<T> x = sample<T>(rows, cols, seed);
  for (Index j = 0; j < cols; ++j) {
    const Random random(seed, static_cast<std::uint32_t>(1000 + j));
    for (Index i = 0; i < rows; ++i)
      if (random.uniform(static_cast<std::uint64_t>(i)) > share) x(i, j) = T(0);
  }
  return x;
}

template <class T>
Csr<T> to_csr(const Matrix<T>& x) {
  Csr<T> out;
  out.rows = x.rows();
  out.cols = x.cols();
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j)
      if (x(i, j) != T(0)) {
        out.columns.push_back(static_cast<std::int32_t>(j));
        out.values.push_back(x(i, j));
      }
    out.offsets.push_back(std::ssize(out.values));
  }
  return out;
}

/// A stream over a matrix that delivers uneven pieces, as a pipe does.
template <class T>
class MatrixStream : public RowStream {
 public:
  MatrixStream(Matrix<T> x, bool rewindable, bool tells_rows = true)
      : x_(std::move(x)), rewindable_(rewindable), tells_rows_(tells_rows) {}
  Index cols() const override { return x_.cols(); }
  std::optional<Index> rows() const override { return tells_rows_ ? std::optional(x_.rows()) : std::nullopt; }
  Precision precision() const override { return precision_of<T>; }
  bool rewindable() const override { return rewindable_; }
  void rewind() override {
    if (!rewindable_) throw Unsupported("a pipe can't be rewound");
    next_ = 0;
  }
  Index read(double* out, Index max_rows) override { return deliver(out, max_rows); }
  Index read(float* out, Index max_rows) override { return deliver(out, max_rows); }

 private:
  template <class U>
  Index deliver(U* out, Index max_rows) {
    const Index count = std::min({max_rows, x_.rows() - next_, Index{1 + next_ % 777}});
    for (Index i = 0; i < count; ++i)
      for (Index j = 0; j < x_.cols(); ++j) out[i * x_.cols() + j] = static_cast<U>(x_(next_ + i, j));
    next_ += count;
    return count;
  }

  Matrix<T> x_;
  bool rewindable_, tells_rows_;
  Index next_ = 0;
};

/// Largest |A − B|.
inline double distance(const Matrix<double>& a, const Matrix<double>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return INFINITY;
  return a.size() == 0 ? 0.0 : (a - b).cwiseAbs().maxCoeff();
}

/// The shared folder of real data, or empty where it isn't.
inline std::string shared_data(const char* name) {
  const char* folder = std::getenv("FEWDIM_DATA");
  const std::string path =
      (folder ? std::string(folder) : std::string(FEWDIM_SOURCE_DIR) + "/../shared/data") + "/" + name;
  return std::filesystem::exists(path) ? path : std::string();
}

}  // namespace fewdim::test

#include "models/soundness.hpp"

#include <cmath>

#include "models/file/checks.hpp"

namespace fewdim {

namespace {

bool is_right(double x, Numbers must) {
  switch (must) {
    case Numbers::any:
      return true;
    case Numbers::finite:
      return std::isfinite(x);
    case Numbers::positive:
      return std::isfinite(x) && x > 0.0;
    case Numbers::nonnegative:
      return std::isfinite(x) && x >= 0.0;
    case Numbers::share:
      return x >= 0.0 && x <= 1.0;
  }
  return false;
}

const char* words_for(Numbers must) {
  switch (must) {
    case Numbers::positive:
      return "finite and positive";
    case Numbers::nonnegative:
      return "finite and at least 0";
    case Numbers::share:
      return "from 0 to 1";
    default:
      return "finite";
  }
}

}  // namespace

void SoundnessCheck::require_numbers(const char* name, const double* numbers, Index size, Numbers must) const {
  if (depth_ == Depth::sizes) return;
  for (Index i = 0; i < size; ++i)
    if (!is_right(numbers[i], must))
      throw DataError(fmt::format("{}: '{}' holds {}, which is not {}", who_, name, numbers[i], words_for(must)));
}

void SoundnessCheck::value(const char* name, double& number, Numbers must) { require_numbers(name, &number, 1, must); }

void SoundnessCheck::array(const char* name, Vector<double>& v, const ArrayInfo& info) {
  if (info.rows >= 0) require_size(v.size(), info.rows, name, who_);
  require_numbers(name, v.data(), v.size(), info.must);
}

void SoundnessCheck::array(const char* name, Matrix<double>& m, const ArrayInfo& info) {
  const bool fits = (info.rows < 0 || m.rows() == info.rows) && (info.cols < 0 || m.cols() == info.cols);
  if (m.size() > 0 && !fits) {
    const auto needed = [](Index size, Index found) { return size < 0 ? found : size; };
    Index rows = m.rows(), cols = m.cols(), need_rows = needed(info.rows, rows), need_cols = needed(info.cols, cols);
    if (info.transposed) std::swap(rows, cols), std::swap(need_rows, need_cols);
    throw DataError(
        fmt::format("{}: '{}' is {}×{}, the model needs {}×{}", who_, name, rows, cols, need_rows, need_cols));
  }
  require_numbers(name, m.data(), m.size(), info.must);
}

}  // namespace fewdim

#include "methods/shared/distortion.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "data/table/checks.hpp"

namespace fewdim {

namespace {

constexpr Index most_rows = 2000, most_pairs = 1000;
constexpr std::uint32_t row_stream = 0x52510001, pair_stream = 0x52510002;

/// The rows that stay in a sample of `room` when `rows` have gone by: slot → row.
class Reservoir {
 public:
  Reservoir(Index room, Seed seed) : room_(room), random_(seed, row_stream) {}
  /// The slot of the next row, or -1.
  Index next() {
    const Index row = seen_++;
    if (row < room_) return row;
    const auto slot =
        static_cast<Index>(random_.below(static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(row) + 1));
    return slot < room_ ? slot : -1;
  }
  Index size() const { return std::min(seen_, room_); }

 private:
  Index room_, seen_ = 0;
  Random random_;
};

template <class T>
bool any_nonzero(const T* numbers, Index count) {
  return std::any_of(numbers, numbers + count, [](T x) { return x != T(0); });
}

std::vector<Index> rows_of_sample(Index rows, Index room, Seed seed) {
  Reservoir reservoir(room, seed);
  std::vector<Index> slots(static_cast<std::size_t>(std::min(rows, room)));
  for (Index i = 0; i < rows; ++i)
    if (const Index slot = reservoir.next(); slot >= 0) slots[static_cast<std::size_t>(slot)] = i;
  return slots;
}

template <class T>
void look(const DenseView<T>& x, Index room, Seed seed, RowSample& out) {
  for (Index i = 0; i < x.rows && !out.nonzero; ++i)
    for (Index j = 0; j < x.cols; ++j) out.nonzero |= x(i, j) != T(0);
  const std::vector<Index> rows = rows_of_sample(x.rows, room, seed);
  RowMatrix<T> sample(std::ssize(rows), x.cols);
  for (Index i = 0; i < sample.rows(); ++i)
    for (Index j = 0; j < x.cols; ++j) sample(i, j) = x(rows[static_cast<std::size_t>(i)], j);
  out.rows = x.rows;
  out.sample = Dataset(std::move(sample));
}

template <class T>
void look(const CsrView<T>& x, Index room, Seed seed, RowSample& out) {
  out.nonzero = any_nonzero(x.values, x.nonzeros());
  Csr<T> sample;
  sample.cols = x.cols;
  for (const Index row : rows_of_sample(x.rows, room, seed)) {
    sample.columns.insert(sample.columns.end(), x.columns + x.offsets[row], x.columns + x.offsets[row + 1]);
    sample.values.insert(sample.values.end(), x.values + x.offsets[row], x.values + x.offsets[row + 1]);
    sample.offsets.push_back(std::ssize(sample.values));
    ++sample.rows;
  }
  out.rows = x.rows;
  out.sample = Dataset(std::move(sample));
}

template <class T>
void look_at_stream(const Dataset& data, std::string_view who, Index room, Seed seed, const Execution& exec,
                    RowSample& out) {
  RowStream& stream = *data.stream();
  const Index cols = stream.cols(), block_rows = std::clamp<Index>((Index{8} << 20) / cols, 1, 4096);
  RowMatrix<T> block(block_rows, cols), sample(0, cols);
  Reservoir reservoir(room, seed);
  while (const Index got = stream.read(block.data(), block_rows)) {
    require_finite_rows(DenseView<T>{block.data(), got, cols, cols, 1}, out.rows, data, who);
    out.nonzero = out.nonzero || any_nonzero(block.data(), got * cols);
    for (Index i = 0; i < got; ++i) {
      const Index slot = reservoir.next();
      if (slot < 0) continue;
      if (slot >= sample.rows()) sample.conservativeResize(std::min(room, 2 * slot + 64), cols);
      sample.row(slot) = block.row(i);
    }
    out.rows += got;
    report_progress(exec, who, out.rows, stream.rows().value_or(0), "rows");
  }
  sample.conservativeResize(reservoir.size(), cols);
  out.sample = Dataset(std::move(sample));
}

double square(double x) { return x * x; }

template <class T>
double squared_distance(const DenseView<T>& x, Index a, Index b) {
  double sum = 0.0;
  for (Index j = 0; j < x.cols; ++j) sum += square(static_cast<double>(x(a, j)) - static_cast<double>(x(b, j)));
  return sum;
}

template <class T>
double squared_distance(const CsrView<T>& x, Index a, Index b) {
  double sum = 0.0;
  std::int64_t p = x.offsets[a], q = x.offsets[b];
  const std::int64_t p_end = x.offsets[a + 1], q_end = x.offsets[b + 1];
  while (p < p_end || q < q_end) {
    const std::int32_t at_p = p < p_end ? x.columns[p] : INT32_MAX, at_q = q < q_end ? x.columns[q] : INT32_MAX;
    const double first = at_p <= at_q ? static_cast<double>(x.values[p++]) : 0.0;
    const double second = at_q <= at_p ? static_cast<double>(x.values[q++]) : 0.0;
    sum += square(first - second);
  }
  return sum;
}

double squared_distance(const Dataset& x, Index a, Index b) {
  if (const auto* view = x.dense<double>()) return squared_distance(*view, a, b);
  if (const auto* view = x.dense<float>()) return squared_distance(*view, a, b);
  if (const auto* view = x.sparse<double>()) return squared_distance(*view, a, b);
  return squared_distance(*x.sparse<float>(), a, b);
}

std::vector<std::pair<Index, Index>> some_pairs(Index rows, Seed seed) {
  std::vector<std::pair<Index, Index>> pairs;
  if (rows * (rows - 1) / 2 <= most_pairs) {
    for (Index a = 0; a < rows; ++a)
      for (Index b = 0; b < a; ++b) pairs.emplace_back(a, b);
    return pairs;
  }
  const Random random(seed, pair_stream);
  for (std::uint64_t t = 0; t < static_cast<std::uint64_t>(most_pairs); ++t) {
    const auto a = static_cast<Index>(random.below(2 * t, static_cast<std::uint64_t>(rows)));
    const auto b = static_cast<Index>(random.below(2 * t + 1, static_cast<std::uint64_t>(rows - 1)));
    pairs.emplace_back(a, b + (b >= a ? 1 : 0));
  }
  return pairs;
}

}  // namespace

Index sample_rows(Index cols) { return std::clamp<Index>((Index{4} << 20) / std::max<Index>(1, cols), 64, most_rows); }

std::uint64_t sample_bytes(Index cols, Index components) {
  return static_cast<std::uint64_t>(sample_rows(cols)) * static_cast<std::uint64_t>(cols + components) * sizeof(double);
}

RowSample look_at_rows(const Dataset& data, std::string_view who, Seed seed, const Execution& exec) {
  const Index room = sample_rows(data.cols());
  RowSample out;
  if (data.is_stream()) {
    if (data.precision() == Precision::float32)
      look_at_stream<float>(data, who, room, seed, exec, out);
    else
      look_at_stream<double>(data, who, room, seed, exec, out);
  } else {
    require_finite(data, who, exec);
    if (const auto* x = data.dense<double>()) look(*x, room, seed, out);
    if (const auto* x = data.dense<float>()) look(*x, room, seed, out);
    if (const auto* x = data.sparse<double>()) look(*x, room, seed, out);
    if (const auto* x = data.sparse<float>()) look(*x, room, seed, out);
    report_progress(exec, who, out.rows, out.rows, "rows");
  }
  if (out.rows == 0) throw DataError(std::string(who) + ": the data have no rows");
  if (!out.nonzero) throw DataError(std::string(who) + ": every number is 0; there is no distance to keep");
  return out;
}

Distortion measured_distortion(const Dataset& x, const Matrix<double>& y, Seed seed) {
  Distortion out;
  double sum = 0.0;
  for (const auto& [a, b] : some_pairs(x.rows(), seed)) {
    const double before = squared_distance(x, a, b);
    if (!(before > 0.0)) continue;
    double after = 0.0;
    for (Index c = 0; c < y.cols(); ++c) after += square(y(a, c) - y(b, c));
    const double change = after / before - 1.0;
    out.least = out.pairs == 0 ? change : std::min(out.least, change);
    out.most = out.pairs == 0 ? change : std::max(out.most, change);
    sum += change;
    ++out.pairs;
  }
  if (out.pairs > 0) out.mean = sum / static_cast<double>(out.pairs);
  return out;
}

}  // namespace fewdim

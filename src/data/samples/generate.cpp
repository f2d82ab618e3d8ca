#include "fewdim/generate.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>
#include <numbers>

#include "base/blas.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "data/samples/manifolds.hpp"
#include "data/samples/rating_samples.hpp"
#include "data/samples/signals.hpp"
#include "data/samples/tables/catalog.hpp"

namespace fewdim {

namespace {

using std::numbers::pi;

// Streams of random numbers that no solver draws from, so that data made with a seed and a solver started
// with the same seed stay independent.
constexpr std::uint32_t stream_u = 0x47000000, stream_v = 0x47000001;  // where on the manifold
constexpr std::uint32_t stream_center = 0x50000000, stream_left = 0x60000000, stream_right = 0x68000000;
constexpr std::uint32_t stream_noise = 0x80000000;  // + column

constexpr Index max_cols = 0x10000000;  // what the streams leave room for

constexpr Index tile_rows = 1024;  // never depends on the thread count

void check(bool good, std::string_view parameter, Index value, std::string_view bound, std::string_view remedy) {
  if (!good) throw InvalidOption("generate", parameter, std::to_string(value), bound, remedy);
}

/// `beside`: numbers that each row takes besides its columns; a label string is four.
void check_common(const GenerateOptions& options, Index cols, Index beside = 4) {
  check(options.rows >= 1, "rows", options.rows, "must be at least 1", "ask for one row or more");
  check(cols >= 1, "cols", cols, "must be at least 1", "ask for one column or more");
  check(cols <= max_cols, "cols", cols, fmt::format("must be at most {}", max_cols), "ask for fewer columns");
  if (!(options.noise >= 0.0) || !std::isfinite(options.noise))
    throw InvalidOption("generate", "noise", fmt::format("{}", options.noise), "must be a finite number, 0 or more",
                        "0 gives no noise");
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(std::uint64_t(options.rows), std::uint64_t(cols + beside) * sizeof(double), &bytes))
    bytes = UINT64_MAX;
  require_memory(Execution{}, bytes, fmt::format("generate: a table of {}x{}", options.rows, cols),
                 "ask for fewer rows");
}

void for_each_tile(Index rows, const std::function<void(Index first, Index last)>& task) {
  parallel_for(Execution{}, (rows + tile_rows - 1) / tile_rows,
               [&](Index tile) { task(tile * tile_rows, std::min(rows, (tile + 1) * tile_rows)); });
}

void add_noise(const GenerateOptions& options, RowMatrix<double>& x, Index first, Index last) {
  if (options.noise == 0.0) return;
  for (Index c = 0; c < x.cols(); ++c) {
    const Random random(options.seed, stream_noise + static_cast<std::uint32_t>(c));
    for (Index i = first; i < last; ++i) x(i, c) += options.noise * random.normal(static_cast<std::uint64_t>(i));
  }
}

std::vector<std::string> column_names(Index cols) {
  std::vector<std::string> names;
  for (Index c = 1; c <= cols; ++c) names.push_back(fmt::format("x{}", c));
  return names;
}

// ---- surfaces and curves in space ---------------------------------------------------------------------------------

template <manifolds::Place (*place)(double u, double v)>
Dataset on_manifold(const GenerateOptions& options) {
  check_common(options, 3);
  RowMatrix<double> x(options.rows, 3);
  std::vector<std::string> labels(static_cast<std::size_t>(options.rows));
  const Random along(options.seed, stream_u), across(options.seed, stream_v);
  for_each_tile(options.rows, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      const auto counter = static_cast<std::uint64_t>(i);
      const manifolds::Place p = place(along.uniform(counter), across.uniform(counter));
      for (Index c = 0; c < 3; ++c) x(i, c) = p.at[static_cast<std::size_t>(c)];
      labels[static_cast<std::size_t>(i)] = fmt::format("{:.6g}", p.position);
    }
    add_noise(options, x, first, last);
  });
  Dataset data(std::move(x));
  data.column_names = {"x", "y", "z"};
  data.labels = std::move(labels);
  data.label_name = "position";
  return data;
}

// ---- clusters: row i belongs to cluster i mod clusters ----------------------------------------------------------

void check_clusters(const GenerateOptions& options) {
  check(options.clusters >= 1 && options.clusters <= options.rows, "clusters", options.clusters,
        fmt::format("must be between 1 and the number of rows, {}", options.rows), "lower it, or ask for more rows");
}

void label_clusters(const GenerateOptions& options, Dataset& data) {
  data.label_name = "cluster";
  data.labels.reserve(static_cast<std::size_t>(options.rows));
  for (Index i = 0; i < options.rows; ++i) data.labels.push_back(std::to_string(i % options.clusters + 1));
}

// Centers uniform in the unit cube; `noise` is the standard deviation inside a cluster, in every column.
Dataset blobs(const GenerateOptions& options) {
  check_common(options, options.cols);
  check_clusters(options);
  RowMatrix<double> x(options.rows, options.cols);
  for_each_tile(options.rows, [&](Index first, Index last) {
    for (Index c = 0; c < options.cols; ++c) {
      const Random center(options.seed, stream_center + static_cast<std::uint32_t>(c));
      for (Index i = first; i < last; ++i) x(i, c) = center.uniform(static_cast<std::uint64_t>(i % options.clusters));
    }
    add_noise(options, x, first, last);
  });
  Dataset data(std::move(x));
  data.column_names = column_names(options.cols);
  label_clusters(options, data);
  return data;
}

// Circles of radius 1, 2, 3, ... around the origin.
Dataset circles(const GenerateOptions& options) {
  check_common(options, 2);
  check_clusters(options);
  RowMatrix<double> x(options.rows, 2);
  const Random along(options.seed, stream_u);
  for_each_tile(options.rows, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      const double angle = 2.0 * pi * along.uniform(static_cast<std::uint64_t>(i));
      const double radius = static_cast<double>(i % options.clusters + 1);
      x(i, 0) = radius * std::cos(angle), x(i, 1) = radius * std::sin(angle);
    }
    add_noise(options, x, first, last);
  });
  Dataset data(std::move(x));
  data.column_names = {"x", "y"};
  label_clusters(options, data);
  return data;
}

// ---- a known spectrum ---------------------------------------------------------------------------------------------

/// Orthonormal columns that span a random subspace.
Matrix<double> orthonormal(Seed seed, std::uint32_t stream, Index rows, Index cols) {
  Matrix<double> gaussian(rows, cols);
  fill_normal<double>(seed, stream, gaussian);
  return Eigen::HouseholderQR<Matrix<double>>(gaussian).householderQ() * Matrix<double>::Identity(rows, cols);
}

// X = U S Vᵀ + noise, U and V orthonormal, s_j = √(rows·cols) · 10^(−j/(rank−1)) for j = 0 .. rank−1: entries of
// size about 1, the first singular value ten times the last.
Dataset low_rank_plus_noise(const GenerateOptions& options) {
  const Index rows = options.rows, cols = options.cols, rank = options.rank;
  check_common(options, cols, 0);
  check(rank >= 1 && rank <= std::min(rows, cols), "rank", rank,
        fmt::format("must be between 1 and {}, the smaller side of {}x{}", std::min(rows, cols), rows, cols),
        "lower it, or ask for more rows or columns");
  check_common(options, cols, 3 * rank * (2 + cols / rows));  // both factors, thrice while they are made
  Matrix<double> left = orthonormal(options.seed, stream_left, rows, rank);
  const Matrix<double> right = orthonormal(options.seed, stream_right, cols, rank);
  const double first_value = std::sqrt(static_cast<double>(rows) * static_cast<double>(cols));
  for (Index j = 0; j < rank; ++j)
    left.col(j) *= first_value * (rank == 1 ? 1.0 : std::pow(10.0, -double(j) / double(rank - 1)));

  RowMatrix<double> x(rows, cols);
  for_each_tile(rows, [&](Index first, Index last) {  // row-major X is Xᵀ = V (U S)ᵀ to BLAS
    blas::gemm(false, true, cols, last - first, rank, 1.0, right.data(), cols, left.data() + first, rows, 0.0,
               x.data() + first * cols, cols);
    add_noise(options, x, first, last);
  });
  Dataset data(std::move(x));
  data.column_names = column_names(cols);
  return data;
}

// ---- sound ------------------------------------------------------------------------------------------------------

Dataset signals(const GenerateOptions& options) {
  check_common(options, options.cols);
  RowMatrix<double> x(options.rows, options.cols);
  for_each_tile(options.rows, [&](Index first, Index last) { fill_signals(options.seed, first, last, x); });
  Dataset data(std::move(x));
  for (Index c = 1; c <= options.cols; ++c) data.column_names.push_back(fmt::format("s{}", c));
  return data;
}

Dataset mixed_signals(const GenerateOptions& options) {
  check_common(options, 2 * options.cols);
  RowMatrix<double> sources(options.rows, options.cols), x(options.rows, options.cols);
  const Matrix<double> mixing = signal_mixing(options.seed, options.cols);
  for_each_tile(options.rows, [&](Index first, Index last) {
    fill_signals(options.seed, first, last, sources);
    for (Index i = first; i < last; ++i)
      for (Index c = 0; c < x.cols(); ++c) {
        double sum = 0.0;
        for (Index s = 0; s < x.cols(); ++s) sum += sources(i, s) * mixing(s, c);
        x(i, c) = sum;
      }
    add_noise(options, x, first, last);
  });
  Dataset data(std::move(x));
  data.column_names = column_names(options.cols);
  return data;
}

Dataset ratings(const GenerateOptions& options) {
  check_common(options, 3, 0);
  check(options.cols >= 3 && options.cols <= 0x00FFFFFF, "cols", options.cols, "must be between 3 and 16,777,215 items",
        "use 1000");
  check(options.rank >= 1 && options.rank <= 500, "rank", options.rank, "must be between 1 and 500", "use 5");
  return rating_samples(options);
}

struct Generator {
  GeneratorCard card;
  Dataset (*make)(const GenerateOptions&);
};

const std::vector<Generator>& generator_catalog() {
  static const std::vector<Generator> list{
      {{"swiss-roll", "a rolled-up sheet in 3 dimensions"}, on_manifold<manifolds::swiss_roll>},
      {{"broken-swiss-roll", "the roll without the middle fifth of its length"},
       on_manifold<manifolds::broken_swiss_roll>},
      {{"holed-swiss-roll", "the roll with a hole, a third of its length and height"},
       on_manifold<manifolds::holed_swiss_roll>},
      {{"s-curve", "a sheet bent like an S"}, on_manifold<manifolds::s_curve>},
      {{"helix", "a closed curve wound around a ring"}, on_manifold<manifolds::helix>},
      {{"twin-peaks", "a surface with two peaks and two pits"}, on_manifold<manifolds::twin_peaks>},
      {{"blobs", "Gaussian clusters, noise their sd, around centers in the unit cube"}, blobs},
      {{"circles", "circles of radius 1, 2, 3, ... in the plane"}, circles},
      {{"low-rank-plus-noise", "a table of that rank, singular values falling tenfold, with noise"},
       low_rank_plus_noise},
      {{"signals", "sound, 8,000 rows a second: sines, square waves, sawtooths, bursts of noise, in turn"}, signals},
      {{"mixed-signals", "the same signals of that seed, mixed, with noise"}, mixed_signals},
      {{"ratings", "lines of user, item and rating from 1 to 5, as many as rows; the items are the columns"}, ratings},
  };
  return list;
}

}  // namespace

const std::vector<GeneratorCard>& generators() {
  static const std::vector<GeneratorCard> cards = [] {
    std::vector<GeneratorCard> list;
    for (const Generator& g : generator_catalog()) list.push_back(g.card);
    return list;
  }();
  return cards;
}

Dataset generate(std::string_view name, const GenerateOptions& options) {
  for (const Generator& g : generator_catalog()) {
    if (g.card.name != name) continue;
    Dataset data = g.make(options);
    data.source = g.card.name;
    return data;
  }
  refuse_name("generate", name, generators());
}

}  // namespace fewdim

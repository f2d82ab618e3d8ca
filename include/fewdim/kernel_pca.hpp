#pragma once

#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/kernel.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/options.hpp"
#include "fewdim/plan.hpp"

namespace fewdim {

/// What to do with a kernel that is no inner product, and so has negative eigenvalues.
enum class Indefinite {
  error,  ///< refuse it
  clip,   ///< count negative eigenvalues as zero: shares are of the positive ones
  keep    ///< leave them in the total, as the trace has them
};

/// For many rows: exact, by Nyström's approximation from a few rows, or by random Fourier features (gaussian kernel).
enum class KernelApproximation { none, nystrom, fourier };

/// The rows of Nyström's approximation: by their share of what is not yet known (RPCholesky), or all alike.
enum class KernelPivots { adaptive, uniform };

struct KernelPcaOptions {
  Components components = 2;
  KernelKind kernel = KernelKind::gaussian;
  double sigma = from_data;  ///< width of the gaussian kernel; from_data: the median distance
  double gamma = from_data;  ///< instead of sigma: 1/(2σ²); laplacian: 1/median; others: 1/columns
  double offset = 1.0;       ///< c of the polynomial and sigmoid kernels
  Index degree = 3;          ///< p of the polynomial kernel
  Index length = 3;          ///< of the spectrum kernel's substrings, in characters
  bool normalize = true;     ///< the spectrum kernel: K(s,t)/√(K(s,s)K(t,t))
  bool center = true;        ///< false: kernel SVD
  Indefinite indefinite = Indefinite::error;
  KernelApproximation approximation = KernelApproximation::none;
  Index landmarks = 0;  ///< of an approximation: rows, or Fourier features; 0: 1,000
  KernelPivots pivots = KernelPivots::adaptive;
  Preimage inverse = Preimage::none;  ///< the way back to the input space
  double ridge = 1e-3;                ///< of the ridge: how much smoothness counts, as a share
  double tolerance = 0.0;             ///< 0: 1e-10, or 1e-5 for float32
  Seed seed = 0;
  bool embedding = true;  ///< keep the scores of the training rows in the model
};

/// Kernel principal components (Schölkopf, Smola & Müller 1998) of rows, of objects known by a kernel matrix alone, or
/// of strings (KernelKind::spectrum).
FEWDIM_API Model fit_kernel_pca(const Dataset& data, const KernelPcaOptions& options = {}, const Execution& exec = {});

FEWDIM_API Plan plan_kernel_pca(const DataShape& shape, const KernelPcaOptions& options, const Execution& exec = {});

/// The kernel of object i and object j, counted from 0. Called from many threads at once unless exec.threads is 1.
using PairKernel = std::function<double(Index i, Index j)>;

/// Kernel PCA of `count` objects of any kind; options.kernel and its parameters are not used. Every pair is computed
/// once where the N×N values fit the memory limit, and anew for every product where they don't. The model takes a new
/// object as its N kernel values, as kernel_values() gives them. Throws DataError, naming the pair, where a value is
/// not finite, or where k(i,j) and k(j,i) differ in a sample of pairs.
FEWDIM_API Model fit_kernel_pca_of(Index count, const PairKernel& k, const KernelPcaOptions& options = {},
                                   const Execution& exec = {});

/// M×N: k(i, j) of new object i and training object j.
FEWDIM_API Matrix<double> kernel_values_of(Index new_count, Index count, const PairKernel& k,
                                           const Execution& exec = {});

/// Objects in a row (a vector, a span, an array), and a callable that compares two of them.
template <class Objects, class Compare>
concept KernelOfObjects = std::ranges::random_access_range<const Objects> && std::ranges::sized_range<const Objects> &&
    std::is_invocable_r_v<double, Compare&, std::ranges::range_reference_t<const Objects>,
                          std::ranges::range_reference_t<const Objects>>;

/// Kernel PCA of any objects: `double k(const Object&, const Object&)` is all that is asked of them. It must be
/// symmetric, and callable from many threads at once; with exec.threads = 1 it is called from one.
template <class Objects, class Compare>
requires KernelOfObjects<Objects, Compare> Model fit_kernel_pca(const Objects& objects, Compare&& k,
                                                                const KernelPcaOptions& options = {},
                                                                const Execution& exec = {}) {
  const auto first = std::ranges::begin(objects);
  return fit_kernel_pca_of(
      static_cast<Index>(std::ranges::size(objects)),
      [&](Index i, Index j) { return static_cast<double>(k(first[i], first[j])); }, options, exec);
}

/// The kernel values of new objects with those of the fit: model.transform(kernel_values(fresh, objects, k)) places
/// them.
template <class Fresh, class Objects, class Compare>
requires KernelOfObjects<Objects, Compare> && KernelOfObjects<Fresh, Compare> Matrix<double> kernel_values(
    const Fresh& fresh, const Objects& objects, Compare&& k, const Execution& exec = {}) {
  const auto rows = std::ranges::begin(fresh);
  const auto cols = std::ranges::begin(objects);
  return kernel_values_of(
      static_cast<Index>(std::ranges::size(fresh)), static_cast<Index>(std::ranges::size(objects)),
      [&](Index i, Index j) { return static_cast<double>(k(rows[i], cols[j])); }, exec);
}

FEWDIM_API const MethodCard& kernel_pca_card();

}  // namespace fewdim

#pragma once

#include "features/metric.hpp"
#include "fewdim/kernel.hpp"

namespace fewdim {

template <>
struct EnumNames<KernelKind> {
  static constexpr std::array names{std::pair{KernelKind::linear, "linear"},
                                    std::pair{KernelKind::polynomial, "polynomial"},
                                    std::pair{KernelKind::gaussian, "gaussian"},
                                    std::pair{KernelKind::laplacian, "laplacian"},
                                    std::pair{KernelKind::sigmoid, "sigmoid"},
                                    std::pair{KernelKind::cosine, "cosine"},
                                    std::pair{KernelKind::chi2, "chi2"},
                                    std::pair{KernelKind::spectrum, "spectrum"},
                                    std::pair{KernelKind::precomputed, "precomputed"}};
};

/// A kernel between rows, with its parameters set.
struct Kernel {
  KernelKind kind = KernelKind::gaussian;
  double gamma = 1.0;
  double offset = 0.0;  ///< c
  Index degree = 3;     ///< p
};

/// The metric whose packed rows the kernel works on.
Metric kernel_metric(KernelKind kind);

/// The center that rows are packed about: the gaussian kernel's, where it changes nothing but rounding; else empty.
Vector<double> kernel_center(const Dataset& data, const Kernel& kernel, const Execution& exec);

/// pack_rows() for a kernel; chi2 refuses negative numbers.
template <class C>
MetricRows<C> pack_rows(const Dataset& data, const Kernel& kernel, const Vector<double>& center, std::string_view who,
                        const Execution& exec);

/// out[i·n + j] = k(row first_a + i of a, row first_b + j of b), on this thread.
template <class C>
void kernel_tile(const Kernel& kernel, const MetricRows<C>& a, Index first_a, Index m, const MetricRows<C>& b,
                 Index first_b, Index n, C* out);

/// k(row, row), exactly where it is 1 by definition.
template <class C>
double kernel_diagonal(const Kernel& kernel, const MetricRows<C>& rows, Index i);

/// The median heuristic: the median distance between rows (euclidean for the gaussian kernel, manhattan for the
/// laplacian), over all pairs of at most 1,000 rows drawn by seed. Throws DataError when more than half of them are 0.
template <class C>
double median_distance(const MetricRows<C>& rows, Seed seed, std::string_view who, const Execution& exec);
/// The same of two rows or more, 0 when more than half of the distances are.
template <class C>
double median_distance(const MetricRows<C>& rows, Seed seed, const Execution& exec);

}  // namespace fewdim

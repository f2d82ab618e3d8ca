#pragma once

#include "fewdim/choose_k.hpp"
#include "quality/choice/spectrum.hpp"

/// Criteria that need nothing but the whole spectrum. Each gives k, or -1, and a sentence.
namespace fewdim {

/// log p(data | k) for k = 0 .. d-1 up to one constant, by Laplace's method (Minka 2000).
/// `values` holds the d positive eigenvalues, descending; `observations` is the paper's N.
Vector<double> minka_log_evidence(const Vector<double>& values, Index observations);
KAdvice minka_advice(const SampleSpectrum& spectrum);  // minka.cpp

/// λ*(β): the optimal hard threshold for singular values in units of σ√max(m, n), β = min/max of the sides, noise of
/// known deviation σ (Gavish & Donoho 2014).
double hard_threshold(double beta);
/// The median of the Marchenko-Pastur law with ratio β in (0, 1] and variance 1.
double marchenko_pastur_median(double beta);
/// ω(β) = λ*(β)/√μ_β: the threshold in units of the median singular value, noise unknown.
double hard_threshold_to_median(double beta);
/// Singular values to keep of an m×n matrix whose entries carry independent noise of unknown level; needs all min(m, n)
/// of them, zeros included. -1: half are zero.
Index denoising_rank(const Vector<double>& singular_values, Index rows, Index cols);
KAdvice gavish_donoho_advice(const SampleSpectrum& spectrum);  // gavish_donoho.cpp

KAdvice broken_stick_advice(const SampleSpectrum& spectrum);  // scree.cpp
KAdvice kaiser_advice(const SampleSpectrum& spectrum);        // scree.cpp
/// The split of a descending scree into a head and a tail that leaves the least variance inside the two; it maximizes
/// the profile likelihood of Zhu & Ghodsi (2006). Returns the size of the head, 1 .. n-1.
Index elbow_of(const Vector<double>& values);
KAdvice elbow_advice(const SampleSpectrum& spectrum);  // scree.cpp

}  // namespace fewdim

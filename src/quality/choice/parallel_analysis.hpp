#pragma once

#include "fewdim/choose_k.hpp"
#include "quality/choice/second_moments.hpp"

namespace fewdim {

/// Replicates of permutation that fit 5·10¹⁰ multiply-adds and 2²⁵ numbers of scratch: 99, 19 or 0. Both 99 and 19 make
/// the 95th percentile an exact rank: (1 + replicates at or above) / (1 + replicates) <= 0.05.
Index affordable_permutations(Index rows, Index cols, const Execution& exec);

/// Horn's parallel analysis (1965), sequential: components are kept until the first that does not exceed the 95th
/// percentile of its rank among spectra without structure. These come, in this order, from
///  - permutations of each column by itself (Buja & Eyuboglu 1992), or random sign flips when the data are not centered
///  (Hong,
///    Sheng & Dobriban 2020), where affordable_permutations() allows;
///  - for scaled columns, the exact law for independent normals (NoiseSpectrum);
///  - otherwise the upper edge for independent columns of these variances (noise_edge), one threshold for all ranks.
/// `spectrum` may hold leading eigenvalues only.
KAdvice parallel_advice(const Dataset& data, const SecondMoments& moments, const SampleSpectrum& spectrum, Seed seed,
                        const Execution& exec);

/// The eigenvalues of one shuffled copy, descending; `replicate` counts from 0.
Vector<double> shuffled_spectrum(const Dataset& data, const SecondMoments& moments, Seed seed, Index replicate);

}  // namespace fewdim

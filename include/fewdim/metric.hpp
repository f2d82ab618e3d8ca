#pragma once

namespace fewdim {

/// How far two rows are from each other: euclidean ‖x−y‖, cosine 1 − cos∠(x,y), correlation 1 − r(x,y), manhattan
/// Σ|x_j−y_j|, chebyshev max|x_j−y_j|, hamming the share of columns in which they differ; precomputed: the data are the
/// distances; automatic: precomputed where the data look like distances, else euclidean.
enum class Metric { euclidean, cosine, correlation, manhattan, chebyshev, hamming, precomputed, automatic };

}  // namespace fewdim

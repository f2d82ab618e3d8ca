#pragma once

namespace fewdim {

/// How the components are computed. `automatic` weighs shape, sparsity, k and memory, and records why.
enum class PcaRoute { automatic, covariance, gram, svd, krylov, power };
/// `high` computes float32 input with float64 products.
enum class Accuracy { standard, high };

}  // namespace fewdim

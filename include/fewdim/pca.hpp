#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/options.hpp"
#include "fewdim/statistics.hpp"

namespace fewdim {

/// How the components are computed. `automatic` weighs shape, sparsity, k and memory, and records why.
enum class PcaRoute { automatic, covariance, gram, svd, krylov, power };
/// `high` computes float32 input with float64 products.
enum class Accuracy { standard, high };

struct PcaOptions {
  Components components = 2;               ///< a number, a share of variance, or a criterion
  bool scale = false;                      ///< divide each column by its standard deviation (correlation PCA)
  bool whiten = false;                     ///< scores with unit variance
  int ddof = 1;                            ///< normalizer N − ddof
  PcaRoute route = PcaRoute::automatic;
  Accuracy accuracy = Accuracy::standard;
  double tolerance = 0.0;                  ///< of the residuals, relative to the largest eigenvalue; 0: 1e-9 (float64), 1e-5 (float32)
  Seed seed = 0;
  bool embedding = false;                  ///< keep the training scores in the model
  Vector<double> weights{};                ///< per row; empty: ones
};

FEWDIM_API Model fit_pca(const Dataset& data, const PcaOptions& options = {}, const Execution& exec = {});
FEWDIM_API Plan plan_pca(const DataShape& shape, const PcaOptions& options = {}, const Execution& exec = {});
FEWDIM_API const MethodCard& pca_card();

/// PCA of rows that come in parts. Parts merge exactly: the order of arrival changes nothing but rounding.
class FEWDIM_API PcaAccumulator {
 public:
  PcaAccumulator();
  PcaAccumulator(PcaAccumulator&&) noexcept;
  PcaAccumulator& operator=(PcaAccumulator&&) noexcept;
  ~PcaAccumulator();

  void partial_fit(const Dataset& rows, const Execution& exec = {});
  void merge(const PcaAccumulator& other);
  Index rows() const;
  Model finish(const PcaOptions& options = {}, const Execution& exec = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fewdim

#pragma once

#include "fewdim/model.hpp"
#include "fewdim/plan.hpp"
#include "operators/symmetric_tiles.hpp"
#include "solvers/eigen/symmetric.hpp"

/// The step that kernel PCA, classical MDS and Isomap share: eigenpairs of a (doubly centered) matrix of similarities
/// K, and from them coordinates and what places new objects.
namespace fewdim {

struct GramEmbedding {
  SymmetricPairs pairs;
  double total = 0.0;      ///< the trace of the centered K
  Vector<double> means;    ///< Σ_j w_j K_ij; empty: not centered
  double mean = 0.0;       ///< Σ_i w_i means_i
  Vector<double> weights;  ///< w, summing to 1; empty: 1/N each
};

/// The default tolerance: float32 entries are not known better than this.
inline double gram_tolerance(Precision precision) { return precision == Precision::float32 ? 1e-5 : 1e-10; }

/// Whether the tiles of the N×N matrix of similarities are kept or computed anew, in the precision of the shape.
/// `given`: the matrix is the data, and nothing is kept. Throws OverMemory when not even the solver fits.
Plan plan_tiles(const DataShape& shape, const Components& components, bool given, std::string_view who,
                const Execution& exec);

/// The reasons of the solver, then those of the plan.
void explain(Certificate& certificate, const std::vector<Reason>& why);

/// `factor` times K is what counts: 1 for a kernel, −½ for squared distances. `diagonal` is K's. Fills in the problem's
/// total and limit.
template <class S>
GramEmbedding embed_gram(const SymmetricTiles<S>& k, double factor, const Vector<double>& diagonal, bool center,
                         const Vector<double>& weights, SymmetricProblem problem, const Execution& exec);

/// The coordinates of the training objects where all have the same weight, N×k: u √λ.
Matrix<double> coordinates_of(const GramEmbedding& embedding);

/// Sets what places new objects: coefficients W^½ u/√λ, means and weights; the spectrum λ/divisor,
/// and all eigenvalues λ where they are known.
void fill_shape(KernelModel& shape, GramEmbedding& embedding, double divisor);

/// The common part of a model's head. The certificate is moved out of the embedding.
Model::Head gram_head(std::string method, const Dataset& data, GramEmbedding& embedding, OptionMap options, Seed seed,
                      const std::string& component_prefix);

}  // namespace fewdim

#pragma once

#include <functional>
#include <utility>

#include "fewdim/completion.hpp"
#include "solvers/ratings/soft_impute.hpp"
#include "solvers/ratings/table.hpp"

/// The three kinds of completion as one: x_uj ≈ mean_j + map_j · y_u.
namespace fewdim {

struct CompletionFactors {
  Vector<double> mean{};    ///< empty: 0
  Matrix<double> map{};     ///< items×K
  Matrix<double> places{};  ///< K×users: y_u, one column a user
  RowFit row_fit = RowFit::observed;
  RowRegression regression{};
  Vector<double> singular_values{};  ///< of soft_impute
  std::vector<double> objectives{};
  double lambda = 0.0, gradient = 0.0;
  Index iterations = 0;
  bool converged = false;
};

/// `rank` factors at this ridge. Of soft_impute, those that the threshold leaves, and at least one.
CompletionFactors fit_factors(const RatingsTable& table, const CompletionOptions& options, Index rank, double ridge,
                              const Execution& exec);

/// Fits at falling λ, each from the one before, and hands each to `use` until that returns false.
void soft_impute_path(const RatingsTable& table, const CompletionOptions& options, Index rank,
                      const std::vector<double>& ridges, const Execution& exec,
                      const std::function<bool(const CompletionFactors&)>& use);

/// What the model says of an entry, within the range of the entries it was fitted on.
double predicted(const CompletionFactors& factors, Index user, Index item, double lowest, double highest);

/// Factors and ridge, with what is automatic chosen on entries held out.
struct CompletionChoice {
  Index rank = 0;
  double ridge = 0.0;
  std::vector<CompletionTrial> trials{};
};
CompletionChoice choose_completion(const RatingsTable& table, const CompletionOptions& options, const Execution& exec);

/// Entries with a uniform number below `share` go to the second. By their order and the seed alone.
std::pair<Csr<double>, Csr<double>> hold_out(const Csr<double>& entries, double share, Seed seed);

}  // namespace fewdim

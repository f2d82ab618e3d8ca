#pragma once

#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/plan.hpp"

namespace fewdim {

/// What the entries of a table that are there say of those that are not.
enum class CompletionKind {
  biased,  ///< x_uj ≈ μ + b_u + c_j + p_u·q_j: effects of user and item, and k factors
  soft_impute,  ///< the matrix of least ½ Σ (x − m)² + λ‖M‖_*, of rank k at most (Mazumder, Hastie & Tibshirani 2010)
  implicit  ///< counts: that there is one says 1, with a weight; all others say 0 (Hu, Koren & Volinsky 2008)
};

struct CompletionOptions {
  CompletionKind kind = CompletionKind::biased;
  Components components = 20;  ///< factors, or "auto": chosen on entries held out
  /// How much large factors cost, times the standard deviation of the entries (biased), the λ at which nothing is left
  /// (soft_impute), or as it is (implicit). from_data: chosen on entries held out, or 0.12 where there are few.
  double ridge = from_data;
  double effect_ridge = 0.05;  ///< biased: the same for the effects
  bool ridge_by_count = true;  ///< both times the number of entries of the user or the item; not for soft_impute
  double confidence = 40.0;    ///< implicit: a count x weighs 1 + confidence·x
  bool center = true;          ///< soft_impute: take each column's mean off first
  double held_out = 0.1;       ///< share of the entries that choices are judged by
  double tolerance = 2e-3;     ///< largest gradient, over the lengths of what is left to fit and of the factors
  Index iterations = 1000;
  Seed seed = 0;
  bool embedding = true;  ///< keep the users' coordinates and what they have rated
};

/// One choice that was tried on entries held out.
struct CompletionTrial {
  Index components = 0;
  double ridge = 0.0;
  double error = 0.0;  ///< root mean squared; of implicit models the mean percentile of what was held out, 0 the best
};

/// Users are rows, items are columns; entries that are NaN, or not stored in sparse rows, are missing. The model is
/// linear: its map holds the items' factors, and a row's coordinates are the user's, by least squares over the entries
/// that it has. `trials`: what was tried where components or ridge is automatic.
FEWDIM_API Model fit_completion(const Dataset& data, const CompletionOptions& options = {}, const Execution& exec = {},
                                std::vector<CompletionTrial>* trials = nullptr);
FEWDIM_API Plan plan_completion(const DataShape& shape, const CompletionOptions& options, const Execution& exec = {});
FEWDIM_API const MethodCard& completion_card();

/// The options of a map, and back, as fit() takes them.
FEWDIM_API CompletionOptions completion_options(const OptionMap& map);

}  // namespace fewdim

#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/model.hpp"

/// What a linear model with a noise can tell of rows (ppca, factor-analysis, and pca fitted to rows with missing
/// values): there (x − mean)/scale = loadings z + e, z ~ N(0, I), e ~ N(0, diag(noise)). Other models throw
/// Unsupported.
namespace fewdim {

/// Rows whose missing values (NaN) were filled in.
struct Filled {
  Dataset rows;           ///< what was there as it was; a missing value is its expectation given the others of its row
  Matrix<double> errors;  ///< N×D: the standard error of each filled value; 0 where it was there
  Index missing = 0;      ///< values that were filled in
  Index empty_rows = 0;   ///< rows that had no value: they are the mean now
};
FEWDIM_API Filled fill_missing(const Model& model, const Dataset& rows, const Execution& exec = {});

/// log p of the observed values of each row.
FEWDIM_API Vector<double> log_likelihoods(const Model& model, const Dataset& rows, const Execution& exec = {});

/// Posterior of the components z of each row: their means are Model::transform's; these are their standard deviations
/// (N×k), which are the same for all rows without missing values. For models whose components are z (ppca,
/// factor-analysis by regression).
FEWDIM_API Matrix<double> posterior_deviations(const Model& model, const Dataset& rows, const Execution& exec = {});

/// Rows drawn from the model.
FEWDIM_API Dataset sample(const Model& model, Index rows, Seed seed = 0, const Execution& exec = {});

}  // namespace fewdim

#pragma once

#include "fewdim/contrast.hpp"
#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/options.hpp"

namespace fewdim {

struct IcaOptions {
  Components components = Components::all;  ///< a number, a share of variance, a criterion, or all
  IcaAlgorithm algorithm = IcaAlgorithm::automatic;
  IcaContrast contrast = IcaContrast::logcosh;
  bool scale = false;      ///< divide each column by its standard deviation before whitening
  Index iterations = 500;  ///< at most; of deflation for each component
  double tolerance = 0.0;  ///< largest relative gradient allowed; 0: 1e-7 (float64), 1e-5 (float32)
  Seed seed = 0;           ///< of the first rotation
  bool embedding = false;  ///< keep the sources of the training rows in the model
};

/// x = mean + A y with sources y that are as independent as can be: PCA to k white columns, then the rotation of them
/// that the algorithm finds. Sources have unit variance, come in the order of the variance they explain, ‖a_i‖², and
/// the entry of largest magnitude of a_i is positive. Throws NotConverged.
FEWDIM_API Model fit_ica(const Dataset& data, const IcaOptions& options = {}, const Execution& exec = {});
FEWDIM_API Plan plan_ica(const DataShape& shape, const IcaOptions& options = {}, const Execution& exec = {});
FEWDIM_API const MethodCard& ica_card();

/// How far the gain G = (found unmixing)·(true mixing), k×k, is from a scaled permutation: 0 where it is one, 1 where
/// all entries are equal (Amari, Cichocki & Yang 1996).
FEWDIM_API double amari_index(const Matrix<double>& gain);
/// min ‖C G − I‖_F/√(k−1) over scaled permutations C, in 0..1 (Ilmonen, Nordhausen, Oja & Ollila 2010). 0 for k = 1.
FEWDIM_API double minimum_distance_index(const Matrix<double>& gain);
/// The gain of found sources in terms of true ones, both N×k, by least squares: rows of the result are found sources.
FEWDIM_API Matrix<double> source_gain(const Matrix<double>& found, const Matrix<double>& truth);

}  // namespace fewdim

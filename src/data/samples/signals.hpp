#pragma once

#include "fewdim/generate.hpp"

namespace fewdim {

/// Waves of a given pitch and bursts of noise, within ±1: row i is the moment i/8000 s. Column c is a sine, a square
/// wave, a sawtooth or bursts of Laplacian noise, in turn.
void fill_signals(Seed seed, Index first, Index last, RowMatrix<double>& out);

/// How `cols` signals are mixed: each mixture is a sum whose weights' sizes add up to 1.
Matrix<double> signal_mixing(Seed seed, Index cols);

}  // namespace fewdim

#pragma once

#include "fewdim/pca.hpp"

namespace fewdim {

/// verify() for kernel PCA and classical MDS: eigenpairs against all similarities, computed anew, and the mean of each
/// object's. The total is not checked: it may be of the positive eigenvalues alone.
Verification verify_similarities(const Model& model, const Dataset& data, const Execution& exec);

/// verify() for the lowest eigenvectors of matrices of neighbors: the matrix made anew as the fit makes it, residuals
/// of the vectors that the coordinates stand for, and a count of the eigenvalues below the last.
Verification verify_lowest(const Model& model, const Dataset& data, const Execution& exec);

}  // namespace fewdim

#pragma once

#include <functional>

#include "fewdim/pca.hpp"
#include "methods/shared/lowest_embedding.hpp"

/// The ways in which verify() holds a model against its data; the card of a method names one.
namespace fewdim {

/// Eigenvectors against the data: PCA and the SVD.
Verification verify_decomposition(const Model& model, const Dataset& data, const Execution& exec);

/// The same with variances that have the divisor N: probabilistic PCA.
Verification verify_likelihood(const Model& model, const Dataset& data, const Execution& exec);

/// An index of documents, against the counts that it holds: it takes no data.
Verification verify_counts(const Model& model, const Dataset& data, const Execution& exec);

/// Kernel PCA and classical MDS: eigenpairs against all similarities, computed anew, and the mean of each object's. The
/// total is not checked: it may be of the positive eigenvalues alone.
Verification verify_similarities(const Model& model, const Dataset& data, const Execution& exec);

/// Makes the matrix of a model anew, as the fit made it.
using ProblemOf = std::function<LowestProblem(const Model&, const Dataset&, const Execution&)>;

/// The lowest eigenvectors of matrices of neighbors: residuals of the vectors that the coordinates stand for, and a
/// count of the eigenvalues below the last.
Verification verify_lowest(const Model& model, const Dataset& data, const ProblemOf& problem_of, const Execution& exec);

}  // namespace fewdim

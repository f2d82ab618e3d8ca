#pragma once

#include <string>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/pca.hpp"
#include "fewdim/plot.hpp"
#include "fewdim/quality.hpp"

/// What a front shows and writes of a model: scores, tables with names, the verdict on a certificate, the quality of a
/// map. Pictures: fewdim/pictures.hpp.
namespace fewdim {

// Scores.

/// Are these the data that the model was fitted on? By their hash, or their name where they have none.
FEWDIM_API bool fitted_on(const Model& model, const Dataset& data);
/// The coordinates of the training rows, with the names and labels of the data: where the fit has kept them, they need
/// no second pass.
FEWDIM_API Dataset training_scores(const Model& model, const Dataset& data, const Execution& exec = {});
/// The same from the model alone, whose rows have numbers for names where some were left out; empty where it keeps
/// none.
FEWDIM_API Dataset kept_scores(const Model& model);
/// The coordinates of any rows: training_scores() of those that the model was fitted on.
FEWDIM_API Dataset scores_of(const Model& model, const Dataset& data, const Execution& exec = {});
/// The entries of a list that belong to rows the model was fitted on.
FEWDIM_API std::vector<std::string> fitted_of(const std::vector<std::string>& list, const Model& model);

/// Scores of a stream's rows as they come, or back: a stream, too. The model has to outlive it.
FEWDIM_API Dataset streamed_transform(const Model& model, const Dataset& data, const Execution& exec = {});
FEWDIM_API Dataset streamed_inverse(const Model& model, const Dataset& coordinates, const Execution& exec = {});

// Tables, with the names of rows and columns. They throw Unsupported where the model has no such thing.

/// One row a component: singular value or eigenvalue, variance, shares, residual; and of all eigenvalues where they are
/// known.
FEWDIM_API Dataset spectrum_table(const Model& model);
/// D×k, one row a feature.
FEWDIM_API Dataset directions_table(const Model& model);
/// D×k; of factors the uniqueness of each feature beside them.
FEWDIM_API Dataset loadings_table(const Model& model);
/// N×k: scores over singular values.
FEWDIM_API Dataset left_table(const Model& model, const Dataset& scores);
/// One row a row: T², SPE, and per component contributions and cos².
FEWDIM_API Dataset row_statistics_table(const Model& model, const Dataset& data, const Execution& exec = {});
/// T² and SPE, and for each confidence level whether the row is beyond the model's limits (1) or not (0).
FEWDIM_API Dataset distance_table(const Model& model, const Dataset& data, const Execution& exec = {});
/// One row a feature: per component loading, contribution, correlation and cos².
FEWDIM_API Dataset column_statistics_table(const Model& model);

/// Does a result have a row for each row of the data? Then result_table() takes them.
FEWDIM_API bool is_by_row(ResultKind kind);
/// Any of them. Where `data` are empty, scores and what is made of them are of the rows that the model keeps.
FEWDIM_API Dataset result_table(const Model& model, ResultKind kind, const Dataset& data = {},
                                const Execution& exec = {});

// Verification.

/// One figure of a certificate, recomputed, and its bound.
struct Check {
  std::string name{};
  double found = 0.0, allowed = 0.0;
  std::string meaning{};
  bool whole = false;  ///< a count

  bool holds() const { return found <= allowed; }  // NaN does not
};

struct Judgement {
  std::vector<Check> checks{};
  Verification found{};
  bool same_input = false;              ///< known to be what the model was fitted on
  std::vector<std::string> warnings{};  ///< of the data, and of the certificate

  FEWDIM_API bool holds() const;
};

/// Throws Unsupported where no data could verify the model, with what to do instead.
FEWDIM_API void require_verifiable(const Model& model);
/// Recomputes the certificate from the data and holds each figure against its bound. `tolerance`: of residuals; 0: what
/// the certificate claims of each. A model of documents is judged by the counts that it holds, without data.
FEWDIM_API Judgement judge(const Model& model, const Dataset& data, double tolerance = 0.0, const Execution& exec = {});
/// As a JSON document.
FEWDIM_API std::string judgement_json(const Model& model, const Dataset& data, const Judgement& judgement);

// Quality of a map.

/// Where no metric is asked for: of a model made from distances theirs, as they are what it should keep.
FEWDIM_API QualityOptions quality_options_for(const Model& model, QualityOptions options = {});
/// Of what the model makes of the data.
FEWDIM_API QualityReport model_quality(const Model& model, const Dataset& data, const QualityOptions& options = {},
                                       const Execution& exec = {});
/// What a measure says, and which end is good: "1: the 10 nearest in the embedding are near in the data". Also of
/// procrustes_disparity and procrustes_rms.
FEWDIM_API std::string meaning_of_measure(const std::string& name, Index neighbors);
/// The curve: K, share of neighbors kept, R_NX, its standard error.
FEWDIM_API Dataset quality_curve_table(const QualityReport& report);
/// R_NX over log K with a band of two standard errors; `name` of the embedding, for the title.
FEWDIM_API CurvePlot quality_picture(const QualityReport& report, const std::string& name);
/// JSON documents.
FEWDIM_API std::string quality_json(const QualityReport& report);
FEWDIM_API std::string procrustes_json(const Procrustes& fit);

}  // namespace fewdim

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/enum_set.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/model.hpp"
#include "fewdim/options.hpp"
#include "fewdim/plan.hpp"

namespace fewdim {

class DocumentSource;
struct Verification;

/// The question that a method answers; the methods are listed by it.
enum class Task { linear, curved, distances, neighborhoods, parts, signals, random, text, ratings };

/// What a method can be fitted to.
enum class DataKind {
  rows,       ///< a table of numbers
  distances,  ///< between all pairs of objects
  graph,      ///< links between objects
  kernel,     ///< similarities of all pairs of objects
  lines,      ///< lines of text, compared as strings
  documents,  ///< texts, by their words
  ratings,    ///< lines of user, item and value
  images      ///< images of one size, as `fewdim faces` reads them
};

/// What can be had from a fit, beside the model itself.
enum class ResultKind {
  scores,             ///< coordinates of the rows
  spectrum,           ///< eigenvalues or variances of the components
  directions,         ///< one vector of the input space a component; of the SVD the right singular vectors
  left_vectors,       ///< left singular vectors
  loadings,           ///< directions times the square root of their variance, or those of the factors
  uniquenesses,       ///< beside the loadings, the variance of each feature's own noise
  row_statistics,     ///< T², SPE, contributions and cos² of rows
  column_statistics,  ///< contributions, correlations and cos² of columns
  approximation       ///< the data as the components give them back
};

/// As `fewdim plot --kind` names them.
enum class PictureKind { scatter, density, pairs, scree, cumulative, biplot, circle, shepard, residual };

/// What verify() holds a model against.
enum class VerifiedBy {
  nothing,        ///< a model keeps too little; MethodCard::unverified says what to do instead
  decomposition,  ///< the data: residuals of the eigenvectors of their moments or products
  likelihood,     ///< the same with variances of largest likelihood, with the divisor N
  counts,         ///< the counts of words that the model itself keeps
  similarities,   ///< similarities of all pairs of objects, computed anew
  lowest          ///< the matrix of neighbors, built anew, and a count of the eigenvalues below the last
};

/// on_request: where an option asks for it.
enum class Support { no, on_request, yes };

struct MethodInput {
  EnumSet<DataKind> kinds{DataKind::rows};
  bool sparse = false;            ///< without making it dense
  bool stream = false;            ///< data larger than memory
  Support missing = Support::no;  ///< values that are NaN
  bool weights = false;           ///< of rows
  bool nonnegative = false;       ///< refuses numbers below 0
};

struct MethodOutput {
  Extension extension = Extension::exact;  ///< how new points are placed
  Support inverse = Support::no;           ///< from coordinates back to the input space
  EnumSet<ResultKind> results{ResultKind::scores};
  EnumSet<PictureKind> pictures{PictureKind::scatter, PictureKind::density, PictureKind::pairs};
  bool keeps_distances = false;  ///< a unit of the map is a unit of the distances that it was made from
  bool squares = false;          ///< nothing is centered: variances are sums of squares
};

/// A command line, and what it does.
struct MethodExample {
  std::string command;
  std::string what;
};

/// The single declaration of a method: every front end is made from it.
struct MethodCard {
  std::string name{};      ///< "pca"
  std::string title{};     ///< one line
  std::string citation{};  ///< the paper
  Task task = Task::linear;
  std::string use_when{};  ///< one sentence: "Use it when ..."
  std::vector<OptionField> fields{};
  MethodInput takes{};
  MethodOutput gives{};
  VerifiedBy verified_by = VerifiedBy::nothing;
  std::string unverified{};    ///< where it is nothing: why, and what to do instead; see spoken()
  std::string python_class{};  ///< of the Python package
  std::string page{};          ///< of the documentation: "docs/methods/pca.md"
  std::vector<MethodExample> examples{};
  Model (*fit)(const Dataset&, const OptionMap&, const Execution&) = nullptr;
  Plan (*plan)(const DataShape&, const OptionMap&, const Execution&) = nullptr;
  /// Whether the data are lines of text under these options, to be read by read_lines(); null: never.
  bool (*takes_text)(const OptionMap&) = nullptr;
  /// Of methods that take documents: a fit to them as they come, and the shape of the matrix that it would decompose.
  Model (*fit_documents)(DocumentSource&, const OptionMap&, const Execution&) = nullptr;
  DataShape (*shape_of_documents)(DocumentSource&, const OptionMap&, const Execution&) = nullptr;
  /// What verify() does with a model of this method; null where it is verified by nothing.
  Verification (*verify)(const Model&, const Dataset&, const Execution&) = nullptr;
};

/// Every method there is, in the order of the documentation.
FEWDIM_API const std::vector<MethodCard>& methods();
/// The card of that name; throws InvalidOption with the nearest name.
FEWDIM_API const MethodCard& method(std::string_view name);
/// The same; null where there is none, as of a model file that a newer version wrote.
FEWDIM_API const MethodCard* find_method(std::string_view name);

/// The names that all front ends use.
FEWDIM_API std::string word_of(Task task);            ///< "linear directions"
FEWDIM_API std::string word_of(DataKind kind);        ///< "rows"
FEWDIM_API std::string word_of(ResultKind kind);      ///< "scores"
FEWDIM_API std::string word_of(PictureKind kind);     ///< "scatter"
FEWDIM_API std::string word_of(VerifiedBy way);       ///< "decomposition"
FEWDIM_API std::string word_of(Support support);      ///< "on request"
FEWDIM_API std::string word_of(Extension extension);  ///< "exact"

}  // namespace fewdim

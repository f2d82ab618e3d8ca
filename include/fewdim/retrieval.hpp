#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/types.hpp"

/// How good rankings of documents are, by judgments of people: the measures of the textbooks (Manning et al. 2008, 8.4)
/// as trec_eval computes them.
namespace fewdim {

struct Judgment {
  std::string document;
  double grade = 1.0;  ///< above 0: relevant
};

struct JudgedQuery {
  std::string query;
  std::vector<Judgment> documents;
};

struct Judgments {
  std::vector<JudgedQuery> queries;  ///< in the order of the file
  Index relevant() const;            ///< judgments with a grade above 0
};

/// Judgments in one of the forms that the test collections have, found by the columns:
///   query iteration document grade   TREC (MED.REL)
///   query document 0 0.000000        SMART (ADI, CISI, CACM): whatever is listed is relevant, unless a 1 in the third
///                                    column tells which
///   query document [grade]           CRAN: its grades go from 1, the best, to 4; what is above 0 counts as relevant,
///                                    and for nDCG as its grade. A line of names may stand before.
///   query document document ...      TIME, a line a query; NPL, each query closed by "/"
/// Of two judgments for one pair the last counts. Throws DataError "file:line: ...".
FEWDIM_API Judgments read_judgments(const std::string& path, const Execution& exec = {});

/// What a judged number of a document or query means.
enum class JudgedBy {
  automatic,  ///< found by looking, see match_judgments()
  id,         ///< the id
  position    ///< its place in the collection, from 1
};

/// Judgments in the ids of a collection and its queries.
struct MatchedJudgments {
  Judgments judgments;
  bool queries_by_position = false;    ///< CRAN: judgments count the queries instead of naming them
  bool documents_by_position = false;  ///< TIME: and the documents
  Index unknown_queries = 0;           ///< judged, and not among the queries: left out
  Index unknown_documents = 0;         ///< judged, and not in the collection: they stay, as never found
};

/// Judgments name documents and queries by their ids; numbers are the same with and without leading zeros. Where a
/// tenth or more of the judged ids are unknown, and all of them but for a few are numbers from 1 to the count there is,
/// they are meant as positions. (A few: at most a twentieth, and a quarter of those unknown. In a part of a collection
/// as many numbers are beyond its size as are unknown ids; so that is not mistaken for positions.)
FEWDIM_API MatchedJudgments match_judgments(const Judgments& judgments, const std::vector<std::string>& queries,
                                            const std::vector<std::string>& documents,
                                            JudgedBy queries_by = JudgedBy::automatic,
                                            JudgedBy documents_by = JudgedBy::automatic);

/// Documents for a query, best first. What is not in it has not been found.
struct Ranking {
  std::string query;
  std::vector<std::string> documents;
};

/// With R relevant documents, of which r(n) stand among the first n:
struct RetrievalMeasures {
  double average_precision = 0.0;         ///< sum of r(n)/n over the n where a relevant document stands, over R
  double r_precision = 0.0;               ///< r(R)/R
  double reciprocal_rank = 0.0;           ///< 1/n of the first relevant document; 0 where there is none
  std::vector<double> precision{};        ///< r(n)/n at each cutoff n, even where fewer documents were found
  std::vector<double> recall{};           ///< r(n)/R
  std::vector<double> ndcg{};             ///< sum of grade/log2(rank+1) up to n, over that of the best ranking
  std::array<double, 11> interpolated{};  ///< largest precision at recall 0, 0.1, ... 1 or above
  double eleven_points = 0.0;             ///< mean of those
  double nine_points = 0.0;               ///< mean at recall 0.1 to 0.9
};

struct QueryMeasures {
  std::string query;
  Index relevant = 0;  ///< R
  Index found = 0;     ///< of them, in the ranking
  RetrievalMeasures measures{};
};

struct RetrievalReport {
  std::vector<Index> cutoffs{};
  std::vector<QueryMeasures> queries{};  ///< that have relevant documents, in the order of the rankings
  RetrievalMeasures mean{};              ///< over them, each with the same weight
  Index without_relevant = 0;            ///< rankings left out: nothing is known to be relevant
  Index without_ranking = 0;             ///< judged queries with relevant documents for which no ranking was given
};

/// Throws DataError for a query or a document that is ranked twice, and where no ranking can be judged.
FEWDIM_API RetrievalReport judge_rankings(const std::vector<Ranking>& rankings, const Judgments& judgments,
                                          std::vector<Index> cutoffs = {5, 10, 20});

/// Two systems on the same queries.
struct PairedComparison {
  Index queries = 0;
  double mean_difference = 0.0;  ///< of b − a
  double low = 0.0, high = 0.0;  ///< its 95 % interval by Student's t; NaN for one query
  /// Two-sided p of the randomization test (Smucker et al. 2007): how often the mean difference is as large when signs
  /// are flipped by chance.
  double p_value = 1.0;
  bool exact = false;  ///< by all flips (up to 16 queries), else by `draws` random ones
  Index better = 0, worse = 0, equal = 0;
};

/// a[i] and b[i] are a measure of query i.
FEWDIM_API PairedComparison compare_paired(std::span<const double> a, std::span<const double> b, Seed seed = 0,
                                           Index draws = 100'000);

}  // namespace fewdim

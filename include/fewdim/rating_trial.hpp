#pragma once

#include <string>
#include <vector>

#include "fewdim/completion.hpp"
#include "fewdim/ratings.hpp"

namespace fewdim {

struct RatingTrialOptions {
  Index folds = 5;              ///< every rating is held out once
  Index length = 10;            ///< of the lists that precision and recall look at
  double relevant = from_data;  ///< ratings from here on are what a list should find; from_data: their mean
  Index most_users = 2000;      ///< whose lists are made, in each fold
  Seed seed = 0;
};

/// One predictor's errors; NaN: it has none of that kind.
struct PredictorMeasures {
  std::string name{};
  double rmse = 0.0, mae = 0.0, nmae = 0.0;  ///< nmae: over the range of the ratings
  double precision = 0.0, recall = 0.0;      ///< of the lists of items that the user had not rated
};

struct RatingTrial {
  Index fits = 0;                               ///< models of the method
  std::int64_t ratings = 0;                     ///< held out
  Index lists = 0;                              ///< users with something relevant to find
  Index unknown = 0;                            ///< held out, of users or items that the fit had not seen
  std::vector<PredictorMeasures> predictors{};  ///< baselines first, the method last
};

/// Errors of the method and of baselines on ratings that none of them has seen: by folds, or on given ones.
FEWDIM_API RatingTrial try_completion(const Dataset& ratings, const CompletionOptions& options,
                                      const RatingTrialOptions& trial = {}, const Execution& exec = {});
FEWDIM_API RatingTrial try_completion(const Dataset& ratings, const std::vector<RatedPair>& held_out,
                                      const CompletionOptions& options, const RatingTrialOptions& trial = {},
                                      const Execution& exec = {});

}  // namespace fewdim

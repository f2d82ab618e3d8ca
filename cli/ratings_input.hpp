#pragma once

#include "fewdim/ratings.hpp"
#include "input.hpp"

namespace fewdim::cli {

/// Options that say how lines of ratings are read.
class RatingsColumns {
 public:
  void declare(CLI::App& app, bool duplicates);
  RatingsOptions options() const;
  bool given() const { return !user_.empty() || !item_.empty() || !value_.empty() || !duplicates_.empty(); }

 private:
  std::string user_, item_, value_, duplicates_;
};

/// Ratings as lines, or a table with gaps.
class RatingsInput {
 public:
  void declare(CLI::App& app);
  const std::string& path() const { return input_.paths().front(); }
  Dataset load(Run& run) const;
  /// Lines of ratings in another file, read the same way.
  std::vector<RatedPair> load_pairs(Run& run, const std::string& path) const;

 private:
  RatingsOptions options() const;

  Input input_;
  RatingsColumns columns_;
  bool triples_ = false, matrix_ = false;
};

}  // namespace fewdim::cli

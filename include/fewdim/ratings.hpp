#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"

namespace fewdim {

/// What becomes of a second rating of the same item by the same user.
enum class RepeatedRatings { refuse, mean, first, last };

/// Ratings as lines: user, item, value, and columns that are passed over (a time).
struct RatingsOptions {
  char delimiter = '\0';         ///< '\0': told by the first line: "::", tab, comma, semicolon, or blanks
  std::optional<bool> header{};  ///< unset: there is one where the value of the first line is no number
  std::string user_column{};     ///< name or number from 1; "": by the usual names, or the first
  std::string item_column{};
  std::string value_column{};  ///< "none": every line counts 1, as it does where there are two columns
  RepeatedRatings repeated = RepeatedRatings::refuse;
};

struct RatedPair {
  std::string user, item;
  double value = 0.0;  ///< NaN: none given
};

/// Whether a file's first lines are ratings and not a table: they have two names and a value, by their header, by "::",
/// or because two whole numbers come before the third of three or four columns.
FEWDIM_API bool looks_like_ratings(const std::string& path, const RatingsOptions& options = {});

/// Sparse rows, one a user, from a file, or from standard input for "-"; .gz and .zst are undone. Users and items come
/// in the order of the file, with their names. Throws DataError with file, line and place.
FEWDIM_API Dataset read_ratings(const std::string& path, const RatingsOptions& options = {},
                                const Execution& exec = {});

/// The same as they come; a value need not be there.
FEWDIM_API std::vector<RatedPair> read_rated_pairs(const std::string& path, const RatingsOptions& options = {},
                                                   const Execution& exec = {});

}  // namespace fewdim

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fewdim/export.hpp"
#include "fewdim/reason.hpp"
#include "fewdim/remedy.hpp"
#include "fewdim/types.hpp"

namespace fewdim {

class Dataset;

/// What a plan needs to know of the data.
struct DataShape {
  Index rows = 0;  ///< -1: not known ahead
  Index cols = 0;
  std::int64_t nonzeros = -1;  ///< -1: dense
  Precision precision = Precision::float64;
  bool stream = false;  ///< does not lie in memory
  bool rewindable = true;
};
/// That of a data set.
FEWDIM_API DataShape shape_of(const Dataset& data);

/// What a plan has against a route, or for it.
enum class Verdict {
  open,              ///< not judged
  chosen,            ///< the fit takes it
  slower,            ///< than the one chosen, by the estimates
  not_asked,         ///< would do, and another one was asked for
  over_limit,        ///< needs more memory than there is
  needs_memory,      ///< needs the data in memory
  needs_passes,      ///< needs more passes than a pipe has
  no_smaller,        ///< its matrix is no smaller than the covariance
  copies_data,       ///< taken when asked for alone
  slow,              ///< taken when asked for alone
  did_not_converge,  ///< was tried
  by_size,           ///< for data of another size
  whitened_rows,     ///< a stage of its own, after the whitening
  many_iterations,   ///< a stage of its own, of about 100 iterations
  missing_values,    ///< taken where values are missing
  many_dimensions    ///< taken where the data fill so many dimensions
};

/// One way a fit could go, with what it would cost.
struct RouteCost {
  Route route = Route::none;
  std::uint64_t bytes = 0;  ///< working memory beyond the input
  int passes = 0;           ///< over the data; 0: not known ahead
  double flops = 0.0;
  double seconds = 0.0;  ///< a rough estimate on this machine
  Verdict verdict = Verdict::open;
  Index landmarks = 0;   ///< that it would take; 0: none, or as many as were asked for
  Index dimensions = 0;  ///< that the data are supposed to fill; 0: as the plan supposes
};

struct Plan {
  Route route = Route::none;
  std::vector<Reason> why{};
  std::uint64_t bytes = 0;
  std::uint64_t input_bytes = 0;
  std::uint64_t memory_limit = 0;
  int passes = 0;
  double seconds = 0.0;
  std::vector<RouteCost> considered{};
};

/// "krylov", "landmarks 1000", "factor in 10 dimensions".
FEWDIM_API std::string name_of(const RouteCost& cost);
/// "chosen", "slower", "needs 3.2 GiB, over the limit", "slow; ask for it with --route power".
FEWDIM_API std::string verdict_of(const RouteCost& cost, Speech speech = speak_cpp);

}  // namespace fewdim

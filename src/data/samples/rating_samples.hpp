#pragma once

#include "fewdim/generate.hpp"

namespace fewdim {

/// Lines of user, item and rating. Items are popular by Zipf's law, users rate many or few; a rating is 3.5 plus
/// effects of both, `rank` factors and noise, rounded to 1 .. 5. `rows` ratings of `cols` items, each once a user.
Dataset rating_samples(const GenerateOptions& options);

}  // namespace fewdim

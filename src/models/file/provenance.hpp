#pragma once

#include <string>

#include "fewdim/dataset.hpp"
#include "fewdim/model.hpp"

namespace fewdim {

/// Now, as "2026-07-25T14:03:59Z"; SOURCE_DATE_EPOCH (seconds since 1970) takes its place where it is set.
std::string utc_now();

/// What a model records of its origin. `rows` is the number of objects seen, which a stream can't tell ahead.
Provenance provenance_of(const Dataset& data, Index rows, Seed seed);

}  // namespace fewdim

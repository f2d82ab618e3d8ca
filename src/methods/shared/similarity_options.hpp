#pragma once

#include "base/describe.hpp"
#include "fewdim/metric.hpp"

/// Options that mean the same in every method that compares objects.
namespace fewdim {

template <class Visitor>
void describe_metric(Metric& metric, Visitor&& field) {
  field(metric, {.name = "metric",
                 .help = "distance of two rows; precomputed: the data are the distances; auto: precomputed where the "
                         "data look like it, else euclidean"});
}

template <class Visitor>
void describe_tolerance(double& tolerance, Visitor&& field) {
  field(tolerance,
        {.name = "tolerance",
         .minimum = 0,
         .maximum = 1,
         .help = "largest residual allowed, relative to the largest eigenvalue; 0 means 1e-10, or 1e-5 for float32"});
}

}  // namespace fewdim

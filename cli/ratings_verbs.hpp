#pragma once

#include "verb.hpp"

/// Verbs of ratings.
namespace fewdim::cli {

Verb complete_verb();  // ratings_fit.cpp
Verb predict_verb();   // recommend.cpp
Verb recommend_verb();

}  // namespace fewdim::cli

#pragma once

#include "verb.hpp"

/// Verbs of ratings.
namespace fewdim::cli {

Verb ratings_verb(const MethodCard& card);  // verbs/complete.cpp: of a method that takes ratings
Verb predict_verb();                        // verbs/recommend.cpp
Verb recommend_verb();

}  // namespace fewdim::cli

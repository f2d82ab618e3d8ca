#pragma once

#include <string>
#include <tuple>

#include "fewdim/image_index.hpp"
#include "fewdim/model.hpp"
#include "fewdim/ratings_index.hpp"
#include "fewdim/text_index.hpp"
#include "models/fields.hpp"

/// What may stand beside a model: each has a description, its name in the metadata, and a check against the model,
/// which throws DataError "<who>: ...". A new one is a header, a source with these, and an entry here.
namespace fewdim {

void describe(TextIndex& index, ModelFields& fields);
void require_sound(const TextIndex& index, const Model& model, const std::string& who);
constexpr const char* name_beside(const TextIndex*) { return "text"; }

void describe(ImageIndex& images, ModelFields& fields);
void require_sound(const ImageIndex& images, const Model& model, const std::string& who);
constexpr const char* name_beside(const ImageIndex*) { return "images"; }

void describe(RatingsIndex& ratings, ModelFields& fields);
void require_sound(const RatingsIndex& ratings, const Model& model, const std::string& who);
constexpr const char* name_beside(const RatingsIndex*) { return "ratings"; }

/// Calls f(null pointer of the type, its name) for each.
template <class F>
void for_each_attachment(F&& f) {
  const auto call = [&](auto*... each) { (f(each, name_beside(each)), ...); };
  call(static_cast<TextIndex*>(nullptr), static_cast<ImageIndex*>(nullptr), static_cast<RatingsIndex*>(nullptr));
}

}  // namespace fewdim

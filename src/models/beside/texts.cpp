#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/beside/beside.hpp"
#include "models/file/checks.hpp"
#include "text/counts/weighting_names.hpp"

namespace fewdim {

namespace {

constexpr Index kLongestRun = 8;  // words of a term, as a fit takes them

[[noreturn]] void refuse(const std::string& who, const std::string& what) {
  throw DataError(fmt::format("{}: not a model file: {}", who, what));
}

void require(bool right, const std::string& who, const char* what) {
  if (!right) refuse(who, what);
}

/// The counts of so many words in n documents.
void require_postings(const SharedArray<std::int64_t>& offsets, const SharedArray<std::int32_t>& documents,
                      const SharedArray<float>& counts, Index words, Index n, const std::string& who) {
  const Index postings = documents.size();
  require(counts.size() == postings && offsets.size() == words + 1 && offsets[0] == 0 && offsets[words] == postings,
          who, "its counts are not all there");
  for (Index w = 0; w < words; ++w) {
    require(offsets[w] <= offsets[w + 1] && offsets[w + 1] <= postings, who, "its counts are not in order");
    std::int32_t last = -1;
    for (std::int64_t p = offsets[w]; p < offsets[w + 1]; ++p) {
      require(documents[p] > last && documents[p] < n, who, "its counts are not in order");
      last = documents[p];
      require(counts[p] > 0 && std::isfinite(counts[p]), who, "a count is not positive");
    }
  }
}

}  // namespace

void describe(TextIndex& index, ModelFields& f) {
  f.value("language", index.rules.language);
  f.value("stems", index.rules.stems);
  f.value("ngrams", index.rules.ngrams);
  f.value("shortest", index.rules.shortest);
  f.value("numbers", index.rules.numbers);
  f.choice("weighting", index.weights.weighting);
  f.value("normalize", index.weights.normalize);
  f.value("mean_length", index.weights.mean_length);
  if (f.has_value("all_words", true)) f.value("all_words", index.all_words);  // files since other words are kept
  f.value("folded", index.folded);
  f.value("drift", index.drift);
  f.value("inside", index.inside);
  f.array("global_weights", index.weights.global);
  f.texts("stop_words", index.rules.stop_words);
  f.shared("terms", index.terms);
  f.shared("ids", index.ids);
  f.packed("texts", index.texts);
  f.shared("posting_offsets", index.posting_offsets);
  f.shared("posting_documents", index.posting_documents);
  f.shared("posting_counts", index.posting_counts);
  f.shared("lengths", index.lengths);
  f.shared("places", index.places, index.documents());
  f.shared("norms", index.norms);
  if (!f.has_arrays(index.other_words.size() > 0)) return;
  f.shared("other_words", index.other_words);
  f.shared("other_offsets", index.other_offsets);
  f.shared("other_documents", index.other_documents);
  f.shared("other_counts", index.other_counts);
}

void require_sound(const TextIndex& index, const Model& model, const std::string& who) {
  const Index features = model.features(), components = model.components();
  const auto* linear = model.as<LinearModel>();
  require(linear && linear->map.size() > 0 && linear->singular_values.size() == components &&
              (linear->singular_values.array() > 0.0).all() && linear->explained_variance_ratio.size() == components,
          who, "documents without the decomposition they need");
  const Index n = index.documents();
  require(index.terms.size() == features, who, "it has another number of terms than its map");
  for (Index t = 1; t < features; ++t) require(index.terms[t - 1] < index.terms[t], who, "its terms are not sorted");
  require_size(index.weights.global.size(), features, "global_weights", who);
  require(index.weights.global.size() == features, who, "its terms have no weights");
  require_all_finite(index.weights.global, "global_weights", who);
  require(std::isfinite(index.weights.mean_length) && std::isfinite(index.drift) && std::isfinite(index.inside), who,
          "a number of its index is not finite");
  require(index.rules.ngrams >= 1 && index.rules.ngrams <= kLongestRun && index.rules.shortest >= 0, who,
          "its rules for words are none");
  require(index.rules.language == "none" ||
              std::ranges::find(word_languages(), index.rules.language) != word_languages().end(),
          who, "its language is none that this fewdim knows");
  require(n > 0, who, "it has no documents");
  require(index.texts.size() == 0 || index.texts.size() == n, who, "it has another number of texts than documents");
  require(index.lengths.size() == n && index.norms.size() == n && index.places.size() == n * components, who,
          "its documents' places are not all there");
  require(index.folded <= n, who, "more documents were folded in than there are");
  require_all(index.places, "places", "a coordinate of unit length", who,
              [](float x) { return std::abs(x) <= 1.001F; });
  require_all(index.norms, "norms", "finite and not negative", who, [](float x) { return std::isfinite(x) && x >= 0; });
  require_all(index.lengths, "lengths", "finite and not negative", who,
              [](float x) { return std::isfinite(x) && x >= 0; });
  require_postings(index.posting_offsets, index.posting_documents, index.posting_counts, features, n, who);
  const Index others = index.other_words.size();
  for (Index w = 1; w < others; ++w)
    require(index.other_words[w - 1] < index.other_words[w], who, "its other words are not sorted");
  if (others > 0 || !index.other_offsets.empty() || !index.other_documents.empty() || !index.other_counts.empty())
    require_postings(index.other_offsets, index.other_documents, index.other_counts, others, n, who);
}

}  // namespace fewdim

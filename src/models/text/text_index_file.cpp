#include "models/text/text_index_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/file/checks.hpp"
#include "models/file/strict_json.hpp"
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

void add_index(Archive& archive, const TextIndex& index, Index components) {
  const auto documents = static_cast<std::uint64_t>(index.documents());
  add_array(archive, "global_weights", index.weights.global, false);
  add_texts(archive, "stop_words", index.rules.stop_words);
  add_shared(archive, "terms", index.terms);
  add_shared(archive, "ids", index.ids);
  add_shared(archive, "texts", index.texts.bytes());
  add_shared(archive, "texts_frames", index.texts.frames());
  add_shared(archive, "texts_ends", index.texts.ends());
  add_shared(archive, "posting_offsets", index.posting_offsets);
  add_shared(archive, "posting_documents", index.posting_documents);
  add_shared(archive, "posting_counts", {static_cast<std::uint64_t>(index.posting_counts.size())},
             index.posting_counts);
  add_shared(archive, "lengths", {documents}, index.lengths);
  add_shared(archive, "places", {documents, static_cast<std::uint64_t>(components)}, index.places);
  add_shared(archive, "norms", {documents}, index.norms);
  if (index.other_words.size() == 0) return;
  add_shared(archive, "other_words", index.other_words);
  add_shared(archive, "other_offsets", index.other_offsets);
  add_shared(archive, "other_documents", index.other_documents);
  add_shared(archive, "other_counts", {static_cast<std::uint64_t>(index.other_counts.size())}, index.other_counts);
}

nlohmann::ordered_json index_json(const TextIndex& index) {
  return {{"language", index.rules.language},
          {"stems", index.rules.stems},
          {"ngrams", index.rules.ngrams},
          {"shortest", index.rules.shortest},
          {"numbers", index.rules.numbers},
          {"weighting", enum_text(index.weights.weighting)},
          {"normalize", index.weights.normalize},
          {"mean_length", index.weights.mean_length},
          {"all_words", index.all_words},
          {"folded", index.folded},
          {"drift", index.drift},
          {"inside", index.inside}};
}

TextIndex parse_index(const nlohmann::json& object, const std::string& what) {
  JsonFields fields(object, what);
  TextIndex index;
  index.rules.language = fields.text("language");
  index.rules.stems = fields.boolean("stems");
  index.rules.ngrams = fields.index("ngrams");
  index.rules.shortest = fields.index("shortest");
  index.rules.numbers = fields.boolean("numbers");
  const std::string& weighting = fields.text("weighting");
  bool known = false;
  for (const auto& [value, name] : EnumNames<Weighting>::names)
    if (weighting == name) index.weights.weighting = value, known = true;
  if (!known) fields.refuse(fmt::format("has weighting '{}', which this fewdim does not know", weighting));
  index.weights.normalize = fields.boolean("normalize");
  index.weights.mean_length = fields.number("mean_length");
  if (object.contains("all_words")) index.all_words = fields.boolean("all_words");  // files since other words are kept
  index.folded = fields.index("folded");
  index.drift = fields.number("drift");
  index.inside = fields.number("inside");
  fields.done();
  return index;
}

void read_index(ArrayReader& arrays, TextIndex& index) {
  index.weights.global = arrays.vector("global_weights");
  index.rules.stop_words = arrays.texts("stop_words");
  index.terms = arrays.strings("terms");
  index.ids = arrays.strings("ids");
  const SharedArray<std::int64_t> ends = arrays.shared<std::int64_t>("texts_ends");
  std::int64_t last = 0;
  for (const std::int64_t end : ends) {
    if (end < last) refuse(arrays.path(), "the texts' ends fall");
    last = end;
  }
  index.texts = PackedTexts(arrays.shared<char>("texts"), arrays.shared<std::int64_t>("texts_frames"), ends);
  index.posting_offsets = arrays.shared<std::int64_t>("posting_offsets");
  index.posting_documents = arrays.shared<std::int32_t>("posting_documents");
  index.posting_counts = arrays.shared<float>("posting_counts");
  index.lengths = arrays.shared<float>("lengths");
  index.places = arrays.shared<float>("places", 2);
  index.norms = arrays.shared<float>("norms");
  index.other_words = arrays.strings("other_words");
  index.other_offsets = arrays.shared<std::int64_t>("other_offsets");
  index.other_documents = arrays.shared<std::int32_t>("other_documents");
  index.other_counts = arrays.shared<float>("other_counts");
}

void require_sound(const TextIndex& index, Index features, Index components, const std::string& who) {
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

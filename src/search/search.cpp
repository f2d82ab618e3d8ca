#include "fewdim/search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/describe.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "fewdim/text_index.hpp"
#include "search/query.hpp"
#include "search/reasons.hpp"

namespace fewdim {

namespace {

constexpr Index kSpellings = 3;

void require_options(const SearchOptions& o) {
  if (o.count < 1)
    throw InvalidOption("search", "count", std::to_string(o.count), "must be at least 1",
                        "use " + set_option("count", 10));
  if (!(o.match >= 0.0 && o.match <= 1.0))
    throw InvalidOption("search", "match", fmt::format("{}", o.match), "must be between 0 and 1",
                        "0 is meaning alone, 1 is words alone");
}

template <class Parts, class Name>
std::vector<ScorePart> largest_parts(const Parts& parts, Index count, const Name& name) {
  std::vector<ScorePart> out;
  for (const auto& [what, part] : parts) out.push_back({name(what), part});
  std::ranges::stable_sort(out, std::greater{}, [](const ScorePart& r) { return std::abs(r.part); });
  if (std::ssize(out) > count) out.resize(static_cast<std::size_t>(count));
  return out;
}

/// What the words of the query add to a score by matching. `weight`: of BM25 in it.
std::vector<ScorePart> matches_of(const TextIndex& index, const Query& query, const Hit& hit, double weight) {
  std::vector<ScorePart> out;
  if (weight <= 0.0) return out;
  const std::vector<CountedTerm> words = all_words(query);
  const std::vector<double> parts = bm25_parts(index, words, hit.document);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (parts[i] > 0.0) out.push_back({shown_term(index, words[i].term), weight * parts[i]});
  std::ranges::stable_sort(out, std::greater{}, &ScorePart::part);
  return out;
}

/// Says why a document was found, and shows the piece of it that matters.
void explain(const Model& model, const Query& query, const SearchOptions& o, double weight, Hit& hit,
             const Execution& exec) {
  const TextIndex& index = model.index();
  const bool texts = o.snippet > 0 && index.texts.size() > 0;
  if (!texts && o.reasons == 0) return;
  const std::string text = index.texts.size() > 0 ? index.texts[hit.document] : "";
  const std::map<Index, double> parts =
      query.place.empty() ? std::map<Index, double>{}
                          : parts_of(model, hit.document, index.texts.size() > 0 ? &text : nullptr, query.place, exec);
  if (texts) hit.snippet = snippet_of(index, text, parts, query, o.snippet);
  if (o.reasons == 0) return;
  hit.matches = matches_of(index, query, hit, weight);
  hit.terms = largest_parts(parts, o.reasons, [&](Index term) { return shown_term(index, term); });
  std::map<Index, double> concepts;
  const float* place = index.places.data() + hit.document * model.components();
  for (std::size_t c = 0; c < query.place.size(); ++c)
    concepts[static_cast<Index>(c)] = static_cast<double>(place[c]) * static_cast<double>(query.place[c]);
  hit.concepts = largest_parts(concepts, o.reasons, [&](Index c) {
    return model.head().component_names.empty() ? std::to_string(c + 1)
                                                : model.head().component_names[static_cast<std::size_t>(c)];
  });
}

/// Ranks all documents, but for `without`.
std::vector<Hit> hits_of(const Model& model, const Query& query, Index without, const SearchOptions& o,
                         const Execution& exec) {
  const TextIndex& index = model.index();
  const auto n = static_cast<std::size_t>(index.documents());
  std::vector<float> cosines(n, 0.0F), matches;
  if (!query.place.empty()) cosines = cosines_of(index, query.place, exec);
  float best = 0.0F;
  const double share = share_of_match(index, query, o.match);
  if (share > 0.0) {
    matches = bm25_of(index, all_words(query));
    best = *std::ranges::max_element(matches);
  }
  std::vector<float> scores = cosines;
  const auto weight = static_cast<float>(share);
  if (share > 0.0)
    for (std::size_t i = 0; i < n; ++i)
      scores[i] = (1.0F - weight) * cosines[i] + (best > 0.0F ? weight * matches[i] / best : 0.0F);
  if (without >= 0) scores[static_cast<std::size_t>(without)] = -std::numeric_limits<float>::infinity();
  std::vector<Hit> hits;
  for (const Index document : largest_of(scores, o.count, 0.0F)) {
    const auto at = static_cast<std::size_t>(document);
    Hit hit{.document = document,
            .id = std::string(index.ids[document]),
            .score = static_cast<double>(scores[at]),
            .cosine = static_cast<double>(cosines[at]),
            .bm25 = matches.empty() ? 0.0 : static_cast<double>(matches[at])};
    explain(model, query, o, best > 0.0F ? share / static_cast<double>(best) : 0.0, hit, exec);
    hits.push_back(std::move(hit));
  }
  return hits;
}

}  // namespace

SearchResult search(const Model& model, std::string_view text, const SearchOptions& options, const Execution& exec) {
  require_options(options);
  const Query query = query_of(model, text, exec);
  SearchResult out{.hits = {},
                   .known = query.known,
                   .unknown = query.unknown,
                   .outside = query.outside,
                   .match = share_of_match(model.index(), query, options.match),
                   .suggestions = {}};
  for (const std::string& word : query.unknown)
    if (auto near = near_spellings(model.index(), word, kSpellings); !near.empty())
      out.suggestions.emplace_back(word, std::move(near));
  if (!query.terms.empty() || (!query.others.empty() && options.match > 0.0))
    out.hits = hits_of(model, query, -1, options, exec);
  return out;
}

SearchResult similar(const Model& model, Index document, const SearchOptions& options, const Execution& exec) {
  require_options(options);
  const TextIndex& index = model.index();
  if (document < 0 || document >= index.documents())
    throw InvalidOption("similar", "document", std::to_string(document),
                        fmt::format("must be between 0 and {}", index.documents() - 1), "give one of them");
  Query query;
  const Index k = model.components();
  const float* place = index.places.data() + document * k;
  if (index.norms[document] > 0.0F) query.place.assign(place, place + k);
  if (options.match > 0.0) {  // the document's own words are the query
    for (Index t = 0; t < index.terms.size(); ++t) {
      const auto first = index.posting_documents.begin() + index.posting_offsets[t],
                 last = index.posting_documents.begin() + index.posting_offsets[t + 1];
      if (std::binary_search(first, last, static_cast<std::int32_t>(document))) query.terms.push_back({t, 1.0F});
    }
  }
  SearchResult out;
  out.match = options.match;
  out.hits = hits_of(model, query, document, options, exec);
  return out;
}

Index find_document(const Model& model, std::string_view id) {
  const TextIndex& index = model.index();
  if (const Index at = index.document(id); at >= 0) return at;
  constexpr Index kMostCompared = 200'000;
  std::vector<std::string> ids;
  for (Index i = 0; i < std::min(index.documents(), kMostCompared); ++i) ids.emplace_back(index.ids[i]);
  const std::string near = nearest_name(id, ids);
  throw DataError(fmt::format(
      "there is no document '{}'{}", id,
      near.empty() ? fmt::format("; ids look like '{}'", index.ids[0]) : fmt::format("; did you mean '{}'?", near)));
}

std::vector<NearTerm> near_terms(const Model& model, std::string_view words, Index count, const Execution& exec) {
  const TextIndex& index = model.index();
  const LinearModel& linear = model.linear();
  const Query query = query_of(model, words, exec);
  if (query.terms.empty() && !query.outside.empty())
    throw DataError(
        fmt::format("'{}' is in {} {} and has no place among the concepts, as the limits of the fit left it out; {} "
                    "finds it, and a new fit with wider limits ({}) gives it a place",
                    query.outside.front().word, query.outside.front().documents,
                    query.outside.front().documents == 1 ? "document" : "documents", use_command("search"),
                    set_option("min_documents", 1)));
  if (query.terms.empty()) {
    std::vector<std::string> near;
    for (const std::string& word : query.unknown)
      for (std::string& spelling : near_spellings(index, word, kSpellings)) near.push_back(std::move(spelling));
    throw DataError(fmt::format("no word of '{}' is a term of this collection{}", words,
                                near.empty() ? "" : fmt::format("; near in spelling: {}", fmt::join(near, ", "))));
  }
  const Index terms = index.terms.size(), k = model.components();
  Vector<double> middle = Vector<double>::Zero(k);
  const Vector<double>& sigma = linear.singular_values;
  for (const CountedTerm& word : query.terms) {
    const Vector<double> place = linear.map.row(word.term).transpose().cwiseProduct(sigma);
    const double norm = place.norm();
    if (norm > 0.0) middle += place / norm;
  }
  const double length = middle.norm();
  if (length > 0.0) middle /= length;
  Vector<double> dots = Vector<double>::Zero(terms), squares = dots;
  for (Index c = 0; c < k; ++c)
    for (Index t = 0; t < terms; ++t) {
      const double x = linear.map(t, c) * sigma[c];
      dots[t] += x * middle[c];
      squares[t] += x * x;
    }
  std::vector<float> cosines(static_cast<std::size_t>(terms));
  for (Index t = 0; t < terms; ++t)
    cosines[static_cast<std::size_t>(t)] =
        squares[t] > 0.0 ? static_cast<float>(dots[t] / std::sqrt(squares[t])) : -1.0F;
  for (const CountedTerm& word : query.terms) cosines[static_cast<std::size_t>(word.term)] = -1.0F;
  std::vector<NearTerm> out;
  for (const Index t : largest_of(cosines, count, 0.0F))
    out.push_back({shown_term(index, t), static_cast<double>(cosines[static_cast<std::size_t>(t)]),
                   index.posting_offsets[t + 1] - index.posting_offsets[t]});
  return out;
}

}  // namespace fewdim

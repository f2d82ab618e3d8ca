#include "text/counts/term_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/remedy.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr Index kLongestRun = 8;

[[noreturn]] void refuse(std::string_view parameter, double value, std::string_view bound, std::string_view remedy) {
  throw InvalidOption("words", parameter, fmt::format("{}", value), bound, remedy);
}

/// Rounding must not turn 10 % of 30 documents, 3.0000000000000004, into 4.
double fewest_documents(double limit, Index documents) {
  const double least = limit < 1.0 ? limit * static_cast<double>(documents) : limit;
  return std::max(1.0, std::ceil(least * (1 - 1e-12)));
}

double most_documents(double limit, Index documents) {
  return std::floor((limit <= 1.0 ? limit * static_cast<double>(documents) : limit) * (1 + 1e-12));
}

[[noreturn]] void refuse_empty(const MergedCounts& counts, Index documents, const WordOptions& options, Index rare,
                               Index common, bool vocabulary) {
  const auto terms = static_cast<Index>(counts.table.size());
  if (documents == 0) throw DataError("words: there are no documents; give some");
  if (terms == 0)
    throw DataError(fmt::format(
        "words: {} documents have {} words and no term: all of them are stop words, numbers that "
        "are not wanted, or shorter than {} characters; use {} or {}",
        documents, counts.words, options.shortest, set_option("stop_words", "none"), set_option("shortest", 1)));
  if (vocabulary)
    throw DataError(
        fmt::format("words: none of the {} terms of {} documents is in the vocabulary {}; check its language "
                    "and stems",
                    terms, documents, options.vocabulary));
  throw DataError(
      fmt::format("words: none of {} terms is left: {} are in fewer than {} documents ({}), {} in more than "
                  "{} ({}), of {} documents; {}",
                  terms, rare, fewest_documents(options.min_documents, documents),
                  option_is("min_documents", fmt::format("{}", options.min_documents)), common,
                  most_documents(options.max_documents, documents),
                  option_is("max_documents", fmt::format("{}", options.max_documents)), documents,
                  rare >= common ? lower_option("min_documents") : raise_option("max_documents")));
}

void add(KeptTerms& terms, std::int32_t id, std::string text) {
  terms.ids.push_back(id);
  terms.texts.push_back(std::move(text));
}

bool is_run(std::string_view term) { return term.find(' ') != std::string_view::npos; }

/// Those of `order`, by their bytes.
KeptTerms sorted(KeptTerms terms, std::vector<std::size_t> order) {
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return terms.texts[a] < terms.texts[b]; });
  KeptTerms out;
  for (const std::size_t i : order) add(out, terms.ids[i], std::move(terms.texts[i]));
  return out;
}

KeptTerms sorted(KeptTerms terms) {
  std::vector<std::size_t> order(terms.ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return sorted(std::move(terms), std::move(order));
}

}  // namespace

void require_limits(const WordOptions& options) {
  if (options.ngrams < 1 || options.ngrams > kLongestRun)
    refuse("ngrams", static_cast<double>(options.ngrams), fmt::format("must be between 1 and {}", kLongestRun),
           "use 1 for words, 2 for pairs of them too");
  if (options.shortest < 1)
    refuse("shortest", static_cast<double>(options.shortest), "must be at least 1", "use 1 to keep every word");
  if (!(options.min_documents >= 0) || !std::isfinite(options.min_documents))
    refuse("min_documents", options.min_documents, "must be a share below 1 or a number of documents",
           "use 1 to keep all");
  if (!(options.max_documents > 0))
    refuse("max_documents", options.max_documents, "must be a share up to 1 or a number of documents",
           "use 1 to keep all");
  if (options.max_terms < 0)
    refuse("max_terms", static_cast<double>(options.max_terms), "must be at least 0", "use 0 to keep all");
}

LimitedTerms apply_limits(const MergedCounts& counts, Index documents, const WordOptions& options,
                          const std::vector<std::string>* vocabulary) {
  const double least = fewest_documents(options.min_documents, documents);
  const double most = most_documents(options.max_documents, documents);
  Index rare = 0, common = 0;
  KeptTerms kept, others;
  for (std::int32_t id = 0; id < counts.table.size(); ++id) {
    const double holders = counts.documents[static_cast<std::size_t>(id)];
    std::string text = counts.table.text(id);
    if (vocabulary) {
      if (std::ranges::binary_search(*vocabulary, text)) add(kept, id, std::move(text));
      continue;
    }
    rare += holders < least;
    common += holders > most;
    if (holders >= least && holders <= most)
      add(kept, id, std::move(text));
    else if (!is_run(text))
      add(others, id, std::move(text));
  }
  if (kept.ids.empty()) refuse_empty(counts, documents, options, rare, common, vocabulary != nullptr);

  std::vector<std::size_t> order(kept.ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto holders = [&](std::size_t i) { return counts.documents[static_cast<std::size_t>(kept.ids[i])]; };
  const auto by_bytes = [&](std::size_t a, std::size_t b) { return kept.texts[a] < kept.texts[b]; };
  if (options.max_terms > 0 && options.max_terms < std::ssize(order)) {
    const auto by_documents = [&](std::size_t a, std::size_t b) {
      return holders(a) != holders(b) ? holders(a) > holders(b) : by_bytes(a, b);
    };
    const auto end = order.begin() + options.max_terms;
    std::nth_element(order.begin(), end, order.end(), by_documents);
    for (auto cut = end; !vocabulary && cut != order.end(); ++cut)
      if (!is_run(kept.texts[*cut])) add(others, kept.ids[*cut], kept.texts[*cut]);
    order.erase(end, order.end());
  }
  return {sorted(std::move(kept), std::move(order)), sorted(std::move(others))};
}

}  // namespace fewdim

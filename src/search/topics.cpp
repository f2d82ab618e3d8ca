#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "fewdim/search.hpp"
#include "fewdim/text_index.hpp"
#include "search/query.hpp"

namespace fewdim {

namespace {

/// The `top` largest of sign · value(i), those above 0.
template <class Value, class Name>
std::vector<ScorePart> end_of(Index size, Index top, float sign, const Value& value, const Name& name) {
  std::vector<float> scores(static_cast<std::size_t>(size));
  for (Index i = 0; i < size; ++i) scores[static_cast<std::size_t>(i)] = sign * static_cast<float>(value(i));
  std::vector<ScorePart> out;
  for (const Index i : largest_of(scores, top, 0.0F)) out.push_back({name(i), static_cast<double>(value(i))});
  return out;
}

}  // namespace

std::vector<Topic> topics(const Model& model, Index first, Index count, Index top, const Execution& exec) {
  const TextIndex& index = model.index();
  const LinearModel& linear = model.linear();
  const Index k = model.components();
  if (first < 0 || first >= k)
    throw InvalidOption("topics", "first", std::to_string(first + 1), fmt::format("must be between 1 and {}", k),
                        "give one of the concepts");
  if (top < 1)
    throw InvalidOption("topics", "top", std::to_string(top), "must be at least 1", "use " + set_option("top", 12));
  std::vector<Topic> out(static_cast<std::size_t>(std::clamp<Index>(count, 0, k - first)));
  parallel_for(exec, std::ssize(out), [&](Index at) {
    const Index c = first + at;
    Topic& topic = out[static_cast<std::size_t>(at)];
    topic.component = c;
    topic.singular_value = linear.singular_values[c];
    topic.share = linear.explained_variance_ratio[c];
    const auto term = [&](Index t) { return linear.map(t, c); };
    const auto term_name = [&](Index t) { return shown_term(index, t); };
    const auto document = [&](Index i) {
      return static_cast<double>(index.places[i * k + c]) * static_cast<double>(index.norms[i]);
    };
    const auto id = [&](Index i) { return std::string(index.ids[i]); };
    for (const float sign : {1.0F, -1.0F}) {
      Pole& pole = sign > 0.0F ? topic.plus : topic.minus;
      pole.terms = end_of(index.terms.size(), top, sign, term, term_name);
      pole.documents = end_of(index.documents(), std::max<Index>(3, top / 4), sign, document, id);
    }
  });
  return out;
}

}  // namespace fewdim

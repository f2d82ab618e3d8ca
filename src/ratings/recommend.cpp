#include "fewdim/recommend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "base/describe.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "fewdim/error.hpp"
#include "fewdim/ratings_index.hpp"

namespace fewdim {

namespace {

using Names = std::vector<std::string>;

Index find(const Names& names, Index count, std::string_view name) {
  if (!names.empty()) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? -1 : found - names.begin();
  }
  Index number = 0;  // items without names go by their number
  for (const char c : name) {
    if (c < '0' || c > '9' || number > count) return -1;
    number = 10 * number + (c - '0');
  }
  return number >= 1 && number <= count ? number - 1 : -1;
}

[[noreturn]] void refuse(const char* what, std::string_view name, const Names& names, Index count) {
  const std::string near = names.size() <= 100'000 ? nearest_name(name, names) : "";
  throw DataError(fmt::format("{} '{}' is none of the model's {}{}", what, name, count,
                              near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

bool has_effect(const Model& model) {
  const Names& names = model.head().component_names;
  return !names.empty() && names.front() == "effect";
}

double mean_of(const Model& model) {
  const Diagnostic* mean = find_diagnostic(model.head().diagnostics, diagnostic::mean_value);
  return mean ? mean->value : 0.0;
}

/// Predictions of ratings stay in their range; those of implicit models are preferences, not counts.
double within(const Model& model, double value) {
  if (model.linear().row_fit == RowFit::implicit) return value;
  return std::clamp(value, model.ratings().lowest, model.ratings().highest);
}

double predicted_rating(const LinearModel& shape, Index item, const double* place, Index stride) {
  double sum = shape.mean.size() > 0 ? shape.mean[item] : 0.0;
  for (Index c = 0; c < shape.map.cols(); ++c) sum += shape.map(item, c) * place[c * stride];
  return sum;
}

std::vector<Recommendation> top_of(const Model& model, const std::vector<double>& scores, std::vector<Index> items,
                                   Index count) {
  const Index kept = std::min(count, std::ssize(items));
  std::ranges::partial_sort(items, items.begin() + kept, [&](Index a, Index b) {
    const double x = scores[static_cast<std::size_t>(a)], y = scores[static_cast<std::size_t>(b)];
    return x != y ? x > y : a < b;
  });
  std::vector<Recommendation> out;
  for (Index i = 0; i < kept; ++i) {
    const Index item = items[static_cast<std::size_t>(i)];
    out.push_back({item, item_name(model, item), scores[static_cast<std::size_t>(item)]});
  }
  return out;
}

}  // namespace

Index find_user(const Model& model, std::string_view name) {
  return find(model.ratings().users, std::ssize(model.ratings().users), name);
}
Index find_item(const Model& model, std::string_view name) {
  return find(model.head().feature_names, model.features(), name);
}
Index require_user(const Model& model, std::string_view name) {
  const Index found = find_user(model, name);
  if (found < 0) refuse("user", name, model.ratings().users, std::ssize(model.ratings().users));
  return found;
}
Index require_item(const Model& model, std::string_view name) {
  const Index found = find_item(model, name);
  if (found < 0) refuse("item", name, model.head().feature_names, model.features());
  return found;
}
std::string item_name(const Model& model, Index item) {
  const Names& names = model.head().feature_names;
  return names.empty() ? std::to_string(item + 1) : names[static_cast<std::size_t>(item)];
}

Predictions predict(const Model& model, const std::vector<RatedPair>& pairs) {
  const LinearModel& shape = model.linear();
  const Names &users = model.ratings().users, &items = model.head().feature_names;
  std::unordered_map<std::string_view, Index> user_of, item_of;
  for (std::size_t u = 0; u < users.size(); ++u) user_of.emplace(users[u], static_cast<Index>(u));
  for (std::size_t j = 0; j < items.size(); ++j) item_of.emplace(items[j], static_cast<Index>(j));
  const auto look = [](const auto& table, std::string_view name) {
    const auto found = table.find(name);
    return found == table.end() ? Index{-1} : found->second;
  };
  const Matrix<double>& places = model.embedding();
  const bool effect = has_effect(model), implicit = shape.row_fit == RowFit::implicit;
  Predictions out;
  out.values.resize(std::ssize(pairs));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Index user = look(user_of, pairs[i].user),
                item = items.empty() ? find_item(model, pairs[i].item) : look(item_of, pairs[i].item);
    out.unknown_users += user < 0 ? 1 : 0;
    out.unknown_items += item < 0 ? 1 : 0;
    double value = implicit ? 0.0 : mean_of(model);
    if (item >= 0)
      value = user >= 0 ? predicted_rating(shape, item, places.data() + user, places.rows())
                        : (shape.mean.size() > 0 ? shape.mean[item] : 0.0);
    else if (user >= 0 && effect)
      value += places(user, 0);
    out.values[static_cast<Index>(i)] = within(model, value);
    out.by.push_back(item >= 0   ? (user >= 0 ? PredictedBy::both : PredictedBy::item_alone)
                     : user >= 0 ? PredictedBy::user_alone
                                 : PredictedBy::mean);
  }
  return out;
}

Vector<double> predict(const Model& model, const std::vector<std::pair<Index, Index>>& places) {
  const Matrix<double>& users = model.embedding();
  Vector<double> out(std::ssize(places));
  for (Index i = 0; i < out.size(); ++i) {
    const auto [user, item] = places[static_cast<std::size_t>(i)];
    if (user < 0 || user >= users.rows() || item < 0 || item >= model.features())
      throw DataError(fmt::format("user {}, item {}: the model has {} users and {} items, numbered from 0", user, item,
                                  users.rows(), model.features()));
    out[i] = within(model, predicted_rating(model.linear(), item, users.data() + user, users.rows()));
  }
  return out;
}

Vector<double> user_place(const Model& model, Index user) { return model.embedding().row(user).transpose(); }

Vector<double> fold_in(const Model& model, const std::vector<std::pair<Index, double>>& ratings) {
  std::vector<std::pair<Index, double>> sorted = ratings;
  std::ranges::sort(sorted);
  Csr<double> row;
  row.rows = 1;
  row.cols = model.features();
  for (const auto& [item, value] : sorted) {
    row.columns.push_back(static_cast<std::int32_t>(item));
    row.values.push_back(value);
  }
  row.offsets = {0, std::ssize(row.values)};
  return model.transform(Dataset(row.view())).matrix<double>().row(0).transpose();
}

std::vector<std::int32_t> rated_by(const Model& model, Index user) {
  const RatingsIndex& index = model.ratings();
  const auto at = static_cast<std::size_t>(user);
  return {index.items.begin() + index.offsets[at], index.items.begin() + index.offsets[at + 1]};
}

std::vector<Recommendation> recommend(const Model& model, const Vector<double>& place, Index count,
                                      const std::vector<std::int32_t>& left_out) {
  const LinearModel& shape = model.linear();
  std::vector<bool> out(static_cast<std::size_t>(model.features()), false);
  for (const std::int32_t item : left_out) out[static_cast<std::size_t>(item)] = true;
  std::vector<double> scores(out.size());
  std::vector<Index> items;
  for (Index j = 0; j < model.features(); ++j) {
    if (out[static_cast<std::size_t>(j)]) continue;
    scores[static_cast<std::size_t>(j)] =
        predicted_rating(shape, j, place.data(), 1);  // not held in the range: it would tie
    items.push_back(j);
  }
  std::vector<Recommendation> best = top_of(model, scores, std::move(items), count);
  for (Recommendation& item : best) item.value = within(model, item.value);
  return best;
}

std::vector<Recommendation> similar_items(const Model& model, Index item, Index count) {
  const Matrix<double>& map = model.linear().map;
  const Index first = has_effect(model) ? 1 : 0;
  const auto product = [&](Index a, Index b) {
    double sum = 0.0;
    for (Index c = first; c < map.cols(); ++c) sum += map(a, c) * map(b, c);
    return sum;
  };
  const double own = product(item, item);
  std::vector<double> scores(static_cast<std::size_t>(map.rows()), 0.0);
  std::vector<Index> items;
  for (Index j = 0; j < map.rows(); ++j) {
    const double length = std::sqrt(own * product(j, j));
    if (j == item || !(length > 0.0)) continue;
    scores[static_cast<std::size_t>(j)] = product(item, j) / length;
    items.push_back(j);
  }
  return top_of(model, scores, std::move(items), count);
}

std::vector<FactorPoles> factor_poles(const Model& model, Index first, Index count, Index top) {
  const Matrix<double>&map = model.linear().map, &places = model.embedding();
  const Index skipped = has_effect(model) ? 1 : 0, factors = map.cols() - skipped;
  if (first < 0 || first >= factors)
    throw DataError(fmt::format("factor {} is none of the model's {}", first + 1, factors));
  const auto deviation = [](const auto& column) {
    double sum = 0.0, squares = 0.0;
    for (Index i = 0; i < column.size(); ++i) sum += column[i];
    const double mean = sum / static_cast<double>(column.size());
    for (Index i = 0; i < column.size(); ++i) squares += (column[i] - mean) * (column[i] - mean);
    return std::sqrt(squares / static_cast<double>(column.size()));
  };
  std::vector<FactorPoles> out;
  for (Index c = first; c < std::min(factors, first + count); ++c) {
    const auto weights = map.col(skipped + c);
    FactorPoles poles{.name = model.head().component_names[static_cast<std::size_t>(skipped + c)],
                      .strength = deviation(weights) * deviation(places.col(skipped + c))};
    std::vector<double> ends(static_cast<std::size_t>(map.rows()));
    for (const bool plus : {true, false}) {
      std::vector<Index> items;
      for (Index j = 0; j < map.rows(); ++j) {
        ends[static_cast<std::size_t>(j)] = plus ? weights[j] : -weights[j];
        if (ends[static_cast<std::size_t>(j)] > 0.0) items.push_back(j);
      }
      auto& pole = plus ? poles.plus : poles.minus;
      pole = top_of(model, ends, std::move(items), top);
      for (Recommendation& item : pole) item.value = weights[item.item];
    }
    out.push_back(std::move(poles));
  }
  return out;
}

Dataset complete_rows(const Model& model, const Dataset& data, const Execution& exec) {
  if (!data.is_dense())
    throw Unsupported("complete: sparse rows are filled by pairs, as all of them would be too many; use predict");
  require_memory(exec, 16 * static_cast<std::uint64_t>(data.rows()) * static_cast<std::uint64_t>(data.cols()),
                 "complete: the filled table", "predict the pairs that matter instead");
  const Matrix<double> places = model.transform(data, exec).matrix<double>();
  RowMatrix<double> filled = data.matrix<double>();
  const LinearModel& shape = model.linear();
  constexpr Index kRows = 64;
  parallel_for(exec, (filled.rows() + kRows - 1) / kRows, [&](Index task) {
    for (Index i = task * kRows; i < std::min(filled.rows(), (task + 1) * kRows); ++i)
      for (Index j = 0; j < filled.cols(); ++j)
        if (std::isnan(filled(i, j)))
          filled(i, j) = within(model, predicted_rating(shape, j, places.data() + i, places.rows()));
  });
  Dataset out(std::move(filled));
  out.row_names = data.row_names;
  out.row_names_header = data.row_names_header;
  out.column_names = data.column_names;
  out.labels = data.labels;
  out.label_name = data.label_name;
  out.source = data.source;
  return out;
}

}  // namespace fewdim

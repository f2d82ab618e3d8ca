#include "fewdim/collection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/parallel.hpp"
#include "fewdim/error.hpp"
#include "fewdim/search.hpp"
#include "fewdim/text_index.hpp"
#include "models/text/document_places.hpp"
#include "models/text/repacked_texts.hpp"
#include "models/text/term_postings.hpp"
#include "models/text/term_rows.hpp"
#include "search/other_words.hpp"
#include "solvers/eigen/svd_update.hpp"

namespace fewdim {

namespace {

/// New documents, their texts and their counts of known terms.
struct Arrivals {
  std::vector<std::string> ids;
  std::vector<std::string> texts;
  Csr<float> counts;
  double unknown_words = 0.0;
};

Arrivals read_arrivals(const TextIndex& index, DocumentSource& documents, const Execution& exec) {
  Arrivals out;
  std::unordered_set<std::string_view> known;
  for (Index i = 0; i < index.documents(); ++i) known.insert(index.ids[i]);
  for (Document document; documents.next(document); document = {}) {
    if (known.contains(document.id))
      throw DataError(
          fmt::format("{}: the collection has a document '{}' already; remove that first, or give it another "
                      "id",
                      document.place, document.id));
    out.ids.push_back(std::move(document.id));
    out.texts.push_back(std::move(document.text));
  }
  if (out.ids.empty()) throw DataError("add: there are no documents to add");
  out.counts = counted_terms(index, out.texts, exec);
  const WordSplitter splitter(index.rules);
  std::vector<Index> words(out.texts.size());
  parallel_for(exec, std::ssize(out.texts), [&](Index i) {
    words[static_cast<std::size_t>(i)] = std::ssize(splitter.split(out.texts[static_cast<std::size_t>(i)]));
  });
  double all = 0.0, counted = 0.0;
  for (const Index number : words) all += static_cast<double>(number);
  for (const float count : out.counts.values) counted += static_cast<double>(count);
  out.unknown_words = all > 0.0 ? 1.0 - counted / all : 0.0;
  return out;
}

template <class T>
SharedArray<T> joined(const SharedArray<T>& a, std::span<const T> b) {
  std::vector<T> out(a.begin(), a.end());
  out.insert(out.end(), b.begin(), b.end());
  return out;
}

std::vector<float> lengths_of(const Csr<float>& counts) {
  std::vector<float> out;
  for (std::size_t i = 0; i < static_cast<std::size_t>(counts.rows); ++i) {
    float sum = 0.0F;
    for (auto e = static_cast<std::size_t>(counts.offsets[i]); e < static_cast<std::size_t>(counts.offsets[i + 1]); ++e)
      sum += counts.values[e];
    out.push_back(sum);
  }
  return out;
}

/// The rows of b below those of a.
Csr<float> stacked(Csr<float> a, const Csr<float>& b) {
  const std::int64_t before = a.offsets.back();
  for (std::size_t i = 1; i < b.offsets.size(); ++i) a.offsets.push_back(before + b.offsets[i]);
  a.columns.insert(a.columns.end(), b.columns.begin(), b.columns.end());
  a.values.insert(a.values.end(), b.values.begin(), b.values.end());
  a.rows += b.rows;
  return a;
}

/// Some rows, in their order.
Csr<float> rows_among(const Csr<float>& all, const std::vector<Index>& which) {
  Csr<float> out;
  out.rows = std::ssize(which), out.cols = all.cols;
  for (const Index row : which) {
    const auto begin = all.offsets[static_cast<std::size_t>(row)], end = all.offsets[static_cast<std::size_t>(row) + 1];
    out.columns.insert(out.columns.end(), all.columns.begin() + begin, all.columns.begin() + end);
    out.values.insert(out.values.end(), all.values.begin() + begin, all.values.begin() + end);
    out.offsets.push_back(std::ssize(out.columns));
  }
  return out;
}

std::vector<Index> numbers_from(Index first, Index last) {
  std::vector<Index> out;
  for (Index i = first; i < last; ++i) out.push_back(i);
  return out;
}

/// The texts of the documents that stay, and those of new ones.
PackedTexts packed(const TextIndex& index, const std::vector<Index>& kept, const std::vector<std::string>& texts) {
  return index.texts.size() == 0 ? PackedTexts() : repacked(index.texts, kept, texts);
}

/// U of some documents, from their places: those are UΣ, or U itself where folding is scaled.
Matrix<double> left_of(const Model& model, const std::vector<Index>& documents) {
  const TextIndex& index = model.index();
  const LinearModel& linear = model.linear();
  const Index k = model.components();
  Matrix<double> u(std::ssize(documents), k);
  for (Index i = 0; i < u.rows(); ++i) {
    const Index document = documents[static_cast<std::size_t>(i)];
    for (Index c = 0; c < k; ++c) {
      const double y = static_cast<double>(index.places[document * k + c]) * static_cast<double>(index.norms[document]);
      u(i, c) = linear.output_scale.size() > 0 ? y : y / linear.singular_values[c];
    }
  }
  return u;
}

struct Places {
  std::vector<float> places, norms;
};

/// The places of documents from U: rows of UΣ, or of U, to unit length.
Places places_from(const Matrix<double>& u, const LinearModel& linear) {
  Places out;
  out.places.resize(static_cast<std::size_t>(u.size()));
  for (Index i = 0; i < u.rows(); ++i) {
    Vector<double> y = u.row(i).transpose();
    if (linear.output_scale.size() == 0) y = y.cwiseProduct(linear.singular_values).eval();
    const double norm = y.norm();
    for (Index c = 0; c < u.cols(); ++c)
      out.places[static_cast<std::size_t>(i * u.cols() + c)] = norm > 0.0 ? static_cast<float>(y[c] / norm) : 0.0F;
    out.norms.push_back(static_cast<float>(norm));
  }
  return out;
}

/// The linear shape of a new decomposition; the certificate of the old one is void.
Model with_decomposition(const Model& model, const Vector<double>& values, const Matrix<double>& v, double total,
                         const Reason& why) {
  LinearModel shape = model.linear();
  shape.map = v.cast<float>().cast<double>();
  shape.singular_values = values;
  shape.explained_variance = values.cwiseAbs2();
  shape.total_variance = std::max(total, shape.explained_variance.sum());
  shape.explained_variance_ratio = shape.explained_variance / shape.total_variance;
  if (shape.output_scale.size() > 0) shape.output_scale = values.cwiseInverse().cast<float>().cast<double>();
  Model::Head head = model.head();
  head.component_names.resize(static_cast<std::size_t>(values.size()));
  Certificate& c = head.certificate;
  c = {};
  c.route = Route::update;
  c.why = {why};
  head.plan.reset();
  c.converged = true;
  return {std::move(head), std::move(shape)};
}

double squares_of(const Csr<float>& rows) {
  double sum = 0.0;
  for (const float x : rows.values) sum += static_cast<double>(x) * static_cast<double>(x);
  return sum;
}

double weighted_squares(const TextIndex& index, Csr<float> counts, const Execution& exec) {
  apply_weights(index.weights, counts, exec);
  return squares_of(counts);
}

void set_documents(Model::Head& head, Index documents) {
  const Diagnostic counted(diagnostic::documents, static_cast<double>(documents));
  const auto found = std::ranges::find(head.diagnostics, counted.name, &Diagnostic::name);
  if (found != head.diagnostics.end())
    *found = counted;
  else
    head.diagnostics.push_back(counted);
}

}  // namespace

Model add_documents(const Model& model, DocumentSource& documents, Revision how, RevisionReport& report,
                    const Execution& exec) {
  const TextIndex& index = model.index();
  const Index before = index.documents();
  Arrivals arrivals = read_arrivals(index, documents, exec);
  report = {
      .documents = std::ssize(arrivals.ids), .outside_of_fit = index.inside, .unknown_words = arrivals.unknown_words};
  TextIndex out = index;
  out.lengths = joined<float>(index.lengths, lengths_of(arrivals.counts));
  Csr<float> weighted = arrivals.counts;
  apply_weights(index.weights, weighted, exec);
  Model result = model;
  if (how == Revision::fold) {
    const DocumentPlaces placed = place_documents(model.linear(), Dataset(weighted.view()), false, exec);
    out.places = joined<float>(index.places, placed.places.view());
    out.norms = joined<float>(index.norms, placed.norms);
    report.outside = placed.outside;
    const auto old = static_cast<double>(index.folded), fresh = static_cast<double>(report.documents);
    out.drift = (old * index.drift + fresh * placed.outside) / (old + fresh);
    out.folded = index.folded + report.documents;
  } else {
    // Documents that were folded in before become part of the decomposition, too.
    const Index fitted = before - index.folded, k = model.components();
    Csr<float> late = rows_among(rows_of(index), numbers_from(fitted, before));
    apply_weights(index.weights, late, exec);
    late.cols = index.terms.size();
    const Csr<float> rows = stacked(std::move(late), weighted);
    const SvdUpdate updated = append_rows(model.linear().singular_values, model.linear().map, rows.view(), k, exec);
    const double total = model.linear().total_variance + squares_of(rows);
    result =
        with_decomposition(model, updated.values, updated.v, total, Reason(ReasonKind::documents_added, rows.rows));
    report.discarded = updated.discarded / total;
    Matrix<double> u(before + report.documents, updated.values.size());
    u.topRows(fitted) = left_of(model, numbers_from(0, fitted)) * updated.rotation;
    u.bottomRows(rows.rows) = updated.rows;
    Places placed = places_from(u, result.linear());
    out.places = std::move(placed.places);
    out.norms = std::move(placed.norms);
    out.folded = 0, out.drift = 0.0;
  }
  fill_postings(stacked(rows_of(index), arrivals.counts).view(), out);
  add_other_words(index, arrivals.texts, out, exec);
  std::vector<std::string> ids;
  for (Index i = 0; i < before; ++i) ids.emplace_back(index.ids[i]);
  ids.insert(ids.end(), arrivals.ids.begin(), arrivals.ids.end());
  out.texts = packed(index, numbers_from(0, before), arrivals.texts);
  out.ids = ids;
  result.head().provenance.rows = before + report.documents;
  set_documents(result.head(), before + report.documents);
  result.keep(Attachment(std::move(out)));
  return result;
}

Model remove_documents(const Model& model, const std::vector<std::string>& ids, Revision how, RevisionReport& report,
                       const Execution& exec) {
  const TextIndex& index = model.index();
  std::vector<char> gone(static_cast<std::size_t>(index.documents()), 0);
  for (const std::string& id : ids) gone[static_cast<std::size_t>(find_document(model, id))] = 1;
  std::vector<Index> kept, removed;
  for (Index i = 0; i < index.documents(); ++i) (gone[static_cast<std::size_t>(i)] != 0 ? removed : kept).push_back(i);
  if (kept.empty()) throw DataError("remove: no document would be left; delete the file instead");
  report = {.documents = std::ssize(removed), .outside_of_fit = index.inside};

  TextIndex out = index;
  const Index k = model.components(), fitted = index.documents() - index.folded;
  out.folded = std::ranges::count_if(kept, [&](Index i) { return i >= fitted; });
  std::vector<float> lengths;
  for (const Index i : kept) lengths.push_back(index.lengths[i]);
  out.lengths = std::move(lengths);
  Model result = model;
  if (how == Revision::fold) {
    Places placed;
    for (const Index i : kept) {
      placed.places.insert(placed.places.end(), index.places.data() + i * k, index.places.data() + (i + 1) * k);
      placed.norms.push_back(index.norms[i]);
    }
    out.places = std::move(placed.places);
    out.norms = std::move(placed.norms);
    if (out.folded == 0) out.drift = 0.0;
  } else {
    const SvdRemoval left = remove_rows(left_of(model, numbers_from(0, index.documents())),
                                        model.linear().singular_values, model.linear().map, removed, exec);
    if (left.values.size() == 0)
      throw DataError("remove: no document with a term would be left; fit the others anew instead");
    // Documents that were folded in become part of the decomposition, but for those that go.
    const Csr<float> all = rows_of(index);
    const double total = model.linear().total_variance +
                         weighted_squares(index, rows_among(all, numbers_from(fitted, index.documents())), exec) -
                         weighted_squares(index, rows_among(all, removed), exec);
    result =
        with_decomposition(model, left.values, left.v, total, Reason(ReasonKind::documents_removed, removed.size()));
    Places placed = places_from(left.u, result.linear());
    out.places = std::move(placed.places);
    out.norms = std::move(placed.norms);
    out.folded = 0, out.drift = 0.0;
  }
  fill_postings(rows_among(rows_of(index), kept).view(), out);
  keep_other_words(index, kept, out);
  std::vector<std::string> names;
  for (const Index i : kept) names.emplace_back(index.ids[i]);
  out.ids = names;
  out.texts = packed(index, kept, {});
  result.head().provenance.rows = std::ssize(kept);
  set_documents(result.head(), std::ssize(kept));
  result.keep(Attachment(std::move(out)));
  return result;
}

}  // namespace fewdim

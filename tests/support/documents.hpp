#pragma once

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "fewdim/documents.hpp"
#include "fewdim/lsi.hpp"
#include "fewdim/text_index.hpp"

/// Collections for tests: small, made on the spot, the same every time.
namespace fewdim::test {

/// Documents that are in memory.
class GivenDocuments : public DocumentSource {
 public:
  GivenDocuments(std::vector<std::string> ids, std::vector<std::string> texts)
      : ids_(std::move(ids)), texts_(std::move(texts)) {}
  bool next(Document& out) override {
    if (at_ == texts_.size()) return false;
    out = {.id = ids_[at_], .text = texts_[at_], .place = "memory:" + std::to_string(at_ + 1)};
    report_.documents = static_cast<Index>(++at_);
    return true;
  }
  const DocumentReport& report() const override { return report_; }
  std::string name() const override { return "memory"; }

 private:
  std::vector<std::string> ids_, texts_;
  std::size_t at_ = 0;
  DocumentReport report_;
};

struct Texts {
  std::vector<std::string> ids, texts;

  Index size() const { return std::ssize(ids); }
  Texts part(Index first, Index last) const {
    return {{ids.begin() + first, ids.begin() + last}, {texts.begin() + first, texts.begin() + last}};
  }
  GivenDocuments source() const { return {ids, texts}; }
  Dataset dataset() const {
    Dataset out = Dataset::of_texts(texts);
    out.row_names = ids;
    return out;
  }
};

inline Texts operator+(Texts a, const Texts& b) {
  a.ids.insert(a.ids.end(), b.ids.begin(), b.ids.end());
  a.texts.insert(a.texts.end(), b.texts.begin(), b.texts.end());
  return a;
}

/// Words of four letters: babu, dabu, fabu, ... bebu, ...
inline std::string made_word(Index i) {
  constexpr std::string_view first = "bdfgklmnprtvz", vowels = "aeiou";
  const auto at = static_cast<std::size_t>(i);
  return {first[at % 13], vowels[at / 13 % 5], first[at / 65 % 13], 'u'};
}

/// Documents about one of four subjects each: 6 to 25 words, most of the subject's, some of all.
inline Texts made_texts(Index count, Index words, Seed seed = 1) {
  constexpr std::uint64_t subjects = 4;
  const auto all = static_cast<std::uint64_t>(words), own = std::max<std::uint64_t>(1, all / subjects);
  Texts out;
  for (Index i = 0; i < count; ++i) {
    const Random random(seed, static_cast<std::uint32_t>(i));
    const std::uint64_t subject = random.below(0, subjects), length = 6 + random.below(1, 20);
    std::string text;
    for (std::uint64_t j = 0; j < length; ++j) {
      const bool about = random.uniform(2 + 2 * j) < 0.7;
      const std::uint64_t word =
          about ? (subject * own + random.below(3 + 2 * j, own)) % all : random.below(3 + 2 * j, all);
      text += (j > 0 ? " " : "") + made_word(static_cast<Index>(word));
    }
    out.ids.push_back("d" + std::to_string(seed) + "-" + std::to_string(i + 1));
    out.texts.push_back(text);
  }
  return out;
}

/// Counts of such words as they are defined: documents × the sorted words of `terms`.
inline Matrix<double> counts_of(const std::vector<std::string>& texts, const std::vector<std::string>& terms) {
  Matrix<double> out = Matrix<double>::Zero(std::ssize(texts), std::ssize(terms));
  for (Index i = 0; i < out.rows(); ++i) {
    std::istringstream words(texts[static_cast<std::size_t>(i)]);
    for (std::string word; words >> word;)
      if (const auto at = std::ranges::lower_bound(terms, word); at != terms.end() && *at == word)
        out(i, at - terms.begin()) += 1.0;
  }
  return out;
}

inline std::vector<std::string> terms_of(const Model& model) {
  std::vector<std::string> out;
  for (Index t = 0; t < model.index().terms.size(); ++t) out.emplace_back(model.index().terms[t]);
  return out;
}

/// Coordinates of the documents, N×k.
inline Matrix<double> places_of(const Model& model) {
  const TextIndex& index = model.index();
  const Index k = model.components();
  Matrix<double> out(index.documents(), k);
  for (Index i = 0; i < out.rows(); ++i)
    for (Index c = 0; c < k; ++c)
      out(i, c) = static_cast<double>(index.places[i * k + c]) * static_cast<double>(index.norms[i]);
  return out;
}

/// Cosines between all rows; 0 with a row that is 0.
inline Matrix<double> cosines_between(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> out = a * b.transpose();
  for (Index i = 0; i < out.rows(); ++i)
    for (Index j = 0; j < out.cols(); ++j) {
      const double norms = a.row(i).norm() * b.row(j).norm();
      out(i, j) = norms > 0.0 ? out(i, j) / norms : 0.0;
    }
  return out;
}

/// Words counted as they are: no language, no weights, no lengths.
inline LsiOptions plain_counts(Index k) {
  LsiOptions o;
  o.components = Components(k);
  o.words.language = "none";
  o.words.min_documents = 1;
  o.weighting = Weighting::counts;
  o.normalize = false;
  return o;
}

/// The nine titles of Deerwester et al. 1990: five about people and computers, four about graphs.
inline const Texts& titles() {
  static const Texts all{
      {"c1", "c2", "c3", "c4", "c5", "m1", "m2", "m3", "m4"},
      {"Human machine interface for Lab ABC computer applications",
       "A survey of user opinion of computer system response time", "The EPS user interface management system",
       "System and human system engineering testing of EPS",
       "Relation of user-perceived response time to error measurement",
       "The generation of random, binary, unordered trees", "The intersection graph of paths in trees",
       "Graph minors IV: Widths of trees and well-quasi-ordering", "Graph minors: A survey"}};
  return all;
}

inline LsiOptions title_options(Index k) {
  LsiOptions o = plain_counts(k);
  o.words.language = "english";
  o.words.stems = false;
  o.words.min_documents = 2;
  return o;
}

}  // namespace fewdim::test

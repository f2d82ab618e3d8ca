#include "fewdim/lsi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "base/stopwatch.hpp"
#include "data/hash.hpp"
#include "fewdim/text_index.hpp"
#include "methods/shared/spectral.hpp"
#include "methods/shared/spectral_options.hpp"
#include "methods/verify/verify.hpp"
#include "models/shapes/linear.hpp"
#include "models/text/document_places.hpp"
#include "models/text/term_postings.hpp"
#include "text/counts/weighting_names.hpp"

namespace fewdim {

template <>
struct EnumNames<Folding> {
  static constexpr std::array names{std::pair{Folding::projection, "projection"}, std::pair{Folding::scaled, "scaled"}};
};

/// The one declaration of the options.
template <class Visitor>
void describe(LsiOptions& o, Visitor&& field) {
  field(o.components,
        {.name = "components",
         .flag = 'k',
         .help = "concepts to keep: a number (200), a share of the sum of squares, or auto: by the number "
                 "of documents"});
  field(o.words.language, {.name = "language",
                           .help = "of stop words and stems: english, german, ..., none, or auto: by the share of "
                                   "stop words"});
  field(o.words.stop_words,
        {.name = "stop_words", .help = "words to leave out: auto (the language's), none, or a file, one a line"});
  field(o.words.stems, {.name = "stems", .help = "count words by their stems, where the language is known"});
  field(o.words.ngrams, {.name = "ngrams", .minimum = 1, .maximum = 5, .help = "runs of so many words are terms, too"});
  field(o.words.shortest, {.name = "shortest", .minimum = 1, .help = "characters that a word has at least"});
  field(o.words.numbers, {.name = "numbers", .help = "take words of digits alone"});
  field(
      o.words.min_documents,
      {.name = "min_documents", .minimum = 0, .help = "documents a term is in at least: a number, or a share below 1"});
  field(o.words.max_documents,
        {.name = "max_documents", .minimum = 0, .help = "and at most: a share up to 1, or a number above"});
  field(o.words.max_terms,
        {.name = "max_terms", .minimum = 0, .help = "keep only so many terms, those in most documents; 0: all"});
  field(o.words.vocabulary, {.name = "vocabulary", .help = "a file with the terms to count, one a line"});
  field(o.weighting, {.name = "weighting", .help = "what a count becomes; docs/methods/lsi.md has the formulas"});
  field(o.normalize, {.name = "normalize", .help = "documents to unit length before the factorization"});
  field(o.folding, {.name = "folding",
                    .help = "where queries meet documents: projection (qV beside US), or scaled (qV/S beside U)"});
  field(o.keep_texts, {.name = "keep_texts", .help = "keep the documents' texts in the model, for snippets"});
  field(o.tolerance,
        {.name = "tolerance",
         .minimum = 0,
         .maximum = 1,
         .help = "largest residual allowed, relative to the component's squared singular value; 0 means 1e-6"});
  field(o.seed, {.name = "seed", .help = "of the random start vectors"});
}

namespace {

constexpr const char* kLsi = "lsi";
constexpr std::size_t kBatchBytes = 16 << 20;
constexpr double kRankless = 1e-12;  // an eigenvalue of AᵀA this small beside the largest is rounding

/// The next document, into its argument; false at the end.
using NextDocument = std::function<bool(Document&)>;

/// Documents as they come: while some are counted and packed, the next are read.
class Collection {
 public:
  Collection(const NextDocument& next, const LsiOptions& o, const Execution& exec)
      : o_(o), counter_(o.words), texts_(memory_limit(exec) / 8) {
    std::vector<std::string> now, coming;
    for (read(next, now); !now.empty(); now.swap(coming)) {
      parallel_for(exec, 3, [&](Index task) {
        if (task == 0) read(next, coming);
        if (task == 1) counter_.add(now, exec);
        if (task == 2 && o_.keep_texts)
          for (const std::string& text : now) texts_.add(text);
      });
      report_progress(exec, "words", counter_.documents(), 0, "documents");
      require_memory(exec, counter_.bytes() + texts_.bytes(), "lsi: the terms of the documents",
                     "give fewer documents, or " + set_option("keep_texts", false));
    }
    if (ids_.empty()) throw DataError("lsi: there are no documents");
  }

  TermCounts finish(TextIndex& index, const Execution& exec) {
    index.ids = ids_;
    ids_ = {};
    if (o_.keep_texts) index.texts = texts_.finish();
    return counter_.finish(exec, true);
  }
  std::string hash() const { return hasher_.text(); }

 private:
  void read(const NextDocument& next, std::vector<std::string>& texts) {
    texts.clear();
    std::size_t bytes = 0;
    for (Document document; bytes < kBatchBytes && next(document); document = {}) {
      for (const std::string* part : {&document.id, &document.text}) {
        hasher_.update(*part);
        hasher_.update(std::string_view("\0", 1));
      }
      bytes += document.text.size() + sizeof document;
      ids_.push_back(std::move(document.id));
      texts.push_back(std::move(document.text));
    }
  }

  const LsiOptions& o_;
  TermCounter counter_;
  PackedTexts::Builder texts_;
  Hasher hasher_;
  std::vector<std::string> ids_;
};

NextDocument all_of(DocumentSource& documents) {
  return [&documents](Document& out) { return documents.next(out); };
}

/// What the limit leaves beside arrays in memory.
Execution beside(std::uint64_t taken, const Execution& exec) {
  Execution rest = exec;
  if (exec.memory_limit == 0) return rest;
  require_memory(exec, taken + (taken >> 4), "lsi: the counts of the documents",
                 "give " + set_option("max_terms") + ", or " + raise_option("min_documents"));
  rest.memory_limit -= taken;
  return rest;
}

/// Counts by documents and by terms, and those of other words; files without a name take no memory.
std::uint64_t bytes_in_memory(const TextIndex& index, const Dataset& counts, bool on_disk) {
  const auto entries = static_cast<std::uint64_t>(index.other_documents.size());
  const auto words = static_cast<std::uint64_t>(index.other_words.bytes().size() + 16 * index.other_words.size());
  return words + (on_disk ? 0 : 2 * counts.bytes() + entries * (sizeof(std::int32_t) + sizeof(float)));
}

/// Leaves out directions that the data do not have.
void cut_to_rank(Decomposition& d) {
  Index rank = 0;
  while (rank < d.values.size() && d.values[rank] > kRankless * d.values[0]) ++rank;
  rank = std::max<Index>(1, rank);
  if (rank == d.values.size()) return;
  d.values.conservativeResize(rank);
  d.vectors.conservativeResize(Eigen::NoChange, rank);
  Certificate& c = d.certificate;
  for (Vector<double>* v : {&c.residuals, &c.value_bounds, &c.angle_bounds})
    if (v->size() > rank) v->conservativeResize(rank);
  if (std::ssize(c.groups) > rank) c.groups.resize(static_cast<std::size_t>(rank));
}

/// The number of concepts, and a warning where it is not the one that was asked for.
Components concepts_for(const LsiOptions& o, Index documents, Index terms, std::vector<std::string>& warnings) {
  if (o.components.kind == Components::Kind::criterion) {
    if (o.components.criterion != "auto")
      throw InvalidOption(kLsi, "components", o.components.text(), "must be a number, a share, or auto",
                          "use " + set_option("components", "auto"));
    return Components(choose_concepts(documents, terms));
  }
  const Index most = std::min(documents, terms);
  if (o.components.kind == Components::Kind::count && o.components.count > most) {
    warnings.push_back(fmt::format("{} concepts were asked for, and {} documents of {} terms have {} at most",
                                   o.components.count, documents, terms, most));
    return Components(most);
  }
  return o.components;
}

/// Documents that have no place among the concepts; empty where all have one.
std::string without_terms_text(const TermCounts& counted) {
  Index empty = 0, matched = 0;
  for (Index i = 0; i < counted.counts.rows; ++i) {
    if (counted.lengths[i] > 0.0) continue;
    ++empty;
    const auto at = static_cast<std::size_t>(i);
    if (counted.other_counts.rows > i && counted.other_counts.offsets[at + 1] > counted.other_counts.offsets[at])
      ++matched;
  }
  if (empty == 0) return {};
  return fmt::format("{} of {} documents have no term that is counted; they are kept, and {}", empty,
                     counted.counts.rows,
                     matched == 0       ? "never found"
                     : matched == empty ? "found by words that match alone"
                                        : fmt::format("{} of them are found by words that match alone", matched));
}

Model fit_collection(Collection& collection, const LsiOptions& o, const Dataset& origin, Stopwatch& watch,
                     std::vector<std::pair<std::string, double>>& seconds, const Execution& exec) {
  TextIndex index;
  TermCounts counted = collection.finish(index, exec);
  index.rules = counted.rules;
  index.terms = counted.terms;
  index.other_words = counted.other_words;
  index.all_words = o.words.vocabulary.empty();
  const Index documents = counted.counts.rows, terms = counted.counts.cols;
  const std::string without_terms = without_terms_text(counted);
  const Index empty = (counted.lengths.array() <= 0.0).count();
  index.lengths = std::vector<float>(counted.lengths.begin(), counted.lengths.end());
  counted.other_words = {};
  parallel_for(exec, 3, [&](Index task) {
    if (task == 2 && counted.other_counts.cols > 0) {
      fill_other_postings(counted.other_counts.view(), index, counted.other_counts.on_disk);
      counted.other_counts = {};
    }
    if (task == 0) fill_postings(counted.counts.view(), index, counted.counts.on_disk);
    if (task == 1) index.weights = term_weights(counted.counts.view(), o.weighting, o.normalize, exec);
  });
  apply_weights(index.weights, counted.counts, exec);
  if (std::ranges::all_of(counted.counts.values, [](float weight) { return weight == 0.0F; }))
    throw DataError(fmt::format("lsi: every term weighs nothing: each is spread evenly over the {} documents; use {}",
                                documents, set_option("weighting", "counts")));
  watch.lap("words");

  Dataset data(counted.counts.view(), counted.counts.owner);
  data.source = origin.source;
  data.hash = collection.hash();
  SpectralProblem problem;
  problem.who = kLsi;
  problem.center = problem.normalize = false;
  std::vector<std::string> warnings;
  problem.components = concepts_for(o, documents, terms, warnings);
  problem.tolerance = o.tolerance > 0.0 ? o.tolerance : 1e-6;
  problem.seed = o.seed;
  Decomposition d = decompose(data, problem, beside(bytes_in_memory(index, data, counted.counts.on_disk), exec));
  const Index asked = d.values.size();
  cut_to_rank(d);
  if (d.values.size() < asked)
    warnings.push_back(fmt::format("the documents have {} concepts, {} were asked for", d.values.size(), asked));

  for (auto& stage : d.seconds) seconds.push_back(std::move(stage));
  d.seconds.clear();
  watch.restart();
  LinearModel shape = shape_from(d, Precision::float32);
  if (o.folding == Folding::scaled) scale_scores(shape, Precision::float32, inverse_root, kLsi, "folding", "scaled");
  Model::Head head = head_from(kLsi, data, std::move(d), options_to_map(o), o.seed, "LS");
  for (std::string& warning : warnings) head.certificate.warnings.push_back(std::move(warning));
  head.diagnostics = {
      {diagnostic::documents, static_cast<double>(documents)},
      {"terms", static_cast<double>(terms)},
      {"terms_before_limits", static_cast<double>(counted.distinct)},
      {"words", static_cast<double>(counted.words)},
      {"entries_per_document", static_cast<double>(index.posting_documents.size()) / static_cast<double>(documents)}};
  if (counted.counts.on_disk) head.certificate.why.emplace_back(ReasonKind::counts_on_disk);
  if (empty > 0) {
    head.diagnostics.emplace_back("documents_without_terms", static_cast<double>(empty));
    head.certificate.warnings.push_back(without_terms);
  }
  Model model(std::move(head), std::move(shape));
  const auto place_bytes = static_cast<std::uint64_t>(documents * model.components()) * sizeof(float);
  const DocumentPlaces places = place_documents(model.linear(), data, place_bytes > memory_limit(exec) / 4, exec);
  index.places = places.places;
  index.norms = places.norms;
  index.inside = places.outside;
  watch.lap("places");
  model.keep(Attachment(std::move(index)));
  return model;
}

}  // namespace

Index choose_concepts(Index documents, Index terms) {
  const Index by_size =
      static_cast<Index>(std::lround(100.0 * std::pow(static_cast<double>(documents) / 1000.0, 0.24)));
  const Index most = std::max<Index>(2, std::min(documents, terms) / 5);
  return std::clamp<Index>(by_size, 1, std::min({most, documents, terms}));
}

Model fit_lsi(DocumentSource& documents, const LsiOptions& options, const Execution& exec) {
  std::vector<std::pair<std::string, double>> seconds;
  Stopwatch watch(seconds);
  Collection collection(all_of(documents), options, exec);
  Dataset origin;
  origin.source = documents.name();
  Model model = fit_collection(collection, options, origin, watch, seconds, exec);
  model.head().seconds = std::move(seconds);
  return model;
}

Model fit_lsi(const Dataset& texts, const LsiOptions& options, const Execution& exec) {
  if (!texts.is_text())
    throw DataError("lsi: takes documents, and the data are numbers; " + use_method("svd") + " takes those");
  std::vector<std::pair<std::string, double>> seconds;
  Stopwatch watch(seconds);
  std::size_t at = 0;
  const NextDocument next = [&](Document& out) {
    if (at == texts.texts.size()) return false;
    out.id = at < texts.row_names.size() ? texts.row_names[at] : std::to_string(at + 1);
    out.text = texts.texts[at++];
    return true;
  };
  Collection collection(next, options, exec);
  Model model = fit_collection(collection, options, texts, watch, seconds, exec);
  model.head().seconds = std::move(seconds);
  return model;
}

DataShape lsi_shape(DocumentSource& documents, const LsiOptions& options, const Execution& exec) {
  LsiOptions without = options;
  without.keep_texts = false;
  Collection collection(all_of(documents), without, exec);
  TextIndex index;
  const TermCounts counted = collection.finish(index, exec);
  return {.rows = counted.counts.rows,
          .cols = counted.counts.cols,
          .nonzeros = counted.counts.view().nonzeros(),
          .precision = Precision::float32};
}

LsiOptions lsi_options(const OptionMap& map) { return options_from_map<LsiOptions>(map, kLsi); }

const MethodCard& lsi_card() {
  static const MethodCard card{
      .name = kLsi,
      .title = "Latent semantic indexing: search documents by meaning",
      .citation = "Deerwester, Dumais, Furnas, Landauer & Harshman 1990; Dumais 1991; Zha & Simon 1999",
      .task = Task::text,
      .use_when = "Use it when you want to find documents by what they are about, not only by the words they contain.",
      .fields = fields_of<LsiOptions>(),
      .takes = {.kinds = {DataKind::documents}, .sparse = true, .stream = true},
      .gives = {.extension = Extension::exact,
                .inverse = Support::yes,
                .results = {ResultKind::scores, ResultKind::spectrum, ResultKind::directions, ResultKind::left_vectors,
                            ResultKind::loadings},
                .pictures = {PictureKind::scatter, PictureKind::density, PictureKind::pairs, PictureKind::scree,
                             PictureKind::cumulative, PictureKind::biplot},
                .squares = true},
      .verified_by = VerifiedBy::counts,
      .python_class = "LSI",
      .page = "docs/methods/lsi.md",
      .examples = {{"fewdim lsi notes/ -m notes.fewdim", "index a folder"},
                   {"apt-cache dumpavail | fewdim lsi - -k 200 -m packages.fewdim", "records from a pipe"},
                   {"fewdim search notes.fewdim \"what to plant in spring\"", "then ask"}},
      .fit = [](const Dataset& data, const OptionMap& map,
                const Execution& exec) { return fit_lsi(data, lsi_options(map), exec); },
      .plan =
          [](const DataShape& shape, const OptionMap& map, const Execution& exec) {
            const LsiOptions o = lsi_options(map);
            SpectralProblem problem;
            problem.who = kLsi;
            problem.center = problem.normalize = false;
            std::vector<std::string> warnings;
            problem.components = concepts_for(o, shape.rows, shape.cols, warnings);
            problem.tolerance = o.tolerance > 0.0 ? o.tolerance : 1e-6;
            return plan_spectral(shape, problem, exec);
          },
      .takes_text = [](const OptionMap&) { return true; },
      .fit_documents = [](DocumentSource& documents, const OptionMap& map,
                          const Execution& exec) { return fit_lsi(documents, lsi_options(map), exec); },
      .shape_of_documents = [](DocumentSource& documents, const OptionMap& map,
                               const Execution& exec) { return lsi_shape(documents, lsi_options(map), exec); },
      .verify = verify_counts};
  return card;
}

}  // namespace fewdim

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "fewdim/plan.hpp"

/// The one place where routes, reasons and verdicts become words.
namespace fewdim {

namespace {

constexpr std::array route_words{
    std::pair{Route::none, ""},
    std::pair{Route::automatic, "auto"},
    std::pair{Route::covariance, "covariance"},
    std::pair{Route::gram, "gram"},
    std::pair{Route::svd, "svd"},
    std::pair{Route::krylov, "krylov"},
    std::pair{Route::power, "power"},
    std::pair{Route::direct, "direct"},
    std::pair{Route::dense, "dense"},
    std::pair{Route::factor, "factor"},
    std::pair{Route::filter, "filter"},
    std::pair{Route::kept, "kept"},
    std::pair{Route::anew, "anew"},
    std::pair{Route::given, "given"},
    std::pair{Route::all_pairs, "all pairs"},
    std::pair{Route::landmarks, "landmarks"},
    std::pair{Route::nystrom, "nystrom"},
    std::pair{Route::fourier, "fourier"},
    std::pair{Route::exact, "exact"},
    std::pair{Route::factored, "factored"},
    std::pair{Route::laplacian, "laplacian"},
    std::pair{Route::fastica, "fastica"},
    std::pair{Route::deflation, "deflation"},
    std::pair{Route::picard, "picard"},
    std::pair{Route::picard_o, "picard-o"},
    std::pair{Route::jade, "jade"},
    std::pair{Route::hals, "hals"},
    std::pair{Route::als, "als"},
    std::pair{Route::soft_impute, "soft-impute"},
    std::pair{Route::newton, "newton"},
    std::pair{Route::em, "em"},
    std::pair{Route::gaussian, "gaussian"},
    std::pair{Route::sparse, "sparse"},
    std::pair{Route::hadamard, "hadamard"},
    std::pair{Route::update, "update"},
};
static_assert(route_words.size() == static_cast<std::size_t>(Route::update) + 1);

/// The numbers of a reason, by place.
struct Numbers {
  const Reason& reason;

  double real(std::size_t at) const { return reason.numbers.at(at); }
  Index count(std::size_t at) const { return static_cast<Index>(real(at)); }
  std::string bytes(std::size_t at) const { return format_bytes(static_cast<std::uint64_t>(real(at))); }
  /// "7 of 20 components"; 0: a share or a criterion, which are not known ahead.
  std::string components(std::size_t at) const {
    if (real(at) > 0.0) return fmt::format("{} of {} components", count(at), count(at + 1));
    return fmt::format("as many of {} components as it takes", count(at + 1));
  }
  std::string fill() const {
    return fmt::format("{:.0f} numbers of the factor a row, {:.2g} flops, {}", real(0), real(1), bytes(2));
  }
};

std::string formed_words(Index columns, const char* matrix) {
  return fmt::format("{} column{}: {} {}×{} {} is formed in one pass", columns, columns == 1 ? "" : "s",
                     columns == 1 ? "its" : "their", columns, columns, matrix);
}

/// What can't be kept in memory.
std::string anew_words(const char* what, const char* when, const Numbers& n) {
  const std::string beside = n.real(0) > n.real(2) ? "" : fmt::format(", beside {} for the work,", n.bytes(1));
  return fmt::format("{} computed anew {}, as {} of them{} would be above the memory limit of {}", what, when,
                     n.bytes(0), beside, n.bytes(2));
}

std::string spectral_words(const Reason& reason) {
  const Numbers n{reason};
  switch (reason.kind) {
    case ReasonKind::covariance_formed:
      return formed_words(n.count(0), "covariance");
    case ReasonKind::products_formed:
      return formed_words(n.count(0), "matrix of products");
    case ReasonKind::fewer_rows:
      return fmt::format("fewer rows ({}) than columns ({}): the {}×{} Gram matrix is the small one", n.count(0),
                         n.count(1), n.count(0), n.count(0));
    case ReasonKind::sparse_products:
      return fmt::format("sparse ({:.2g} % filled), {}: products with the data alone", 100.0 * n.real(0),
                         n.components(1));
    case ReasonKind::cheaper_products:
      return fmt::format("{}: cheaper by products with the data than by forming a matrix", n.components(0));
    case ReasonKind::forming_over_limit:
      return fmt::format("{}: by products with the data, as forming a matrix needs {}, the limit is {}",
                         n.components(0), n.bytes(2), n.bytes(3));
    case ReasonKind::did_not_converge:
      return fmt::format("{} did not converge", word_of(reason.route));
    case ReasonKind::columns_filled:
      return fmt::format("{} of {} columns hold entries", n.count(0), n.count(1));
    case ReasonKind::merged_parts:
      return "merged from parts";
    case ReasonKind::whole_spectrum:
      return fmt::format("{} objects: the whole spectrum by LAPACK", n.count(0));
    case ReasonKind::some_pairs:
      return fmt::format("{} of {} components: products alone", n.count(0), n.count(1));
    case ReasonKind::few_rows:
      return fmt::format("{} rows: LAPACK", n.count(0));
    case ReasonKind::products_alone:
      return "products alone";
    case ReasonKind::factor_fill:
      return n.fill();
    case ReasonKind::factor_over_limit:
      return fmt::format("a factor would take {}, the limit is {}", n.fill(), n.bytes(3));
    case ReasonKind::factor_slower:
      return fmt::format("a factor would be slower ({})", n.fill());
    case ReasonKind::factor_shift:
      return fmt::format("shift {:.1e}", n.real(0));
    case ReasonKind::on_surface:
      return "if the data lie on a surface";
    default:
      return {};
  }
}

std::string pair_words(const Reason& reason) {
  const Numbers n{reason};
  switch (reason.kind) {
    case ReasonKind::approximate_neighbors:
      return fmt::format("approximate neighbors, {:.2f} % of the true ones found for {} rows", 100.0 * n.real(0),
                         n.count(1));
    case ReasonKind::tiles_kept:
      return fmt::format("{} of tiles kept", n.bytes(0));
    case ReasonKind::tiles_anew:
      return anew_words("tiles", "for every product", n);
    case ReasonKind::matrix_given:
      return "the matrix as it is given";
    case ReasonKind::distances_kept:
      return fmt::format("{} of distances kept", n.bytes(0));
    case ReasonKind::distances_anew:
      return anew_words("distances", "in every pass", n);
    case ReasonKind::distances_given:
      return "the distances as they are given";
    case ReasonKind::pair_order:
      return fmt::format("{} for the order of the pairs", n.bytes(0));
    case ReasonKind::all_paths:
      return fmt::format("paths between all pairs of {} objects in float{}", n.count(0), n.count(1));
    case ReasonKind::landmark_paths:
      return fmt::format("paths from {} landmarks to {} objects in float{}", n.count(0), n.count(1), n.count(2));
    case ReasonKind::wide_over_limit:
      return fmt::format("as {} in float64 are above the memory limit", n.bytes(0));
    case ReasonKind::landmarks_asked:
      return fmt::format("{} landmarks, as asked for", n.count(0));
    case ReasonKind::landmarks_taken:
      return fmt::format("{} landmarks of {} objects", n.count(0), n.count(1));
    case ReasonKind::nystrom_asked:
      return fmt::format("as asked for: {} landmarks of {} rows", n.count(0), n.count(1));
    case ReasonKind::fourier_asked:
      return fmt::format("as asked for: {} features of {} rows", n.count(0), n.count(1));
    case ReasonKind::nystrom_trace:
      return fmt::format("Nyström from {} of {} rows, which leaves {:.2g} of the kernel's trace", n.count(0),
                         n.count(1), n.real(2));
    case ReasonKind::fourier_error:
      return fmt::format(
          "{} random Fourier features, whose kernel is off by {:.2g} (root mean square over 20,000 "
          "pairs)",
          n.count(0), n.real(1));
    case ReasonKind::median_sigma:
      return fmt::format("sigma {:.6g}, the median distance of rows (gamma {:.6g})", n.real(0),
                         0.5 / (n.real(0) * n.real(0)));
    case ReasonKind::median_gamma:
      return fmt::format("gamma {:.6g}, 1/the median distance of rows", n.real(0));
    case ReasonKind::short_strings:
      return fmt::format("{} of {} strings have fewer than {} characters, and are like no other", n.count(0),
                         n.count(1), n.count(2));
    case ReasonKind::links_by_size:
      return fmt::format("{} objects and about {} links", n.count(0), n.count(1));
    case ReasonKind::inequality_form:
      return "inequality form";
    case ReasonKind::equality_form:
      return "equality form";
    case ReasonKind::interior_points:
      return fmt::format("interior points of a factor with {} columns", n.count(0));
    case ReasonKind::multipliers:
      return fmt::format("a factor of {} columns, {} rounds of multipliers", n.count(0), n.count(1));
    case ReasonKind::equality_multipliers:
      return fmt::format("a factor of {} columns, {} rounds of multipliers from the inequality form", n.count(0),
                         n.count(1));
    case ReasonKind::csdp:
      return n.count(0) == 0 ? "interior points (CSDP)"
                             : fmt::format("interior points (CSDP), at reduced accuracy, code {}", n.count(0));
    default:
      return {};
  }
}

std::string other_words(const Reason& reason) {
  const Numbers n{reason};
  switch (reason.kind) {
    case ReasonKind::told:
      return reason.text;
    case ReasonKind::asked_for:
      return "asked for";
    case ReasonKind::sweeps:
      return fmt::format("sweeps over at most {} values; those that are missing cost nothing", n.count(0));
    case ReasonKind::values_there:
      return fmt::format("{} of {} x {} values are there", n.count(0), n.count(1), n.count(2));
    case ReasonKind::likelihood_starts:
      return "the likelihood over the uniquenesses, from several starts; with missing values, EM";
    case ReasonKind::starts_agree:
      return fmt::format("the likelihood over the uniquenesses; {} of {} starts end at the greatest that was found",
                         n.count(0), n.count(1));
    case ReasonKind::missing_values:
      return fmt::format("{} of {} values are missing, in {} patterns", n.count(0), n.count(1), n.count(2));
    case ReasonKind::relevance:
      return "the relevance of components is found step by step";
    case ReasonKind::map_kept:
      return "the map is kept";
    case ReasonKind::map_drawn:
      return "the map is drawn from its seed wherever it is needed";
    case ReasonKind::fast_transforms:
      return "by fast transforms";
    case ReasonKind::map_density:
      return fmt::format("{:.3g} % of it are not 0", 100.0 * n.real(0));
    case ReasonKind::for_whitening:
      return "for the whitening";
    case ReasonKind::for_start:
      return "for the start";
    case ReasonKind::fixed_points_stalled:
      return fmt::format("fixed points had not converged after {} steps", n.count(0));
    case ReasonKind::whitened_passes:
      return fmt::format("{} pass{} over the rows, whitened by PCA on the {} route", n.count(0),
                         n.count(0) == 1 ? "" : "es", word_of(reason.route));
    case ReasonKind::parts_from:
      return fmt::format("from {}; rows placed by non-negative least squares at the end", reason.text);
    case ReasonKind::documents_added:
      return fmt::format("documents added to the decomposition (Zha & Simon 1999): {}", n.count(0));
    case ReasonKind::documents_removed:
      return fmt::format("documents taken out of the decomposition: {}", n.count(0));
    case ReasonKind::counts_on_disk:
      return "the counts lay in a temporary file, as the memory limit asks";
    default:
      return {};
  }
}

/// Between a reason and the one before it.
const char* joint(const Reason& before, const Reason& reason) {
  if (before.kind == ReasonKind::for_whitening || before.kind == ReasonKind::for_start) return ": ";
  switch (reason.kind) {
    case ReasonKind::factor_shift:
    case ReasonKind::on_surface:
    case ReasonKind::wide_over_limit:
    case ReasonKind::fast_transforms:
      return ", ";
    default:
      return "; ";
  }
}

std::string verdict_words(const RouteCost& cost) {
  const auto asked = [&] { return set_option("route", word_of(cost.route)); };
  switch (cost.verdict) {
    case Verdict::open:
      return {};
    case Verdict::chosen:
      return "chosen";
    case Verdict::slower:
      return "slower";
    case Verdict::not_asked:
      return "not asked for";
    case Verdict::over_limit:
      return fmt::format("needs {}, over the limit", format_bytes(cost.bytes));
    case Verdict::needs_memory:
      return "needs the data in memory";
    case Verdict::needs_passes:
      return "needs several passes; a pipe has one";
    case Verdict::no_smaller:
      return "no smaller than the covariance";
    case Verdict::copies_data:
      return fmt::format("copies the data; ask for it with {}", asked());
    case Verdict::slow:
      return fmt::format("slow; ask for it with {}", asked());
    case Verdict::did_not_converge:
      return "did not converge";
    case Verdict::by_size:
      return "by size";
    case Verdict::whitened_rows:
      return "of the whitened rows";
    case Verdict::many_iterations:
      return "of about 100 iterations";
    case Verdict::missing_values:
      return "where values are missing";
    case Verdict::many_dimensions:
      return "if the data fill so many dimensions";
  }
  return {};
}

}  // namespace

std::string word_of(Route route) { return route_words[static_cast<std::size_t>(route)].second; }

std::optional<Route> route_named(std::string_view word) {
  for (const auto& [route, its_word] : route_words)
    if (word == its_word) return route;
  return std::nullopt;
}

std::string words_of(const Reason& reason) {
  for (const auto make : {spectral_words, pair_words, other_words})
    if (std::string words = make(reason); !words.empty()) return words;
  return {};
}

std::string words_of(const std::vector<Reason>& why) {
  std::string text;
  for (std::size_t i = 0; i < why.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : joint(why[i - 1], why[i]), words_of(why[i]));
  return text;
}

std::string name_of(const RouteCost& cost) {
  if (cost.landmarks > 0) return fmt::format("{} {}", word_of(cost.route), cost.landmarks);
  if (cost.dimensions > 0) return fmt::format("{} in {} dimensions", word_of(cost.route), cost.dimensions);
  return word_of(cost.route);
}

std::string verdict_of(const RouteCost& cost, Speech speech) { return spoken(verdict_words(cost), speech); }

}  // namespace fewdim

#include "fewdim/choose_k.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/table/checks.hpp"
#include "models/shapes/sparse_check.hpp"
#include "quality/choice/criteria.hpp"
#include "quality/choice/cross_validation.hpp"
#include "quality/choice/parallel_analysis.hpp"
#include "quality/choice/second_moments.hpp"
#include "solvers/routes/decompose.hpp"

namespace fewdim {

namespace {

/// About a minute of one core. Asked for by name, cross-validation runs whatever it costs.
constexpr double kCrossValidationBudget = 5e11;

void check_names(const std::vector<std::string>& names) {
  const auto& known = k_criteria();
  for (const auto& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InvalidOption("choose-k", "criterion", name, fmt::format("must be one of {}", fmt::join(known, ", ")),
                          "name one of these, or none for all");
}

/// What the criteria look at: the whole spectrum where it can be had, else the leading part.
struct Evidence {
  SecondMoments moments;
  SampleSpectrum spectrum;
  std::string why_not_whole;
};

constexpr Index kLeading = 100;

/// The leading eigenvalues from the solver that fits would use, with the columns' variances.
void look_at_leading(const Dataset& data, const ChooseOptions& options, const Execution& exec, Evidence& evidence) {
  SpectralProblem problem;
  problem.who = "choose-k";
  problem.center = options.center;
  problem.scale = options.scale;
  problem.ddof = options.ddof;
  problem.seed = options.seed;
  problem.tolerance = 1e-6;  // thresholds are no sharper
  problem.components = std::min(kLeading, component_limit(problem, data.rows(), data.cols()));
  const Decomposition leading = decompose(data, problem, exec);
  SecondMoments& moments = evidence.moments;
  moments.options = {options.center, options.scale, options.ddof};
  moments.rows = leading.rows;
  moments.mean = options.center ? leading.mean : Vector<double>::Zero(data.cols());
  moments.variance = leading.column_variance;
  moments.inverse_scale = leading.scale.cwiseInverse();
  evidence.spectrum = {.values = leading.values,
                       .rows = leading.rows,
                       .cols = moments.varying_columns(),
                       .centered = options.center,
                       .correlation = options.scale,
                       .whole = false,
                       .known_total = leading.total};
}

Evidence look_at(const Dataset& data, const ChooseOptions& options, const Execution& exec) {
  Evidence evidence;
  if (second_moments_fit(data, exec, evidence.why_not_whole)) {
    evidence.moments = second_moments(data, {options.center, options.scale, options.ddof}, exec);
    evidence.spectrum = whole_spectrum(evidence.moments);
  } else {
    look_at_leading(data, options, exec, evidence);
  }
  if (evidence.moments.rows < 2)
    throw DataError(fmt::format("choose-k: {} rows are too few; it takes 2", evidence.moments.rows));
  return evidence;
}

/// Kaiser's rule needs no more than the total, once an eigenvalue below the mean is known.
bool leading_part_suffices(const std::string& name, const SampleSpectrum& spectrum) {
  if (name == "parallel") return true;
  const Index last = spectrum.values.size() - 1;
  return name == "kaiser" && last >= 0 && spectrum.values[last] * static_cast<double>(spectrum.cols) < spectrum.total();
}

KAdvice ask(const std::string& name, bool by_name, const Dataset& data, const Evidence& evidence, Seed seed,
            const Execution& exec) {
  const auto& [moments, spectrum, why_not_whole] = evidence;
  if (!spectrum.whole && !leading_part_suffices(name, spectrum)) return {name, -1, "can't say: " + why_not_whole};
  if (name == "minka") return minka_advice(spectrum);
  if (name == "gavish-donoho") return gavish_donoho_advice(spectrum);
  if (name == "broken-stick") return broken_stick_advice(spectrum);
  if (name == "kaiser") return kaiser_advice(spectrum);
  if (name == "elbow") return elbow_advice(spectrum);
  if (name == "parallel") return parallel_advice(data, moments, spectrum, seed, exec);
  const double cost = press_cost(moments.rows, moments.mean.size(), kFolds);
  if (!by_name && cost > kCrossValidationBudget)
    return {name, -1,
            fmt::format("not asked: it takes about {:.0e} multiply-adds; name it to run it all the same", cost)};
  return cross_validation_advice(data, moments, seed, exec);
}

}  // namespace

const std::vector<std::string>& k_criteria() {
  static const std::vector<std::string> names{"parallel",     "gavish-donoho", "minka", "cross-validation",
                                              "broken-stick", "kaiser",        "elbow"};
  return names;
}

// Parallel analysis: it asks only that a component be larger than chance makes it, needs neither white noise nor equal
// variances, takes any shape, and can answer from the leading eigenvalues alone. docs/choosing-k.md has the comparison.
const std::string& default_k_criterion() { return k_criteria().front(); }

std::vector<KAdvice> choose_components(const Dataset& data, const ChooseOptions& options, const Execution& exec) {
  check_names(options.criteria);
  require_numbers(data, "choose-k");
  if (data.empty() || data.cols() < 1 || (data.rows() >= 0 && data.rows() < 2))
    throw DataError(fmt::format("choose-k: {} rows and {} columns are too few; it takes 2 rows and 1 column",
                                std::max<Index>(0, data.rows()), data.cols()));
  require_valid_sparse(data, "choose-k");
  const bool by_name = !options.criteria.empty();
  const auto& names = by_name ? options.criteria : k_criteria();

  if (data.is_stream() && data.stream()->rewindable()) data.stream()->rewind();
  const Evidence evidence = look_at(data, options, exec);
  std::vector<KAdvice> advice;
  for (const auto& name : names) advice.push_back(ask(name, by_name, data, evidence, options.seed, exec));
  return advice;
}

}  // namespace fewdim

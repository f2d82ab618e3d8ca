#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>
#include <string_view>

#include "base/describe.hpp"
#include "fewdim/image_index.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/plot.hpp"
#include "fewdim/report.hpp"
#include "fewdim/text_index.hpp"
#include "models/file/metadata.hpp"
#include "text/counts/weighting_names.hpp"

namespace fewdim {

namespace {

constexpr Index table_rows = 8;
constexpr int scree_rows = 6, scree_width = 60;
constexpr std::size_t most_groups = 6;

/// 1234567 as "1,234,567".
std::string grouped(Index number) {
  std::string digits = std::to_string(number);
  for (Index at = std::ssize(digits) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

std::string counted(Index number, const char* noun) {
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

/// The smallest number of one digit that is not below x: a bound stays a bound when it is rounded.
std::string bound(double x) {
  if (!(x > 0.0) || !std::isfinite(x)) return fmt::format("{:.1g}", x);
  const double unit = std::pow(10.0, std::floor(std::log10(x)));
  return fmt::format("{:.1g}", std::ceil(x / unit * (1.0 - 1e-12)) * unit);
}

std::string line(std::string_view title, const std::string& text) { return fmt::format("{:<11} {}\n", title, text); }

/// "3", "3-4", "3-4 and 7-9": runs of consecutive numbers, counted from 1.
std::string runs(const std::vector<Index>& numbers) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    parts.push_back(end - i == 1 ? fmt::format("{}", numbers[i] + 1)
                                 : fmt::format("{}-{}", numbers[i] + 1, numbers[end - 1] + 1));
    i = end;
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// "goodness_of_fit" as "goodness of fit".
std::string with_blanks(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

/// "residual_variance_3" as "residual_variance_"; empty for a name without a number at its end.
std::string stem_of(const std::string& name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  return end != std::string::npos && end + 1 < name.size() && name[end] == '_' ? name.substr(0, end + 1) : "";
}

/// One line a measure; those that differ by a number at the end share one.
std::string measures_text(const std::vector<Diagnostic>& measures) {
  std::string text;
  for (std::size_t i = 0; i < measures.size();) {
    const std::string stem = stem_of(measures[i].name);
    std::string words = fmt::format("{} {:.6g}", with_blanks(measures[i].name), measures[i].value);
    std::size_t end = i + 1;
    while (!stem.empty() && end < measures.size() && stem_of(measures[end].name) == stem) ++end;
    if (end - i > 1) {
      // Isomap's curve is of maps of 1, 2, … dimensions; all else that is numbered belongs to components.
      words = fmt::format("{}by {}:", with_blanks(stem), stem == "residual_variance_" ? "dimension" : "component");
      for (std::size_t at = i; at < end; ++at) words += fmt::format(" {:.3g}", measures[at].value);
    }
    text += line(text.empty() ? "measures" : "", words);
    i = end;
  }
  return text;
}

std::string options_text(const OptionMap& options) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : options) parts.push_back(fmt::format("{}={}", name, option_text(value)));
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string seconds_text(const std::vector<std::pair<std::string, double>>& seconds) {
  double total = 0.0;
  std::vector<std::string> parts;
  for (const auto& [stage, time] : seconds) {
    total += time;
    parts.push_back(fmt::format("{} {:.3g}", stage, time));
  }
  return fmt::format("{:.3g} s ({})", total, fmt::join(parts, ", "));
}

/// Maps by stress, independent sources and rows placed by least squares have variances alone, or none.
bool has_eigenvalues(const Model& model) { return model.eigenvalues().size() > 0; }

/// Parts that add up: each has squares of its own, and where they overlap all of them say more than the sum.
bool has_parts(const Model& model) { return model.as<LinearModel>() && model.linear().row_fit == RowFit::nonnegative; }

/// What is not centered has squares for variances.
bool has_squares(const Model& model) {
  if (const MethodCard* card = find_method(model.method()); card && card->gives.squares) return true;
  if (!model.as<KernelModel>()) return false;
  const KernelModel& shape = model.kernel();
  return shape.similarity != Similarity::distance && shape.similarity != Similarity::geodesic &&
         shape.means.size() == 0 && shape.shift.size() == 0;
}

/// What a model takes: columns, or the similarities of an object to those of the fit.
std::string input_text(const Model& model) {
  if (model.beside<TextIndex>()) return counted(model.features(), "term");
  if (model.takes_text())
    return fmt::format("strings, by substrings of {}", counted(model.kernel().strings.length, "character"));
  const std::string comes_as = model.new_object();
  if (comes_as.empty()) return counted(model.features(), "feature");
  return fmt::format("{}, by their {}", counted(model.features(), "object"),
                     comes_as == "kernel value" ? "kernel" : comes_as + "s");
}

std::string variance_text(const Model& model) {
  const Spectrum& shape = model.spectrum();
  if (has_parts(model))
    if (const Diagnostic* found = find_diagnostic(model.head().diagnostics, diagnostic::explained))
      return fmt::format("sum of squares {:.5g}, {:.2f} % of it explained by all parts", shape.total_variance,
                         100.0 * found->value);
  const double kept = 100.0 * shape.explained_variance_ratio.sum();
  if (has_squares(model)) return fmt::format("sum of squares {:.5g}, {:.2f} % of it kept", shape.total_variance, kept);
  return fmt::format("{:.5g} in total, {:.2f} % of it kept", model.total_of_variances(), kept);
}

/// Eigenvalues, variances where those are something else, and shares.
std::string component_table(const Model& model) {
  const Vector<double> eigenvalues = model.eigenvalues(), variances = model.variances();
  const Vector<double>& shares = model.spectrum().explained_variance_ratio;
  std::vector<std::pair<const char*, const Vector<double>*>> columns;
  if (eigenvalues.size() > 0) columns.emplace_back("eigenvalue", &eigenvalues);
  if (variances.size() > 0 && (eigenvalues.size() == 0 || model.as<KernelModel>() || model.as<NeighborModel>()) &&
      !(model.as<KernelModel>() && variances == eigenvalues))
    columns.emplace_back(has_parts(model) ? "squares" : "variance", &variances);
  const auto& names = model.head().component_names;
  const Index count = columns.front().second->size();
  const Index shown = std::min(count, count == table_rows + 1 ? table_rows + 1 : table_rows);
  const bool shared = shares.size() == count;
  std::string text = fmt::format("\n{:<11}", "component");
  for (const auto& [title, values] : columns) text += fmt::format(" {:>12}", title);
  const bool adds_up = shared && !has_parts(model);
  text += fmt::format("{}{}\n", shared ? fmt::format(" {:>9}", "share") : "",
                      adds_up ? fmt::format(" {:>9}", "together") : "");
  double together = 0.0;
  for (Index i = 0; i < shown; ++i) {
    text += fmt::format("{:<11}", names.empty() ? std::to_string(i + 1) : names[static_cast<std::size_t>(i)]);
    for (const auto& [title, values] : columns) text += fmt::format(" {:>12.5g}", (*values)[i]);
    if (shared) text += fmt::format(" {:>7.2f} %", 100.0 * shares[i]);
    if (adds_up) text += fmt::format(" {:>7.2f} %", 100.0 * (together += shares[i]));
    text += '\n';
  }
  if (shown < count) text += fmt::format("… {} more\n", count - shown);
  return text;
}

/// "components 3-4, 7-9 can't be told apart: ..."; empty when each stands alone.
std::string group_sentence(const std::vector<Index>& groups) {
  std::vector<std::string> parts;
  for (std::size_t first = 0; first < groups.size();) {
    std::size_t end = first + 1;
    while (end < groups.size() && groups[end] == groups[first]) ++end;
    if (end - first > 1) parts.push_back(fmt::format("{}-{}", first + 1, end));
    first = end;
  }
  if (parts.empty()) return {};
  const std::size_t shown = std::min(parts.size(), most_groups);
  return fmt::format(
      "components {}{} can't be told apart: their eigenvalues are too close, the axes inside are arbitrary",
      fmt::join(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
      shown < parts.size() ? fmt::format(" and {} more groups", parts.size() - shown) : "");
}

/// A map has no eigenvalues: its residuals say how far one more step would move it.
std::string step_sentence(const Certificate& c) {
  return fmt::format("one more step would move the map by at most {} of its size; asked for was {:.1g}",
                     bound(c.residuals.norm()), c.tolerance);
}

/// Sources have no eigenvalues either: what is left of the gradient says how far they are from a stationary point.
std::string gradient_sentence(const Certificate& c) {
  return fmt::format("the relative gradient is at most {}; asked for was {:.1g}", bound(c.residuals.maxCoeff()),
                     c.tolerance);
}

/// The same of parts, whose gradient counts where it does not point below zero.
std::string part_sentence(const Certificate& c) {
  return fmt::format(
      "the projected gradient of a part, times its length, is at most {} of the sum of squares; asked for was {:.1g}",
      bound(c.residuals.maxCoeff()), c.tolerance);
}

/// What expectation and maximization came to rest at.
std::string em_sentence(const Certificate& c) {
  return fmt::format("one more step of EM would change the loadings by at most {} of the largest",
                     bound(c.residuals.maxCoeff()));
}

/// "Rome 9.8 %, Athens 7.1 %": the objects whose pairs fit worst.
std::string worst_text(const Model& model) {
  constexpr Index shown = 5;
  const Vector<double>& shares = model.stress().point_stress;
  const auto& names = model.head().feature_names;
  std::vector<Index> order(static_cast<std::size_t>(shares.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index a, Index b) { return shares[a] > shares[b]; });
  std::vector<std::string> parts;
  for (Index i = 0; i < std::min(shown, shares.size()); ++i) {
    const Index at = order[static_cast<std::size_t>(i)];
    const bool named = model.stress().objects.size() == 0 && !names.empty();
    parts.push_back(fmt::format("{} {:.1f} %", named ? names[static_cast<std::size_t>(at)] : std::to_string(at + 1),
                                100.0 * shares[at]));
  }
  return fmt::format("of the stress by object, the most: {}", fmt::join(parts, ", "));
}

/// The largest residual, relative to its own eigenvalue (to the norm, where the lowest are the ones kept). Eigenvalues
/// that are zero to rounding are not counted.
double largest_residual(const Model& model) {
  const Certificate& c = model.certificate();
  const Vector<double>& values = model.spectrum().explained_variance;
  if (model.as<NeighborModel>() || values.size() != c.residuals.size() || !(values[0] > 0.0))
    return c.residuals.maxCoeff();
  double largest = 0.0;
  for (Index i = 0; i < values.size(); ++i)
    if (values[i] > 1e-12 * values[0]) largest = std::max(largest, c.residuals[i] * values[0] / values[i]);
  return largest;
}

std::string residual_sentence(const Model& model) {
  const Certificate& c = model.certificate();
  if (c.residuals.size() == 0) return {};
  const std::string largest = bound(largest_residual(model));
  const bool lowest = model.as<NeighborModel>();
  if (c.converged)
    return fmt::format("every residual is at most {} of {}", largest, lowest ? "the norm" : "its eigenvalue");
  return fmt::format("not converged: residuals reach {} of {}, asked for was {:.1g}", largest,
                     lowest ? "the norm" : "their eigenvalues", c.tolerance);
}

std::string axis_sentence(const Certificate& c, bool grouped_axes) {
  double widest = -1.0;
  std::vector<Index> unbounded;
  for (Index i = 0; i < c.angle_bounds.size(); ++i) {
    if (c.angle_bounds[i] < std::numbers::pi / 2 - 1e-9)
      widest = std::max(widest, c.angle_bounds[i]);
    else
      unbounded.push_back(i);
  }
  if (widest < 0.0) return unbounded.empty() ? "" : "no axis has a bound on its error";
  return fmt::format("every axis{} is within {} rad of the true one{}",
                     grouped_axes ? " (or the space of its group)" : "", bound(widest),
                     unbounded.empty() ? "" : fmt::format(", but for {}: no bound", runs(unbounded)));
}

/// The last eigenvalue beside the largest; 0 where the lowest are the ones kept.
double last_of_largest(const Model& model) {
  const Vector<double>& values = model.spectrum().explained_variance;
  if (model.as<NeighborModel>() || values.size() == 0 || !(values[0] > 0.0)) return 0.0;
  return values[values.size() - 1] / values[0];
}

/// Was a larger direction missed? `last`: the last eigenvalue, of the largest.
std::string missed_sentence(const Certificate& c, double last) {
  if (!(c.outside_probability < 1.0)) return {};
  const std::string how =
      c.outside_probability > 0.0 ? fmt::format("probability of a miss below {:.0e}", c.outside_probability) : "proved";
  if (c.outside_bound < 0.0 && last <= 0.0) return fmt::format("no lower direction was missed ({})", how);
  if (c.outside_bound <= 1.001 * last + 1e-9) return fmt::format("no larger direction was missed ({})", how);
  return fmt::format("no direction with more than {:.3g} times the last eigenvalue was missed ({})",
                     c.outside_bound / last, how);
}

std::string rounding_sentence(const Certificate& c) {
  std::vector<std::string> parts;
  if (c.orthogonality > 0.0) parts.push_back(fmt::format("the axes are orthonormal to {}", bound(c.orthogonality)));
  if (c.forming_error > 0.0)
    parts.push_back(
        fmt::format("forming the matrix may have cost {} of the largest eigenvalue", bound(c.forming_error)));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string trust_text(const Model& model) {
  const Certificate& certificate = model.certificate();
  const double last = last_of_largest(model);
  std::string text;
  const std::string groups = group_sentence(certificate.groups);
  for (const std::string& sentence : {residual_sentence(model), axis_sentence(certificate, !groups.empty()),
                                      missed_sentence(certificate, last), groups, rounding_sentence(certificate)})
    if (!sentence.empty()) text += line(text.empty() ? "trust" : "", sentence);
  return text.empty() ? text : fmt::format("\n{}", text);
}

std::string limits_text(const std::vector<DistanceLimits>& limits) {
  std::vector<std::string> parts;
  for (const DistanceLimits& limit : limits)
    parts.push_back(fmt::format("{:g} % of such rows: T² up to {:.4g}{}", 100.0 * limit.confidence, limit.t2,
                                limit.spe > 0.0 ? fmt::format(", SPE up to {:.4g}", limit.spe) : ""));
  return fmt::format("{}", fmt::join(parts, "; "));
}

/// "english, stems, 153 stop words; log-entropy, unit length".
std::string words_text(const TextIndex& index) {
  const WordRules& rules = index.rules;
  std::string text = rules.language == "none" ? "no language" : rules.language;
  if (rules.stems) text += ", stems";
  text += fmt::format(", {}",
                      rules.stop_words.empty() ? "no stop words" : counted(std::ssize(rules.stop_words), "stop word"));
  if (rules.ngrams > 1) text += fmt::format(", runs of up to {} words", rules.ngrams);
  return text + fmt::format("; weighted by {}{}", enum_text(index.weights.weighting),
                            index.weights.normalize ? ", to unit length" : "");
}

/// "64 x 64 gray; 40 labels; 99 % of images that were held out lie within 7.1 of the components' space".
std::string images_text(const ImageIndex& images) {
  std::string text = fmt::format("{} x {}, {}", images.height, images.width, images.channels == 1 ? "gray" : "color");
  const std::set<std::string_view> labels(images.labels.begin(), images.labels.end());
  if (!labels.empty()) text += fmt::format("; {}", counted(std::ssize(labels), "label"));
  if (images.face_limit > 0.0)
    text += fmt::format("; {:g} % of images that were held out lie within {:.4g} of the components' space",
                        100.0 * images.face_share, images.face_limit);
  return text;
}

std::string work_text(const Certificate& c) {
  if (c.iterations == 0) return {};
  if (c.products == 0) return fmt::format(" ({})", counted(c.iterations, "iteration"));
  return fmt::format(" ({}, {})", counted(c.iterations, "iteration"), counted(c.products, "product"));
}

}  // namespace

std::string summary(const Model& model, Speech speech) {
  const Spectrum& spectrum = model.spectrum();
  const Model::Head& head = model.head();
  const Certificate& certificate = head.certificate;
  const Provenance& origin = head.provenance;
  std::string text =
      fmt::format("{}: {} of {}{}\n", head.method, counted(model.components(), "component"), input_text(model),
                  model.as<LinearModel>() && model.linear().scale.size() > 0 ? ", each scaled to unit variance" : "");
  text += line("data", fmt::format("{}{}{}, {}", origin.input.empty() ? "" : origin.input + ": ",
                                   counted(origin.rows, model.beside<TextIndex>() ? "document" : "row"),
                                   origin.weights_hash.empty() ? "" : ", weights " + origin.weights_hash,
                                   enum_text(head.precision)));
  if (model.beside<TextIndex>()) text += line("words", words_text(model.index()));
  if (model.beside<ImageIndex>()) text += line("images", images_text(model.images()));
  if (certificate.route != Route::none)
    text += line("route", word_of(certificate.route) + work_text(certificate) +
                              (certificate.why.empty() ? "" : fmt::format(": {}", words_of(certificate.why))));
  if (!head.options.empty()) text += line("options", options_text(head.options));
  if (!head.seconds.empty()) text += line("time", seconds_text(head.seconds));
  if (spectrum.explained_variance_ratio.size() > 0) text += line("variance", variance_text(model));
  if (spectrum.explained_variance.size() > 0) text += component_table(model);
  if (spectrum.explained_variance_ratio.size() > 2)
    text += fmt::format("\n{}", text_scree(spectrum.explained_variance_ratio, scree_rows, scree_width));
  if (text.back() != '\n') text += '\n';
  const bool by_em = certificate.route == Route::em;
  if (has_eigenvalues(model) && !by_em)
    text += trust_text(model);
  else if (certificate.residuals.size() > 0)
    text += fmt::format("\n{}", line("trust", model.as<StressModel>() ? step_sentence(certificate)
                                              : by_em                 ? em_sentence(certificate)
                                              : has_parts(model)      ? part_sentence(certificate)
                                                                      : gradient_sentence(certificate)));
  if (model.as<NeighborModel>())
    text += line("new points", head.extension == Extension::nystrom
                                   ? "by the formula of a vertex and its links (Nyström)"
                                   : "by weights that rebuild them from their neighbors (a heuristic)");
  text += measures_text(head.diagnostics);
  if (model.as<StressModel>() && model.stress().point_stress.size() > 0) text += line("worst", worst_text(model));
  for (const std::string& warning : certificate.warnings) text += line("warning", spoken(warning, speech));
  if (model.as<LinearModel>() && !model.linear().limits.empty())
    text += line("limits", limits_text(model.linear().limits));
  if (!origin.version.empty())
    text += line("made", fmt::format("fewdim {}, {}, seed {}", origin.version, origin.date, origin.seed));
  return text;
}

}  // namespace fewdim

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fewdim/results.hpp"
#include "fewdim/text_index.hpp"

namespace fewdim {

namespace {

/// Each component has a bound of its own: the one that comes nearest to it, or is furthest beyond, stands for all.
Check residual_check(const Verification& found, double asked, std::string meaning) {
  const Vector<double>& residuals = found.certificate.residuals;
  if (asked > 0.0) return {"residuals", residuals.maxCoeff(), asked, std::move(meaning)};
  Index worst = 0;
  for (Index c = 1; c < residuals.size(); ++c)
    if (residuals[c] / found.allowed[c] > residuals[worst] / found.allowed[worst]) worst = c;
  return {"residuals", residuals[worst], found.allowed[worst], std::move(meaning)};
}

double allowed_rounding(const Model& model) { return model.head().precision == Precision::float32 ? 1e-5 : 1e-10; }

std::vector<Check> judge_components(const Model& model, const Verification& found, double asked) {
  const double rounding = allowed_rounding(model);
  std::vector<Check> checks{residual_check(found, asked, "largest |A v - value v|, of the largest value"),
                            {"missed", found.missed, 0.0, "excess of an eigenvalue left out, relative"},
                            {"orthogonality", found.certificate.orthogonality, rounding, "largest entry of |V'V - I|"},
                            {"mean", found.mean_error, rounding,
                             model.as<LinearModel>() ? "largest difference of a column's mean, relative"
                                                     : "largest difference of an object's mean similarity, relative"}};
  if (!model.as<LinearModel>()) return checks;
  checks.push_back({"scale", found.scale_error, rounding, "largest difference of a column's scale, relative"});
  checks.push_back({"variance", found.variance_error, rounding + model.certificate().forming_error,
                    "difference of the total, relative"});
  return checks;
}

std::vector<Check> judge_neighbors(const Model& model, const Verification& found, double asked) {
  std::vector<Check> checks{
      residual_check(found, asked, "largest |A v - value v|, of the norm"),
      {"orthogonality", found.certificate.orthogonality, 1e-10, "largest entry of |V'V - I|"},
      {"placement", found.placement_error, allowed_rounding(model), "what places new rows, relative"}};
  if (found.missing >= 0)
    checks.push_back(
        {"missing", static_cast<double>(found.missing), 0.0, "lower eigenvectors not kept, by a count", true});
  return checks;
}

void compare_hashes(const Model& model, const Dataset& data, Judgement& judgement) {
  const std::string& before = model.head().provenance.input_hash;
  const std::string now = data.input_hash();
  judgement.same_input = before == now && !before.empty();
  if (before.empty() || now.empty() || before == now) return;
  judgement.warnings.push_back(
      fmt::format("{} is not the input the model names ({}, now {}); its numbers are judged all the same", data.source,
                  before, now));
}

}  // namespace

bool Judgement::holds() const { return std::ranges::all_of(checks, &Check::holds); }

void require_verifiable(const Model& model) {
  if (const MethodCard* card = find_method(model.method()); card && !card->verify)
    throw Unsupported(fmt::format("verify: {}", card->unverified));
  if (model.takes_text() && !model.beside<TextIndex>()) model.linear();  // says so
}

Judgement judge(const Model& model, const Dataset& data, double tolerance, const Execution& exec) {
  require_verifiable(model);
  Judgement out;
  out.found = verify(model, data, exec);
  if (model.beside<TextIndex>())
    out.same_input = true;  // it holds them
  else
    compare_hashes(model, data, out);  // the hash of a stream is known by now
  out.checks = model.as<NeighborModel>() ? judge_neighbors(model, out.found, tolerance)
                                         : judge_components(model, out.found, tolerance);
  const std::vector<std::string>& more = out.found.certificate.warnings;
  out.warnings.insert(out.warnings.end(), more.begin(), more.end());
  return out;
}

std::string judgement_json(const Model& model, const Dataset& data, const Judgement& judgement) {
  using Json = nlohmann::ordered_json;
  Json checks = Json::object();
  for (const Check& check : judgement.checks)
    checks[check.name] = {{"found", check.found}, {"allowed", check.allowed}, {"holds", check.holds()}};
  const Certificate& found = judgement.found.certificate;
  return Json{{"method", model.method()},
              {"input", data.source},
              {"input_hash", data.input_hash()},
              {"same_input", judgement.same_input},
              {"holds", judgement.holds()},
              {"checks", checks},
              {"outside_bound", std::isfinite(found.outside_bound) ? Json(found.outside_bound) : Json()},
              {"outside_probability", found.outside_probability},
              {"missing", judgement.found.missing < 0 ? Json() : Json(judgement.found.missing)},
              {"residuals", std::vector<double>(found.residuals.begin(), found.residuals.end())}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace fewdim

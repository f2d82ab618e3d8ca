#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <functional>

#include "fewdim/error.hpp"
#include "fewdim/execution.hpp"
#include "support/claims.hpp"

/// Many random cases, each made of a seed, and what came of them.
namespace fewdim::test {

/// A fit that must come back: progress reports stop it when its time is over.
inline Execution with_deadline(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  return {.threads = 1, .memory_limit = std::uint64_t{4} << 30, .progress = [end](const Progress&) {
            return std::chrono::steady_clock::now() < end;
          }};
}

class Tally {
 public:
  /// `chance`: with which the certificate said that it may be wrong.
  void add(const std::vector<Violation>& violations, Seed seed, Index size, const std::string& what, double chance) {
    if (chance < 1.0) expected_ += chance;
    for (const Violation& v : violations) {
      auto& list = failed_[v.claim + (v.random ? ", random" : "")];
      if (!list.empty() && list.back().seed == seed) continue;  // one of a kind for each case
      list.push_back({seed, size, what + "\n      " + v.words});
    }
  }
  void count(const std::string& outcome) { ++outcomes_[outcome]; }

  /// Fails with the smallest cases of each claim. Claims that hold with a probability may fail as often as they say,
  /// four standard deviations of a Poisson variable allowed.
  void report() const {
    std::string text;
    for (const auto& [outcome, number] : outcomes_) text += fmt::format(" {} {}", number, outcome);
    std::printf("%s\n", text.c_str());
    const char* wish = std::getenv("FEWDIM_CLAIM_SHOW");
    const std::size_t most = wish ? static_cast<std::size_t>(std::atol(wish)) : 5;
    for (auto [claim, list] : failed_) {
      if (claim.ends_with("random") &&
          static_cast<double>(list.size()) <= std::floor(expected_ + 4.0 * std::sqrt(expected_)))
        continue;
      std::ranges::stable_sort(list, {}, &Failed::size);
      std::string shown;
      for (std::size_t i = 0; i < std::min(most, list.size()); ++i)
        shown += fmt::format("\n  FEWDIM_CLAIM_SEED={}: {}", list[i].seed, list[i].words);
      ADD_FAILURE() << "claim \"" << claim << "\" does not hold in " << list.size() << " cases; the smallest:" << shown;
    }
  }

 private:
  struct Failed {
    Seed seed = 0;
    Index size = 0;
    std::string words;
  };
  std::map<std::string, std::vector<Failed>> failed_;
  std::map<std::string, Index> outcomes_;
  double expected_ = 0.0;
};

/// Runs `one` with `share` of FEWDIM_CLAIM_CASES (10,000) seeds of a family, or with FEWDIM_CLAIM_SEED alone where that
/// is one of the family's.
inline void run_cases(Seed family, double share, const std::function<void(Seed, Tally&)>& one) {
  constexpr Seed kFamily = 1'000'000;
  Tally tally;
  if (const char* alone = std::getenv("FEWDIM_CLAIM_SEED")) {
    const Seed seed = std::strtoull(alone, nullptr, 10);
    if (seed / kFamily != family) GTEST_SKIP() << "seed " << seed << " is of another family";
    one(seed, tally);
    return tally.report();
  }
  const char* wish = std::getenv("FEWDIM_CLAIM_CASES");
  const double all = wish ? std::atof(wish) : 10'000.0;
  const auto count = static_cast<Seed>(std::ceil(share * all));
  for (Seed i = 0; i < std::min(count, kFamily); ++i) one(family * kFamily + i, tally);
  tally.report();
}

}  // namespace fewdim::test

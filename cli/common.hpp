#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/error.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/inputs.hpp"
#include "progress.hpp"

namespace fewdim::cli {

using Json = nlohmann::ordered_json;

inline Error usage_error(const std::string& message) { return {ErrorKind::usage, message}; }

/// To standard output, whole; throws IoError when that fails.
void print(std::string_view text);

/// One run of a verb: the options all verbs share, the clock, and the words on standard error.
class Run {
 public:
  explicit Run(std::string verb) : verb_(std::move(verb)) {}

  /// Adds the common options, but for those that the verb declares itself ("--seed").
  void declare(CLI::App& app, const std::vector<std::string>& own = {});

  const std::string& verb() const { return verb_; }
  bool json() const { return json_; }
  bool quiet() const { return quiet_; }
  bool force() const { return force_; }
  const std::string& seed() const { return seed_; }  ///< as given; empty: not given
  const std::string& tolerance() const { return tolerance_; }

  std::uint64_t memory_limit() const;  ///< for the whole process; 0: not given
  Execution execution();               ///< with the whole limit
  /// With what the limit leaves beside the program itself and data that lie in memory.
  Execution execution_beside(const Dataset& data);
  /// For the library's session: the whole limit, what was decided in reading told as a line, seconds added to their
  /// stages.
  SessionContext context();

  /// Does the work and adds its seconds to the stage.
  template <class Work>
  auto timed(const std::string& stage, Work&& work) {
    const Lap lap(*this, stage);
    return work();
  }

  void say(std::string_view text);  ///< a line on standard error, unless --quiet
  void warn(std::string_view text) { say(fmt_warning(text)); }
  /// The one document of --json: what the verb found, then the seconds by stage and the highest memory.
  void print_document(Json found);

 private:
  class Lap {
   public:
    Lap(Run& run, std::string stage) : run_(run), stage_(std::move(stage)) {}
    ~Lap() { run_.add_seconds(stage_, std::chrono::duration<double>(Clock::now() - begin_).count()); }
    Lap(const Lap&) = delete;
    Lap& operator=(const Lap&) = delete;

   private:
    Run& run_;
    std::string stage_;
    std::chrono::steady_clock::time_point begin_ = Clock::now();
  };
  using Clock = std::chrono::steady_clock;

  static std::string fmt_warning(std::string_view text);
  /// What was decided in reading: a line on standard error and in the document of --json, once a run.
  void note_reading(const std::string& text);
  void add_seconds(const std::string& stage, double seconds);
  ProgressBar& bar();

  std::string verb_;
  std::string threads_, seed_, memory_limit_, tolerance_;
  bool json_ = false, progress_ = false, quiet_ = false, force_ = false;
  std::unique_ptr<ProgressBar> bar_;
  std::vector<std::pair<std::string, double>> seconds_;
  Clock::time_point begin_ = Clock::now();
};

/// Numbers of any vector, for a document.
template <class V>
Json numbers(const V& values) {
  Json list = Json::array();
  for (const auto& value : values) list.push_back(value);
  return list;
}

/// Adds an option that holds text; groups order the help.
CLI::Option* add_text(CLI::App& app, const std::string& flags, std::string& target, const std::string& value,
                      const std::string& help, const std::string& group);
/// May be given several times, or once with commas.
CLI::Option* add_list(CLI::App& app, const std::string& flags, std::vector<std::string>& target,
                      const std::string& value, const std::string& help, const std::string& group);
CLI::Option* add_switch(CLI::App& app, const std::string& flags, bool& target, const std::string& help,
                        const std::string& group);

}  // namespace fewdim::cli

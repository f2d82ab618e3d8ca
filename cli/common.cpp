#include "common.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "fewdim/version.hpp"
#include "text.hpp"

namespace fewdim::cli {

namespace {

/// Raised whenever a key of a document changes its meaning or goes away; new keys may come at any time.
constexpr int document_format = 2;
constexpr const char* common_group = "Common";

/// What was told of the reading, in this process: a file may be read twice, and is told of once.
std::vector<std::string> reading_notes;

/// The most that lay in memory at a time. Linux hands ru_maxrss down from the program that started this one, whose
/// memory it counts until then; VmHWM begins anew with each program.
std::uint64_t peak_bytes() {
  std::ifstream status("/proc/self/status");
  std::uint64_t kilobytes = 0;
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) kilobytes = std::strtoull(line.c_str() + 6, nullptr, 10);
  if (kilobytes > 0) return kilobytes * 1024;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw IoError(fmt::format("standard output: can't be written: {}", std::strerror(errno)));
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Characters beyond those that JSON has to escape which a terminal would obey, or which turn the order of a line:
/// those that printable() replaces.
std::string escaped(const std::string& json) {
  std::string out;
  for (std::size_t i = 0; i < json.size();) {
    const auto first = static_cast<unsigned char>(json[i]);
    if (first < 0x7F) {  // what is below a blank, dump() has escaped
      out += json[i++];
      continue;
    }
    const std::size_t size = first == 0x7F ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;  // a dump is sound UTF-8
    const std::string letter = json.substr(i, size);
    unsigned code = size == 1 ? first : first & (0x7FU >> size);
    for (std::size_t j = 1; j < letter.size(); ++j) code = code << 6U | (static_cast<unsigned char>(letter[j]) & 0x3FU);
    out += printable(letter) == letter ? letter : fmt::format("\\u{:04x}", code);
    i += size;
  }
  return out;
}

/// One line a key: as easy to read by eye and with line tools as by a parser.
std::string by_lines(const Json& document) {
  std::string text = "{";
  for (const auto& [key, value] : document.items())
    text += fmt::format("{}\n  {}: {}", text.size() > 1 ? "," : "", Json(key).dump(),
                        escaped(value.dump(-1, ' ', false, Json::error_handler_t::replace)));
  return text + "\n}\n";
}

}  // namespace

void print(std::string_view text) { write_all(STDOUT_FILENO, text); }

CLI::Option* add_text(CLI::App& app, const std::string& flags, std::string& target, const std::string& value,
                      const std::string& help, const std::string& group) {
  return app.add_option(flags, target, help)->type_name(value)->group(group);
}

CLI::Option* add_list(CLI::App& app, const std::string& flags, std::vector<std::string>& target,
                      const std::string& value, const std::string& help, const std::string& group) {
  return app.add_option(flags, target, help)->allow_extra_args(false)->type_name(value)->group(group);
}

CLI::Option* add_switch(CLI::App& app, const std::string& flags, bool& target, const std::string& help,
                        const std::string& group) {
  return app.add_flag(flags, target, help)->group(group);
}

void Run::declare(CLI::App& app, const std::vector<std::string>& own) {
  const auto is_own = [&](const char* flag) { return std::ranges::find(own, flag) != own.end(); };
  add_text(app, "--threads", threads_, "N", "threads to use; the result has the same bits at any number [all cores]",
           common_group);
  if (!is_own("--seed"))
    add_text(app, "--seed", seed_, "N", "of random numbers, where any are drawn [0]", common_group);
  add_text(app, "--memory-limit", memory_limit_, "SIZE",
           "bytes the whole program may take, such as 4G or 512MiB [80 % of what is free]", common_group);
  if (!is_own("--tolerance"))
    add_text(app, "--tolerance", tolerance_, "X", "largest residual that passes, where residuals are judged",
             common_group);
  add_switch(app, "--json", json_, "one JSON document on standard output instead of words", common_group);
  add_switch(app, "--progress", progress_, "show progress even where standard error is no terminal", common_group);
  add_switch(app, "-q,--quiet", quiet_, "say nothing but errors", common_group);
  add_switch(app, "--force", force_, "replace files that exist", common_group);
}

std::uint64_t Run::memory_limit() const {
  return memory_limit_.empty() ? 0 : parse_bytes(memory_limit_, "--memory-limit");
}

ProgressBar& Run::bar() {
  if (!bar_) {
    const bool terminal = ::isatty(STDERR_FILENO) != 0;
    const auto shown = terminal ? ProgressBar::Mode::redraw : ProgressBar::Mode::lines;
    bar_ = std::make_unique<ProgressBar>(!quiet_ && (terminal || progress_) ? shown : ProgressBar::Mode::off);
  }
  return *bar_;
}

Execution Run::execution() {
  Execution exec;
  if (!threads_.empty()) exec.threads = static_cast<int>(std::min<Index>(parse_whole(threads_, "--threads", 1), 4096));
  exec.memory_limit = memory_limit();
  exec.progress = [this](const Progress& progress) {
    bar().report(progress);
    return true;
  };
  return exec;
}

Execution Run::execution_beside(const Dataset& data) { return fewdim::execution_beside(data, execution(), verb_); }

SessionContext Run::context() {
  SessionContext context;
  context.execution = execution();
  context.note = [this](const ReadNote& note) { note_reading(spoken(note.text(), speak_command_line)); };
  context.spent = [this](std::string_view stage, double seconds) { add_seconds(std::string(stage), seconds); };
  return context;
}

void Run::say(std::string_view text) {
  if (quiet_) return;
  if (bar_) bar_->clear();
  std::string line(text);
  if (line.empty() || line.back() != '\n') line += '\n';
  // Standard error may be closed or full: then there is nobody to tell.
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, line.data(), line.size());
}

void Run::note_reading(const std::string& text) {
  if (std::ranges::find(reading_notes, text) != reading_notes.end()) return;
  reading_notes.push_back(text);
  say(printable(text));
}

std::string Run::fmt_warning(std::string_view text) { return fmt::format("fewdim: warning: {}", text); }

void Run::add_seconds(const std::string& stage, double seconds) {
  if (bar_) bar_->clear();
  const auto known = std::ranges::find(seconds_, stage, &std::pair<std::string, double>::first);
  if (known == seconds_.end())
    seconds_.emplace_back(stage, seconds);
  else
    known->second += seconds;
}

void Run::print_document(Json found) {
  Json document{{"fewdim", FEWDIM_VERSION}, {"format", document_format}, {"verb", verb_}};
  for (auto& [key, value] : found.items())
    if (!document.contains(key)) document[key] = std::move(value);
  if (!reading_notes.empty()) document["reading"] = reading_notes;
  Json seconds = Json::object();
  for (const auto& [stage, value] : seconds_) seconds[stage] = value;
  seconds["total"] = std::chrono::duration<double>(Clock::now() - begin_).count();
  document["seconds"] = seconds;
  document["peak_bytes"] = peak_bytes();
  if (bar_) bar_->clear();
  print(by_lines(document));
}

}  // namespace fewdim::cli

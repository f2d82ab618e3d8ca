#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "signals.hpp"
#include "text.hpp"

namespace fewdim::cli {

namespace {

using namespace std::chrono_literals;
constexpr auto patience = 700ms;  // shorter work shows nothing
constexpr auto redraw_every = 100ms;
constexpr auto line_every = 2000ms;  // where lines can't be drawn over
constexpr std::size_t bar_width = 20;

/// "1,797" or, for bytes, "3.2 MiB".
std::string amount(double value, std::string_view unit) {
  if (unit == "bytes") return show_bytes(static_cast<std::uint64_t>(value));
  return show_count(static_cast<std::int64_t>(value));
}

std::string rate(double per_second, std::string_view unit) {
  if (unit == "bytes") return show_bytes(static_cast<std::uint64_t>(per_second)) + "/s";
  static constexpr std::array prefixes{"", " k", " M", " G"};
  std::size_t prefix = 0;
  while (per_second >= 1000.0 && prefix + 1 < prefixes.size()) per_second /= 1000.0, ++prefix;
  return fmt::format("{:.{}f}{}{}{}/s", per_second, per_second < 10.0 ? 1 : 0, prefixes[prefix], prefix == 0 ? " " : "",
                     unit);
}

std::string bar(double share) {
  const auto full = static_cast<std::size_t>(share * static_cast<double>(bar_width));
  return "[" + std::string(full, '#') + std::string(bar_width - full, ' ') + "]";
}

}  // namespace

std::string ProgressBar::line(const Progress& progress, double seconds, std::size_t width) {
  const std::string_view unit = progress.unit;
  const std::string suffix = unit.empty() || unit == "bytes" ? "" : fmt::format(" {}", unit);
  const double done = static_cast<double>(progress.done), speed = seconds > 0.0 ? done / seconds : 0.0;
  std::string text;
  if (progress.total > 0) {
    const double share = std::clamp(done / static_cast<double>(progress.total), 0.0, 1.0);
    text = fmt::format("{} {} {:3.0f} %  {} of {}{}", progress.stage, bar(share), 100.0 * share, amount(done, unit),
                       amount(static_cast<double>(progress.total), unit), suffix);
    if (speed > 0.0 && !unit.empty()) text += "  " + rate(speed, unit);
    if (speed > 0.0 && share < 1.0)
      text += fmt::format("  {} left", show_seconds((static_cast<double>(progress.total) - done) / speed));
  } else {
    text = fmt::format("{}  {}{}", progress.stage, amount(done, unit), suffix);
    if (speed > 0.0 && !unit.empty()) text += "  " + rate(speed, unit);
  }
  return text.substr(0, width);
}

void ProgressBar::report(const Progress& progress) {
  if (mode_ == Mode::off) return;
  const auto now = Clock::now();
  if (progress.stage != stage_) {
    stage_ = progress.stage;
    stage_begin_ = now;
  }
  const auto every = mode_ == Mode::redraw ? redraw_every : line_every;
  if (now - begin_ < patience || now - drawn_at_ < every) return;
  drawn_at_ = now;
  const double seconds = std::chrono::duration<double>(now - stage_begin_).count();
  std::string text = line(progress, seconds, terminal_width() - 1);
  text = mode_ == Mode::redraw ? "\r" + text + "\033[K" : "fewdim: " + text + "\n";
  if (mode_ == Mode::redraw) set_bar_on_screen(true);
  drawn_ = mode_ == Mode::redraw;
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

void ProgressBar::clear() {
  if (!drawn_) return;
  drawn_ = false;
  set_bar_on_screen(false);
  constexpr std::string_view wipe = "\r\033[K";
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, wipe.data(), wipe.size());
}

}  // namespace fewdim::cli

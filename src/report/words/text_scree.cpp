#include <fmt/format.h>

#include <array>
#include <cmath>

#include "fewdim/plot.hpp"
#include "report/plots/shares.hpp"

namespace fewdim {

namespace {

/// A bar of blocks, exact to an eighth of a character, filled up with blanks.
std::string bar(double fraction, Index width) {
  static constexpr std::array eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const Index total = std::clamp<Index>(std::llround(fraction * double(width) * 8), fraction > 0 ? 1 : 0, 8 * width);
  std::string text;
  for (Index i = 0; i < total / 8; ++i) text += "█";
  text += eighths[std::size_t(total % 8)];
  return text + std::string(std::size_t(width - (total + 7) / 8), ' ');
}

}  // namespace

std::string text_scree(const Vector<double>& ratios, int lines, int width) {
  const Vector<double> shares = checked_shares("scree", ratios);
  if (lines < 1)
    throw InvalidOption("scree", "lines", std::to_string(lines), "must be at least 1", "one line per component");
  const Vector<double> sums = running_sums(shares);
  const Index count = shares.size(), shown = count <= lines ? count : lines - 1;
  const std::string rest = shown < count ? fmt::format("{}–{}", shown + 1, count) : std::string();
  const Index rest_width = rest.empty() ? 0 : Index(rest.size()) - 2;  // the dash is three bytes and one character
  const Index number_width = std::max<Index>({Index(std::to_string(shown).size()), rest_width, 2});
  const Index bar_width = width - number_width - 20;  // "  12.34 %  100.00 %" and a blank before the bar
  if (bar_width < 4)
    throw InvalidOption("scree", "width", std::to_string(width), fmt::format("must be at least {}", number_width + 24),
                        "make the terminal wider");
  const double largest = std::max(shares.maxCoeff(), 1e-300);
  std::string text;
  for (Index i = 0; i < shown; ++i)
    text += fmt::format("{:>{}} {} {:6.2f} %  {:6.2f} %\n", i + 1, number_width, bar(shares[i] / largest, bar_width),
                        100 * shares[i], 100 * sums[i]);
  if (rest.empty()) return text;
  double share = 0;
  for (Index i = shown; i < count; ++i) share += shares[i];
  const std::string blanks(std::size_t(number_width - rest_width), ' ');
  return text + fmt::format("{}{} {:<{}} {:6.2f} %  {:6.2f} %\n", blanks, rest, "…", bar_width, 100 * share,
                            100 * sums[count - 1]);
}

}  // namespace fewdim

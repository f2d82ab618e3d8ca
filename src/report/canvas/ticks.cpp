#include "report/canvas/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace fewdim {

namespace {

/// count · factor · 10^exponent, the double nearest to that decimal number where powers of ten are exact.
double decimal(double count, int factor, int exponent) {
  if (count == 0.0) return 0.0;
  const double whole = count * factor;
  return exponent < 0 ? whole / std::pow(10.0, -exponent) : whole * std::pow(10.0, exponent);
}

void trim_zeros(std::string& text) {
  if (text.find('.') == std::string::npos) return;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
}

/// "2e6", "1.5e−7": the mantissa with the digits the step needs.
std::string scientific(double value, int exponent) {
  if (value == 0.0) return "0";
  const int digits = std::max(0, static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9)) - exponent);
  const std::string text = fmt::format("{:.{}e}", value, std::min(digits, 16));
  const std::size_t e = text.find('e');
  std::string mantissa = text.substr(0, e);
  trim_zeros(mantissa);
  return fmt::format("{}e{}", mantissa, std::stoi(text.substr(e + 1)));
}

std::string with_minus_sign(const std::string& text) {  // the typographic one, U+2212, as wide as a plus
  std::string out;
  for (const char c : text)
    if (c == '-')
      out += "−";
    else
      out += c;
  return out;
}

}  // namespace

Ticks nice_ticks(double low, double high, int most) {
  most = std::max(most, 1);
  const Ticks only_low{0.0, {low}, {with_minus_sign(fmt::format("{:.6g}", low))}};
  const double largest = std::max(std::abs(low), std::abs(high));
  const double share = std::min(high / most - low / most, DBL_MAX);
  if (!(share > largest * 1e-14) || !(share > 1e-290)) return only_low;

  // The finest step that gives no more ticks than asked for. Among three multiples of a step there is always one of the
  // next step, so that two or more ticks asked for give at least one.
  int exponent = static_cast<int>(std::floor(std::log10(share))), factor = 1;
  double step = 0.0, first = 0.0, last = 0.0;
  while (true) {
    step = decimal(1, factor, exponent);
    first = std::ceil(low / step - 1e-9), last = std::floor(high / step + 1e-9);
    if (last - first < most) break;
    factor = factor == 1 ? 2 : factor == 2 ? 5 : 1;
    if (factor == 1) ++exponent;
  }

  Ticks ticks{step, {}, {}};
  const bool large = largest >= 1e6, small = largest < 1e-3;
  for (double k = first; k <= last; k += 1.0) {
    const double value = std::clamp(decimal(k, factor, exponent), low, high);
    ticks.at.push_back(value);
    ticks.labels.push_back(with_minus_sign(large || small ? scientific(value, exponent)
                                                          : fmt::format("{:.{}f}", value, std::max(0, -exponent))));
  }
  return ticks.at.empty() ? only_low : ticks;
}

double Scale::fraction(double value) const {
  const double span = high - low;
  if (std::isfinite(span)) return (value - low) / span;
  return (value / 4 - low / 4) / (high / 4 - low / 4);
}

Scale padded_scale(double low, double high, double padding) {
  const double largest = std::max(std::abs(low), std::abs(high));
  double room = padding * high - padding * low;
  if (!(high / 2 - low / 2 > largest * 1e-12) || !(largest > 1e-280)) room = largest > 1e-280 ? 0.05 * largest : 0.5;
  return {std::max(low - room, -DBL_MAX), std::min(high + room, DBL_MAX)};
}

}  // namespace fewdim

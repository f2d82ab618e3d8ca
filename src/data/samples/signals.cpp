#include "data/samples/signals.hpp"

#include <cmath>
#include <numbers>

#include "base/random.hpp"

namespace fewdim {

namespace {

constexpr std::uint32_t stream_bursts = 0x48000000, stream_mixing = 0x49000000;
constexpr double rate = 8000.0;

double burst(const Random& random, Index row, double turns) {
  if (std::sin(2.0 * std::numbers::pi * turns / 80.0) < 0.0) return 0.0;  // silence between two bursts
  const double u = random.uniform(static_cast<std::uint64_t>(row)) - 0.5;
  const double laplace = (u < 0.0 ? 1.0 : -1.0) * std::log(1.0 - 2.0 * std::abs(u));
  return std::clamp(0.2 * laplace, -1.0, 1.0);
}

}  // namespace

void fill_signals(Seed seed, Index first, Index last, RowMatrix<double>& out) {
  for (Index c = 0; c < out.cols(); ++c) {
    const Random random(seed, stream_bursts + static_cast<std::uint32_t>(c));
    const double pitch = 110.0 * std::pow(std::numbers::phi, std::fmod(static_cast<double>(c) * 0.7548776662, 4.0));
    for (Index i = first; i < last; ++i) {
      const double turns = pitch * static_cast<double>(i) / rate, phase = turns - std::floor(turns);
      double& x = out(i, c);
      switch (c % 4) {
        case 0:
          x = std::sin(2.0 * std::numbers::pi * phase);
          break;
        case 1:
          x = phase < 0.5 ? 1.0 : -1.0;
          break;
        case 2:
          x = 2.0 * phase - 1.0;
          break;
        default:
          x = burst(random, i, turns);
      }
    }
  }
}

Matrix<double> signal_mixing(Seed seed, Index cols) {
  Matrix<double> mixing(cols, cols);
  fill_normal<double>(seed, stream_mixing, mixing);
  for (Index c = 0; c < cols; ++c) mixing.col(c) /= mixing.col(c).cwiseAbs().sum();
  return mixing;
}

}  // namespace fewdim

#pragma once

#include <algorithm>
#include <string>

#include "support/draw.hpp"

/// Spectra that solvers and bounds find hard, and matrices that have them.
namespace fewdim::test {

enum class Spread { outlier, outliers, clusters, repeated, graded, low_rank, flat, identity, decay };

inline std::string name_of(Spread spread) {
  constexpr const char* names[] = {"outlier",  "outliers", "clusters", "repeated", "graded",
                                   "low-rank", "flat",     "identity", "decay"};
  return names[static_cast<std::size_t>(spread)];
}

struct DrawnSpectrum {
  Vector<double> values;  ///< descending, the first is 1
  Index edge = 1;         ///< a number of components that ends where it is hardest: in a cluster, at the rank
};

/// Steps down: groups of equal or nearly equal values, the first of `widest` at most.
inline DrawnSpectrum drawn_groups(Draw& draw, Index size, Index widest, double spread) {
  DrawnSpectrum out{.values = Vector<double>(size), .edge = 1};
  double level = 1.0;
  for (Index first = 0; first < size;) {
    const Index width = std::min(size - first, draw.between(1, widest));
    for (Index i = 0; i < width; ++i) out.values[first + i] = level * (1.0 - spread * draw.uniform());
    if (width > 1 && (first == 0 || draw.chance(0.3))) out.edge = first + draw.between(1, width - 1);
    first += width;
    level *= draw.uniform(0.05, 0.9);
  }
  return out;
}

inline DrawnSpectrum drawn_spectrum(Draw& draw, Spread spread, Index size) {
  DrawnSpectrum out{.values = Vector<double>::Ones(size), .edge = draw.between(1, std::max<Index>(1, size / 2))};
  Vector<double>& v = out.values;
  const auto rest_from = [&](Index first, double level) {  // flat, or falling as powers do
    const double power = draw.pick({0.0, 0.0, 0.5, 1.0, 2.0});
    for (Index i = first; i < size; ++i)
      v[i] = level * draw.uniform(0.9, 1.0) * std::pow(static_cast<double>(i - first + 1), -power);
  };
  switch (spread) {
    case Spread::outlier:
      rest_from(1, draw.decades(-12, -3));
      out.edge = draw.between(1, std::min<Index>(size, 4));
      break;
    case Spread::outliers: {
      const Index many = draw.between(2, 6);
      const double rest = draw.decades(-12, -3);
      for (Index i = 1; i < std::min(many, size); ++i) v[i] = std::pow(rest, draw.uniform(0.0, 0.9));
      rest_from(std::min(many, size), rest);
      out.edge = std::min(size, many + draw.between(-1, 2));
      break;
    }
    case Spread::clusters:
      out = drawn_groups(draw, size, draw.pick<Index>({3, 8, 20}), draw.decades(-14, -3));
      break;
    case Spread::repeated:
      out = drawn_groups(draw, size, draw.pick<Index>({3, 10, 20, 40}), 0.0);
      break;
    case Spread::graded: {
      const double span = draw.uniform(4.0, 16.0);
      for (Index i = 0; i < size; ++i)
        v[i] = std::pow(10.0, -span * static_cast<double>(i) / static_cast<double>(std::max<Index>(1, size - 1)));
      break;
    }
    case Spread::low_rank: {
      const Index rank = draw.between(1, std::max<Index>(1, size / 2));
      for (Index i = 0; i < size; ++i) v[i] = i < rank ? std::pow(0.7, static_cast<double>(i)) : 0.0;
      out.edge = std::min(size, rank + draw.between(-1, 3));
      break;
    }
    case Spread::flat: {
      const double least = draw.pick({0.1, 0.9, 0.999});
      for (Index i = 0; i < size; ++i) v[i] = draw.uniform(least, 1.0);
      break;
    }
    case Spread::identity:
      break;
    case Spread::decay: {
      const double power = draw.uniform(0.3, 3.0);
      for (Index i = 0; i < size; ++i) v[i] = std::pow(static_cast<double>(i + 1), -power);
      break;
    }
  }
  std::sort(v.data(), v.data() + size, std::greater<>());
  v /= v[0];
  out.edge = std::clamp<Index>(out.edge, 1, size);
  return out;
}

/// x ← (I − 2uuᵀ) x, u with `size` random coordinates from the first on: three of them leave no axis where it was.
inline void reflect_rows(Draw& draw, Matrix<double>& x, Index size) {
  if (size < 2) return;
  const Vector<double> u = draw.unit(size);
  const Vector<double> products = x.topRows(size).transpose() * u;
  x.topRows(size) -= 2.0 * u * products.transpose();
}

inline void turn_rows(Draw& draw, Matrix<double>& x, Index size) {
  for (int i = 0; i < 3; ++i) reflect_rows(draw, x, size);
}

/// Q diag(values) Qᵀ, exactly symmetric.
inline Matrix<double> symmetric_with(Draw& draw, const Vector<double>& values) {
  Matrix<double> a = values.asDiagonal();
  for (int i = 0; i < 3; ++i) {
    const Vector<double> u = draw.unit(a.rows()), au = a * u;
    const double form = u.dot(au);
    a += -2.0 * (u * au.transpose() + au * u.transpose()) + 4.0 * form * u * u.transpose();
  }
  return 0.5 * (a + a.transpose());
}

}  // namespace fewdim::test

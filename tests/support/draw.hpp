#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>

#include "base/random.hpp"

namespace fewdim::test {

/// Random numbers one after the other: what a case of a random test is made of. Its seed is all that is needed to make
/// it again.
class Draw {
 public:
  explicit Draw(Seed seed) : random_(seed, 0) {}

  double uniform() { return random_.uniform(next_++); }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// 10 to a power that is uniform in low .. high.
  double decades(double low, double high) { return std::pow(10.0, uniform(low, high)); }
  double normal() { return random_.normal(2 * next_++); }
  Index between(Index low, Index high) {
    return high <= low ? low
                       : low + static_cast<Index>(random_.below(next_++, static_cast<std::uint64_t>(high - low) + 1));
  }
  bool chance(double share) { return uniform() < share; }
  template <class T>
  T pick(std::initializer_list<T> list) {
    return list.begin()[between(0, static_cast<Index>(list.size()) - 1)];
  }
  Vector<double> unit(Index size) {
    Vector<double> v(size);
    for (Index i = 0; i < size; ++i) v[i] = normal();
    return v / v.norm();
  }

 private:
  Random random_;
  std::uint64_t next_ = 0;
};

}  // namespace fewdim::test

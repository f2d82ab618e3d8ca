#include <array>
#include <cmath>
#include <unordered_map>

#include "report/plots/density.hpp"

namespace fewdim {

namespace {

/// A side of the grid between two neighboring middles, by the first of them.
struct Side {
  int column, row;
  bool upright;  // to (column, row + 1); else to (column + 1, row)
};

class Tracer {
 public:
  Tracer(const DensityGrid& grid, double level) : grid_(grid), level_(level) {}

  std::vector<Path> trace() {
    for (int r = first_row(); r + 1 <= last_row(); ++r)
      for (int c = first_column(); c + 1 <= last_column(); ++c) add_square(c, r);
    return join();
  }

 private:
  // The middles inside the area.
  int first_column() const { return grid_.margin_x; }
  int first_row() const { return grid_.margin_y; }
  int last_column() const { return grid_.columns - grid_.margin_x - 1; }
  int last_row() const { return grid_.rows - grid_.margin_y - 1; }

  std::int64_t key(const Side& side) const {
    return ((std::int64_t{side.row} * grid_.columns + side.column) << 1) + (side.upright ? 1 : 0);
  }

  Point crossing(const Side& side) const {
    const int c = side.column + (side.upright ? 0 : 1), r = side.row + (side.upright ? 1 : 0);
    const double a = grid_.at(side.column, side.row), b = grid_.at(c, r);
    const double along = (level_ - a) / (b - a);
    const Point from = grid_.middle(side.column, side.row), to = grid_.middle(c, r);
    return {from.x + along * (to.x - from.x), from.y + along * (to.y - from.y)};
  }

  void link(const Side& a, const Side& b) {
    const std::int64_t from = key(a), to = key(b);
    points_.emplace(from, crossing(a));
    points_.emplace(to, crossing(b));
    ends_[from].push_back(to);
    ends_[to].push_back(from);
    order_.insert(order_.end(), {from, to});
  }

  /// The line through one square of four middles.
  void add_square(int c, int r) {
    const std::array<bool, 4> above{grid_.at(c, r) > level_, grid_.at(c + 1, r) > level_,
                                    grid_.at(c + 1, r + 1) > level_, grid_.at(c, r + 1) > level_};
    const std::array<Side, 4> sides{{{c, r, false}, {c + 1, r, true}, {c, r + 1, false}, {c, r, true}}};
    std::vector<Side> crossed;
    for (std::size_t i = 0; i < 4; ++i)
      if (above[i] != above[(i + 1) % 4]) crossed.push_back(sides[i]);
    if (crossed.size() == 2) link(crossed[0], crossed[1]);
    if (crossed.size() != 4) return;
    // A saddle: the mean of the four says which corners belong together.
    const double mean = 0.25 * (grid_.at(c, r) + grid_.at(c + 1, r) + grid_.at(c, r + 1) + grid_.at(c + 1, r + 1));
    const bool first_joined = above[0] == (mean > level_);
    link(crossed[0], crossed[first_joined ? 1 : 3]);
    link(crossed[2], crossed[first_joined ? 3 : 1]);
  }

  /// Follows the links from every end that is left; open lines first, then rings.
  std::vector<Path> join() {
    std::vector<Path> paths;
    for (const bool open : {true, false})
      for (const std::int64_t from : order_)
        if (const std::size_t links = ends_[from].size(); links == 1 || (links > 0 && !open))
          paths.push_back(follow(from));
    return paths;
  }

  Path follow(std::int64_t at) {
    Path path{points_.at(at)};
    while (!ends_[at].empty()) {
      const std::int64_t next = ends_[at].back();
      ends_[at].pop_back();
      std::erase(ends_[next], at);
      path.push_back(points_.at(next));
      at = next;
    }
    return path;
  }

  const DensityGrid& grid_;
  double level_;
  std::unordered_map<std::int64_t, Point> points_;
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> ends_;
  std::vector<std::int64_t> order_;
};

}  // namespace

std::vector<Path> contours(const DensityGrid& grid, double level) { return Tracer(grid, level).trace(); }

}  // namespace fewdim

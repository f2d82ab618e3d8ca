#include "report/plots/density.hpp"

#include <algorithm>
#include <cmath>

#include "report/canvas/raster_canvas.hpp"

namespace fewdim {

namespace {

/// σ N^(−1/6) of one coordinate, in cells.
double bandwidth(std::span<const Point> points, double Point::*coordinate, double cell) {
  const double n = static_cast<double>(points.size());
  double mean = 0.0, square = 0.0;
  for (const Point& p : points) mean += p.*coordinate / n;
  for (const Point& p : points) square += (p.*coordinate - mean) * (p.*coordinate - mean) / n;
  return std::max(1.0, std::sqrt(square) * std::pow(n, -1.0 / 6.0) / cell);
}

/// Normal weights at −reach .. reach, summing to 1.
std::vector<double> kernel(double width, int reach) {
  std::vector<double> weights;
  double sum = 0.0;
  for (int i = -reach; i <= reach; ++i) weights.push_back(std::exp(-0.5 * i * i / (width * width)));
  for (const double w : weights) sum += w;
  for (double& w : weights) w /= sum;
  return weights;
}

/// Rows of `columns` numbers, each spread along itself; written as columns, so that twice does both axes.
std::vector<double> spread(const std::vector<double>& in, int columns, int rows, const std::vector<double>& weights) {
  const int reach = static_cast<int>(weights.size() / 2);
  std::vector<double> out(in.size(), 0.0);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const double held = in[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns) + std::size_t(c)];
      if (held == 0.0) continue;
      for (int i = std::max(-reach, -c); i <= std::min(reach, columns - 1 - c); ++i)
        out[std::size_t(c + i) * static_cast<std::size_t>(rows) + std::size_t(r)] +=
            held * weights[std::size_t(i + reach)];
    }
  return out;
}

}  // namespace

double DensityGrid::value(Point p) const {
  const double x = std::clamp((p.x - area.x) / cell + margin_x - 0.5, 0.0, columns - 1.001);
  const double y = std::clamp((p.y - area.y) / cell + margin_y - 0.5, 0.0, rows - 1.001);
  const int c = static_cast<int>(x), r = static_cast<int>(y);
  const double fx = x - c, fy = y - r;
  return (1 - fy) * ((1 - fx) * at(c, r) + fx * at(c + 1, r)) + fy * ((1 - fx) * at(c, r + 1) + fx * at(c + 1, r + 1));
}

DensityGrid estimate_density(std::span<const Point> points, const Box& area, double cell) {
  constexpr double reach = 4.0;  // bandwidths: beyond them the normal density is below 1/2000 of its top
  const double wide_x = bandwidth(points, &Point::x, cell), wide_y = bandwidth(points, &Point::y, cell);
  DensityGrid grid{area,
                   cell,
                   0,
                   0,
                   static_cast<int>(std::ceil(reach * wide_x)) + 1,
                   static_cast<int>(std::ceil(reach * wide_y)) + 1,
                   {}};
  grid.columns = static_cast<int>(std::ceil(area.width / cell)) + 2 * grid.margin_x;
  grid.rows = static_cast<int>(std::ceil(area.height / cell)) + 2 * grid.margin_y;
  std::vector<double> mass(static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows), 0.0);
  const double share = 1.0 / static_cast<double>(points.size());
  for (const Point& p : points) {  // to the four middles around it, the more the nearer
    const double x = std::clamp((p.x - area.x) / cell + grid.margin_x - 0.5, 0.0, grid.columns - 1.001);
    const double y = std::clamp((p.y - area.y) / cell + grid.margin_y - 0.5, 0.0, grid.rows - 1.001);
    const auto c = static_cast<std::size_t>(x), r = static_cast<std::size_t>(y);
    const double fx = x - static_cast<double>(c), fy = y - static_cast<double>(r);
    double* corner = mass.data() + r * static_cast<std::size_t>(grid.columns) + c;
    corner[0] += share * (1 - fx) * (1 - fy), corner[1] += share * fx * (1 - fy);
    corner[grid.columns] += share * (1 - fx) * fy, corner[grid.columns + 1] += share * fx * fy;
  }
  mass = spread(mass, grid.columns, grid.rows, kernel(wide_x, grid.margin_x - 1));
  grid.mass = spread(mass, grid.rows, grid.columns, kernel(wide_y, grid.margin_y - 1));
  return grid;
}

double level_holding(const DensityGrid& grid, double share) {
  std::vector<double> sorted = grid.mass;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double held = 0.0;
  for (const double mass : sorted)
    if ((held += mass) >= share) return mass;
  return 0.0;
}

void draw_bands(Canvas& canvas, const DensityGrid& grid, std::span<const double> levels, std::span<const Color> fills) {
  constexpr double scale = RasterCanvas::standard_scale;
  Pixels pixels{static_cast<int>(std::lround(grid.area.width * scale)),
                static_cast<int>(std::lround(grid.area.height * scale)),
                4,
                {}};
  pixels.bytes.reserve(static_cast<std::size_t>(pixels.width) * static_cast<std::size_t>(pixels.height) * 4);
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x) {
      const double value = grid.value({grid.area.x + (x + 0.5) / scale, grid.area.y + (y + 0.5) / scale});
      const auto above = std::upper_bound(levels.begin(), levels.end(), value) - levels.begin();
      const Color fill = above == 0 ? rgb(0xffffff, 0.0) : fills[static_cast<std::size_t>(above - 1)];
      pixels.bytes.insert(pixels.bytes.end(),
                          {fill.red, fill.green, fill.blue, static_cast<std::uint8_t>(std::lround(255 * fill.alpha))});
    }
  canvas.image(grid.area, pixels);
}

}  // namespace fewdim

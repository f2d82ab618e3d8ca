#include "report/canvas/raster.hpp"

#include <algorithm>
#include <cmath>

namespace fewdim {

namespace {

double distance_to_segment(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  const double along = length2 > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0, 1.0) : 0.0;
  const double ex = p.x - a.x - along * dx, ey = p.y - a.y - along * dy;
  return std::sqrt(ex * ex + ey * ey);
}

/// Adds one edge to the running coverage of each row it crosses: in a cell, the area to the right of the edge;
/// in the next cell, the rest, so that a prefix sum along the row gives the covered area.
class EdgeSums {
 public:
  EdgeSums(int left, int top, int right, int bottom)
      : left_(left),
        top_(top),
        width_(right - left),
        height_(bottom - top),
        sums_(std::size_t(width_ + 2) * height_, 0.0f) {}

  void add(Point a, Point b) {
    if (a.y == b.y) return;
    const double sign = a.y < b.y ? 1.0 : -1.0;
    if (sign < 0) std::swap(a, b);
    const double slope = (b.x - a.x) / (b.y - a.y);
    const int first = std::max(0, static_cast<int>(std::floor(a.y)) - top_);
    const int last = std::min(height_ - 1, static_cast<int>(std::floor(b.y)) - top_);
    for (int row = first; row <= last; ++row) {
      const double y0 = std::max(a.y, double(row + top_)), y1 = std::min(b.y, double(row + top_ + 1));
      if (y1 > y0)
        add_in_row(row, a.x + slope * (y0 - a.y) - left_, a.x + slope * (y1 - a.y) - left_, sign * (y1 - y0));
    }
  }

  const float* row(int y) const { return sums_.data() + std::size_t(y - top_) * std::size_t(width_ + 2); }

 private:
  void add_in_row(int row, double x0, double x1, double rise) {
    float* sums = sums_.data() + std::size_t(row) * std::size_t(width_ + 2);
    if (x0 > x1) std::swap(x0, x1);
    x0 = std::clamp(x0, 0.0, double(width_)), x1 = std::clamp(x1, 0.0, double(width_));
    const int first = static_cast<int>(x0), last = static_cast<int>(x1);
    for (int cell = first; cell <= last; ++cell) {
      const double from = std::max(x0, double(cell)), to = std::min(x1, double(cell + 1));
      const double part = x1 > x0 ? rise * (to - from) / (x1 - x0) : rise;
      const double middle = 0.5 * (from + to) - cell;
      sums[cell] += static_cast<float>(part * (1.0 - middle));
      sums[cell + 1] += static_cast<float>(part * middle);
    }
  }

  int left_, top_, width_, height_;
  std::vector<float> sums_;
};

}  // namespace

Raster::Raster(int width, int height, Color background)
    : width_(width), height_(height), solid_(background.alpha > 0), premultiplied_(std::size_t(width) * height * 4) {
  if (!solid_) return;
  for (std::size_t i = 0; i < premultiplied_.size(); i += 4) {
    premultiplied_[i] = background.red / 255.0f, premultiplied_[i + 1] = background.green / 255.0f;
    premultiplied_[i + 2] = background.blue / 255.0f, premultiplied_[i + 3] = 1.0f;
  }
}

Raster::Window Raster::window(double left, double top, double right, double bottom) const {
  const auto cut = [](double v, int limit) { return static_cast<int>(std::clamp(v, 0.0, double(limit))); };
  return {cut(std::floor(left), width_), cut(std::floor(top), height_), cut(std::ceil(right), width_),
          cut(std::ceil(bottom), height_)};
}

void Raster::blend(int x, int y, Color color, float coverage) {
  float* pixel = premultiplied_.data() + (std::size_t(y) * width_ + x) * 4;
  const float alpha = coverage * static_cast<float>(color.alpha), keep = 1.0f - alpha;
  pixel[0] = color.red / 255.0f * alpha + pixel[0] * keep;
  pixel[1] = color.green / 255.0f * alpha + pixel[1] * keep;
  pixel[2] = color.blue / 255.0f * alpha + pixel[2] * keep;
  pixel[3] = alpha + pixel[3] * keep;
}

void Raster::fill(std::span<const Point> corners, Color color) {
  if (corners.size() < 3) return;
  double left = corners[0].x, right = left, top = corners[0].y, bottom = top;
  for (const Point& p : corners)
    left = std::min(left, p.x), right = std::max(right, p.x), top = std::min(top, p.y), bottom = std::max(bottom, p.y);
  const Window w = window(left, top, right, bottom);
  if (w.empty()) return;
  EdgeSums edges(w.left, w.top, w.right, w.bottom);
  for (std::size_t i = 0; i < corners.size(); ++i) edges.add(corners[i], corners[(i + 1) % corners.size()]);
  for (int y = w.top; y < w.bottom; ++y) {
    const float* sums = edges.row(y);
    float winding = 0.0f;
    for (int x = w.left; x < w.right; ++x) {
      winding += sums[x - w.left];
      const float coverage = std::min(1.0f, std::abs(winding));
      if (coverage > 1e-4f) blend(x, y, color, coverage);
    }
  }
}

void Raster::stroke(std::span<const Path> paths, double width, Color color) {
  if (width < 1.0) color.alpha *= width, width = 1.0;  // a hair line is a faint line of one pixel
  const double reach = 0.5 * width + 0.5;
  double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
  for (const Path& path : paths)
    for (const Point& p : path)
      left = std::min(left, p.x), right = std::max(right, p.x), top = std::min(top, p.y),
      bottom = std::max(bottom, p.y);
  const Window all = window(left - reach, top - reach, right + reach, bottom + reach);
  if (all.empty()) return;
  const int across = all.right - all.left;
  std::vector<float> mask(std::size_t(across) * (all.bottom - all.top), 0.0f);
  for (const Path& path : paths) {
    for (std::size_t i = 0; i + 1 < std::max<std::size_t>(path.size(), 2) && !path.empty(); ++i) {
      const Point a = path[i], b = path[std::min(i + 1, path.size() - 1)];
      const Window w = window(std::min(a.x, b.x) - reach, std::min(a.y, b.y) - reach, std::max(a.x, b.x) + reach,
                              std::max(a.y, b.y) + reach);
      for (int y = w.top; y < w.bottom; ++y)
        for (int x = w.left; x < w.right; ++x) {
          const double coverage = std::clamp(reach - distance_to_segment({x + 0.5, y + 0.5}, a, b), 0.0, 1.0);
          float& held = mask[std::size_t(y - all.top) * across + (x - all.left)];
          held = std::max(held, static_cast<float>(coverage));
        }
    }
  }
  for (int y = all.top; y < all.bottom; ++y)
    for (int x = all.left; x < all.right; ++x)
      if (const float coverage = mask[std::size_t(y - all.top) * across + (x - all.left)]; coverage > 0)
        blend(x, y, color, coverage);
}

void Raster::disc(Point center, double radius, Color color) {
  const double reach = radius + 0.5;
  const Window w = window(center.x - reach, center.y - reach, center.x + reach, center.y + reach);
  for (int y = w.top; y < w.bottom; ++y)
    for (int x = w.left; x < w.right; ++x) {
      const double dx = x + 0.5 - center.x, dy = y + 0.5 - center.y;
      const double coverage = std::clamp(reach - std::sqrt(dx * dx + dy * dy), 0.0, 1.0);
      if (coverage > 0) blend(x, y, color, static_cast<float>(coverage));
    }
}

void Raster::image(Point corner, double width, double height, const Pixels& pixels) {
  const Window w = window(corner.x, corner.y, corner.x + width, corner.y + height);
  const auto source = [](double at, double length, int count) {
    return std::clamp(static_cast<int>(at / length * count), 0, count - 1);
  };
  for (int y = w.top; y < w.bottom; ++y)
    for (int x = w.left; x < w.right; ++x) {
      const std::size_t from_x = source(x + 0.5 - corner.x, width, pixels.width);
      const std::size_t from_y = source(y + 0.5 - corner.y, height, pixels.height);
      const std::uint8_t* p = pixels.bytes.data() + (from_y * pixels.width + from_x) * pixels.channels;
      const Color color = pixels.channels == 1   ? Color{p[0], p[0], p[0], 1.0}
                          : pixels.channels == 3 ? Color{p[0], p[1], p[2], 1.0}
                                                 : Color{p[0], p[1], p[2], p[3] / 255.0};
      blend(x, y, color, 1.0f);
    }
}

Pixels Raster::pixels() const {
  Pixels out{width_, height_, solid_ ? 3 : 4, {}};
  out.bytes.reserve(premultiplied_.size());
  const auto byte = [](float v) { return static_cast<std::uint8_t>(std::lround(std::clamp(v, 0.0f, 1.0f) * 255.0f)); };
  for (std::size_t i = 0; i < premultiplied_.size(); i += 4) {
    const float alpha = premultiplied_[i + 3], scale = byte(alpha) > 0 ? 1.0f / alpha : 0.0f;
    for (std::size_t c = 0; c < 3; ++c) out.bytes.push_back(byte(premultiplied_[i + c] * scale));
    if (!solid_) out.bytes.push_back(byte(alpha));
  }
  return out;
}

}  // namespace fewdim

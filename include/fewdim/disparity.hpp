#pragma once

namespace fewdim {

/// Which disparities t may stand for the dissimilarities δ of pairs when a map's distances are fitted to them:
/// ratio t = δ up to a factor (metric scaling), interval t = a + b(δ − min δ) with a, b ≥ 0, ordinal any t in the order
/// of the δ (non-metric scaling).
enum class Disparity { ratio, interval, ordinal };

/// What equal dissimilarities ask of ordinal disparities: weak, that nothing between them is out of order (Kruskal's
/// primary approach: ties may be broken); strong, that they get equal disparities (his secondary approach).
enum class Ties { weak, strong };

}  // namespace fewdim

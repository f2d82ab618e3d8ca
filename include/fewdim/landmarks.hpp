#pragma once

namespace fewdim {

/// Which objects are landmarks: the one farthest from those before, again and again, or a sample.
enum class LandmarkChoice { maxmin, random };

}  // namespace fewdim

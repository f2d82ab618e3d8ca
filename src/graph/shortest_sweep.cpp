#include "graph/shortest_sweep.hpp"

#include "base/clones.hpp"

namespace fewdim {

namespace {

/// A cache line of labels. Adding and taking the lesser are exact or rounded lane by lane, so every width of vector
/// gives the same bits.
template <class C>
struct Line;
template <>
struct Line<float> {
  using Type __attribute__((vector_size(64))) = float;
};
template <>
struct Line<double> {
  using Type __attribute__((vector_size(64))) = double;
};

/// The same line as whole numbers: labels only fall, so they fell where a bit differs.
using Bits __attribute__((vector_size(64))) = std::int64_t;

template <class C>
__attribute__((always_inline)) inline Index sweep_all(const EdgeLists<C>& graph, const std::int32_t* order,
                                                      bool forward, bool all, std::uint8_t* dirty, C* labels) {
  using Vec = typename Line<C>::Type;
  constexpr Index kLines = kSweepLanes<C> * static_cast<Index>(sizeof(C)) / 64;
  auto* lines = reinterpret_cast<Vec*>(labels);
  const std::int64_t* offsets = graph.offsets.data();
  const Edge<C>* edges = graph.edges.data();
  const Index n = graph.vertices();
  Index fell = 0;
  for (Index at = 0; at < n; ++at) {
    const Index v = order[forward ? at : n - 1 - at];
    if (!all && dirty[v] == 0) continue;
    dirty[v] = 0;
    Vec low[kLines];
    for (Index l = 0; l < kLines; ++l) low[l] = lines[kLines * v + l];
    const Edge<C>*first = edges + offsets[v], *last = edges + offsets[v + 1];
    for (const Edge<C>* e = first; e != last; ++e) {
      const Vec* other = lines + kLines * e->target;
      for (Index l = 0; l < kLines; ++l) {
        const Vec by = other[l] + e->length;
        low[l] = by < low[l] ? by : low[l];
      }
    }
    Bits changed = Bits(low[0]) ^ Bits(lines[kLines * v]);
    for (Index l = 1; l < kLines; ++l) changed |= Bits(low[l]) ^ Bits(lines[kLines * v + l]);
    std::int64_t any = 0;
    for (int s = 0; s < 8; ++s) any |= changed[s];
    if (any == 0) continue;
    for (Index l = 0; l < kLines; ++l) lines[kLines * v + l] = low[l];
    for (const Edge<C>* e = first; e != last; ++e) dirty[e->target] = 1;
    ++fell;
  }
  return fell;
}

}  // namespace

#define FEWDIM_SWEEP(C)                                                                                   \
  FEWDIM_CLONES Index sweep(const EdgeLists<C>& graph, const std::int32_t* order, bool forward, bool all, \
                            std::uint8_t* dirty, C* labels) {                                             \
    return sweep_all(graph, order, forward, all, dirty, labels);                                          \
  }
FEWDIM_SWEEP(float)
FEWDIM_SWEEP(double)
#undef FEWDIM_SWEEP

}  // namespace fewdim

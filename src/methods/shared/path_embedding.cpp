#include "methods/shared/path_embedding.hpp"

#include <numeric>

#include "data/table/block.hpp"
#include "graph/geodesics.hpp"
#include "methods/shared/landmark_embedding.hpp"

namespace fewdim {

namespace {

/// The squares of all geodesics, by tiles. They are written there as they are found.
template <class S>
SymmetricTiles<S> squared_geodesics(const NeighborGraph& graph, Matrix<double>& kept, bool keep,
                                    const Execution& exec) {
  const Index n = graph.vertices();
  if (keep) kept.resize(n, n);
  const auto give = [&](const typename SymmetricTiles<S>::TakeRow& take) {
    std::vector<std::int32_t> sources(static_cast<std::size_t>(n));
    std::iota(sources.begin(), sources.end(), 0);
    RowBuffers<S> rows(n, n);
    std::vector<S*> row(sources.size());
    geodesics<S>(
        graph, sources, [&](Index i) { return row[static_cast<std::size_t>(i)] = rows.take(i); },
        [&](Index i, const S*) {
          S* lengths = row[static_cast<std::size_t>(i)];
          if (keep)
            for (Index j = 0; j < n; ++j) kept(j, i) = static_cast<double>(lengths[j]);
          for (Index j = 0; j < n; ++j) lengths[j] *= lengths[j];
          take(i, lengths);
          rows.give_back(i);
        },
        exec);
  };
  return SymmetricTiles<S>(n, give, exec);
}

template <class S>
PathEmbedding embed_all(const NeighborGraph& graph, const SymmetricProblem& problem, bool keep, Stopwatch& watch,
                        const Execution& exec) {
  PathEmbedding out;
  const SymmetricTiles<S> squares = squared_geodesics<S>(graph, out.geodesics, keep, exec);
  watch.lap("geodesics");
  out.gram = embed_gram(squares, -0.5, Vector<double>::Zero(graph.vertices()), true, {}, problem, exec);
  watch.lap("eigen");
  out.coordinates = coordinates_of(out.gram);
  out.residual_variance = residual_variance(squares, out.coordinates, problem.seed, exec);
  watch.lap("residual variance");
  return out;
}

template <class S>
PathEmbedding embed_by_landmarks(const NeighborGraph& graph, std::span<const std::int32_t> landmarks,
                                 const SymmetricProblem& problem, bool keep, Stopwatch& watch, const Execution& exec) {
  PathEmbedding out;
  const Index n = graph.vertices();
  const auto values = make_large_array<S>(landmarks.size() * static_cast<std::size_t>(n));
  geodesics_into(graph, landmarks, values.get(), n, exec);
  watch.lap("geodesics");
  const LandmarkDistances<S> distances{landmarks, n, values.get()};
  out.gram = embed_landmarks(distances, problem, exec);
  watch.lap("eigen");
  out.coordinates = place_by_landmarks(distances, out.gram, exec);
  watch.lap("places");
  out.residual_variance = residual_variance(distances, out.coordinates, exec);
  watch.lap("residual variance");
  if (keep) out.geodesics = Eigen::Map<const RowMatrix<S>>(values.get(), distances.count(), n).template cast<double>();
  return out;
}

}  // namespace

template <class S>
PathEmbedding embed_paths(const NeighborGraph& graph, std::span<const std::int32_t> landmarks,
                          const SymmetricProblem& problem, bool keep, Stopwatch& watch, const Execution& exec) {
  return landmarks.empty() ? embed_all<S>(graph, problem, keep, watch, exec)
                           : embed_by_landmarks<S>(graph, landmarks, problem, keep, watch, exec);
}

template PathEmbedding embed_paths<float>(const NeighborGraph&, std::span<const std::int32_t>, const SymmetricProblem&,
                                          bool, Stopwatch&, const Execution&);
template PathEmbedding embed_paths<double>(const NeighborGraph&, std::span<const std::int32_t>, const SymmetricProblem&,
                                           bool, Stopwatch&, const Execution&);

}  // namespace fewdim

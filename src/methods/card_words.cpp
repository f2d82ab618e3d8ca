#include <array>
#include <utility>

#include "base/describe.hpp"
#include "fewdim/method.hpp"

namespace fewdim {

template <>
struct EnumNames<Task> {
  static constexpr std::array names{std::pair{Task::linear, "linear directions"},
                                    std::pair{Task::curved, "curved directions"},
                                    std::pair{Task::distances, "maps that keep distances"},
                                    std::pair{Task::neighborhoods, "maps from neighborhoods"},
                                    std::pair{Task::parts, "parts and factors"},
                                    std::pair{Task::signals, "independent signals"},
                                    std::pair{Task::random, "random projections"},
                                    std::pair{Task::text, "text"},
                                    std::pair{Task::ratings, "ratings"}};
};

template <>
struct EnumNames<DataKind> {
  static constexpr std::array names{
      std::pair{DataKind::rows, "rows"},       std::pair{DataKind::distances, "distances"},
      std::pair{DataKind::graph, "graph"},     std::pair{DataKind::kernel, "kernel"},
      std::pair{DataKind::lines, "lines"},     std::pair{DataKind::documents, "documents"},
      std::pair{DataKind::ratings, "ratings"}, std::pair{DataKind::images, "images"}};
};

template <>
struct EnumNames<ResultKind> {
  static constexpr std::array names{std::pair{ResultKind::scores, "scores"},
                                    std::pair{ResultKind::spectrum, "spectrum"},
                                    std::pair{ResultKind::directions, "directions"},
                                    std::pair{ResultKind::left_vectors, "left vectors"},
                                    std::pair{ResultKind::loadings, "loadings"},
                                    std::pair{ResultKind::uniquenesses, "uniquenesses"},
                                    std::pair{ResultKind::row_statistics, "row statistics"},
                                    std::pair{ResultKind::column_statistics, "column statistics"},
                                    std::pair{ResultKind::approximation, "approximation"}};
};

template <>
struct EnumNames<PictureKind> {
  static constexpr std::array names{
      std::pair{PictureKind::scatter, "scatter"},       std::pair{PictureKind::density, "density"},
      std::pair{PictureKind::pairs, "pairs"},           std::pair{PictureKind::scree, "scree"},
      std::pair{PictureKind::cumulative, "cumulative"}, std::pair{PictureKind::biplot, "biplot"},
      std::pair{PictureKind::circle, "circle"},         std::pair{PictureKind::shepard, "shepard"},
      std::pair{PictureKind::residual, "residual"}};
};

template <>
struct EnumNames<VerifiedBy> {
  static constexpr std::array names{
      std::pair{VerifiedBy::nothing, "nothing"},           std::pair{VerifiedBy::decomposition, "decomposition"},
      std::pair{VerifiedBy::likelihood, "likelihood"},     std::pair{VerifiedBy::counts, "counts"},
      std::pair{VerifiedBy::similarities, "similarities"}, std::pair{VerifiedBy::lowest, "lowest"}};
};

template <>
struct EnumNames<Support> {
  static constexpr std::array names{std::pair{Support::no, "no"}, std::pair{Support::on_request, "on request"},
                                    std::pair{Support::yes, "yes"}};
};

std::string word_of(Task task) { return enum_text(task); }
std::string word_of(DataKind kind) { return enum_text(kind); }
std::string word_of(ResultKind kind) { return enum_text(kind); }
std::string word_of(PictureKind kind) { return enum_text(kind); }
std::string word_of(VerifiedBy way) { return enum_text(way); }
std::string word_of(Support support) { return enum_text(support); }

std::string word_of(Extension extension) {
  switch (extension) {
    case Extension::exact:
      return "exact";
    case Extension::nystrom:
      return "nystrom";
    case Extension::heuristic:
      return "heuristic";
    case Extension::none:
      break;
  }
  return "none";
}

}  // namespace fewdim

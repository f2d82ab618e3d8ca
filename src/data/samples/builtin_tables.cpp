#include <array>

#include "data/samples/tables/catalog.hpp"
#include "fewdim/generate.hpp"

namespace fewdim {

namespace {

// L. I. Smith (2002), A tutorial on principal components analysis, University of Otago: the worked example, in tenths.
constexpr int ten_points_tenths[][2] = {{25, 24}, {5, 7},   {22, 29}, {19, 22}, {31, 30},
                                        {23, 27}, {20, 16}, {10, 11}, {15, 16}, {11, 9}};

constexpr int iris_tenths[][4] = {
#include "data/samples/tables/iris.inc"
};

constexpr char digit_lines[][66] = {
// label, 64 pixels, the literal's closing zero
#include "data/samples/tables/digits.inc"
};

/// Numbers with one decimal: n / 10.0 is the double that reading the text "n.n" gives.
template <std::size_t rows, std::size_t cols>
Dataset from_tenths(const int (&tenths)[rows][cols]) {
  RowMatrix<double> x(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) x(Index(i), Index(j)) = tenths[i][j] / 10.0;
  return Dataset(std::move(x));
}

Dataset ten_points() {
  Dataset data = from_tenths(ten_points_tenths);
  data.column_names = {"x", "y"};
  return data;
}

Dataset iris() {
  static constexpr std::array species{"setosa", "versicolor", "virginica"};
  Dataset data = from_tenths(iris_tenths);
  data.column_names = {"Sepal.Length", "Sepal.Width", "Petal.Length", "Petal.Width"};
  data.label_name = "Species";
  for (std::size_t i = 0; i < std::size(iris_tenths); ++i) data.labels.emplace_back(species[i / 50]);
  return data;
}

Dataset digits() {
  constexpr Index side = 8;
  RowMatrix<double> x(Index(std::size(digit_lines)), side * side);
  std::vector<std::string> labels;
  for (Index i = 0; i < x.rows(); ++i) {
    const char* line = digit_lines[i];
    labels.emplace_back(1, line[0]);
    for (Index j = 0; j < x.cols(); ++j) {
      const char pixel = line[1 + j];
      x(i, j) = pixel <= '9' ? pixel - '0' : pixel - 'a' + 10;
    }
  }
  Dataset data(std::move(x));
  data.labels = std::move(labels);
  data.label_name = "digit";
  for (Index r = 0; r < side; ++r)
    for (Index c = 0; c < side; ++c)
      data.column_names.push_back("pixel_" + std::to_string(r) + "_" + std::to_string(c));
  return data;
}

struct Table {
  GeneratorCard card;
  Dataset (*make)();
};

const std::vector<Table>& builtin_catalog() {
  static const std::vector<Table> list{
      {{"ten-points", "10x2, the worked example of Smith's PCA tutorial"}, ten_points},
      {{"iris", "150x4, Fisher's irises, 3 species"}, iris},
      {{"digits", "1797x64, handwritten digits of 8x8 pixels, 10 classes"}, digits},
  };
  return list;
}

}  // namespace

const std::vector<GeneratorCard>& builtin_tables() {
  static const std::vector<GeneratorCard> cards = [] {
    std::vector<GeneratorCard> list;
    for (const Table& table : builtin_catalog()) list.push_back(table.card);
    return list;
  }();
  return cards;
}

Dataset builtin_table(std::string_view name) {
  for (const Table& table : builtin_catalog()) {
    if (table.card.name != name) continue;
    Dataset data = table.make();
    data.source = table.card.name;
    return data;
  }
  refuse_name("built-in table", name, builtin_tables());
}

}  // namespace fewdim

#include <fmt/format.h>

#include "fewdim/plot.hpp"
#include "input.hpp"
#include "targets.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

class Images {
 public:
  explicit Images(CLI::App& app) : run_("images") {
    input_.declare(app, {.columns = false});
    add_text(app, "--shape", shape_, "HxW", "height and width of one picture: 8x8 for rows of 64 numbers", "Pictures")
        ->required();
    add_text(app, "--columns", columns_, "N", "pictures per line [10]", "Pictures");
    add_text(app, "--low", low_, "X", "the value drawn black [the smallest there is]", "Pictures");
    add_text(app, "--high", high_, "X", "the value drawn white [the largest there is]", "Pictures");
    add_list(app, "--titles", titles_, "WORDS", "a title for each line, with commas", "Pictures");
    add_text(app, "--title", title_, "TEXT", "of the whole", "Pictures");
    add_text(app, "-o,--output", output_, "FILE", "the picture, .png or .svg", "Output")->required();
    run_.declare(app);
  }

  int operator()() {
    ImageGrid grid;
    const std::vector<std::string> sides = split_at(shape_, 'x');
    if (sides.size() != 2) throw usage_error(fmt::format("--shape '{}' must be height and width, such as 8x8", shape_));
    grid.height = parse_whole(sides[0], "--shape", 1);
    grid.width = parse_whole(sides[1], "--shape", 1);
    grid.columns = columns_.empty() ? 10 : parse_whole(columns_, "--columns", 1);
    if (low_.empty() != high_.empty()) throw usage_error("--low and --high go together; give both, or none");
    grid.low = low_.empty() ? 0.0 : parse_real(low_, "--low");
    grid.high = high_.empty() ? 0.0 : parse_real(high_, "--high");  // equal: from the data
    if (!low_.empty() && !(grid.low < grid.high))
      throw usage_error(fmt::format("--low {} must be below --high {}", low_, high_));
    for (const std::string& list : titles_)
      for (std::string& title : split_list(list)) grid.row_titles.push_back(std::move(title));
    grid.title = title_;
    Targets targets(run_);
    targets.add("--output", output_, Targets::Kind::picture);
    targets.check();
    draw(grid, targets);
    return 0;
  }

 private:
  void draw(ImageGrid& grid, Targets& targets) {
    const Dataset data = input_.load(run_);
    if (data.cols() != grid.height * grid.width)
      throw DataError(
          fmt::format("{}: rows of {} numbers are no pictures of {}x{}; name a column of labels with --label, or "
                      "give another --shape",
                      data.source, data.cols(), grid.height, grid.width));
    grid.images = data.matrix<double>();
    targets.write_with(output_, fmt::format("{} pictures", data.rows()), [&] { plot(grid, output_, run_.force()); });
    if (run_.json())
      run_.print_document({{"input", data.source}, {"pictures", data.rows()}, {"outputs", targets.document()}});
  }

  Run run_;
  Input input_;
  std::string shape_, columns_, low_, high_, title_, output_;
  std::vector<std::string> titles_;
};

}  // namespace

Verb images_verb() {
  return {"images",
          "Data",
          "Draw rows as gray pictures in a grid",
          "",
          {{"fewdim images digits.csv --label digit --shape 8x8 -o digits.png", "each row one picture"}},
          [](CLI::App& app) -> Action {
            const auto verb = std::make_shared<Images>(app);
            return [verb] { return (*verb)(); };
          }};
}

}  // namespace fewdim::cli

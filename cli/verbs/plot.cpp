#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fewdim/model.hpp"
#include "fewdim/pictures.hpp"
#include "plot_points.hpp"
#include "targets.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

constexpr const char* kind_names = "scatter|density|pairs|biplot|circle|scree|cumulative|shepard|residual";

PlotSize parse_size(const std::string& text) {
  if (text.empty()) return {};
  const std::vector<std::string> sides = split_at(text, 'x');
  if (sides.size() != 2) throw usage_error(fmt::format("--size '{}' must be width and height, such as 800x600", text));
  const auto side = [](const std::string& number) {
    return static_cast<int>(std::min<Index>(parse_whole(number, "--size", 1), 1'000'000));
  };
  return {side(sides[0]), side(sides[1])};
}

class Plot {
 public:
  explicit Plot(CLI::App& app) : run_("plot") {
    points_.declare(app);
    add_text(app, "--kind", kind_, kind_names, "of picture [scatter; scree of a model that keeps no coordinates]",
             group);
    add_text(app, "--axes", axes_, "A,B", "components or columns to draw, by name or number [1,2]; pairs take more",
             group);
    add_text(app, "--components", components_, "N", "of pairs: the first so many [5]", group);
    add_switch(app, "--hulls", hulls_, "the convex hull of each class", group);
    add_switch(app, "--density", density_, "densest regions instead of dots, for many points: --kind density", group);
    app.add_flag("--equal{yes},--no-equal{no}", equal_, "a unit is as long on both axes [for maps that keep distances]")
        ->group(group);
    add_text(app, "--alpha", alpha_, "X", "of a biplot: 1 keeps distances of rows, 0 covariances of columns [1]",
             group);
    add_text(app, "--title", title_, "TEXT", "above the picture; empty: none [method and input]", group)
        ->each([this](const std::string&) { titled_ = true; });
    add_text(app, "--size", size_, "WxH", "of the picture, 400x300 to 4000x4000; a PNG has twice as many pixels",
             group);
    add_text(app, "-o,--output", output_, "FILE", "the picture, .svg or .png", "Output")->required();
    run_.declare(app);
  }

  int operator()() {
    const double alpha = alpha_.empty() ? 1.0 : parse_real(alpha_, "--alpha");
    const PlotSize size = parse_size(size_);
    check_words();
    Targets targets(run_);
    for (const std::string& path : points_.paths()) targets.add_input(path);
    targets.add("--output", output_, Targets::Kind::picture);
    targets.check();
    points_.open(run_);
    choose_kind();
    Json found = draw(alpha, size, targets);
    if (run_.json()) {
      found["outputs"] = targets.document();
      run_.print_document(std::move(found));
    }
    return 0;
  }

 private:
  static constexpr const char* group = "Picture";

  void check_words() {
    const std::vector<std::string> kinds = split_at(kind_names, '|');
    if (!kind_.empty() && std::ranges::find(kinds, kind_) == kinds.end()) {
      const std::string near = nearest(kind_, kinds);
      throw usage_error(fmt::format("--kind '{}' must be {}{}", kind_, one_of(kinds),
                                    near.empty() ? "" : fmt::format("; did you mean {}?", near)));
    }
    if (kind_ == "density") density_ = true;
    const bool dots = kind_.empty() || kind_ == "scatter" || kind_ == "density" || kind_ == "pairs";
    if ((hulls_ || density_) && !dots)
      throw usage_error(fmt::format("--{} is for scatter and pairs, not for {}", hulls_ ? "hulls" : "density", kind_));
    if (!equal_.empty() && !dots)
      throw usage_error(
          fmt::format("--{}equal is for scatter and pairs, not for {}", equal_ == "no" ? "no-" : "", kind_));
    if (!alpha_.empty() && kind_ != "biplot") throw usage_error("--alpha is for --kind biplot");
    if (!components_.empty() && kind_ != "pairs") throw usage_error("--components is for --kind pairs");
    if (!components_.empty() && !axes_.empty())
      throw usage_error("--components and --axes both say what to draw; give one of them");
  }

  /// What the model or table can show.
  void choose_kind() {
    if (!kind_.empty()) {
      shown_ = picture_kind(kind_);
      points_.require(shown_);
      return;
    }
    const std::vector<PictureKind> possible = points_.kinds();
    if (possible.empty())
      throw usage_error(
          fmt::format("{} keeps neither coordinates nor shares of variance; give the data it was "
                      "fitted on as well, or its scores",
                      points_.name()));
    shown_ = possible.front();
    if ((hulls_ || density_) && shown_ != PictureKind::scatter) points_.require(PictureKind::scatter);
  }

  Json draw(double alpha, const PlotSize& size, Targets& targets) {
    PictureSource source{.model = points_.shown_model()};
    PictureRequest request{.kind = shown_, .alpha = alpha, .hulls = hulls_, .density = density_, .size = size};
    if (!equal_.empty()) request.equal = equal_ == "yes";
    if (draws_rows(shown_)) {
      points_.load(run_);
      points_.color(request);
      source.scores = points_.scores();
    }
    if (compares_rows(shown_) && points_.has_data()) source.data = points_.data(run_);
    if (draws_rows(shown_) || shown_ == PictureKind::circle) request.axes = axes();
    if (titled_)
      request.title = title_;
    else if (!source.model)
      request.title = points_.name().substr(points_.name().find_last_of('/') + 1);
    const Execution exec = source.data.empty() ? run_.execution() : run_.execution_beside(source.data);
    const auto make = [&] { return make_picture(source, request, exec); };
    const Picture picture = source.data.empty() ? make() : run_.timed("pairs", make);
    Json found{{"input", points_.name()}, {"kind", density_ ? "density" : word_of(shown_)}};
    if (source.model) found["method"] = source.model->method();
    drawn_ = points_of(picture);
    const std::string what = std::visit([&](const auto& kind) { return tell(kind, found); }, picture);
    targets.write_with(output_, what, [&] { plot(picture, output_, run_.force()); });
    return found;
  }

  /// The columns to draw; empty: as the picture likes.
  std::vector<Index> axes() const {
    if (shown_ != PictureKind::pairs) {
      const bool line = draws_rows(shown_) && points_.scores().cols() == 1;
      if (axes_.empty() && line) return {};  // numbers in the order of their rows
      std::vector<Index> two = points_.axes(axes_.empty() ? "1,2" : axes_);
      if (two.size() != 2) throw usage_error(fmt::format("--axes '{}' must be two, such as 1,3", axes_));
      return two;
    }
    if (!axes_.empty()) return points_.axes(axes_);
    if (components_.empty()) return {};
    const Index most = parse_whole(components_, "--components", 2);
    if (most > points_.scores().cols())
      throw usage_error(
          fmt::format("--components {} asks for more than the {} there are", most, points_.scores().cols()));
    std::vector<Index> first(static_cast<std::size_t>(most));
    std::iota(first.begin(), first.end(), Index{0});
    return first;
  }

  /// Points that can't be drawn are named: the picture says it, too.
  void tell_points(const std::vector<std::string>& names, Json& found) {
    if (drawn_.rows == drawn_.left_out)
      throw DataError(fmt::format("{}: none of {} points has finite coordinates; choose other columns with --axes",
                                  points_.name(), show_count(drawn_.left_out)));
    if (drawn_.left_out > 0)
      run_.warn(
          fmt::format("{} of {} points left out: not finite", show_count(drawn_.left_out), show_count(drawn_.rows)));
    found["points"] = drawn_.rows;
    found["left_out"] = drawn_.left_out;
    found["axes"] = names;
    found["colored_by"] = points_.color_name().empty() ? Json() : Json(points_.color_name());
  }

  // What --json says of each kind; returned is what was written, for people.
  std::string tell(const ScatterPlot& picture, Json& found) {
    tell_points({picture.x_label, picture.y_label}, found);
    return fmt::format("{} points", show_count(picture.x.size()));
  }
  std::string tell(const PairsPlot& picture, Json& found) {
    tell_points(picture.names, found);
    const std::size_t axes = picture.names.size();
    return fmt::format("{} pairs of {} points", axes * (axes - 1) / 2, show_count(picture.values.rows()));
  }
  std::string tell(const Biplot& picture, Json& found) {
    tell_points({picture.x_label, picture.y_label}, found);
    const Index arrows = std::min(picture.most_arrows, picture.arrows.rows());
    found["alpha"] = picture.alpha;
    found["arrows"] = arrows;
    return fmt::format("{} points, {} arrows", show_count(picture.points.rows()), arrows);
  }
  static std::string tell(const CirclePlot& picture, Json& found) {
    found["axes"] = {picture.x_label, picture.y_label};
    found["columns"] = picture.names.size();
    return fmt::format("{} columns", show_count(std::ssize(picture.names)));
  }
  static std::string tell(const ScreePlot& picture, Json& found) {
    found["ratios"] = numbers(picture.ratios);
    return "shares of variance";
  }
  static std::string tell(const CumulativePlot& picture, Json& found) {
    found["ratios"] = numbers(picture.ratios);
    return "shares of variance";
  }
  static std::string tell(const CurvePlot& picture, Json& found) {
    found["residual_variance"] = numbers(picture.y);
    return fmt::format("{} dimensions", picture.y.size());
  }
  static std::string tell(const ShepardPlot& picture, Json& found) {
    found["pairs"] = picture.distances.size();
    return fmt::format("{} pairs", show_count(picture.distances.size()));
  }

  Run run_;
  PlotPoints points_;
  std::string kind_, axes_, components_, equal_, alpha_, title_, size_, output_;
  bool hulls_ = false, density_ = false, titled_ = false;
  PictureKind shown_ = PictureKind::scatter;
  PicturePoints drawn_;
};

}  // namespace

Verb plot_verb() {
  return {
      "plot",
      "Models",
      "Draw a model or a table of scores",
      "Scatter plots, pairs, biplots, correlation circles, scree and cumulative variance, Shepard diagrams, residual "
      "variance. INPUT is a model (DATA: the rows to place in it) or a table whose columns are coordinates. The "
      "ending of the file decides: .svg or .png.",
      {{"fewdim plot scores.csv --label class --hulls -o scores.svg", "a table, its classes with their hulls"},
       {"fewdim plot cells.fewdim cells.csv --kind biplot -o cells.png", "rows and columns in one picture"},
       {"fewdim plot map.npy --labels kinds.csv --density -o map.png", "many points, labels from another file"},
       {"fewdim plot cells.fewdim --kind cumulative -o variance.svg", "how many components reach 80, 90, 95 %"}},
      [](CLI::App& app) -> Action {
        const auto verb = std::make_shared<Plot>(app);
        return [verb] { return (*verb)(); };
      }};
}

}  // namespace fewdim::cli

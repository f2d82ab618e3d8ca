#include "fewdim/plot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "fewdim/model.hpp"
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

  /// What the model or table can show; the message of a refusal.
  void choose_kind() {
    const std::vector<std::string> possible = points_.kinds();
    if (kind_.empty()) {
      if (possible.empty())
        throw usage_error(
            fmt::format("{} keeps neither coordinates nor shares of variance; give the data it was "
                        "fitted on as well, or its scores",
                        points_.name()));
      kind_ = possible.front();
      if ((hulls_ || density_) && kind_ != "scatter") points_.require_coordinates();
      return;
    }
    if (kind_ == "density" || std::ranges::find(possible, kind_) != possible.end()) {
      if (kind_ == "density") points_.require_coordinates();
      return;
    }
    points_.refuse(kind_, possible);
  }

  std::string title(const std::string& prefix = "") const {
    if (titled_) return title_;
    return prefix.empty() ? points_.title() : fmt::format("{}, {}", prefix, points_.title());
  }

  Json draw(double alpha, const PlotSize& size, Targets& targets) {
    if (kind_ == "scree" || kind_ == "cumulative") return draw_shares(size, targets);
    if (kind_ == "circle") return draw_circle(size, targets);
    if (kind_ == "shepard") return draw_shepard(size, targets);
    if (kind_ == "residual") return draw_residual(size, targets);
    points_.load(run_);
    if (kind_ == "biplot") return draw_biplot(alpha, size, targets);
    return kind_ == "pairs" ? draw_pairs(size, targets) : draw_scatter(size, targets);
  }

  template <class Picture>
  void save(const Picture& picture, const std::string& what, Targets& targets) {
    targets.write_with(output_, what, [&] { plot(picture, output_, run_.force()); });
  }

  Json found() const {
    Json out{{"input", points_.name()}, {"kind", density_ ? "density" : kind_}};
    if (points_.has_model()) out["method"] = points_.model().method();
    return out;
  }

  /// Points that can't be drawn are named: the picture says it, too.
  Json found_points(const Matrix<double>& drawn, const std::vector<std::string>& names) {
    Index finite = 0;
    for (Index i = 0; i < drawn.rows(); ++i) finite += drawn.row(i).allFinite() ? 1 : 0;
    const Index lost = drawn.rows() - finite;
    if (finite == 0)
      throw DataError(fmt::format("{}: none of {} points has finite coordinates; choose other columns with --axes",
                                  points_.name(), show_count(lost)));
    if (lost > 0)
      run_.warn(fmt::format("{} of {} points left out: not finite", show_count(lost), show_count(drawn.rows())));
    Json out = found();
    out["points"] = drawn.rows();
    out["left_out"] = lost;
    out["axes"] = names;
    out["colored_by"] = points_.color_name().empty() ? Json() : Json(points_.color_name());
    return out;
  }

  std::vector<Index> two_axes() const {
    std::vector<Index> axes = points_.axes(axes_.empty() ? "1,2" : axes_);
    if (axes.size() != 2) throw usage_error(fmt::format("--axes '{}' must be two, such as 1,3", axes_));
    return axes;
  }

  bool equal() const { return equal_.empty() ? points_.keeps_lengths() : equal_ == "yes"; }

  Json draw_scatter(const PlotSize& size, Targets& targets) {
    ScatterPlot picture;
    const Index rows = points_.scores().rows();
    Matrix<double> drawn(rows, 2);
    if (points_.scores().cols() == 1 && axes_.empty()) {  // no plane: numbers in the order of their rows
      drawn.col(0) = Vector<double>::LinSpaced(rows, 1.0, static_cast<double>(rows));
      drawn.col(1) = points_.columns({0});
      picture.x_label = "row";
      picture.y_label = points_.axis_name(0);
    } else {
      const std::vector<Index> axes = two_axes();
      drawn = points_.columns(axes);
      picture.x_label = points_.axis_name(axes[0]);
      picture.y_label = points_.axis_name(axes[1]);
      picture.equal = equal();
    }
    picture.x = drawn.col(0);
    picture.y = drawn.col(1);
    points_.color(picture.labels, picture.values, picture.label_name);
    picture.point_names = points_.scores().row_names;
    picture.hulls = hulls_;
    picture.density = density_;
    picture.title = title();
    picture.size = size;
    Json out = found_points(drawn, {picture.x_label, picture.y_label});
    save(picture, fmt::format("{} points", show_count(rows)), targets);
    return out;
  }

  Json draw_pairs(const PlotSize& size, Targets& targets) {
    std::vector<Index> axes;
    if (axes_.empty()) {
      const Index most = components_.empty() ? 5 : parse_whole(components_, "--components", 2);
      if (!components_.empty() && most > points_.scores().cols())
        throw usage_error(
            fmt::format("--components {} asks for more than the {} there are", most, points_.scores().cols()));
      for (Index c = 0; c < std::min(most, points_.scores().cols()); ++c) axes.push_back(c);
    } else {
      axes = points_.axes(axes_);
    }
    PairsPlot picture;
    picture.values = points_.columns(axes);
    for (const Index c : axes) picture.names.push_back(points_.axis_name(c));
    points_.color(picture.labels, picture.colors, picture.label_name);
    picture.hulls = hulls_;
    picture.density = density_;
    picture.equal = equal();
    picture.title = title();
    picture.size = size;
    Json out = found_points(picture.values, picture.names);
    save(picture,
         fmt::format("{} pairs of {} points", axes.size() * (axes.size() - 1) / 2, show_count(picture.values.rows())),
         targets);
    return out;
  }

  Json draw_biplot(double alpha, const PlotSize& size, Targets& targets) {
    const std::vector<Index> axes = two_axes();
    Biplot picture = biplot(points_.model(), points_.scores(), axes[0], axes[1], alpha);
    points_.color(picture.labels, picture.values, picture.label_name);
    picture.title = title();
    picture.size = size;
    Json out = found_points(picture.points, {picture.x_label, picture.y_label});
    out["alpha"] = alpha;
    out["arrows"] = std::min(picture.most_arrows, picture.arrows.rows());
    save(picture, fmt::format("{} points, {} arrows", show_count(picture.points.rows()), out["arrows"].get<Index>()),
         targets);
    return out;
  }

  Json draw_circle(const PlotSize& size, Targets& targets) {
    const std::vector<Index> axes = two_axes();
    CirclePlot picture = correlation_circle(points_.model(), axes[0], axes[1]);
    picture.title = title("correlations");
    picture.size = size;
    Json out = found();
    out["axes"] = {picture.x_label, picture.y_label};
    out["columns"] = picture.names.size();
    save(picture, fmt::format("{} columns", show_count(std::ssize(picture.names))), targets);
    return out;
  }

  Json draw_shares(const PlotSize& size, Targets& targets) {
    const Vector<double>& ratios = points_.model().spectrum().explained_variance_ratio;
    if (kind_ == "scree")
      save(ScreePlot{.ratios = ratios, .title = title(), .size = size}, "shares of variance", targets);
    else
      save(CumulativePlot{.ratios = ratios, .title = title(), .size = size}, "shares of variance", targets);
    Json out = found();
    out["ratios"] = numbers(ratios);
    return out;
  }

  Json draw_shepard(const PlotSize& size, Targets& targets) {
    const Dataset& data = points_.data(run_);
    ShepardPlot picture =
        run_.timed("pairs", [&] { return shepard_diagram(points_.model(), data, run_.execution_beside(data)); });
    picture.title = title("Shepard diagram");
    picture.size = size;
    Json out = found();
    out["pairs"] = picture.distances.size();
    save(picture, fmt::format("{} pairs", show_count(picture.distances.size())), targets);
    return out;
  }

  Json draw_residual(const PlotSize& size, Targets& targets) {
    CurvePlot picture;
    if (points_.has_data()) {
      const Dataset& data = points_.data(run_);
      picture = run_.timed("pairs", [&] { return residual_curve(points_.model(), data, run_.execution_beside(data)); });
    } else {
      picture = residual_curve(points_.model());
    }
    picture.title = title("residual variance");
    picture.size = size;
    Json out = found();
    out["residual_variance"] = numbers(picture.y);
    save(picture, fmt::format("{} dimensions", picture.y.size()), targets);
    return out;
  }

  Run run_;
  PlotPoints points_;
  std::string kind_, axes_, components_, equal_, alpha_, title_, size_, output_;
  bool hulls_ = false, density_ = false, titled_ = false;
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

#include <fmt/format.h>

#include "face_pictures.hpp"
#include "image_input.hpp"
#include "targets.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

class Recognize {
 public:
  explicit Recognize(CLI::App& app) : run_("recognize") {
    app.add_option("MODEL", model_, "a model of images, as faces keeps it")->required()->type_name("FILE");
    input_.declare(app, "IMAGES", true);
    add_text(app, "-o,--output", output_, "FILE",
             "table: nearest known image (its number), distance, distance to face space, whether it is a face",
             "Output");
    add_text(app, "--sheet", sheet_, "FILE",
             "picture of the first seven images, what the components show of them, and their nearest", "Output");
    run_.declare(app);
  }

  int operator()() {
    Targets targets(run_);
    targets.add_input(model_);
    for (const std::string& path : input_.paths()) targets.add_input(path);
    targets.add("--output", output_, Targets::Kind::table);
    targets.add("--sheet", sheet_, Targets::Kind::picture);
    targets.check();
    const Model model = run_.timed("load", [&] { return Model::load(model_); });
    const ImageIndex& known = model.images();
    const ImageSet images = input_.load_like(run_, {known.height, known.width, known.channels}, known.white);
    const Recognition found = run_.timed("recognize", [&] { return recognize(model, images, run_.execution()); });
    if (!output_.empty()) targets.write(as_table(known, images, found), output_);
    if (!sheet_.empty())
      targets.write_with(sheet_, fmt::format("{} images", std::min<Index>(7, images.rows.rows())),
                         [&] { plot(recognition_sheet(model, images, found), sheet_, run_.force()); });
    if (run_.json())
      run_.print_document(document(known, images, found, targets));
    else if (output_ != "-")
      print(words(known, images, found));
    return 0;
  }

 private:
  static std::string name_of(const ImageSet& images, std::size_t i) {
    return images.rows.row_names.empty() ? std::to_string(i + 1) : images.rows.row_names[i];
  }

  static std::string label_of(const ImageIndex& known, const Recognition& found, std::size_t i) {
    return known.labels.empty() ? "" : known.labels[static_cast<std::size_t>(found.nearest[i])];
  }

  static Dataset as_table(const ImageIndex& known, const ImageSet& images, const Recognition& found) {
    RowMatrix<double> numbers(images.rows.rows(), 4);
    Dataset names;
    for (std::size_t i = 0; i < found.nearest.size(); ++i) {
      const auto row = static_cast<Index>(i);
      numbers.row(row) << double(found.nearest[i] + 1), found.distance[row], found.face_distance[row],
          found.is_face[i] ? 1.0 : 0.0;
      names.row_names.push_back(name_of(images, i));
      if (!known.labels.empty()) names.labels.push_back(label_of(known, found, i));
    }
    Dataset out(std::move(numbers));
    out.column_names = {"nearest", "distance", "face_distance", "is_face"};
    out.row_names = std::move(names.row_names), out.row_names_header = "image";
    out.labels = std::move(names.labels), out.label_name = "label";
    return out;
  }

  /// Of the images whose label is known and among the model's.
  static std::pair<Index, Index> right_of(const ImageIndex& known, const ImageSet& images, const Recognition& found) {
    std::pair<Index, Index> out{0, 0};
    if (known.labels.empty() || images.rows.labels.empty()) return out;
    for (std::size_t i = 0; i < found.nearest.size(); ++i) {
      if (std::ranges::find(known.labels, images.rows.labels[i]) == known.labels.end()) continue;
      ++out.second;
      if (label_of(known, found, i) == images.rows.labels[i]) ++out.first;
    }
    return out;
  }

  static std::string words(const ImageIndex& known, const ImageSet& images, const Recognition& found) {
    constexpr std::size_t most = 50;
    std::vector<std::vector<std::string>> rows{{"image", "label", "nearest", "distance", "off", "face"}};
    for (std::size_t i = 0; i < std::min(most, found.nearest.size()); ++i) {
      const auto row = static_cast<Index>(i);
      rows.push_back({printable(name_of(images, i)), printable(label_of(known, found, i)),
                      printable(known.names[static_cast<std::size_t>(found.nearest[i])]),
                      fmt::format("{:.4g}", found.distance[row]), fmt::format("{:.4g}", found.face_distance[row]),
                      known.face_limit == 0.0 ? "?"
                      : found.is_face[i]      ? "yes"
                                              : "no"});
    }
    std::string text = table(rows, 200);
    if (found.nearest.size() > most) text += fmt::format("... {} more; -o FILE has all\n", found.nearest.size() - most);
    if (known.face_limit > 0.0)
      text += fmt::format(
          "off: distance to the space of the components; up to {:.4g} counts as a face ({:g} % of "
          "images that were held out)\n",
          known.face_limit, 100.0 * known.face_share);
    else
      text += "off: distance to the space of the components; the model was made with --no-trial and has no limit\n";
    if (const auto [right, labeled] = right_of(known, images, found); labeled > 0)
      text += fmt::format("{:.1f} % of {} images whose label is known get it\n",
                          100.0 * double(right) / double(labeled), show_count(labeled));
    return text;
  }

  static Json document(const ImageIndex& known, const ImageSet& images, const Recognition& found,
                       const Targets& targets) {
    Json list = Json::array();
    for (std::size_t i = 0; i < found.nearest.size(); ++i) {
      const auto row = static_cast<Index>(i);
      Json entry{{"image", name_of(images, i)},
                 {"nearest", known.names[static_cast<std::size_t>(found.nearest[i])]},
                 {"distance", found.distance[row]},
                 {"face_distance", found.face_distance[row]}};
      if (!known.labels.empty()) entry["label"] = label_of(known, found, i);
      if (known.face_limit > 0.0) entry["is_face"] = bool(found.is_face[i]);
      list.push_back(std::move(entry));
    }
    const auto [right, labeled] = right_of(known, images, found);
    Json out{{"images", std::move(list)}, {"face_limit", known.face_limit}, {"face_share", known.face_share}};
    if (labeled > 0) out["with_label"] = labeled, out["right"] = right;
    if (!targets.empty()) out["outputs"] = targets.document();
    return out;
  }

  Run run_;
  ImageInput input_;
  std::string model_, output_, sheet_;
};

}  // namespace

Verb recognize_verb() {
  return {
      .name = "recognize",
      .group = "Images",
      .title = "Find the nearest known image of new ones",
      .text =
          "By distance in the space of a model that faces has made. The distance to that space tells whether "
          "an image is of that kind at all.",
      .examples = {{"fewdim recognize faces.fewdim new/*.png", "who is it"},
                   {"fewdim recognize faces.fewdim holiday.jpg --resize --sheet holiday.png", "another size; drawn"}},
      .declare = [](CLI::App& app) -> Action {
        const auto work = std::make_shared<Recognize>(app);
        return [work] { return (*work)(); };
      }};
}

}  // namespace fewdim::cli

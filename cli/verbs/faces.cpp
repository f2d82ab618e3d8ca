#include "fewdim/faces.hpp"

#include <fmt/format.h>

#include <cmath>

#include "face_pictures.hpp"
#include "fewdim/report.hpp"
#include "image_input.hpp"
#include "targets.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

constexpr const char* face_trial_group = "Trial of recognition";

std::string trial_words(const FaceTrial& trial) {
  switch (trial.kind) {
    case TrialKind::folds:
      return fmt::format("{} folds; neither the components nor the known images have seen what is tried", trial.fits);
    case TrialKind::split:
      return fmt::format("{} images held out; neither the components nor the known images have seen them",
                         show_count(trial.tried));
    case TrialKind::leave_one_out:
      return "each against all others; the components have seen it, which flatters";
    default:
      return "";
  }
}

const char* trial_name(TrialKind kind) {
  return kind == TrialKind::folds           ? "folds"
         : kind == TrialKind::split         ? "split"
         : kind == TrialKind::leave_one_out ? "leave-one-out"
                                            : "none";
}

class Faces {
 public:
  explicit Faces(CLI::App& app) : run_("faces") {
    input_.declare(app, "INPUT", false);
    add_text(app, "-k,--components", components_, "K",
             "components to keep: a number, a share of variance (95%), all, or a criterion [50]", "Faces");
    add_text(app, "--parts", parts_, "eigenfaces|independent|nmf",
             "components of largest variance, as independent as they can be (ICA), or parts that add up and never "
             "cancel [eigenfaces]",
             "Faces");
    add_text(app, "-m,--model", model_, "FILE", "the model, for recognize, transform, inverse and inspect", "Output");
    add_text(app, "--scores", scores_, "FILE", "coordinates of the images", "Output");
    add_text(app, "--gallery", gallery_, "FILE", "picture of the mean and the first components, .png or .svg",
             "Output");
    add_text(app, "--pictures", pictures_, "N", "components in the gallery [20]", "Output");
    add_text(app, "--reconstruct", reconstruct_, "IMAGE",
             "show this image (a file, a name among the images, or their number) by growing k, in the picture of -o",
             "Output");
    add_text(app, "-o,--output", strip_, "FILE", "picture of --reconstruct, .png or .svg", "Output");
    add_text(app, "--compression", compression_, "FILE", "table of k, bytes, PSNR and SSIM", "Output");
    add_text(app, "--folds", folds_, "N", "every image once, by a model of the other folds [10]", face_trial_group);
    add_text(app, "--split", split_, "SHARE", "hold this share of the images out instead", face_trial_group);
    add_switch(app, "--leave-one-out", leave_one_out_, "each image against all others, in the components of all",
               face_trial_group);
    add_switch(app, "--no-trial", no_trial_, "none: the model will not know how far off a face may be",
               face_trial_group);
    run_.declare(app);
  }

  int operator()() {
    FaceOptions options = parsed_options();
    Targets targets(run_);
    for (const std::string& path : input_.paths()) targets.add_input(path);
    targets.add("--model", model_, Targets::Kind::model);
    targets.add("--scores", scores_, Targets::Kind::table);
    targets.add("--gallery", gallery_, Targets::Kind::picture);
    targets.add("--output", strip_, Targets::Kind::picture);
    targets.add("--compression", compression_, Targets::Kind::table);
    targets.check();
    const Index pictures = pictures_.empty() ? 20 : parse_whole(pictures_, "--pictures", 1);
    const ImageSet images = input_.load(run_);
    if (components_.empty())
      options.pca.components = std::max<Index>(1, std::min<Index>({50, images.rows.rows() - 1, images.rows.cols()}));
    const std::pair<Image, std::string> example = chosen_image(images);
    const FaceFit fit =
        run_.timed("fit", [&] { return fit_faces(images, options, run_.execution_beside(images.rows)); });
    const std::vector<CompressionRow> table = run_.timed(
        "compression", [&] { return compression_table(fit.model, images, 500, run_.execution_beside(images.rows)); });
    write(fit.model, table, pictures, example, targets);
    tell(fit, images, table, targets);
    return 0;
  }

 private:
  FaceOptions parsed_options() const {
    FaceOptions options;
    if (!components_.empty()) options.pca.components = Components::parse(components_);
    if (!parts_.empty() && parts_ != "eigenfaces" && parts_ != "independent" && parts_ != "nmf")
      throw usage_error(fmt::format("--parts '{}' must be eigenfaces, independent or nmf", parts_));
    if (parts_ == "nmf") options.parts = FaceParts::nonnegative;
    if (parts_ == "independent") options.parts = FaceParts::independent;
    if (!run_.seed().empty()) options.pca.seed = parse_seed(run_.seed());
    if (!run_.tolerance().empty()) options.pca.tolerance = parse_real(run_.tolerance(), "--tolerance");
    const int kinds =
        (folds_.empty() ? 0 : 1) + (split_.empty() ? 0 : 1) + (leave_one_out_ ? 1 : 0) + (no_trial_ ? 1 : 0);
    if (kinds > 1) throw usage_error("give one of --folds, --split, --leave-one-out and --no-trial");
    if (!folds_.empty()) options.folds = parse_whole(folds_, "--folds", 2);
    if (!split_.empty()) options.trial = TrialKind::split, options.share = parse_real(split_, "--split");
    if (!split_.empty() && !(options.share > 0.0 && options.share < 1.0))
      throw usage_error(fmt::format("--split '{}' must be above 0 and below 1", split_));
    if (leave_one_out_) options.trial = TrialKind::leave_one_out;
    if (no_trial_) options.trial = TrialKind::none;
    if (reconstruct_.empty() != strip_.empty())
      throw usage_error("--reconstruct IMAGE and -o FILE go together; give both, or none");
    return options;
  }

  /// What --reconstruct names: one of the images by name or number, or a file.
  std::pair<Image, std::string> chosen_image(const ImageSet& images) {
    if (reconstruct_.empty()) return {};
    const std::vector<std::string>& names = images.rows.row_names;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == reconstruct_) return {images.image(static_cast<Index>(i)), names[i]};
    if (reconstruct_.find_first_not_of("0123456789") == std::string::npos) {
      const Index row = parse_whole(reconstruct_, "--reconstruct", 1);
      if (row > images.rows.rows())
        throw DataError(fmt::format("--reconstruct {}: there are {} images", row, show_count(images.rows.rows())));
      return {images.image(row - 1), fmt::format("Image {}", row)};
    }
    return {input_.load_one(run_, reconstruct_, {images.height, images.width, images.channels}).image(0), reconstruct_};
  }

  static Dataset as_table(const std::vector<CompressionRow>& rows) {
    RowMatrix<double> numbers(std::ssize(rows), 4);
    for (Index i = 0; i < numbers.rows(); ++i) {
      const CompressionRow& row = rows[static_cast<std::size_t>(i)];
      numbers.row(i) << double(row.components), double(row.bytes), row.psnr, row.ssim;
    }
    Dataset out(std::move(numbers));
    out.column_names = {"components", "bytes", "psnr", "ssim"};
    return out;
  }

  void write(const Model& model, const std::vector<CompressionRow>& table, Index pictures,
             const std::pair<Image, std::string>& example, Targets& targets) {
    if (!model_.empty())
      targets.write_with(model_, fmt::format("{} components", model.components()),
                         [&] { model.save(model_, run_.force()); });
    if (!scores_.empty()) {
      Dataset scores(Matrix<double>(model.embedding()));
      scores.column_names = model.head().component_names;
      scores.row_names = model.images().names, scores.row_names_header = "image";
      scores.labels = model.images().labels, scores.label_name = "label";
      targets.write(scores, scores_);
    }
    if (!gallery_.empty())
      targets.write_with(gallery_, fmt::format("{} components", std::min(pictures, model.components())),
                         [&] { plot(face_gallery(model, pictures), gallery_, run_.force()); });
    if (!strip_.empty())
      targets.write_with(strip_, example.second, [&] {
        plot(reconstruction_strip(model, example.first, example.second), strip_, run_.force());
      });
    if (!compression_.empty()) targets.write(as_table(table), compression_);
  }

  void tell(const FaceFit& fit, const ImageSet& images, const std::vector<CompressionRow>& table,
            const Targets& targets) {
    const FaceTrial& trial = fit.trial;
    if (run_.json()) {
      Json document = Json::parse(json_report(fit.model, speak_command_line));
      document["fit_seconds"] = document["seconds"];
      document["passed_over"] = images.report.other_files;
      document["broken"] = images.report.broken;
      document["resized"] = images.report.resized;
      document["trial"] = {{"kind", trial_name(trial.kind)}, {"tried", trial.tried},
                           {"with_label", trial.with_label}, {"right", trial.right},
                           {"accuracy", trial.accuracy()},   {"fits", trial.fits}};
      document["compression"] = Json::array();
      for (const CompressionRow& row : table)
        document["compression"].push_back(
            {{"components", row.components}, {"bytes", row.bytes}, {"psnr", row.psnr}, {"ssim", row.ssim}});
      document["outputs"] = targets.document();
      run_.print_document(std::move(document));
      return;
    }
    run_.say(summary(fit.model, speak_command_line));
    std::string text;
    if (trial.with_label > 0)
      text += fmt::format("recognition {:.1f} % of {} images are nearest to one with their label\n            ({})\n",
                          100.0 * trial.accuracy(), show_count(trial.with_label), trial_words(trial));
    text += fmt::format("compression {} as bytes of pixels; 4 bytes a number here\n",
                        show_bytes(static_cast<std::uint64_t>(images.rows.rows() * images.rows.cols())));
    std::vector<std::vector<std::string>> rows{{"k", "bytes", "PSNR dB", "SSIM"}};
    for (const CompressionRow& row : table)
      rows.push_back({std::to_string(row.components), show_bytes(row.bytes),
                      std::isinf(row.psnr) ? "exact" : fmt::format("{:.2f}", row.psnr),
                      fmt::format("{:.4f}", row.ssim)});
    run_.say(text + cli::table(rows));
    if (targets.empty())
      run_.say("\nnothing was kept: -m FILE keeps the model for recognize, --gallery FILE draws the components");
  }

  Run run_;
  ImageInput input_;
  std::string components_, parts_, model_, scores_, gallery_, pictures_, reconstruct_, strip_, compression_, folds_,
      split_;
  bool leave_one_out_ = false, no_trial_ = false;
};

}  // namespace

Verb faces_verb() {
  return {
      .name = "faces",
      .group = "Images",
      .title = "Eigenfaces: PCA of a set of images",
      .text =
          "Sirovich & Kirby 1987; Turk & Pentland 1991. Draws the mean and the components, shows an image by "
          "growing numbers of them, tries recognition by the nearest known image, and says what k components "
          "keep.",
      .examples = {{"fewdim faces people/ -k 50 -m faces.fewdim --gallery faces.png", "a folder, one in it a person"},
                   {"fewdim faces train-images-idx3-ubyte.gz -k 50 --split 0.1", "MNIST, labels beside it"},
                   {"fewdim faces @digits --shape 8x8 -k 20 --reconstruct 7 -o seven.png",
                    "a table; one image by growing k"}},
      .declare = [](CLI::App& app) -> Action {
        const auto work = std::make_shared<Faces>(app);
        return [work] { return (*work)(); };
      }};
}

}  // namespace fewdim::cli

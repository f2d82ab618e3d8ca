#include "fewdim/denoise.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "fewdim/images.hpp"
#include "image_input.hpp"
#include "targets.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

/// Whether a file begins as an image does. A pipe is not touched: what is read from it is gone.
bool is_image_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string head(16, '\0');
  file.read(head.data(), std::ssize(head));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return is_image(head);
}

double rms(const Matrix<double>& difference) {
  return std::sqrt(difference.squaredNorm() / static_cast<double>(std::max<Index>(difference.size(), 1)));
}

double root_mean(const std::vector<double>& errors) {
  double sum = 0.0;
  for (const double error : errors) sum += error * error;
  return std::sqrt(sum / static_cast<double>(errors.size()));
}

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); }

class Denoise {
 public:
  explicit Denoise(CLI::App& app) : run_("denoise") {
    input_.declare(app, {.help = "a table or an image: a file, - for standard input, or a built-in table"});
    add_text(app, "--loss", loss_, "frobenius|operator|nuclear|hard",
             "the error to make least, or hard: keep what is above the threshold as it is [frobenius]", "Denoising");
    add_text(app, "--noise", noise_, "SD", "standard deviation of the noise [by the median singular value]",
             "Denoising");
    add_text(app, "--truth", truth_, "FILE", "the table or image without noise, to measure the error by", "Denoising");
    add_text(app, "--max-pixels", max_pixels_, "N", "refuse an image that declares more [100000000]", "Denoising");
    add_text(app, "-o,--output", output_, "FILE", "the result: a table [-], or .png of an image", "Output");
    add_text(app, "--to", to_, written_format_names(), "format of a table, where the name does not tell [csv]",
             "Output");
    add_text(app, "--singular-values", values_, "FILE", "table of singular values, before and after", "Output");
    run_.declare(app);
  }

  int operator()() {
    const DenoiseOptions options = parsed();
    const std::string& path = input_.paths().front();
    image_ = is_image_file(path);
    if (image_ && !output_.ends_with(".png"))
      throw usage_error(output_.empty() ? "an image needs -o FILE.png"
                                        : fmt::format("--output '{}' must end in .png", output_));
    if (run_.json() && output_.empty())
      throw usage_error("--json wants standard output; give the result a file with -o");
    Targets targets(run_);
    targets.add_input(input_.name());
    if (!truth_.empty()) targets.add_input(truth_);
    if (!to_.empty()) parse_target_format(to_);
    targets.add("--output", output(), image_ ? Targets::Kind::picture : Targets::Kind::table, to_);
    targets.add("--singular-values", values_, Targets::Kind::table);
    targets.check();
    if (image_)
      work_on_image(path, options, targets);
    else
      work_on_table(options, targets);
    if (run_.json()) {
      document_["outputs"] = targets.document();
      run_.print_document(document_);
    }
    return 0;
  }

 private:
  std::string output() const { return output_.empty() ? "-" : output_; }

  DenoiseOptions parsed() const {
    DenoiseOptions options;
    if (loss_ == "operator")
      options.shrinkage = Shrinkage::operator_norm;
    else if (loss_ == "nuclear")
      options.shrinkage = Shrinkage::nuclear;
    else if (loss_ == "hard")
      options.shrinkage = Shrinkage::hard;
    else if (!loss_.empty() && loss_ != "frobenius")
      throw usage_error(fmt::format("--loss '{}' must be frobenius, operator, nuclear or hard", loss_));
    if (!noise_.empty()) {
      options.noise = parse_real(noise_, "--noise");
      if (!(options.noise > 0.0) || std::isinf(options.noise))
        throw usage_error(fmt::format("--noise '{}' must be above 0 and finite", noise_));
    }
    return options;
  }

  void work_on_table(const DenoiseOptions& options, Targets& targets) {
    const Dataset data = input_.load(run_);
    Denoised result = run_.timed("denoise", [&] { return denoise(data, options, run_.execution_beside(data)); });
    tell({result}, data.rows(), data.cols(), 1);
    if (!truth_.empty()) measure_table(data, result.rows);
    write_values({result}, targets);
    targets.write(result.rows, output(), to_);
  }

  void measure_table(const Dataset& data, const Dataset& found) {
    Input truth = input_;
    truth.set_path(truth_);
    const Dataset without = truth.load(run_);
    if (without.rows() != data.rows() || without.cols() != data.cols())
      throw DataError(fmt::format("{}: is {} x {}, and the noisy table {} x {}; both must be of one size", truth_,
                                  without.rows(), without.cols(), data.rows(), data.cols()));
    const Matrix<double> x = without.matrix<double>();
    tell_measured(rms(data.matrix<double>() - x), rms(found.matrix<double>() - x));
  }

  /// Every channel is a matrix.
  void work_on_image(const std::string& path, const DenoiseOptions& options, Targets& targets) {
    const ImageOptions reading{.max_pixels = parse_pixels(max_pixels_)};
    const Image noisy = run_.timed("read", [&] { return read_image(path, reading, run_.execution()); });
    Image clean = noisy;
    std::vector<Denoised> results;
    for (Index c = 0; c < noisy.channels; ++c) {
      Matrix<double> plane(noisy.height, noisy.width);
      const auto at = [&](Index i, Index j) {
        return static_cast<std::size_t>((i * noisy.width + j) * noisy.channels + c);
      };
      for (Index i = 0; i < noisy.height; ++i)
        for (Index j = 0; j < noisy.width; ++j) plane(i, j) = static_cast<double>(noisy.values[at(i, j)]);
      results.push_back(run_.timed("denoise", [&] { return denoise(plane, options, run_.execution()); }));
      const Matrix<double> back = results.back().rows.matrix<double>();
      for (Index i = 0; i < noisy.height; ++i)
        for (Index j = 0; j < noisy.width; ++j)
          clean.values[at(i, j)] = static_cast<float>(std::clamp(back(i, j), 0.0, 1.0));
    }
    tell(results, noisy.height, noisy.width, noisy.channels);
    if (!truth_.empty()) measure_image(noisy, clean, reading);
    write_values(results, targets);
    targets.write_with(output_, fmt::format("{} x {}", clean.height, clean.width),
                       [&] { write_image(clean, output_, run_.force()); });
  }

  void measure_image(const Image& noisy, const Image& clean, const ImageOptions& reading) {
    const Image truth = read_image(truth_, reading, run_.execution());
    if (truth.height != noisy.height || truth.width != noisy.width || truth.channels != noisy.channels)
      throw DataError(fmt::format("{}: is {} x {} x {}, and the noisy image {} x {} x {}; both must be of one size",
                                  truth_, truth.height, truth.width, truth.channels, noisy.height, noisy.width,
                                  noisy.channels));
    const auto error = [](double decibels) { return std::pow(10.0, -decibels / 20.0); };
    const double before = psnr(truth, noisy), after = psnr(truth, clean);
    tell_measured(error(before), error(after));
    run_.say(fmt::format("PSNR measured: {:.2f} dB before, {:.2f} dB after; SSIM {:.4f} before, {:.4f} after", before,
                         after, ssim(truth, noisy), ssim(truth, clean)));
    document_["measured"]["psnr_before"] = finite(before);
    document_["measured"]["psnr_after"] = finite(after);
    document_["measured"]["ssim_before"] = ssim(truth, noisy);
    document_["measured"]["ssim_after"] = ssim(truth, clean);
  }

  /// One result for a table, one for each channel of an image.
  void tell(const std::vector<Denoised>& results, Index rows, Index cols, Index channels) {
    std::vector<double> noise, expected;
    Json ranks = Json::array();
    std::vector<std::string> words;
    for (const Denoised& result : results) {
      noise.push_back(result.noise);
      expected.push_back(result.expected_error);
      ranks.push_back(result.rank);
      words.push_back(fmt::format("{}", result.rank));
    }
    run_.say(fmt::format("noise {:.4g}{}, rank {} of {}; error expected: {:.4g} before, {:.4g} after", root_mean(noise),
                         noise_.empty() ? " by the median singular value" : "", fmt::join(words, ", "),
                         std::min(rows, cols), root_mean(noise), root_mean(expected)));
    document_ = Json{{"input", input_.name()},
                     {"rows", rows},
                     {"columns", cols},
                     {"channels", channels},
                     {"loss", loss_.empty() ? "frobenius" : loss_},
                     {"noise", numbers(noise)},
                     {"noise_estimated", noise_.empty()},
                     {"ranks", ranks},
                     {"expected", {{"rmse_before", root_mean(noise)}, {"rmse_after", root_mean(expected)}}}};
    if (channels == 1) {
      document_["singular_values"] = numbers(Vector<double>(results[0].singular_values.head(results[0].rank)));
      document_["shrunk"] = numbers(Vector<double>(results[0].shrunk.head(results[0].rank)));
    }
  }

  void tell_measured(double before, double after) {
    run_.say(fmt::format("error measured: {:.4g} before, {:.4g} after", before, after));
    document_["measured"] = {{"rmse_before", before}, {"rmse_after", after}};
  }

  void write_values(const std::vector<Denoised>& results, Targets& targets) {
    if (values_.empty()) return;
    const Index count = results[0].singular_values.size();
    Matrix<double> both(count, 2 * std::ssize(results));
    std::vector<std::string> names;
    for (std::size_t c = 0; c < results.size(); ++c) {
      both.col(2 * static_cast<Index>(c)) = results[c].singular_values;
      both.col(2 * static_cast<Index>(c) + 1) = results[c].shrunk;
      const std::string channel = results.size() == 1 ? "" : fmt::format("_{}", c + 1);
      names.insert(names.end(), {"singular_value" + channel, "shrunk" + channel});
    }
    Dataset table(std::move(both));
    table.column_names = std::move(names);
    targets.write(table, values_);
  }

  Run run_;
  Input input_;
  std::string loss_, noise_, truth_, max_pixels_, output_, to_, values_;
  bool image_ = false;
  Json document_;
};

}  // namespace

Verb denoise_verb() {
  return {.name = "denoise",
          .group = "Data",
          .title = "Take white noise off a table or an image of low rank",
          .text =
              "Every singular value is shrunk to what makes the error least (Gavish & Donoho 2017), or kept above the "
              "best threshold (2014). Says the noise, the rank, and the error to expect; with --truth also the true "
              "one.",
          .examples = {{"fewdim denoise measured.csv -o clean.csv", "the noise is estimated"},
                       {"fewdim denoise noisy.png -o clean.png --truth photo.png", "each channel is a matrix"}},
          .declare = [](CLI::App& app) -> Action {
            const auto work = std::make_shared<Denoise>(app);
            return [work] { return (*work)(); };
          }};
}

}  // namespace fewdim::cli

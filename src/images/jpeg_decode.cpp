#include <fmt/format.h>

#include <csetjmp>
#include <cstdio>
// jpeglib.h needs stdio's names first
#include <jerror.h>
#include <jpeglib.h>

#include "fewdim/error.hpp"
#include "images/formats.hpp"
#include "images/pixel_rows.hpp"

namespace fewdim {

namespace {

constexpr int most_scans = 500;  // a progressive file may ask for its pixels to be gone over without end

/// libjpeg, reading from memory. Its errors jump back into guarded(), where nothing has a destructor, and become an
/// exception there.
class JpegReader {
 public:
  explicit JpegReader(const EncodedImage& file) : file_(file) {
    jpeg_.err = jpeg_std_error(&errors_.manager);
    errors_.manager.error_exit = fail;
    errors_.manager.emit_message = note;
    progress_.progress_monitor = watch;
  }
  ~JpegReader() { jpeg_destroy_decompress(&jpeg_); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  Image decode(const ImageOptions& options, const Execution& exec) {
    guarded([this] {
      jpeg_create_decompress(&jpeg_);
      jpeg_.progress = &progress_;
      jpeg_mem_src(&jpeg_, reinterpret_cast<const unsigned char*>(file_.bytes.data()), file_.bytes.size());
      jpeg_save_markers(&jpeg_, JPEG_APP0 + 1, 0xFFFF);
      jpeg_read_header(&jpeg_, TRUE);
    });
    const int orientation = stored_orientation();  // the markers are gone at the end
    const bool gray = jpeg_.jpeg_color_space == JCS_GRAYSCALE;
    if (!gray && jpeg_.jpeg_color_space != JCS_YCbCr && jpeg_.jpeg_color_space != JCS_RGB)
      refuse_image(file_, "is a JPEG in CMYK or unknown colors, which is not supported; convert it to RGB");
    jpeg_.out_color_space = gray ? JCS_GRAYSCALE : JCS_RGB;
    SampleLayout layout{.height = jpeg_.image_height, .width = jpeg_.image_width, .samples = gray ? 1 : 3};
    const std::uint64_t numbers = layout.height * layout.width * static_cast<std::uint64_t>(layout.samples);
    // Several scans are gathered as 16-bit coefficients, in whole squares of up to 16 pixels.
    const auto whole = [](std::uint64_t side) { return (side + 15) / 16 * 16; };
    if (jpeg_has_multiple_scans(&jpeg_))
      layout.scratch = 2 * whole(layout.height) * whole(layout.width) * static_cast<std::uint64_t>(layout.samples);
    if (orientation > 1) layout.scratch += numbers * sizeof(float);  // turned in a copy
    PixelRows rows(layout, file_.name, options, exec);
    std::vector<JSAMPLE> samples(layout.width * static_cast<std::uint64_t>(layout.samples));
    guarded([this] { jpeg_start_decompress(&jpeg_); });
    for (Index y = 0; y < static_cast<Index>(layout.height); ++y) {
      JSAMPROW row = samples.data();
      guarded([this, &row] { jpeg_read_scanlines(&jpeg_, &row, 1); });
      require_sound();
      rows.set(y, samples.data());
    }
    guarded([this] { jpeg_finish_decompress(&jpeg_); });
    require_sound();
    return oriented(rows.take(), orientation);
  }

 private:
  int stored_orientation() const {
    for (const jpeg_marker_struct* marker = jpeg_.marker_list; marker != nullptr; marker = marker->next) {
      const std::string_view block(reinterpret_cast<const char*>(marker->data), marker->data_length);
      if (block.starts_with("Exif")) return exif_orientation(block);
    }
    return 1;
  }

  struct Errors {
    jpeg_error_mgr manager;  // first: libjpeg's pointer to it is a pointer to this
    std::jmp_buf back;
    char message[JMSG_LENGTH_MAX];
    bool damaged;
  };

  template <class Step>
  void guarded(const Step& step) {
    if (setjmp(errors_.back) != 0) refuse_image(file_, fmt::format("is a damaged JPEG: {}", errors_.message));
    step();
  }

  void require_sound() const {
    if (errors_.damaged) refuse_image(file_, fmt::format("is a damaged JPEG: {}", errors_.message));
  }

  static Errors& errors_of(j_common_ptr jpeg) { return *reinterpret_cast<Errors*>(jpeg->err); }

  [[noreturn]] static void fail(j_common_ptr jpeg) {
    Errors& errors = errors_of(jpeg);
    jpeg->err->format_message(jpeg, errors.message);
    std::longjmp(errors.back, 1);
  }

  /// libjpeg goes on after damage with gray; only bytes between segments, which many cameras leave, do no harm.
  static void note(j_common_ptr jpeg, int level) {
    Errors& errors = errors_of(jpeg);
    const int code = jpeg->err->msg_code;
    if (level >= 0 || errors.damaged || code == JWRN_EXTRANEOUS_DATA || code == JWRN_ADOBE_XFORM) return;
    jpeg->err->format_message(jpeg, errors.message);
    errors.damaged = true;
  }

  static void watch(j_common_ptr jpeg) {
    if (reinterpret_cast<j_decompress_ptr>(jpeg)->input_scan_number <= most_scans) return;
    Errors& errors = errors_of(jpeg);
    std::snprintf(errors.message, sizeof errors.message, "it has more than %d scans", most_scans);
    std::longjmp(errors.back, 1);
  }

  const EncodedImage& file_;
  Errors errors_{};
  jpeg_progress_mgr progress_{};
  jpeg_decompress_struct jpeg_{};
};

}  // namespace

Image decode_jpeg(const EncodedImage& file, const ImageOptions& options, const Execution& exec) {
  return JpegReader(file).decode(options, exec);
}

}  // namespace fewdim

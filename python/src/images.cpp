#include "images.hpp"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <utility>

#include "calls.hpp"
#include "data.hpp"
#include "fewdim/faces.hpp"
#include "fewdim/image_svd.hpp"
#include "fewdim/plot.hpp"
#include "functions.hpp"
#include "words.hpp"

namespace fewdim::python {

namespace {

Pictures read_pictures(const std::vector<std::string>& paths, std::optional<std::pair<Index, Index>> size, bool color,
                       bool skip_broken, std::uint64_t max_pixels, bool single, int threads, std::uint64_t memory_limit,
                       py::object callback) {
  ImageSetOptions o;
  o.coloring = color ? Coloring::rgb : Coloring::gray;
  o.max_pixels = max_pixels;
  o.size = size;
  o.skip_broken = skip_broken;
  o.precision = single ? Precision::float32 : Precision::float64;
  return compute(Call{threads, memory_limit, std::move(callback)},
                 [paths, o](const Execution& exec) { return Pictures{read_images(paths, o, exec)}; });
}

Pictures pictures_of_table(const Data& data, Index height, Index width, Index channels, bool column_major,
                           double white) {
  return compute({}, [set = data.set, height, width, channels, column_major, white](const Execution&) {
    return Pictures{images_of_table(set, height, width, channels, column_major, white)};
  });
}

py::dict pictures_report(const Pictures& self) {
  py::dict found;
  found["other_files"] = self.set.report.other_files;
  found["broken"] = self.set.report.broken;
  found["resized"] = self.set.report.resized;
  found["first_broken"] = in_python(self.set.report.first_broken);
  return found;
}

void bind_pictures(py::module_& module) {
  py::class_<Pictures>(module, "Images", "Images of one size, as rows.")
      .def_static("read", &read_pictures, py::arg("paths"), py::arg("size") = py::none(), py::arg("color") = false,
                  py::arg("skip_broken") = false, py::arg("max_pixels") = 100'000'000, py::arg("single") = true,
                  py::arg("threads") = 0, py::arg("memory_limit") = 0, py::arg("callback") = py::none())
      .def_static("of_table", &pictures_of_table, py::arg("data"), py::arg("height"), py::arg("width"),
                  py::arg("channels") = 1, py::arg("column_major") = false, py::arg("white") = 0.0)
      .def_property_readonly("rows", [](const Pictures& self) { return Data{self.set.rows}; })
      .def_property_readonly("height", [](const Pictures& self) { return self.set.height; })
      .def_property_readonly("width", [](const Pictures& self) { return self.set.width; })
      .def_property_readonly("channels", [](const Pictures& self) { return self.set.channels; })
      .def_property_readonly("white", [](const Pictures& self) { return self.set.white; })
      .def_property_readonly("names", [](const Pictures& self) { return self.set.rows.row_names; })
      .def_property_readonly("labels", [](const Pictures& self) { return self.set.rows.labels; })
      .def_property_readonly("report", &pictures_report)
      .def(
          "labeled",
          [](const Pictures& self, std::vector<std::string> labels) {
            if (std::ssize(labels) != self.set.rows.rows())
              throw py::value_error(std::to_string(labels.size()) + " labels were given for " +
                                    std::to_string(self.set.rows.rows()) + " images");
            Pictures out = self;
            out.set.rows.labels = std::move(labels);
            return out;
          },
          py::arg("labels"));
}

py::dict svd_parts(const ImageSvd& packed) {
  py::dict found;
  found["height"] = packed.height;
  found["width"] = packed.width;
  found["channels"] = packed.channels;
  found["block"] = packed.block;
  found["bits"] = packed.bits;
  found["ranks"] = py::array_t<std::int32_t>(static_cast<py::ssize_t>(packed.ranks.size()), packed.ranks.data());
  found["nbytes"] = packed.file_bytes();
  return found;
}

void bind_compression(py::module_& module) {
  py::class_<ImageSvd>(module, "ImageSvd", "One image as singular triplets of its blocks.")
      .def_static(
          "compress",
          [](const Pixels& pixels, Index components, double psnr, std::uint64_t bytes, Index block, int bits,
             int threads, std::uint64_t memory_limit, py::object callback) {
            const ImageSvdOptions o{
                .components = components, .psnr = psnr, .bytes = bytes, .block = block, .bits = bits};
            return compute(
                Call{threads, memory_limit, std::move(callback)},
                [image = image_of(pixels), o](const Execution& exec) { return compress_image(image, o, exec); });
          },
          py::arg("pixels"), py::arg("components") = 0, py::arg("psnr") = 0.0, py::arg("bytes") = 0,
          py::arg("block") = 0, py::arg("bits") = 8, py::arg("threads") = 0, py::arg("memory_limit") = 0,
          py::arg("callback") = py::none())
      .def_static(
          "load",
          [](const std::string& path, std::uint64_t max_pixels) {
            return compute({}, [path, max_pixels](const Execution&) { return ImageSvd::load(path, max_pixels); });
          },
          py::arg("path"), py::arg("max_pixels") = 100'000'000)
      .def("parts", &svd_parts)
      .def(
          "decode",
          [](const ImageSvd& self, int threads) {
            return array_of_image(compute(Call{threads, 0, py::none()},
                                          [packed = self](const Execution& exec) { return packed.decode(exec); }));
          },
          py::arg("threads") = 0)
      .def(
          "save",
          [](const ImageSvd& self, const std::string& path, bool overwrite) {
            run({}, [packed = self, path, overwrite](const Execution&) { packed.save(path, overwrite); });
          },
          py::arg("path"), py::arg("overwrite") = false);
  module.def(
      "jpeg_of_size",
      [](const Pixels& pixels, std::uint64_t most) {
        const JpegPeer peer =
            compute({}, [image = image_of(pixels), most](const Execution&) { return jpeg_of_size(image, most); });
        return py::make_tuple(peer.quality, peer.bytes, peer.psnr, peer.ssim);
      },
      py::arg("pixels"), py::arg("most_bytes"));
}

void draw_grid(const RowMatrix<double>& images, Index height, Index width, Index channels, Index columns,
               std::vector<std::string> row_titles, std::vector<std::string> captions, std::string title, double low,
               double high, double longest_side, const std::string& path, bool overwrite) {
  ImageGrid grid;
  grid.images = images;
  grid.height = height, grid.width = width, grid.channels = channels;
  grid.columns = columns;
  grid.row_titles = std::move(row_titles);
  grid.captions = std::move(captions);
  grid.title = std::move(title);
  grid.low = low, grid.high = high;
  grid.longest_side = longest_side;
  run({}, [grid = std::move(grid), path, overwrite](const Execution&) { plot(grid, path, overwrite); });
}

}  // namespace

Image image_of(const Pixels& pixels) {
  if (pixels.ndim() != 2 && !(pixels.ndim() == 3 && (pixels.shape(2) == 1 || pixels.shape(2) == 3)))
    throw py::value_error("an image is an array of height x width, or of height x width x 3");
  Image image{.height = pixels.shape(0), .width = pixels.shape(1)};
  if (pixels.ndim() == 3) image.channels = pixels.shape(2);
  image.values.assign(pixels.data(), pixels.data() + pixels.size());
  return image;
}

py::array array_of_image(const Image& image) {
  std::vector<py::ssize_t> shape{image.height, image.width};
  if (image.channels > 1) shape.push_back(image.channels);
  return py::array_t<float>(shape, image.values.data());
}

void bind_images(py::module_& module) {
  bind_pictures(module);
  bind_compression(module);
  module.def(
      "read_image",
      [](const std::string& path, const std::string& coloring, std::uint64_t max_pixels, std::uint64_t memory_limit) {
        ImageOptions o{.max_pixels = max_pixels};
        o.coloring = coloring == "gray" ? Coloring::gray : coloring == "rgb" ? Coloring::rgb : Coloring::as_stored;
        return array_of_image(compute(Call{0, memory_limit, py::none()},
                                      [path, o](const Execution& exec) { return read_image(path, o, exec); }));
      },
      py::arg("path"), py::arg("coloring") = "", py::arg("max_pixels") = 100'000'000, py::arg("memory_limit") = 0);
  module.def(
      "write_image",
      [](const Pixels& pixels, const std::string& path, bool overwrite) {
        run({}, [image = image_of(pixels), path, overwrite](const Execution&) { write_image(image, path, overwrite); });
      },
      py::arg("pixels"), py::arg("path"), py::arg("overwrite") = false);
  module.def(
      "resize_image",
      [](const Pixels& pixels, Index height, Index width) {
        return array_of_image(compute(
            {}, [image = image_of(pixels), height, width](const Execution&) { return resize(image, height, width); }));
      },
      py::arg("pixels"), py::arg("height"), py::arg("width"));
  module.def(
      "compare_images",
      [](const Pixels& a, const Pixels& b) {
        return compute(
            {}, [x = image_of(a), y = image_of(b)](const Execution&) { return std::pair(psnr(x, y), ssim(x, y)); });
      },
      py::arg("a"), py::arg("b"));
  module.def("holds_images", &holds_images, py::arg("path"));
  module.def("draw_grid", &draw_grid, py::arg("images"), py::arg("height"), py::arg("width"), py::arg("channels"),
             py::arg("columns"), py::arg("row_titles"), py::arg("captions"), py::arg("title"), py::arg("low"),
             py::arg("high"), py::arg("longest_side"), py::arg("path"), py::arg("overwrite") = false);
}

}  // namespace fewdim::python

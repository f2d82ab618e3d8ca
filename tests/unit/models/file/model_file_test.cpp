#include "models/file/model_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "fewdim/error.hpp"
#include "unit/models/sample_model.hpp"

namespace fewdim {
namespace {

using nlohmann::json;

template <class A>
bool same_bits(const A& a, const A& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0);
}

void expect_same(const Model& a, const Model& b) {
  const LinearModel &m = a.linear(), &n = b.linear();
  EXPECT_TRUE(same_bits(m.map, n.map));
  EXPECT_TRUE(same_bits(m.mean, n.mean));
  EXPECT_TRUE(same_bits(m.scale, n.scale));
  EXPECT_TRUE(same_bits(m.output_scale, n.output_scale));
  EXPECT_TRUE(same_bits(m.singular_values, n.singular_values));
  EXPECT_TRUE(same_bits(m.explained_variance, n.explained_variance));
  EXPECT_TRUE(same_bits(m.explained_variance_ratio, n.explained_variance_ratio));
  EXPECT_TRUE(same_bits(m.column_variance, n.column_variance));
  EXPECT_EQ(m.total_variance, n.total_variance);
  ASSERT_EQ(m.limits.size(), n.limits.size());
  for (std::size_t i = 0; i < m.limits.size(); ++i) {
    EXPECT_EQ(m.limits[i].confidence, n.limits[i].confidence);
    EXPECT_EQ(m.limits[i].t2, n.limits[i].t2);
    EXPECT_EQ(m.limits[i].spe, n.limits[i].spe);
  }
  const Model::Head &h = a.head(), &g = b.head();
  EXPECT_EQ(h.method, g.method);
  EXPECT_EQ(h.precision, g.precision);
  EXPECT_EQ(h.options, g.options);
  EXPECT_EQ(h.extension, g.extension);
  EXPECT_EQ(h.feature_names, g.feature_names);
  EXPECT_EQ(h.component_names, g.component_names);
  EXPECT_EQ(h.provenance.version, g.provenance.version);
  EXPECT_EQ(h.provenance.date, g.provenance.date);
  EXPECT_EQ(h.provenance.seed, g.provenance.seed);
  EXPECT_EQ(h.provenance.input, g.provenance.input);
  EXPECT_EQ(h.provenance.input_hash, g.provenance.input_hash);
  EXPECT_EQ(h.provenance.rows, g.provenance.rows);
  const Certificate &c = h.certificate, &d = g.certificate;
  EXPECT_EQ(c.route, d.route);
  EXPECT_EQ(words_of(c.why), words_of(d.why));
  EXPECT_EQ(c.iterations, d.iterations);
  EXPECT_EQ(c.products, d.products);
  EXPECT_EQ(c.tolerance, d.tolerance);
  EXPECT_EQ(c.converged, d.converged);
  EXPECT_TRUE(same_bits(c.residuals, d.residuals));
  EXPECT_TRUE(same_bits(c.value_bounds, d.value_bounds));
  EXPECT_TRUE(same_bits(c.angle_bounds, d.angle_bounds));
  EXPECT_EQ(c.groups, d.groups);
  EXPECT_EQ(c.orthogonality, d.orthogonality);
  EXPECT_EQ(c.forming_error, d.forming_error);
  EXPECT_EQ(c.warnings, d.warnings);
  EXPECT_EQ(a.has_embedding(), b.has_embedding());
  if (!a.has_embedding() || !b.has_embedding()) return;
  EXPECT_TRUE(same_bits(a.embedding(), b.embedding()));
}

std::string load_refusal(const std::string& path) {
  try {
    Model::load(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

void write_bytes(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

std::string load_refusal(const Archive& archive) {
  try {
    model_of(archive, "m");
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

/// What loading says of a sample model after `change` has been at its metadata and its arrays, and it was sealed anew:
/// the hash is right, all else has to be checked.
template <class F>
std::string message_after(F change) {
  Archive archive = archive_of(sample_model(3, 2));
  json metadata = json::parse(archive.metadata.at("fewdim"));
  change(metadata, archive);
  archive.metadata["fewdim"] = metadata.dump();
  seal(archive);
  return load_refusal(archive);
}

/// A sample model as files of format 1 have it: a hash of its arrays in the metadata, none of the whole.
Archive archive_of_format_1() {
  Archive archive = archive_of(sample_model(3, 2));
  json metadata = json::parse(archive.metadata.at("fewdim"));
  metadata["format"] = 1;
  metadata["data_hash"] = hash_of_arrays(archive);
  archive.metadata = {{"fewdim", metadata.dump()}};
  return archive;
}

std::string sample_file() {
  const ScratchFolder scratch("model-bytes");
  sample_model(3, 2).save(scratch.file("m"));
  return bytes_of_file(scratch.file("m"));
}

Tensor* tensor(Archive& archive, const std::string& name) { return const_cast<Tensor*>(archive.find(name)); }

/// Replaces an array's numbers.
void put(Archive& archive, const std::string& name, std::vector<std::uint64_t> shape, std::vector<double> numbers) {
  auto owned = std::make_shared<std::vector<double>>(std::move(numbers));
  const std::string_view bytes(reinterpret_cast<const char*>(owned->data()), owned->size() * sizeof(double));
  *tensor(archive, name) = {name, DType::f64, std::move(shape), bytes, owned};
}

TEST(ModelFile, SaveAndLoadGivesTheSameBits) {
  const ScratchFolder scratch("model-bits");
  for (const Precision precision : {Precision::float64, Precision::float32})
    for (const bool all : {true, false}) {
      Model model = sample_model(7, 3, {all, all, all, precision});
      if (all) model.keep_embedding(random_matrix(11, 3, 4));
      model.save(scratch.file("m"), true);
      expect_same(Model::load(scratch.file("m")), model);
    }
}

TEST(ModelFile, TransformOfALoadedModelGivesTheSameBits) {
  const ScratchFolder scratch("model-transform");
  const Model model = sample_model(7, 3);
  model.save(scratch.file("m"));
  const Matrix<double> x = random_matrix(50, 7, 4);
  EXPECT_TRUE(same_bits(Model::load(scratch.file("m")).transform(x), model.transform(x)));
}

TEST(ModelFile, AModelWithNothingButItsMapIsSavedToo) {
  const ScratchFolder scratch("model-bare");
  LinearModel shape;
  shape.map = Matrix<double>::Identity(2, 1);
  const Model model = bare_model(shape);
  model.save(scratch.file("m"));
  expect_same(Model::load(scratch.file("m")), model);
}

TEST(ModelFile, Float32ModelsStoreFloat32WhereNothingIsLost) {
  const ScratchFolder scratch("model-narrow");
  Model model = sample_model(5, 2, {.precision = Precision::float32});
  model.keep_embedding(Matrix<double>::Constant(3, 2, 0.1));  // 0.1 is no float32
  model.save(scratch.file("m"));
  const Archive archive = read_archive(scratch.file("m"));
  for (const char* name : {"components", "mean", "scale", "output_scale"})
    EXPECT_EQ(archive.find(name)->type, DType::f32) << name;
  for (const char* name : {"embedding", "singular_values", "explained_variance", "explained_variance_ratio",
                           "column_variance", "residuals", "value_bounds", "angle_bounds"})
    EXPECT_EQ(archive.find(name)->type, DType::f64) << name;
  expect_same(Model::load(scratch.file("m")), model);
}

TEST(ModelFile, ComponentsAreRowsAsInScikitLearn) {
  const ScratchFolder scratch("model-layout");
  const Model model = sample_model(5, 2);
  model.save(scratch.file("m"));
  const Archive archive = read_archive(scratch.file("m"));
  const Tensor* components = archive.find("components");
  ASSERT_EQ(components->shape, (std::vector<std::uint64_t>{2, 5}));
  double second_of_first_row = 0;
  std::memcpy(&second_of_first_row, components->bytes.data() + sizeof(double), sizeof(double));
  EXPECT_EQ(second_of_first_row, model.linear().map(1, 0));
}

TEST(ModelFile, EqualModelsGiveEqualBytes) {
  const ScratchFolder scratch("model-equal");
  const Model model = sample_model(5, 2);
  model.save(scratch.file("a"));
  Model::load(scratch.file("a")).save(scratch.file("b"));
  EXPECT_EQ(bytes_of_file(scratch.file("a")), bytes_of_file(scratch.file("b")));
}

TEST(ModelFile, AnExistingFileIsKeptUnlessOverwriteIsAsked) {
  const ScratchFolder scratch("model-exists");
  write_bytes(scratch.file("m"), "precious");
  EXPECT_THROW(sample_model(3, 2).save(scratch.file("m")), IoError);
  EXPECT_EQ(bytes_of_file(scratch.file("m")), "precious");
  sample_model(3, 2).save(scratch.file("m"), true);
  EXPECT_EQ(load_refusal(scratch.file("m")), "accepted");
}

TEST(ModelFile, LoadsFromAFolderThatCantBeWritten) {
  const ScratchFolder scratch("model-readonly");
  sample_model(3, 2).save(scratch.file("m"));
  ::chmod(scratch.file("m").c_str(), 0444);
  ::chmod(scratch.path().c_str(), 0555);
  EXPECT_EQ(load_refusal(scratch.file("m")), "accepted");
  ::chmod(scratch.path().c_str(), 0755);
}

TEST(ModelFile, AMissingFileIsAnIoError) { EXPECT_THROW(Model::load("/nonexistent/model"), IoError); }

TEST(ModelFile, ModelsThatCouldNotBeLoadedAreNotSaved) {
  const ScratchFolder scratch("model-unsound");
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    LinearModel shape = sample_model(3, 2).linear();
    shape.map(1, 1) = bad;
    EXPECT_THROW(bare_model(shape).save(scratch.file("m")), DataError);
  }
  EXPECT_FALSE(std::filesystem::exists(scratch.file("m")));
}

TEST(ModelFile, ACertificateWithoutBoundsSurvives) {
  const ScratchFolder scratch("model-nan");
  Model model = sample_model(3, 2);
  model.head().certificate.residuals[0] = std::numeric_limits<double>::infinity();
  model.head().certificate.orthogonality = std::numeric_limits<double>::quiet_NaN();
  model.save(scratch.file("m"));
  const Model loaded = Model::load(scratch.file("m"));
  EXPECT_EQ(loaded.certificate().residuals[0], std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(loaded.certificate().orthogonality));
}

TEST(ModelFile, NamesThatAreNotUtf8AreSavedAndStillMatchTheirData) {
  const ScratchFolder scratch("model-latin1");
  Model model = sample_model(2, 1);
  model.head().feature_names = {"l\xe4nge", "größe \"x\"\t"};  // the first is Latin-1
  model.save(scratch.file("m"));
  const Model loaded = Model::load(scratch.file("m"));
  EXPECT_EQ(loaded.head().feature_names[0], "l\xef\xbf\xbdnge");  // U+FFFD
  EXPECT_EQ(loaded.head().feature_names[1], model.head().feature_names[1]);
  Dataset data(Matrix<double>::Zero(1, 2).eval());
  data.column_names = model.head().feature_names;
  EXPECT_NO_THROW(loaded.transform(data));
}

TEST(ModelFile, EveryPrefixIsRefusedCleanly) {
  const std::string whole = sample_file();
  EXPECT_NO_THROW(model_of(parse_archive(whole, "m"), "m"));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THROW(model_of(parse_archive(whole.substr(0, size), "m"), "m"), DataError) << size;
}

TEST(ModelFile, EveryFlippedBitIsRefused) {
  std::string bytes = sample_file();
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
      EXPECT_THROW(model_of(parse_archive(bytes, "m"), "m"), DataError) << "bit " << bit << " of byte " << at;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
    }
  EXPECT_NO_THROW(model_of(parse_archive(bytes, "m"), "m"));
}

TEST(ModelFile, AModelWithoutItsHashIsRefused) {
  Archive archive = archive_of(sample_model(3, 2));
  EXPECT_EQ(load_refusal(archive), "accepted");
  archive.metadata.erase("fewdim-hash");
  EXPECT_EQ(load_refusal(archive),
            "m: the file is damaged: it has no hash to check its contents by; take another copy, or make it again");
}

TEST(ModelFile, TheHashCoversMetadataAndShapes) {
  const std::string damaged =
      "m: the file is damaged: its contents are not those that were saved; take another copy, or make it again";
  Archive archive = archive_of(sample_model(3, 2));
  std::string& text = archive.metadata.at("fewdim");
  text.insert(text.find("\"seed\":") + 7, "1");
  EXPECT_EQ(load_refusal(archive), damaged);
  archive = archive_of(sample_model(3, 2));
  archive.metadata["other"] = "";
  EXPECT_EQ(load_refusal(archive), damaged);
  archive = archive_of(sample_model(3, 2));
  std::swap(tensor(archive, "components")->shape[0], tensor(archive, "components")->shape[1]);
  EXPECT_EQ(load_refusal(archive), damaged);
}

TEST(ModelFile, PlacesOfArraysAreFree) {
  Archive archive = archive_of(sample_model(3, 2));
  std::ranges::reverse(archive.tensors);
  EXPECT_EQ(load_refusal(archive), "accepted");
}

TEST(ModelFile, FilesOfFormat1LoadByTheirOldCheck) {
  EXPECT_EQ(load_refusal(archive_of_format_1()), "accepted");
  Archive archive = archive_of_format_1();
  put(archive, "mean", {3}, {1, 2, 3});
  EXPECT_EQ(load_refusal(archive), "m: the file is damaged: its numbers are not those that were saved");
  archive = archive_of_format_1();
  seal(archive);
  archive.metadata["more"] = "";
  EXPECT_TRUE(load_refusal(archive).starts_with("m: the file is damaged")) << "a hash that is there is checked";
}

TEST(ModelFile, DamagedNumbersAreFound) {
  const ScratchFolder scratch("model-damage");
  sample_model(3, 2).save(scratch.file("m"));
  std::string bytes = bytes_of_file(scratch.file("m"));
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write_bytes(scratch.file("damaged"), bytes);
  EXPECT_EQ(load_refusal(scratch.file("damaged")),
            scratch.file("damaged") +
                ": the file is damaged: its contents are not those that were saved; take another "
                "copy, or make it again");
}

TEST(ModelFile, AForeignSafetensorsFileIsNamedAsSuch) {
  EXPECT_EQ(load_refusal(Archive{.metadata = {{"format", "pt"}}, .tensors = {}}),
            "m: a safetensors file, but no model of fewdim's: its metadata has no 'fewdim'");
}

TEST(ModelFile, ANewerFormatSaysSoWhateverElseItHolds) {
  EXPECT_EQ(message_after([](json& metadata, Archive&) {
              metadata = {{"format", 3}, {"novelty", true}};
            }),
            "m: its model format 3 is newer than the 2 this fewdim knows; use a newer fewdim");
}

TEST(ModelFile, MetadataMustBeWholeAndKnown) {
  const std::string refused = "m: not a model file: its metadata";
  const auto after = [](auto change) { return message_after([&](json& metadata, Archive&) { change(metadata); }); };
  EXPECT_EQ(after([](json&) {}), "accepted");
  EXPECT_EQ(after([](json& m) { m.erase("method"); }), refused + " has no 'method'");
  EXPECT_EQ(after([](json& m) { m["extra"] = 1; }), refused + " has a key this fewdim does not know");
  EXPECT_EQ(after([](json& m) { m["format"] = "1"; }), refused + " has a 'format' that is not a whole number");
  EXPECT_EQ(after([](json& m) { m["format"] = 0; }), refused + " has format 0, which there never was");
  EXPECT_EQ(after([](json& m) { m["shape"] = "barycentric"; }),
            refused + " has a model of shape 'barycentric', which this fewdim does not know");
  EXPECT_EQ(after([](json& m) { m["precision"] = "float16"; }),
            refused + " has precision 'float16', which this fewdim does not know");
  EXPECT_EQ(after([](json& m) { m["options"]["scale"] = {1}; }),
            refused + ": options 'scale' is not a value an option can have");
  EXPECT_EQ(after([](json& m) { m["options"]["seed"] = 18446744073709551615u; }),
            refused + ": options 'seed' is not a value an option can have");
  EXPECT_EQ(after([](json& m) { m["provenance"]["rows"] = -1; }),
            refused + ": provenance has a 'rows' that is not a whole number");
  EXPECT_EQ(after([](json& m) { m["provenance"]["rows"] = 18446744073709551615u; }),
            refused + ": provenance has a 'rows' that is too large");
  EXPECT_EQ(after([](json& m) { m["certificate"].erase("why"); }), refused + ": certificate has no 'why'");
  EXPECT_EQ(after([](json& m) {
              m["certificate"]["groups"] = {0, 0.5};
            }),
            refused + ": certificate 'groups' is not a list of whole numbers");
  EXPECT_EQ(after([](json& m) { m["limits"] = {{{"confidence", 0.9}}}; }), refused + ": limits has no 't2'");
  EXPECT_EQ(after([](json& m) {
              m["feature_names"] = {"a", "b"};
            }),
            "m: 'feature_names' has 2 entries, the model needs 3");
  EXPECT_EQ(after([](json& m) {
              m["component_names"] = {1, 2};
            }),
            refused + " has a 'component_names' that is not a list of texts");
  EXPECT_EQ(after([](json& m) { m["total_variance"] = nullptr; }), "m: the total variance is not finite");
  EXPECT_EQ(after([](json& m) { m = json::array(); }), refused + " is not an object");
  EXPECT_EQ(after([](json& m) { m["options"] = json::parse("[[[[[1]]]]]"); }), refused + ": nested deeper than 4");
}

TEST(ModelFile, ArraysMustFitTheModel) {
  const auto after = [](auto change) { return message_after([&](json&, Archive& archive) { change(archive); }); };
  const std::string array = "m: not a model file: array ";
  EXPECT_EQ(after([](Archive&) {}), "accepted");
  EXPECT_EQ(after([](Archive& a) { std::erase_if(a.tensors, [](const Tensor& t) { return t.name == "components"; }); }),
            "m: a map of 0 features to 0 components is no model");
  EXPECT_EQ(after([](Archive& a) { put(a, "mean", {2}, {1, 2}); }), "m: 'mean' has 2 entries, the model needs 3");
  EXPECT_EQ(after([](Archive& a) { put(a, "mean", {3, 1}, {1, 2, 3}); }), array + "'mean' is not a vector");
  EXPECT_EQ(after([](Archive& a) {
              put(a, "components", {6}, {1, 2, 3, 4, 5, 6});
            }),
            array + "'components' is not a matrix");
  EXPECT_EQ(after([](Archive& a) {
              put(a, "scale", {3}, {1, 0, 1});
            }),
            "m: 'scale' holds 0, which is not finite and positive");
  EXPECT_EQ(after([](Archive& a) {
              put(a, "scale", {3}, {1, 1, -1});
            }),
            "m: 'scale' holds -1, which is not finite and positive");
  EXPECT_EQ(after([](Archive& a) {
              put(a, "mean", {3}, {1, std::numeric_limits<double>::infinity(), 1});
            }),
            "m: 'mean' holds inf, which is not finite");
  EXPECT_EQ(after([](Archive& a) {
              put(a, "singular_values", {2}, {1, std::numeric_limits<double>::quiet_NaN()});
            }),
            "m: 'singular_values' holds nan, which is not finite");
  EXPECT_EQ(after([](Archive& a) { put(a, "mean", {0}, {}); }), array + "'mean' is empty");
  EXPECT_EQ(after([](Archive& a) { put(a, "components", {0, 3}, {}); }), array + "'components' is empty");
  EXPECT_EQ(after([](Archive& a) { tensor(a, "mean")->type = DType::i64; }),
            array + "'mean' is not of type F32 or F64");
  EXPECT_EQ(after([](Archive& a) { tensor(a, "mean")->name = "median"; }),
            array + "'median' is none this fewdim knows");
}

TEST(ModelFile, DuplicateKeysInTheMetadataAreRefused) {
  Archive archive = archive_of(sample_model(3, 2));
  std::string& text = archive.metadata.at("fewdim");
  text = R"({"method":"svd",)" + text.substr(1);
  seal(archive);
  EXPECT_EQ(load_refusal(archive), "m: not a model file: its metadata: the key 'method' appears twice");
}

TEST(ModelFile, MoreNamesThanNumbersAreRefusedBeforeTheyAreHeld) {
  const auto message =
      message_after([](json& m, Archive&) { m["feature_names"] = std::vector<std::string>(200'000, ""); });
  EXPECT_TRUE(message.starts_with("m: not a model file: its metadata: more than 1000")) << message;
}

}  // namespace
}  // namespace fewdim

#include "models/shapes/linear.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "fewdim/error.hpp"
#include "unit/models/sample_model.hpp"

namespace fewdim {
namespace {

/// A stream over a matrix that delivers rows in uneven portions, and does not know how many there are.
class MatrixStream : public RowStream {
 public:
  MatrixStream(RowMatrix<double> rows, Precision precision, bool knows)
      : rows_(std::move(rows)), precision_(precision), knows_(knows) {}
  Index cols() const override { return rows_.cols(); }
  std::optional<Index> rows() const override { return knows_ ? std::optional(rows_.rows()) : std::nullopt; }
  Precision precision() const override { return precision_; }
  bool rewindable() const override { return false; }
  void rewind() override { throw Unsupported("a pipe"); }
  Index read(double* out, Index max_rows) override { return deliver(out, max_rows); }
  Index read(float* out, Index max_rows) override { return deliver(out, max_rows); }

 private:
  template <class T>
  Index deliver(T* out, Index max_rows) {
    const Index count = std::min({max_rows, rows_.rows() - next_, 1 + 13 * calls_++});
    for (Index i = 0; i < count * cols(); ++i) out[i] = static_cast<T>(rows_.data()[next_ * cols() + i]);
    next_ += count;
    return count;
  }
  RowMatrix<double> rows_;
  Precision precision_;
  bool knows_;
  Index next_ = 0, calls_ = 0;
};

/// The formula written down plainly, and a bound of its rounding: every term of a sum of D products carries at most
/// D + 4 roundings of relative size eps.
struct Expected {
  Matrix<double> value, bound;
};

Expected transform_plainly(const LinearModel& m, const Matrix<double>& x, double eps) {
  Matrix<double> z = x, size = x.cwiseAbs();
  if (m.mean.size() > 0) z.rowwise() -= m.mean.transpose(), size.rowwise() += m.mean.cwiseAbs().transpose();
  if (m.scale.size() > 0)
    z.array().rowwise() /= m.scale.transpose().array(), size.array().rowwise() /= m.scale.transpose().array();
  Expected e{z * m.map, size * m.map.cwiseAbs() * (static_cast<double>(x.cols()) + 4) * eps};
  if (m.output_scale.size() == 0) return e;
  e.value.array().rowwise() *= m.output_scale.transpose().array();
  e.bound.array().rowwise() *= m.output_scale.transpose().array();
  return e;
}

Expected inverse_plainly(const LinearModel& m, const Matrix<double>& y, double eps) {
  Matrix<double> z = y;
  if (m.output_scale.size() > 0) z.array().rowwise() /= m.output_scale.transpose().array();
  Expected e{z * m.map.transpose(), z.cwiseAbs() * m.map.cwiseAbs().transpose()};
  if (m.scale.size() > 0)
    e.value.array().rowwise() *= m.scale.transpose().array(), e.bound.array().rowwise() *= m.scale.transpose().array();
  if (m.mean.size() > 0) e.value.rowwise() += m.mean.transpose(), e.bound.rowwise() += m.mean.cwiseAbs().transpose();
  e.bound *= (static_cast<double>(y.cols()) + 4) * eps;
  return e;
}

void expect_within(const Matrix<double>& found, const Expected& expected, const std::string& what) {
  ASSERT_EQ(found.rows(), expected.value.rows()) << what;
  ASSERT_EQ(found.cols(), expected.value.cols()) << what;
  EXPECT_TRUE(((found - expected.value).cwiseAbs().array() <= expected.bound.array()).all()) << what;
}

template <class T>
bool same_bits(const Matrix<T>& a, const Matrix<T>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(T)) == 0;
}

template <class T>
Csr<T> sparse_of(const Matrix<double>& x) {
  Csr<T> csr;
  csr.rows = x.rows(), csr.cols = x.cols();
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j)
      if (x(i, j) != 0)
        csr.columns.push_back(static_cast<std::int32_t>(j)), csr.values.push_back(static_cast<T>(x(i, j)));
    csr.offsets.push_back(static_cast<std::int64_t>(csr.values.size()));
  }
  return csr;
}

Matrix<double> as_float(const Matrix<double>& x) { return x.cast<float>().cast<double>(); }

constexpr double eps64 = std::numeric_limits<double>::epsilon(), eps32 = std::numeric_limits<float>::epsilon();

// Row counts around the cut into strips (32), tiles (128) and chunks (1024); 1030 columns leave a short second block.
using Shape = std::tuple<Index, Index, bool, bool, bool>;  // rows, features, center, scale, whiten
class LinearShapes : public testing::TestWithParam<Shape> {};

TEST_P(LinearShapes, TransformAndInverseAreTheFormulaForEveryLayout) {
  const auto [rows, features, center, scale, whiten] = GetParam();
  const Index k = 3;
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    const bool single = precision == Precision::float32;
    const Model model = sample_model(features, k, {center, scale, whiten, precision});
    const LinearModel& m = model.linear();
    const Matrix<double> x = as_float(random_matrix(rows, features, 5)), y = as_float(random_matrix(rows, k, 6));
    const Expected forth = transform_plainly(m, x, eps64), back = inverse_plainly(m, y, eps64);
    const RowMatrix<double> x_rows = x, y_rows = y;
    Matrix<double> wide = Matrix<double>::Constant(2 * rows, 3 * features, 77.0);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < features; ++j) wide(2 * i, 3 * j) = x(i, j);
    const DenseView<double> strided{wide.data(), rows, features, 2, 3 * 2 * rows};
    expect_within(model.transform(x), forth, "column-major");
    expect_within(model.transform(Dataset(x_rows)).matrix<double>(), forth, "row-major");
    expect_within(model.transform(Dataset(strided)).matrix<double>(), forth, "strided");
    expect_within(model.transform(Dataset(sparse_of<double>(x))).matrix<double>(), forth, "sparse");
    expect_within(model.inverse_transform(y), back, "inverse, column-major");
    expect_within(model.inverse_transform(Dataset(y_rows)).matrix<double>(), back, "inverse, row-major");
    expect_within(model.inverse_transform(Dataset(sparse_of<double>(y))).matrix<double>(), back, "inverse, sparse");
    // float32 data: in float32 when the model is too, otherwise in float64 and rounded once at the end.
    const Matrix<float> xf = x.cast<float>(), yf = y.cast<float>();
    Expected narrow_forth = transform_plainly(m, x, single ? eps32 : eps64),
             narrow_back = inverse_plainly(m, y, single ? eps32 : eps64);
    narrow_forth.bound += eps32 * narrow_forth.value.cwiseAbs();
    narrow_back.bound += eps32 * narrow_back.value.cwiseAbs();
    expect_within(model.transform(xf).cast<double>(), narrow_forth, "float32");
    expect_within(model.transform(Dataset(sparse_of<float>(x))).matrix<double>(), narrow_forth, "sparse float32");
    expect_within(model.inverse_transform(yf).cast<double>(), narrow_back, "inverse, float32");
    for (const bool knows : {true, false}) {
      const auto stream = std::make_shared<MatrixStream>(x, Precision::float64, knows);
      expect_within(model.transform(Dataset(std::static_pointer_cast<RowStream>(stream))).matrix<double>(), forth,
                    "stream");
      const auto narrow = std::make_shared<MatrixStream>(x, Precision::float32, knows);
      expect_within(model.transform(Dataset(std::static_pointer_cast<RowStream>(narrow))).matrix<double>(),
                    narrow_forth, "float32 stream");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, LinearShapes,
                         testing::Values(Shape{0, 5, true, true, true}, Shape{1, 3, true, false, false},
                                         Shape{1, 1030, true, true, false}, Shape{33, 7, false, false, false},
                                         Shape{129, 1030, true, true, true}, Shape{1025, 20, true, false, true},
                                         Shape{1025, 20, false, true, false}, Shape{32, 4, false, false, true}));

TEST(Linear, ThereAndBackIsTheIdentityForASquareMap) {
  const Model model = sample_model(12, 12);
  const Matrix<double> x = random_matrix(50, 12, 9);
  const Matrix<double> back = model.inverse_transform(model.transform(x));
  // Two products of 12 terms, scales up to about 4 and means up to about 10: a few hundred roundings at size 10.
  EXPECT_LT((back - x).cwiseAbs().maxCoeff(), 1e3 * 10 * eps64);
}

TEST(Linear, PrecisionOfTheResultIsThatOfTheData) {
  const Model wide = sample_model(4, 2), narrow = sample_model(4, 2, {.precision = Precision::float32});
  const Matrix<double> x = random_matrix(3, 4, 1);
  const Matrix<float> xf = x.cast<float>();
  for (const Model* model : {&wide, &narrow}) {
    EXPECT_EQ(model->transform(Dataset(x)).precision(), Precision::float64);
    EXPECT_EQ(model->transform(Dataset(xf)).precision(), Precision::float32);
    EXPECT_EQ(model->inverse_transform(model->transform(Dataset(xf))).precision(), Precision::float32);
    EXPECT_EQ(model->transform(Dataset(sparse_of<float>(x))).precision(), Precision::float32);
  }
}

TEST(Linear, HighAccuracyModelsComputeFloat32DataInFloat64) {
  Model model = sample_model(1000, 2, {.precision = Precision::float32});
  const Matrix<double> x = as_float(random_matrix(40, 1000, 1));
  const Matrix<float> xf = x.cast<float>();
  const Matrix<float> exact = model.transform(x).cast<float>();
  EXPECT_NE(model.transform(xf), exact);  // 1000 roundings of float32 show
  model.head().options["accuracy"] = std::string("high");
  EXPECT_EQ(model.transform(xf), exact);
}

TEST(Linear, SameBitsAtAnyNumberOfThreads) {
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    const Model model = sample_model(30, 5, {.precision = precision});
    const Matrix<double> x = random_matrix(3000, 30, 4), y = random_matrix(3000, 5, 5);
    const Matrix<float> xf = x.cast<float>();
    const Dataset sparse(sparse_of<double>(x));
    const Execution one{.threads = 1};
    for (const int threads : {2, 3, 8}) {
      const Execution many{.threads = threads};
      EXPECT_TRUE(same_bits(model.transform(x, one), model.transform(x, many)));
      EXPECT_TRUE(same_bits(model.transform(xf, one), model.transform(xf, many)));
      EXPECT_TRUE(
          same_bits(model.transform(sparse, one).matrix<double>(), model.transform(sparse, many).matrix<double>()));
      EXPECT_TRUE(same_bits(model.inverse_transform(y, one), model.inverse_transform(y, many)));
    }
  }
}

TEST(Linear, ARowsBitsDoNotDependOnItsBatchOrLayout) {
  const Index rows = 200, features = 1500, k = 7;
  const Model model = sample_model(features, k);
  const Matrix<double> x = random_matrix(rows, features, 4);
  const Matrix<double> whole = model.transform(x);
  const RowMatrix<double> by_rows = x;
  EXPECT_TRUE(same_bits(model.transform(Dataset(by_rows)).matrix<double>(), whole));
  const Matrix<double> back = model.inverse_transform(whole);
  for (const Index batch : {1, 7, 32, 100}) {
    for (Index first = 0; first + batch <= rows; first += batch) {
      const Matrix<double> part = x.middleRows(first, batch), scores = whole.middleRows(first, batch);
      ASSERT_TRUE(same_bits<double>(model.transform(part), scores)) << batch << " rows from " << first;
      ASSERT_TRUE(same_bits<double>(model.inverse_transform(scores), back.middleRows(first, batch))) << batch;
    }
  }
  const auto stream = std::make_shared<MatrixStream>(x, Precision::float64, false);
  EXPECT_TRUE(same_bits(model.transform(Dataset(std::static_pointer_cast<RowStream>(stream))).matrix<double>(), whole));
}

TEST(Linear, TheMeanIsTakenOffBeforeTheProduct) {
  // Rows a hair apart, far from zero: 1e8 + {0, 1}·2^-20. Mapped first and centered after, the differences would drown
  // in the rounding of numbers of size 1e8·√D ≈ 1e9, which is 1e-7.
  const Index features = 100;
  LinearModel m;
  m.map = Matrix<double>::Constant(features, 1, 0.1);
  m.mean = Vector<double>::Constant(features, 1e8);
  const Model model = bare_model(m);
  Matrix<double> x = Matrix<double>::Constant(2, features, 1e8);
  x.row(1).array() += 0x1p-20;
  const Matrix<double> y = model.transform(x);
  EXPECT_EQ(y(0, 0), 0.0);
  EXPECT_NEAR(y(1, 0), 10 * 0x1p-20, 10 * 0x1p-20 * 104 * eps64);  // relative error: D + 4 roundings
}

TEST(Linear, AComponentScaledToNothingAddsNothingOnTheWayBack) {
  LinearModel m;
  m.map = Matrix<double>::Identity(3, 2);
  m.output_scale = Vector<double>::Zero(2);
  m.output_scale[0] = 2.0;
  const Model model = bare_model(m);
  Matrix<double> y(1, 2);
  y << 6.0, 5.0;
  const Matrix<double> x = model.inverse_transform(y);
  EXPECT_EQ(x(0, 0), 3.0);
  EXPECT_EQ(x(0, 1), 0.0);
}

TEST(Linear, ScalesBeyondFloat32AreComputedInFloat64) {
  LinearModel m;
  m.map = Matrix<double>::Identity(2, 1);
  m.scale = Vector<double>::Constant(2, 1e-36);  // 1/scale is near float32's end
  EXPECT_FALSE(fits_single(m));
  const Model model = bare_model(m, Precision::float32);
  Matrix<float> x(1, 2);
  x << 1e-20f, 0.0f;
  EXPECT_NEAR(double(model.transform(x)(0, 0)) / 1e16, 1.0, 4 * eps32);
}

TEST(Linear, NumbersThatAreNotFiniteAreRefusedWhereverTheyAre) {
  const Model model = sample_model(5, 2, {.precision = Precision::float32});
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Matrix<double> x = random_matrix(2100, 5, 4), y = random_matrix(2100, 2, 4);
    x(2050, 3) = bad, y(2050, 1) = bad;
    const Matrix<float> xf = x.cast<float>();
    EXPECT_THROW(model.transform(x), DataError);
    EXPECT_THROW(model.transform(xf), DataError);
    EXPECT_THROW(model.transform(Dataset(sparse_of<double>(x))), DataError);
    EXPECT_THROW(model.inverse_transform(y), DataError);
    const auto stream = std::make_shared<MatrixStream>(x, Precision::float64, false);
    try {
      model.transform(Dataset(std::static_pointer_cast<RowStream>(stream)));
      FAIL();
    } catch (const DataError& error) {
      EXPECT_TRUE(std::string(error.what()).find("at row 2051, column 4") != std::string::npos) << error.what();
    }
  }
}

TEST(Linear, SparseRowsAreCheckedBeforeTheyAreTouched) {
  const Model model = sample_model(5, 2);
  Csr<double> csr = sparse_of<double>(random_matrix(3, 5, 4));
  csr.columns[7] = 5;  // one past the last
  EXPECT_THROW(model.transform(Dataset(std::move(csr))), DataError);
}

TEST(Linear, OverflowIsAnErrorThatNamesTheRow) {
  LinearModel m;
  m.map = Matrix<double>::Constant(4, 1, 0.5);
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const DataError& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string remedy32 = " is too large for float32; convert the data to float64";
  const std::string remedy64 = " is too large for float64; scale the data down";
  const Model single = bare_model(m, Precision::float32), wide = bare_model(m);
  // 4 · 0.5 · 3e38 is above float32's largest number, 3.4e38; 4 · 0.5 · 1.7e308 above float64's, 1.8e308.
  Matrix<float> xf = Matrix<float>::Ones(3000, 4);
  xf.row(2077).setConstant(3e38f);
  xf.row(2999).setConstant(3e38f);
  EXPECT_EQ(message([&] { single.transform(xf); }), "transform: the result of row 2078" + remedy32);
  EXPECT_EQ(message([&] { wide.transform(xf); }), "transform: the result of row 2078" + remedy32);
  Matrix<double> x = Matrix<double>::Ones(3000, 4);
  x.row(2077).setConstant(1.7e308);
  EXPECT_EQ(message([&] { wide.transform(x); }), "transform: the result of row 2078" + remedy64);
  EXPECT_EQ(message([&] { wide.transform(Dataset(sparse_of<double>(x))); }),
            "transform: the result of row 2078" + remedy64);
  const Dataset stream(
      std::static_pointer_cast<RowStream>(std::make_shared<MatrixStream>(x, Precision::float64, false)));
  EXPECT_EQ(message([&] { wide.transform(stream); }), "transform: the result of row 2078" + remedy64);

  // Back: 1e308/1e-3 and 1e38/1e-3 leave their types where a component was scaled down.
  m.output_scale = Vector<double>::Constant(1, 1e-3);
  Matrix<double> y = Matrix<double>::Ones(40, 1);
  y(33, 0) = 1e308;
  Matrix<float> yf = Matrix<float>::Ones(40, 1);
  yf(33, 0) = 1e38f;
  const std::string back = "inverse_transform: the result of row 34";
  EXPECT_EQ(message([&] { bare_model(m).inverse_transform(y); }), back + remedy64);
  EXPECT_EQ(message([&] { bare_model(m).inverse_transform(yf); }), back + remedy32);
  EXPECT_EQ(message([&] { bare_model(m, Precision::float32).inverse_transform(yf); }), back + remedy32);
}

TEST(Linear, WhatIsNotFiniteIsRefusedEvenInAComponentScaledToNothing) {
  LinearModel m;
  m.map = Matrix<double>::Identity(3, 2);
  m.output_scale = Vector<double>::Zero(2);
  m.output_scale[0] = 2.0;
  Matrix<double> y = Matrix<double>::Ones(3, 2);
  y(1, 1) = std::nan("");
  EXPECT_THROW(bare_model(m).inverse_transform(y), DataError);
}

TEST(Linear, ResultsBeyondTheMemoryLimitAreRefusedBeforeWork) {
  const Model model = sample_model(4, 2);
  const Matrix<double> y = random_matrix(1000, 2, 4);
  EXPECT_THROW(model.inverse_transform(Dataset(y), Execution{.memory_limit = 1000 * 4 * 8 - 1}), OverMemory);
  EXPECT_NO_THROW(model.inverse_transform(Dataset(y), Execution{.memory_limit = 1000 * 4 * 8}));
}

TEST(Linear, ProgressIsReportedAndCanStop) {
  const Model model = sample_model(2, 1);
  const Matrix<double> x = random_matrix(70000, 2, 4);  // more than one wave of 65,536 rows
  std::vector<Index> done;
  Execution exec;
  exec.progress = [&](const Progress& p) {
    EXPECT_EQ(p.stage, "transform");
    EXPECT_EQ(p.total, 70000);
    done.push_back(p.done);
    return true;
  };
  model.transform(Dataset(x), exec);
  EXPECT_EQ(done, (std::vector<Index>{65536, 70000}));
  exec.progress = [](const Progress&) { return false; };
  EXPECT_THROW(model.transform(Dataset(x), exec), Interrupted);
}

}  // namespace
}  // namespace fewdim

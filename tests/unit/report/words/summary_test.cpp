#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "fewdim/error.hpp"
#include "fewdim/plot.hpp"
#include "fewdim/report.hpp"
#include "unit/models/sample_model.hpp"

namespace fewdim {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Summary, SaysWhatAPersonWantsToKnow) {
  const Model model = sample_model(64, 3);
  // The sample's figures: eigenvalues 3, 2, 1 of a total of 6.1; residuals up to 3e-15, angles up to 1e-9.
  EXPECT_EQ(summary(model),
            "pca: 3 components of 64 features, each scaled to unit variance\n"
            "data        iris.csv: 100 rows, float64\n"
            "route       covariance (12 iterations, 34 products): few features: the covariance is small\n"
            "options     components=3 ddof=1 scale=true share=1 tolerance=1e-09\n"
            "time        0.75 s (read 0.25, covariance 0.5)\n"
            "variance    6.1 in total, 98.36 % of it kept\n"
            "\n"
            "component     eigenvalue     share  together\n"
            "PC1                    3   49.18 %   49.18 %\n"
            "PC2                    2   32.79 %   81.97 %\n"
            "PC3                    1   16.39 %   98.36 %\n"
            "\n" +
                text_scree(model.linear().explained_variance_ratio, 6, 60) +
                "\n"
                "trust       every residual is at most 9e-15 of its eigenvalue\n"
                "            every axis is within 1e-09 rad of the true one\n"
                "            the axes are orthonormal to 2e-16; forming the matrix may have cost 1e-14 of the largest "
                "eigenvalue\n"
                "warning     one warning\n"
                "limits      95 % of such rows: T² up to 6.25, SPE up to 0.75; 99 % of such rows: T² up to 9.5, SPE up "
                "to 0.3333\n"
                "made        fewdim 0.1.0, 2026-01-02T03:04:05Z, seed 18446744073709551615\n");
}

TEST(Summary, StaysShortWhateverTheNumberOfComponents) {
  const Model model = sample_model(60, 50);
  const std::string text = summary(model), scree = text_scree(model.linear().explained_variance_ratio, 6, 60);
  EXPECT_LE(std::ranges::count(text, '\n') - std::ranges::count(scree, '\n'), 25);
  EXPECT_TRUE(has(text, "\nPC8 "));
  EXPECT_FALSE(has(text, "\nPC9 "));
  EXPECT_TRUE(has(text, "\n… 42 more\n"));
  EXPECT_FALSE(has(summary(sample_model(60, 9)), "more\n"));  // "… 1 more" would take the line of the one
}

TEST(Summary, NamesAxesThatCantBeToldApart) {
  Model model = sample_model(20, 6);
  model.head().certificate.groups = {0, 1, 1, 3, 4, 4};
  model.head().certificate.angle_bounds[3] = std::numbers::pi / 2;
  const std::string text = summary(model);
  EXPECT_TRUE(has(
      text, "components 2-3, 5-6 can't be told apart: their eigenvalues are too close, the axes inside are arbitrary"));
  EXPECT_TRUE(
      has(text, "every axis (or the space of its group) is within 1e-09 rad of the true one, but for 4: no bound"));
}

TEST(Summary, ManyGroupsAreCounted) {
  Model model = sample_model(20, 16);
  model.head().certificate.groups = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7};
  EXPECT_TRUE(has(summary(model), "components 1-2, 3-4, 5-6, 7-8, 9-10, 11-12 and 2 more groups can't be told apart"));
}

TEST(Summary, ARoundedBoundStaysABound) {
  Model model = sample_model(20, 2);
  model.head().certificate.residuals << 1e-16, 3.01e-15;
  EXPECT_TRUE(has(summary(model), "every residual is at most 7e-15"));
  model.head().certificate.residuals << 1e-16, 9.5e-15;
  EXPECT_TRUE(has(summary(model), "every residual is at most 2e-14"));
  model.head().certificate.residuals << 0, 0;
  EXPECT_TRUE(has(summary(model), "every residual is at most 0 of"));
}

TEST(Summary, AMissIsNotHidden) {
  Model model = sample_model(20, 2);
  model.head().certificate.converged = false;
  model.head().certificate.residuals << 1e-16, 2e-5;
  EXPECT_TRUE(has(summary(model), "not converged: residuals reach 4e-05 of their eigenvalues, asked for was 1e-09"));
}

TEST(Summary, AModelWithNothingButItsMapHasNoEmptyLines) {
  LinearModel shape;
  shape.map = Matrix<double>::Identity(2, 1);
  EXPECT_EQ(summary(bare_model(shape)), "pca: 1 component of 2 features\ndata        0 rows, float64\n");
  EXPECT_THROW(summary(Model()), Unsupported);
}

}  // namespace
}  // namespace fewdim

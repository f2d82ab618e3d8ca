// FastICA against scikit-learn 1.9.1, on a table that `fewdim generate mixed-signals -n 4000 --cols 4 --noise 0.01`
// makes again to the bit:
//
//   m = FastICA(4, fun=..., whiten="unit-variance", tol=1e-14, max_iter=2000, random_state=0).fit(x)
//   o = np.argsort(-(m.mixing_**2).sum(axis=0))
//   abs(m.transform(x))[[0, 1, 2000, 3999]][:, o], (m.mixing_**2).sum(axis=0)[o]
//
// scikit-learn gives sources the variance 1 with divisor N, fewdim with N − 1. Its tolerance is on a cosine, so that
// its axes are within √2e-14 = 1.4e-7 of the stationary point, times the size of a source.

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "fewdim/fewdim.hpp"

namespace fewdim {
namespace {

using Row = std::array<double, 4>;

struct Figures {
  IcaContrast contrast;
  std::array<Row, 4> sources;  // rows 0, 1, 2000, 3999, without their signs
  Row variances;
};

const Figures figures[] = {{IcaContrast::logcosh,
                            {{{0.9797126776002512, 0.027382313672861768, 1.7091249767346428, 0.8447255695089134},
                              {1.0106198089009328, 0.1651680769567553, 1.607876161526487, 0.2566416333224677},
                              {1.0090271124844958, 0.036505338211554876, 1.2760751181031098, 0.16138649444373843},
                              {0.9729429220654616, 0.14647943092436905, 0.7605629866924787, 0.38995475855622724}}},
                            {0.35892469912905, 0.1500938228094035, 0.10538752579497679, 0.01865549720178214}},
                           {IcaContrast::exp,
                            {{{0.9784317651302015, 0.029165752442805545, 1.706649884678569, 0.8511304286819703},
                              {1.0102837289004598, 0.1657629259804555, 1.6070746269402427, 0.26253409965637176},
                              {1.0088281173480047, 0.0368925733244919, 1.2755528040845328, 0.16658773289503237},
                              {0.9722742378541599, 0.14573131091299665, 0.7617204036205268, 0.3896436087776979}}},
                            {0.35897176066882136, 0.1499818645540898, 0.10548688975326458, 0.01862102995903666}},
                           {IcaContrast::cube,
                            {{{0.9870213607549638, 0.02456737706844964, 1.7254716273990136, 0.8019907331581065},
                              {1.0129851448471712, 0.16428798230818073, 1.6124069539729315, 0.216282085517771},
                              {1.0105875313283805, 0.03603624859821897, 1.2787013647213272, 0.12735270412454786},
                              {0.9760309380140176, 0.14705395800325632, 0.7529607077987017, 0.39671631894184206}}},
                            {0.35855346260049487, 0.15032377518964687, 0.10469330950296962, 0.019490997642100293}}};

TEST(ScikitLearn, FastIca) {
  const Matrix<double> x = generate("mixed-signals", {.rows = 4000, .cols = 4, .noise = 0.01}).matrix<double>();
  constexpr Index rows[] = {0, 1, 2000, 3999};
  const double unbiased = std::sqrt(4000.0 / 3999.0);
  for (const Figures& truth : figures)
    for (const IcaAlgorithm algorithm : {IcaAlgorithm::fastica, IcaAlgorithm::picard_o}) {
      const Model model = fit_ica(x, {.algorithm = algorithm, .contrast = truth.contrast, .tolerance = 1e-9});
      const Matrix<double> y = model.transform(x) * unbiased;
      for (std::size_t c = 0; c < 4; ++c) {
        const auto col = static_cast<Index>(c);
        for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(std::abs(y(rows[i], col)), truth.sources[i][c], 1e-6);
        EXPECT_NEAR(model.spectrum().explained_variance[col] / unbiased / unbiased, truth.variances[c], 1e-6);
      }
    }
}

}  // namespace
}  // namespace fewdim

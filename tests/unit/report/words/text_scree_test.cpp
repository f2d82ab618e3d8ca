#include <gtest/gtest.h>

#include <sstream>

#include "fewdim/plot.hpp"
#include "report/canvas/text.hpp"
#include "unit/report/pictures.hpp"

namespace fewdim {
namespace {

Vector<double> vector(std::vector<double> values) {
  return Eigen::Map<Vector<double>>(values.data(), Index(values.size()));
}

TEST(TextScree, OneLinePerComponent) {
  EXPECT_EQ(text_scree(vector({0.5, 0.25, 0.03125, 0}), 10, 30),
            " 1 ████████  50.00 %   50.00 %\n"
            " 2 ████      25.00 %   75.00 %\n"
            " 3 ▌          3.12 %   78.12 %\n"
            " 4            0.00 %   78.12 %\n");
}

TEST(TextScree, MoreComponentsThanLinesAreSummedUp) {
  Vector<double> ratios = Vector<double>::Constant(64, 0.01);
  ratios[0] = 0.2;
  EXPECT_EQ(text_scree(ratios, 3, 30),
            "   1 ██████  20.00 %   20.00 %\n"
            "   2 ▎        1.00 %   21.00 %\n"
            "3–64 …       62.00 %   83.00 %\n");
  EXPECT_EQ(text_scree(ratios, 1, 30), "1–64 …       83.00 %   83.00 %\n");
}

TEST(TextScree, EveryLineHasTheWidthAskedFor) {
  for (const Index n : {1, 9, 10, 11, 99, 1000})
    for (const int lines : {1, 2, 10, 50})
      for (const int width : {40, 60, 133}) {
        std::istringstream text(text_scree(Vector<double>::Constant(n, 1.0 / double(n)), lines, width));
        int seen = 0;
        for (std::string line; std::getline(text, line); ++seen)
          EXPECT_EQ(int(decode_utf8(line).size()), width) << line;
        EXPECT_EQ(seen, std::min<Index>(n, lines));
      }
}

TEST(TextScree, RefusesWhatItCannotShow) {
  using pictures::message_of;
  EXPECT_EQ(message_of([] { text_scree({}); }),
            "scree: ratios=none must be one or more; fit with at least one component");
  EXPECT_EQ(message_of([] { text_scree(vector({0.5}), 0); }),
            "scree: lines=0 must be at least 1; one line per component");
  EXPECT_EQ(message_of([] { text_scree(vector({0.5}), 5, 10); }),
            "scree: width=10 must be at least 26; make the terminal wider");
  EXPECT_NE(message_of([] { text_scree(vector({2.0})); }).find("must be at most 1"), std::string::npos);
}

}  // namespace
}  // namespace fewdim

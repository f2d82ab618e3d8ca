#include "models/file/provenance.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "fewdim/version.hpp"

namespace fewdim {
namespace {

class ProvenanceTest : public testing::Test {
 protected:
  void TearDown() override { ::unsetenv("SOURCE_DATE_EPOCH"); }
};

TEST_F(ProvenanceTest, SourceDateEpochTakesTheClocksPlace) {
  ::setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
  EXPECT_EQ(utc_now(), "2023-11-14T22:13:20Z");  // date -u -d @1700000000
  ::setenv("SOURCE_DATE_EPOCH", "0", 1);
  EXPECT_EQ(utc_now(), "1970-01-01T00:00:00Z");
}

TEST_F(ProvenanceTest, WithoutItTheClockIsRead) {
  ::unsetenv("SOURCE_DATE_EPOCH");
  EXPECT_TRUE(
      std::regex_match(utc_now(), std::regex("20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z")));
  for (const char* nonsense : {"", "soon", "-1", "12x", "99999999999999999999", "999999999999"}) {
    ::setenv("SOURCE_DATE_EPOCH", nonsense, 1);
    EXPECT_TRUE(utc_now().starts_with("20")) << nonsense;
  }
}

TEST_F(ProvenanceTest, RecordsWhereTheDataCameFrom) {
  Dataset data;
  data.source = "iris.csv";
  data.hash = "xxh3:0123456789abcdef";
  const Provenance p = provenance_of(data, 150, 7);
  EXPECT_EQ(p.version, FEWDIM_VERSION);
  EXPECT_EQ(p.input, "iris.csv");
  EXPECT_EQ(p.input_hash, data.hash);
  EXPECT_EQ(p.rows, 150);
  EXPECT_EQ(p.seed, 7u);
}

}  // namespace
}  // namespace fewdim

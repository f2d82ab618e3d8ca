#include "base/mappings.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "fewdim/mapped_files.hpp"

namespace fewdim {
namespace {

TEST(Mappings, AreKnownByTheirAddressesWhileTheyLast) {
  std::string name = testing::TempDir() + "/fewdim-mapping-XXXXXX";
  const int file = ::mkstemp(name.data());
  ASSERT_GE(file, 0);
  ASSERT_EQ(::ftruncate(file, 100'000), 0);
  std::shared_ptr<const void> pages = map_file(file, 100'000, "table.npy");
  ASSERT_NE(pages, nullptr);
  const char* first = static_cast<const char*>(pages.get());
  EXPECT_STREQ(mapped_file_at(first), "table.npy");
  EXPECT_STREQ(mapped_file_at(first + 99'999), "table.npy");
  EXPECT_EQ(mapped_file_at(first + 100'000), nullptr);
  EXPECT_EQ(mapped_file_at(&name), nullptr);
  EXPECT_EQ(mapped_file_at(nullptr), nullptr);
  pages.reset();
  EXPECT_EQ(mapped_file_at(first), nullptr);
  EXPECT_EQ(map_file(-1, 100, "none"), nullptr);
  ::close(file);
  ::unlink(name.c_str());
}

}  // namespace
}  // namespace fewdim

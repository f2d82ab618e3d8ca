#include "base/memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace fewdim {
namespace {

TEST(Memory, CgroupLimitLessWhatCanNotBeGivenBack) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("fewdim_cgroup_" + std::to_string(::getpid()));
  fs::create_directory(folder);
  const auto put = [&](const char* name, const char* text) { std::ofstream(folder / name) << text; };
  EXPECT_EQ(cgroup_available(folder), UINT64_MAX);  // no cgroup
  put("memory.max", "max\n");
  EXPECT_EQ(cgroup_available(folder), UINT64_MAX);
  put("memory.max", "1000\n");
  put("memory.current", "900\n");
  EXPECT_EQ(cgroup_available(folder), 100);
  put("memory.stat", "anon 300\nfile 600\ninactive_file 500\nactive_file 50\nslab 10\n");
  EXPECT_EQ(cgroup_available(folder), 650);
  put("memory.stat", "anon 900\n");
  put("memory.current", "1200\n");
  EXPECT_EQ(cgroup_available(folder), 0);  // used up is not the same as no limit
  fs::remove_all(folder);
}

TEST(Memory, FormatsBytes) {
  EXPECT_EQ(format_bytes(512), "512 B");
  EXPECT_EQ(format_bytes(12288), "12.0 KiB");
  EXPECT_EQ(format_bytes(UINT64_MAX), "16.0 EiB");
}

}  // namespace
}  // namespace fewdim

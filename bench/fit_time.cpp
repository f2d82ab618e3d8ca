// Seconds of a fit by the library, for bench/python_overhead.py: fit_time METHOD FILE K RUNS
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "fewdim/io.hpp"
#include "fewdim/method.hpp"

namespace {

/// As an array of Python's is: in memory, not in a mapped file.
fewdim::Dataset in_memory(const fewdim::Dataset& data) {
  if (data.is_sparse()) return data;
  if (data.precision() == fewdim::Precision::float32) return {fewdim::RowMatrix<float>(data.matrix<float>())};
  return {fewdim::RowMatrix<double>(data.matrix<double>())};
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 5) return std::fputs("usage: fit_time METHOD FILE K RUNS\n", stderr), 2;
  const fewdim::Dataset data = in_memory(fewdim::read(argv[2]));
  const fewdim::OptionMap options{{"components", std::string(argv[3])}};
  for (int run = 0; run < std::atoi(argv[4]); ++run) {
    const auto start = std::chrono::steady_clock::now();
    fewdim::method(argv[1]).fit(data, options, {});
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::printf("%.6f\n", taken.count());
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "fit_time: %s\n", error.what());
  return 1;
}

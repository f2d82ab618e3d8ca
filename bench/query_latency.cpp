// Latency of queries in one process.
//   query_latency model.fewdim queries.txt threads
// Prints JSON: seconds to load the index, and of each query as `fewdim search` answers it: ten hits with snippets. The
// first query is asked once before, so that the pages of the file are mapped; that time is `first`.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "fewdim/model.hpp"
#include "fewdim/search.hpp"

namespace {

template <class Work>
double seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int run(const char* path, const char* queries_path, int threads) {
  std::vector<std::string> queries;
  std::ifstream file(queries_path);
  for (std::string line; std::getline(file, line);) queries.push_back(line);
  if (queries.empty()) {
    std::fprintf(stderr, "query_latency: no queries in %s\n", queries_path);
    return 2;
  }
  fewdim::Execution exec;
  exec.threads = threads;
  std::optional<fewdim::Model> model;
  const double load = seconds([&] { model = fewdim::Model::load(path); });
  std::size_t hits = 0;
  const auto ask = [&](const std::string& query) {
    return seconds([&] { hits += fewdim::search(*model, query, {}, exec).hits.size(); });
  };
  const double first = ask(queries.front());
  std::string each;
  for (const std::string& query : queries) each += (each.empty() ? "" : ", ") + std::to_string(ask(query));
  std::printf("{\"load\": %.6f, \"first\": %.6f, \"hits\": %zu, \"each\": [%s]}\n", load, first, hits, each.c_str());
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::fprintf(stderr, "usage: query_latency model.fewdim queries.txt threads\n");
    return 2;
  }
  try {
    return run(arguments[1], arguments[2], std::atoi(arguments[3]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "query_latency: %s\n", error.what());
    return 1;
  }
}

// The raw limit of a PCA by products: what threaded OpenBLAS needs for syrk of the data as they are (not centered)
// and for the top k eigenpairs of the result by syevr.
//   raw_limit data.npy k covariance|gram out-directory
// Loading is not timed. `back` is the product that takes the Gram matrix's eigenvectors to components.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" {
void dsyrk_(const char*, const char*, const int*, const int*, const double*, const double*, const int*, const double*,
            double*, const int*);
void ssyrk_(const char*, const char*, const int*, const int*, const float*, const float*, const int*, const float*,
            float*, const int*);
void dsyevr_(const char*, const char*, const char*, const int*, double*, const int*, const double*, const double*,
             const int*, const int*, const double*, int*, double*, double*, const int*, int*, double*, const int*, int*,
             const int*, int*);
void ssyevr_(const char*, const char*, const char*, const int*, float*, const int*, const float*, const float*,
             const int*, const int*, const float*, int*, float*, float*, const int*, int*, float*, const int*, int*,
             const int*, int*);
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*,
            const double*, const int*, const double*, double*, const int*);
void sgemm_(const char*, const char*, const int*, const int*, const int*, const float*, const float*, const int*,
            const float*, const int*, const float*, float*, const int*);
char* openblas_get_corename();
}

namespace {

struct Blas64 {
  static constexpr auto syrk = dsyrk_;
  static constexpr auto syevr = dsyevr_;
  static constexpr auto gemm = dgemm_;
};
struct Blas32 {
  static constexpr auto syrk = ssyrk_;
  static constexpr auto syevr = ssyevr_;
  static constexpr auto gemm = sgemm_;
};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct Header {
  int rows = 0, cols = 0;
  bool single = false;
  std::streamoff offset = 0;
};

/// Only what bench/cases.py writes: version 1.0, little-endian floats, row-major, two dimensions.
Header read_header(std::ifstream& in) {
  char start[10];
  in.read(start, sizeof start);
  std::uint16_t length = 0;
  std::memcpy(&length, start + 8, 2);
  std::string text(length, ' ');
  in.read(text.data(), length);
  Header header;
  header.single = text.find("<f4") != std::string::npos;
  header.offset = 10 + length;
  if (!in || std::sscanf(text.c_str() + text.find("'shape':"), "'shape': (%d, %d)", &header.rows, &header.cols) != 2)
    throw std::runtime_error("not a two-dimensional .npy");
  return header;
}

template <class T, class Blas>
void measure(std::ifstream& in, const Header& header, int k, bool gram, const std::string& out) {
  const int rows = header.rows, cols = header.cols;
  std::vector<T> x(static_cast<std::size_t>(rows) * cols);
  in.seekg(header.offset);
  in.read(reinterpret_cast<char*>(x.data()), static_cast<std::streamsize>(x.size() * sizeof(T)));
  if (!in) throw std::runtime_error("the file is cut short");

  // Row-major N×D is column-major D×N: 'N' gives XᵀX (D×D), 'T' gives XXᵀ (N×N).
  const int n = gram ? rows : cols, inner = gram ? cols : rows;
  std::vector<T> square(static_cast<std::size_t>(n) * n), values(n), vectors(static_cast<std::size_t>(n) * k);
  const T one = 1, zero = 0;
  const double start = now();
  Blas::syrk("L", gram ? "T" : "N", &n, &inner, &one, x.data(), &cols, &zero, square.data(), &n);
  const double after_syrk = now();

  const int first = n - k + 1;
  int found = 0, info = 0, work_size = -1, iwork_size = -1, iwork_query = 0;
  std::vector<int> support(2 * static_cast<std::size_t>(n)), iwork;
  std::vector<T> work;
  T work_query = 0;
  const auto syevr = [&](T* w, int* iw) {
    Blas::syevr("V", "I", "L", &n, square.data(), &n, &zero, &zero, &first, &n, &zero, &found, values.data(),
                vectors.data(), &n, support.data(), w, &work_size, iw, &iwork_size, &info);
  };
  syevr(&work_query, &iwork_query);
  work_size = static_cast<int>(work_query);
  iwork_size = iwork_query;
  work.resize(work_size);
  iwork.resize(iwork_size);
  syevr(work.data(), iwork.data());
  const double after_syevr = now();
  if (info != 0 || found != k) throw std::runtime_error("syevr failed");

  double back = 0;
  if (gram) {
    std::vector<T> components(static_cast<std::size_t>(cols) * k);
    const double before = now();
    Blas::gemm("N", "N", &cols, &k, &rows, &one, x.data(), &cols, vectors.data(), &rows, &zero, components.data(),
               &cols);
    back = now() - before;
  }
  std::ofstream json(out + "/timing.json");
  json << "{\"seconds\": " << after_syevr - start << ", \"syrk\": " << after_syrk - start
       << ", \"syevr\": " << after_syevr - after_syrk << ", \"back\": " << back << ", \"core\": \""
       << openblas_get_corename() << "\"}\n";
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 5) throw std::runtime_error("usage: raw_limit data.npy k covariance|gram out-directory");
  std::ifstream in(argv[1], std::ios::binary);
  const Header header = read_header(in);
  const int k = std::atoi(argv[2]);
  const bool gram = std::string(argv[3]) == "gram";
  if (header.single)
    measure<float, Blas32>(in, header, k, gram, argv[4]);
  else
    measure<double, Blas64>(in, header, k, gram, argv[4]);
} catch (const std::exception& error) {
  std::fprintf(stderr, "raw_limit: %s\n", error.what());
  return 1;
}

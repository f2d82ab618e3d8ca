#include "base/blas.hpp"

#include <cblas.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/blas_workers.hpp"
#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"

extern "C" {                        // OpenBLAS, beside its published interface
extern int blas_cpu_number;         // threads that it uses; 0 before its start
extern int blas_num_threads;        // threads that it has, with the caller's; 0 before its start
int blas_thread_shutdown_(void);    // joins its worker threads
void* blas_memory_alloc(int);       // a buffer: one that nobody uses, else a new one
void blas_memory_free(void*);       // gives it back; it stays mapped
char* openblas_get_corename(void);  // the family of kernels in use
void gotoblas_dynamic_quit(void);   // forgets the family
void gotoblas_dynamic_init(void);   // chooses it: by OPENBLAS_CORETYPE, else by the processor's model number
}

namespace fewdim::blas {

namespace {

/// Bytes of a buffer, of which each call that is under way has one (BUFFER_SIZE, 32 << 22 on x86-64 in 0.3.21).
constexpr std::size_t buffer_bytes = std::size_t{128} << 20;
/// Threads that have a buffer of their own for certain; OpenBLAS has room for some hundred.
constexpr std::size_t most_buffers = 64;

/// OpenBLAS asks for a buffer again and again, without end, where the system has none. So it is asked for one only
/// after the system has shown that it has the room, and some more: threads that start meanwhile take theirs for stacks.
void require_room_for_buffer() {
  const std::size_t bytes = buffer_bytes + (std::size_t{32} << 20);
  void* pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    throw OverMemory(
        fmt::format("the system has no {} of address space for the matrix products of one more thread; {}, or raise "
                    "the limit (ulimit -v)",
                    format_bytes(buffer_bytes), lower_option("threads")));
  ::munmap(pages, bytes);
}

/// A thread that calls BLAS: there are as many buffers as such threads, so that no call has to make one.
class Caller {
 public:
  Caller() {
    const std::lock_guard lock(mutex);
    make_buffers(std::min(callers + 1, most_buffers));
    ++callers;
  }
  ~Caller() {
    const std::lock_guard lock(mutex);
    --callers;
  }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

 private:
  static void make_buffers(std::size_t count) {
    static auto& known = *new std::vector<void*>;  // never destroyed: threads may end after static objects do
    std::vector<void*> held;
    const auto give_back = [&] {
      for (void* buffer : held) ::blas_memory_free(buffer);
    };
    try {
      held.reserve(most_buffers);
      known.reserve(most_buffers);
      while (known.size() < count) {
        require_room_for_buffer();
        held.push_back(::blas_memory_alloc(0));
        if (std::ranges::find(known, held.back()) == known.end()) known.push_back(held.back());
      }
    } catch (...) {
      give_back();
      throw;
    }
    give_back();
  }

  static inline std::mutex mutex;
  static inline std::size_t callers = 0;
};

/// Told before its start that there is one thread, OpenBLAS starts no workers: each would take a buffer, and wait for
/// ever where the system has none. Its start has no priority, so this one comes first.
[[gnu::constructor(101)]] void keep_to_one_thread() {
  if (blas_num_threads == 0) blas_num_threads = blas_cpu_number = 1;
}

CBLAS_TRANSPOSE transposed_if(bool yes) { return yes ? CblasTrans : CblasNoTrans; }

/// OpenBLAS knows processors by their model numbers and takes those it has not heard of for a Prescott of 2004: on an
/// Intel Xeon of 2023 version 0.3.21 ran at a tenth of its speed (its issue 4267). We go by the instructions there are.
/// Runs when the program or library is loaded, before there are threads that could read the environment.
[[gnu::constructor]] void choose_kernels() {
#if defined(__x86_64__)
  constexpr const char* kVariable = "OPENBLAS_CORETYPE";
  if (std::getenv(kVariable)) return;
  gotoblas_dynamic_init();  // does nothing where OpenBLAS's own start came first
  if (std::string_view(openblas_get_corename()) != "Prescott") return;
  __builtin_cpu_init();
  const bool skylake = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  const bool haswell = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (!skylake && !haswell) return;
  ::setenv(kVariable, skylake ? "SKYLAKEX" : "HASWELL", 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  ::unsetenv(kVariable);
#endif
}

}  // namespace

std::string kernels() { return openblas_get_corename(); }

void dismiss_workers() {
  static const bool done = [] {
    openblas_set_num_threads(1);
    blas_thread_shutdown_();
    return true;
  }();
  static_cast<void>(done);
}

void prepare() {
  dismiss_workers();
  thread_local const Caller caller;
  static_cast<void>(caller);
}

void gemm(bool ta, bool tb, Index m, Index n, Index k, double alpha, const double* a, Index lda, const double* b,
          Index ldb, double beta, double* c, Index ldc) {
  prepare();
  cblas_dgemm(CblasColMajor, transposed_if(ta), transposed_if(tb), int(m), int(n), int(k), alpha, a, int(lda), b,
              int(ldb), beta, c, int(ldc));
}

void gemm(bool ta, bool tb, Index m, Index n, Index k, float alpha, const float* a, Index lda, const float* b,
          Index ldb, float beta, float* c, Index ldc) {
  prepare();
  cblas_sgemm(CblasColMajor, transposed_if(ta), transposed_if(tb), int(m), int(n), int(k), alpha, a, int(lda), b,
              int(ldb), beta, c, int(ldc));
}

void syrk(bool transposed, Index n, Index k, double alpha, const double* a, Index lda, double beta, double* c,
          Index ldc) {
  prepare();
  cblas_dsyrk(CblasColMajor, CblasLower, transposed_if(transposed), int(n), int(k), alpha, a, int(lda), beta, c,
              int(ldc));
}

void syrk(bool transposed, Index n, Index k, float alpha, const float* a, Index lda, float beta, float* c, Index ldc) {
  prepare();
  cblas_ssyrk(CblasColMajor, CblasLower, transposed_if(transposed), int(n), int(k), alpha, a, int(lda), beta, c,
              int(ldc));
}

double nrm2(Index n, const double* x) {
  prepare();
  return cblas_dnrm2(int(n), x, 1);
}

}  // namespace fewdim::blas

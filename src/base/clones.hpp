#pragma once

// Compiled for several vector widths and chosen when the program starts. Contraction to fused multiply-add is off
// (CMakeLists.txt), so that every width gives the same bits. Sanitizers can't run such resolvers.
#if defined(__x86_64__) && !defined(FEWDIM_SANITIZED)
#define FEWDIM_CLONES __attribute__((target_clones("avx512f", "avx2", "default"), flatten))
#else
#define FEWDIM_CLONES
#endif

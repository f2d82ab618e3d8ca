#pragma once

/// Marks what the shared library shows to its users; everything else stays hidden inside it.
#if defined(FEWDIM_BUILDING)
#define FEWDIM_API __attribute__((visibility("default")))
#else
#define FEWDIM_API
#endif

#pragma once

namespace fewdim::blas {

/// Sends OpenBLAS's own threads home, once, should it have any: idle but awake, they would take cores from ours.
void dismiss_workers();

}  // namespace fewdim::blas

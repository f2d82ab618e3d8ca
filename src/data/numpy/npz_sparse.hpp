#pragma once

#include "data/zip/zip.hpp"

/// Sparse matrices in .npz archives, laid out as scipy.sparse.save_npz does: 0-d text `format`, `shape`, and the arrays
/// data, indices, indptr (csr, csc) or data, row, col (coo).
namespace fewdim {

bool is_sparse_npz(const ZipReader& zip);

/// csr is used where it lies as far as types and alignment allow; csc and coo are turned into rows.
Dataset read_sparse_npz(const ZipReader& zip, const std::string& name, const ReadOptions& options,
                        const Execution& exec);

template <class T>
void write_sparse_npz(const CsrView<T>& view, ZipWriter& zip);

}  // namespace fewdim

# The little of NumPy's .npy format that the benchmarks need, for the peers in R.

npy_header <- function(con) {
  start <- readBin(con, "raw", 10)
  text <- readChar(con, as.integer(start[9]) + 256L * as.integer(start[10]), useBytes = TRUE)
  shape <- regmatches(text, regexec("'shape': \\(([0-9]+),? ?([0-9]*)\\)", text))[[1]]
  list(type = regmatches(text, regexec("'descr': '(..)([0-9])'", text))[[1]],
       shape = as.numeric(shape[2:3][shape[2:3] != ""]))
}

npy_values <- function(con) {
  header <- npy_header(con)
  kind <- if (header$type[2] == "<i") "integer" else "double"
  readBin(con, kind, prod(header$shape), size = as.integer(header$type[3]), endian = "little")
}

# Row-major file to an R matrix.
npy_matrix <- function(path) {
  con <- file(path, "rb")
  on.exit(close(con))
  shape <- npy_header(con)$shape
  seek(con, 0)
  matrix(npy_values(con), nrow = shape[1], ncol = shape[2], byrow = TRUE)
}

# A CSR matrix in SciPy's .npz; its arrays are those of its transpose in R's column storage. Needs the package Matrix.
npz_matrix <- function(path) {
  part <- function(name) {
    con <- unz(path, paste0(name, ".npy"), "rb")
    on.exit(close(con))
    npy_values(con)
  }
  shape <- part("shape")
  t(new("dgCMatrix", i = part("indices"), p = part("indptr"), x = part("data"), Dim = as.integer(rev(shape))))
}

# Writes a matrix as R holds it, by columns ("fortran_order").
npy_write <- function(path, x) {
  shape <- if (is.matrix(x)) paste0(nrow(x), ", ", ncol(x)) else paste0(length(x), ",")
  text <- sprintf("{'descr': '<f8', 'fortran_order': True, 'shape': (%s), }", shape)
  text <- paste0(text, strrep(" ", 63 - (10 + nchar(text)) %% 64), "\n")
  con <- file(path, "wb")
  on.exit(close(con))
  writeBin(as.raw(c(0x93, utf8ToInt("NUMPY"), 1, 0, nchar(text) %% 256, nchar(text) %/% 256)), con)
  writeBin(charToRaw(text), con)
  writeBin(as.vector(x), con, endian = "little")
}

# Resident memory now, and the peak starts anew: what loading took at its worst is not the fit's.
mark_loaded <- function() {
  invisible(gc())
  try(suppressWarnings(cat("5", file = "/proc/self/clear_refs")), silent = TRUE)
  status <- readLines("/proc/self/status")
  as.numeric(gsub("[^0-9]", "", grep("^VmRSS", status, value = TRUE))) * 1024
}

write_timing <- function(out, seconds, rss, version) {
  cat(sprintf('{"seconds": %.6f, "rss_loaded": %.0f, "version": "%s"}\n', seconds, rss, version),
      file = file.path(out, "timing.json"))
}

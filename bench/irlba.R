# Rscript irlba.R bench-directory data.npy|data.npz k out-directory tolerance centered|raw
args <- commandArgs(TRUE)
source(file.path(args[1], "npy.R"))
suppressMessages({library(Matrix); library(irlba)})
data <- args[2]; k <- as.integer(args[3]); out <- args[4]; tolerance <- as.numeric(args[5]); centered <- args[6] == "centered"

x <- if (endsWith(data, ".npz")) npz_matrix(data) else npy_matrix(data)
rss <- mark_loaded()
seconds <- system.time({
  center <- if (centered) colMeans(x) else NULL
  s <- irlba(x, nv = k, center = center, tol = tolerance)
})[["elapsed"]]
npy_write(file.path(out, "components.npy"), t(s$v))
npy_write(file.path(out, "variance.npy"), s$d^2 / (if (centered) nrow(x) - 1 else 1))
write_timing(out, seconds, rss, paste("irlba", packageVersion("irlba"), "R", getRversion()))

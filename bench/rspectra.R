# Rscript rspectra.R bench-directory data.npz k out-directory tolerance
args <- commandArgs(TRUE)
source(file.path(args[1], "npy.R"))
suppressMessages({library(Matrix); library(RSpectra)})
k <- as.integer(args[3]); out <- args[4]; tolerance <- as.numeric(args[5])

x <- npz_matrix(args[2])
rss <- mark_loaded()
seconds <- system.time(s <- svds(x, k, nu = 0, nv = k, opts = list(tol = tolerance, maxitr = 5000)))[["elapsed"]]
npy_write(file.path(out, "components.npy"), t(s$v))
npy_write(file.path(out, "variance.npy"), s$d^2)
write_timing(out, seconds, rss, paste("RSpectra", packageVersion("RSpectra"), "R", getRversion()))

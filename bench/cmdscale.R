# Rscript cmdscale.R bench-directory data.npy k out-directory: R's classical scaling of a distance matrix.
args <- commandArgs(TRUE)
source(file.path(args[1], "npy.R"))
d <- as.dist(npy_matrix(args[2]))
rss <- mark_loaded()
seconds <- system.time(y <- cmdscale(d, as.integer(args[3])))[["elapsed"]]
npy_write(file.path(args[4], "embedding.npy"), y)
write_timing(args[4], seconds, rss, paste("R", getRversion()))

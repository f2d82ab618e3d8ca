# Rscript fread.R bench-directory data.csv threads out-directory
args <- commandArgs(TRUE)
source(file.path(args[1], "npy.R"))
suppressMessages(library(data.table))
setDTthreads(as.integer(args[3]))
rss <- mark_loaded()
seconds <- system.time(x <- fread(args[2], showProgress = FALSE))[["elapsed"]]
npy_write(file.path(args[4], "values.npy"), as.matrix(x))
write_timing(args[4], seconds, rss, paste("data.table", packageVersion("data.table"), "R", getRversion()))

#pragma once

/// Everything a program needs: read, fit, transform, save.
#include "fewdim/choose_k.hpp"
#include "fewdim/dataset.hpp"
#include "fewdim/error.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/generate.hpp"
#include "fewdim/io.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/options.hpp"
#include "fewdim/pca.hpp"
#include "fewdim/plan.hpp"
#include "fewdim/plot.hpp"
#include "fewdim/route.hpp"
#include "fewdim/svd.hpp"
#include "fewdim/version.hpp"

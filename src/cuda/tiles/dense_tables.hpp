// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/problem.hpp"
#include "cuda/tiles/dense.hpp"

namespace thiessen::cuda {

/// The differences of a problem without periodic axes: none if its S are too large, or its rows too
/// long, for them.
DenseTables make_dense_tables(const Problem& problem);

}  // namespace thiessen::cuda

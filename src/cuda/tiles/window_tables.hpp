// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/problem.hpp"
#include "cuda/tiles/window.hpp"

namespace thiessen::cuda {

/// The windows of a problem without periodic axes: none if its S are too large for them.
WindowTables make_window_tables(const Problem& problem);

}  // namespace thiessen::cuda

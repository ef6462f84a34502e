// SPDX-License-Identifier: Apache-2.0
//
// Points on centres of cells as a raster of sites (point_cells.hpp), without a word to the host:
// whether the list is such is noted on the device.
#pragma once

#include "core/problem.hpp"
#include "cuda/device/session.hpp"
#include "cuda/job.hpp"

namespace thiessen::cuda {

/// The job of the cells, of a problem_on_cells(). Of points that do not all lie on centres in the
/// grid it has those that do.
Job mark_points(const CudaSession& session, const Problem& on_cells, const Job& points,
                Scratch::Frame& device);

/// Finds the first point of each cell, once build_pyramid() has given places to the words.
void number_cells(const CudaSession& session, const Job& points, const Job& on_cells);

}  // namespace thiessen::cuda

// SPDX-License-Identifier: Apache-2.0
//
// Marks points on centres of cells as a raster of sites (job/point_cells.hpp), without asking the
// host: the device notes whether the list has only such points.
#pragma once

#include "core/problem/problem.hpp"
#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda::points {

/// The job of the cells, for a problem from problem_on_cells(). Points off centre or outside of the
/// grid are left out.
Job mark_points(const CudaSession& session, const Problem& on_cells, const Job& points,
                Scratch::Frame& device);

/// Finds the first point of each cell, once build_pyramid() has given places to the words.
void number_cells(const CudaSession& session, const Job& points, const Job& on_cells);

}  // namespace thiessen::cuda::points

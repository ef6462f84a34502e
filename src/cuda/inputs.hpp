// SPDX-License-Identifier: Apache-2.0
//
// Inputs that are made on the device: what a host call would need no kernel for, but a call that
// never leaves the device does.
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/job.hpp"

namespace thiessen::cuda {

/// Copies a few values of the host to the device; it may forget them at once, since they travel as
/// arguments of kernels.
void put_values(const CudaSession& session, const LabelBits* values, std::int64_t count,
                LabelBits* to);

/// Snaps points in device memory as core/points does it, wraps them into the first period, and
/// reports the first that is not as it must be.
void snap_points(const CudaSession& session, const Problem& problem,
                 const View<const void>& coordinates, Axes* at);

/// Labels 1, 2, … of the boolean sites of the job, in each of its layers, at their cells; what is
/// at the others has no meaning.
Cells<const std::byte> number_sites(const CudaSession& session, const Job& job, ElementType type,
                                    Scratch::Frame& device);

/// Labels 1, 2, … of `count` points.
Cells<const std::byte> number_points(const CudaSession& session, std::int64_t count,
                                     ElementType type, Scratch::Frame& device);

}  // namespace thiessen::cuda

// SPDX-License-Identifier: Apache-2.0
//
// Inputs that are made on the device, for calls that never leave it. A call from the host needs no
// kernels for them.
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda {
inline namespace transfer {

/// Copies a few values of the host to the device. They travel as arguments of kernels, so the host
/// may reuse their memory at once.
void put_values(const CudaSession& session, const LabelBits* values, std::int64_t count,
                LabelBits* to);

/// Snaps points in device memory like core/points, wraps them into the first period, and reports
/// the first one that breaks a rule.
void snap_points(const CudaSession& session, const Problem& problem,
                 const View<const void>& coordinates, Axes* at);

/// Numbers the boolean sites of the job 1, 2, … in each of its layers, at their cells; what other
/// cells get has no meaning.
void number_sites(const CudaSession& session, const Job& job, const Cells<std::byte>& numbers,
                  Scratch::Frame& device);

/// Labels 1, 2, … of `count` points.
Cells<const std::byte> number_points(const CudaSession& session, std::int64_t count,
                                     ElementType type, Scratch::Frame& device);

}  // namespace transfer
}  // namespace thiessen::cuda

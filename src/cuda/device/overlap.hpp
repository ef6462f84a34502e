// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace thiessen::cuda {
inline namespace device {

/// Whether the kernels that run on the current device were compiled to wait for the one before them
/// (follow() in launch.cuh), so that they may start before it is done.
bool kernels_follow();

}  // namespace device
}  // namespace thiessen::cuda

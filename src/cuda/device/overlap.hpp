// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace thiessen::cuda {

/// Whether the kernels, as they are made for the current device, wait for the one before them
/// (follow() in launch.cuh), so that they may be put on the processors before it is done.
bool kernels_follow();

}  // namespace thiessen::cuda

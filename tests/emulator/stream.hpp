// SPDX-License-Identifier: Apache-2.0
//
// Work that a stream still has to do. It is done when somebody waits for it, not before: code that
// reads too early reads the old values.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

namespace emulator {

/// Checks a launch as the driver does, and puts it on its stream. `together`: all blocks run at
/// once.
cudaError_t enqueue_grid(const cudaLaunchConfig_t& config, const void* kernel, bool together,
                         std::function<void()> thread);
/// Puts the work of a library on a stream.
void enqueue(cudaStream_t stream, std::function<void()> work);

}  // namespace emulator

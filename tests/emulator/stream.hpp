// SPDX-License-Identifier: Apache-2.0
//
// Work that a stream has still to do. It is done when somebody waits for it, not before: who reads
// too early reads what was there.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

namespace emulator {

/// Checks a launch as the driver does, and puts it on its stream. `together`: all blocks run at
/// once.
cudaError_t enqueue_grid(const cudaLaunchConfig_t& config, const void* kernel, bool together,
                         std::function<void()> thread);
/// What a library puts on a stream.
void enqueue(cudaStream_t stream, std::function<void()> work);

}  // namespace emulator

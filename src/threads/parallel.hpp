// SPDX-License-Identifier: Apache-2.0
//
// The only place that knows which library runs the threads.
#pragma once

#include <cstdint>

#include "core/base/context_state.hpp"
#include "core/base/function_ref.hpp"

namespace thiessen {

/// Processors that this process may use.
int processors();

/// Puts a pool of `threads` threads (0: one for each processor) into `state`.
void open_threads(ContextState& state, int threads);

/// Work on the indices begin..end-1. `worker` is less than state.threads, and no two pieces run
/// with the same one at once, so it can select a private buffer.
using Piece = FunctionRef<void(std::int64_t begin, std::int64_t end, int worker)>;

/// Runs `piece` over 0..count-1 cut into pieces of at most `grain`, on the threads of `state`. Each
/// index counts `units` towards the progress of the call. A single piece runs on the caller's own
/// thread, and takes no memory. The first exception ends the loop and is
/// rethrown. Results must not depend on the cuts. Throws Error{out_of_memory} if the threads cannot
/// be started.
void parallel_for(ContextState& state, std::int64_t count, std::int64_t grain, std::int64_t units,
                  Piece piece);

}  // namespace thiessen

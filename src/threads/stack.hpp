// SPDX-License-Identifier: Apache-2.0
//
// Room on the stack. Threads of other programs may have little: musl gives a thread 128 KiB, and so
// do programs with thousands of threads. Kernels keep their tables on the stack, up to
// THIESSEN_LARGEST_FRAME (cmake/ThiessenFlags.cmake), and OpenCL drivers run a compiler on it.
#pragma once

#include <cstddef>

namespace thiessen {

/// The stack that a call may use: several times the largest frame and what it calls.
inline constexpr std::size_t kStackBytes = std::size_t{1} << 20;

/// Whether so much is left of the calling thread's stack. True if that cannot be known, as on a
/// stack that a program has made for itself.
bool has_stack() noexcept;

/// Runs call(argument) on a thread with enough stack, waits for its end, and rethrows its
/// exception. Throws Error{out_of_memory} if there can be no such thread.
void run_on_own_stack(void (*call)(void* argument), void* argument);

/// Runs call() where there is enough stack: here, if possible.
template <class Call>
void with_stack(const Call& call) {
  if (has_stack()) return call();
  run_on_own_stack([](void* argument) { (*static_cast<const Call*>(argument))(); },
                   const_cast<Call*>(&call));
}

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace thiessen::cuda::solvers {

// As in job/limits.hpp: on the emulated device tests make them smaller.
#ifdef THIESSEN_CUDA_IS_EMULATED
#define THIESSEN_CUDA_LIMIT static inline
#else
#define THIESSEN_CUDA_LIMIT static constexpr
#endif

/// Capacities of solvers. They decide how an answer is found, never which.
struct SolverLimits {
  /// Nodes of the level from which searches go down, at most.
  THIESSEN_CUDA_LIMIT std::int64_t kTopNodes = 256;
  /// Most nodes of a level that a search keeps.
  THIESSEN_CUDA_LIMIT std::int32_t kKeptNodes = 1024;
  /// Most sites that a search compares at once.
  THIESSEN_CUDA_LIMIT std::int32_t kListedSites = 256;
  /// Most edits of a repair.
  THIESSEN_CUDA_LIMIT std::int64_t kEdits = 256;
};

#undef THIESSEN_CUDA_LIMIT

}  // namespace thiessen::cuda::solvers

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace thiessen::cli {

/// Throws Error{out_of_memory} if the machine says that it has less memory to give than `bytes`:
/// better a clear no than to be killed half-way.
void require_memory(std::int64_t bytes);

}  // namespace thiessen::cli

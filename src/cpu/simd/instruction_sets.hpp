// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace thiessen::cpu {

/// The instruction sets that the kernels may use, as a set of Highway's target bits: all up to
/// `name`, one of "sse4", "avx2", "avx512" (as of Ice Lake and Zen 4); "none"; or "auto", all that
/// the processor has. On Arm "neon" and "auto" are the same, and there is no "none". An empty name
/// means the value of the environment variable THIESSEN_INSTRUCTIONS, or "auto". Throws
/// Error{invalid_argument} for another name, and Error{unsupported} if the processor lacks it.
std::int64_t find_instruction_sets(std::string_view name);

/// The names of the sets that the processor has, the best one last; the first is "none", or "neon".
std::vector<std::string_view> instruction_set_names();

}  // namespace thiessen::cpu

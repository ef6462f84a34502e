// SPDX-License-Identifier: Apache-2.0
//
// What kernels find wrong with the caller's data: one word on the device that keeps the first fault
// until it is read (Context::synchronize). The first fault is that of the smallest point, so it
// does not depend on the order in which threads run.
#pragma once

#include <cstdint>
#include <string>

namespace thiessen::cuda {
inline namespace device {

/// point << 8 | axis << 4 | kind.
using Fault = unsigned long long;  // NOLINT(google-runtime-int): as atomicMin has it

inline constexpr Fault kNoFault = ~Fault{0};
inline constexpr int kNoFaultByte = 0xff;

enum class FaultKind : std::uint8_t {
  not_finite,  ///< or more than 2^31 cells away
  too_far,     ///< beyond the margin of the problem
  off_centre,  ///< places must be whole cells
};

constexpr Fault make_fault(FaultKind kind, std::int64_t point, int axis) {
  return static_cast<Fault>(point) << 8 | static_cast<Fault>(axis) << 4 | static_cast<Fault>(kind);
}

/// The message of an Error.
std::string to_text(Fault fault);

}  // namespace device
}  // namespace thiessen::cuda

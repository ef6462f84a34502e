// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/faults.hpp"

namespace thiessen::cuda {
inline namespace device {

std::string to_text(Fault fault) {
  const std::string place =
      "points[" + std::to_string(fault >> 8) + ", " + std::to_string(fault >> 4 & 0xf) + "] ";
  switch (static_cast<FaultKind>(fault & 0xf)) {
    case FaultKind::not_finite:
      return place + "in device memory is not finite, or more than 2^31 cells away";
    case FaultKind::too_far:
      return place +
             "lies farther beyond the grid than points in device memory may; from memory of the "
             "host it can be taken";
    case FaultKind::off_centre:
      return place +
             "lies on no centre of a cell; squared and offset exist only if all points in device "
             "memory do";
  }
  return "an unknown fault";
}

}  // namespace device
}  // namespace thiessen::cuda

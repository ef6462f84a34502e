// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/host_device.hpp"

namespace thiessen::cuda::flood {

/// Division of small numbers: their product with `by` is below 2^32.
struct Divider {
  std::uint32_t by;
  std::uint32_t inverse;
  THIESSEN_HD explicit Divider(std::int32_t divisor)
      : by(static_cast<std::uint32_t>(divisor)), inverse(~std::uint32_t{0} / by + 1) {}
  THIESSEN_HD std::int32_t by_number() const { return static_cast<std::int32_t>(by); }
  THIESSEN_HD std::int32_t quotient(std::int32_t number) const {
    const std::uint64_t product = std::uint64_t{inverse} * static_cast<std::uint32_t>(number);
    return inverse == 0 ? number : static_cast<std::int32_t>(product >> 32);
  }
  THIESSEN_HD std::int32_t rest(std::int32_t number, std::int32_t quotient) const {
    return number - quotient * static_cast<std::int32_t>(by);
  }
};

}  // namespace thiessen::cuda::flood

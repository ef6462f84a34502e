// SPDX-License-Identifier: Apache-2.0
//
// What the value of a cell says, on the host and in kernels.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/base/host_device.hpp"
#include "core/base/label_bits.hpp"

namespace thiessen {

/// The value that the bits hold.
template <class T>
THIESSEN_HD T value_of(const LabelBits& bits) {
  T value;
  memcpy(&value, bits.bytes.data(), sizeof value);
  return value;
}

/// Neither zero nor NaN.
template <class T>
THIESSEN_HD bool is_nonzero(T value) {
  if constexpr (std::is_floating_point_v<T>) return value < 0 || value > 0;
  return value != 0;
}

/// Whether two values are the same; two NaN are.
template <class T>
THIESSEN_HD bool same_value(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a == b || (a != a && b != b);
  return a == b;
}

}  // namespace thiessen

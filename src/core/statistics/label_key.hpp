// SPDX-License-Identifier: Apache-2.0
//
// Labels of any element type as one kind of number, for tables of labels: a key of 64 bits that
// equal labels, and no others, share. Keys of small integers are those integers. -0 is 0; NaN is no
// label.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "core/base/host_device.hpp"
#include "core/base/label_bits.hpp"
#include "thiessen/raster.hpp"

namespace thiessen {

using LabelKey = std::uint64_t;

template <class T>
THIESSEN_HD LabelKey label_key(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    const double number = value == 0 ? 0.0 : static_cast<double>(value);
    LabelKey key;
    memcpy(&key, &number, sizeof key);
    return key;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<LabelKey>(static_cast<std::int64_t>(value));
  } else {
    return value;
  }
}

/// The key of a label given by its bits.
LabelKey label_key(const LabelBits& bits, ElementType type);

/// The label of a key.
template <class T>
THIESSEN_HD T label_of(LabelKey key) {
  if constexpr (std::is_floating_point_v<T>) {
    double number;
    memcpy(&number, &key, sizeof number);
    return static_cast<T>(number);
  } else {
    return static_cast<T>(key);
  }
}

/// A number that is ordered as labels are.
template <class T>
THIESSEN_HD std::uint64_t order_of(LabelKey key) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  if constexpr (std::is_floating_point_v<T>) return (key & kSign) != 0 ? ~key : key | kSign;
  if constexpr (std::is_signed_v<T>) return key ^ kSign;
  return key;
}
std::uint64_t order_of(LabelKey key, ElementType type);

/// The labels of keys, as a raster of one axis.
void put_labels(const std::vector<LabelKey>& keys, ElementType type, Raster& labels);
Raster to_labels(const std::vector<LabelKey>& keys, ElementType type);

}  // namespace thiessen

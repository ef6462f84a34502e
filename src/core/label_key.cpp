// SPDX-License-Identifier: Apache-2.0
#include "core/label_key.hpp"

#include "core/cell_value.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen {

LabelKey label_key(const LabelBits& bits, ElementType type) {
  return visit_element_type(
      type, [&]<class T>(std::type_identity<T>) { return label_key(value_of<T>(bits)); });
}

std::uint64_t order_of(LabelKey key, ElementType type) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  return visit_element_type(type, [&]<class T>(std::type_identity<T>) -> std::uint64_t {
    if constexpr (std::is_floating_point_v<T>) return (key & kSign) != 0 ? ~key : key | kSign;
    if constexpr (std::is_signed_v<T>) return key ^ kSign;
    return key;
  });
}

Raster to_labels(const std::vector<LabelKey>& keys, ElementType type) {
  Raster labels(type, Extents{static_cast<std::int64_t>(keys.size())});
  visit_element_type(type, [&]<class T>(std::type_identity<T>) {
    auto* to = reinterpret_cast<T*>(labels.bytes());
    for (const LabelKey key : keys) {
      if constexpr (std::is_floating_point_v<T>) {
        double number = 0;
        std::memcpy(&number, &key, sizeof number);
        *to++ = static_cast<T>(number);
      } else {
        *to++ = static_cast<T>(key);
      }
    }
  });
  return labels;
}

}  // namespace thiessen

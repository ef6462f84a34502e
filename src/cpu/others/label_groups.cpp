// SPDX-License-Identifier: Apache-2.0
#include "cpu/others/label_groups.hpp"

#include <cstring>
#include <limits>

#include "core/base/cell_value.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen {

std::uint32_t LabelGroups::group_of(const std::byte* label) {
  const LabelKey key = visit_element_type(type_, [&]<class T>(std::type_identity<T>) {
    T value;
    std::memcpy(&value, label, sizeof value);
    if constexpr (std::is_floating_point_v<T>)
      if (value != value) value = std::numeric_limits<T>::quiet_NaN();
    return label_key(value);
  });
  return slots_.slot_of(key) - 1;
}

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/label_key.hpp"

#include "core/base/cell_value.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen {

LabelKey label_key(const LabelBits& bits, ElementType type) {
  return visit_element_type(
      type, [&]<class T>(std::type_identity<T>) { return label_key(value_of<T>(bits)); });
}

std::uint64_t order_of(LabelKey key, ElementType type) {
  return visit_element_type(type, [&]<class T>(std::type_identity<T>) { return order_of<T>(key); });
}

void put_labels(const std::vector<LabelKey>& keys, ElementType type, Raster& labels) {
  labels.resize(type, {static_cast<std::int64_t>(keys.size())});
  visit_element_type(type, [&]<class T>(std::type_identity<T>) {
    auto* to = reinterpret_cast<T*>(labels.bytes());
    for (const LabelKey key : keys) *to++ = label_of<T>(key);
  });
}

Raster to_labels(const std::vector<LabelKey>& keys, ElementType type) {
  Raster labels;
  put_labels(keys, type, labels);
  return labels;
}

}  // namespace thiessen

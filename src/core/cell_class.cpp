// SPDX-License-Identifier: Apache-2.0
#include "core/cell_class.hpp"

#include <cstring>

#include "core/element_visit.hpp"

namespace thiessen {
namespace {

template <class T>
bool is_site(T value) {
  if constexpr (std::is_floating_point_v<T>) return value < 0 || value > 0;  // false for NaN
  return value != 0;
}

template <class T>
bool same_value(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a == b || (a != a && b != b);
  return a == b;
}

template <class T>
void mark_nodata(T nodata, const T* cells, std::int64_t count, std::uint8_t* classes) {
  for (std::int64_t i = 0; i < count; ++i)
    if (same_value(cells[i], nodata)) classes[i] = kNodataCell;
}

}  // namespace

void classify(const SiteRule& rule, const void* cells, std::int64_t count, std::uint8_t* classes) {
  visit_element_type(rule.type, [&]<class T>(std::type_identity<T>) {
    const T* values = static_cast<const T*>(cells);
    for (std::int64_t i = 0; i < count; ++i)
      classes[i] = is_site(values[i]) ? kSiteCell : kFreeCell;
    if (rule.nodata) {
      T nodata;
      std::memcpy(&nodata, rule.nodata->bytes.data(), sizeof nodata);
      mark_nodata(nodata, values, count, classes);
    }
  });
  if (rule.complement)
    for (std::int64_t i = 0; i < count; ++i)
      classes[i] = classes[i] == kSiteCell ? kFreeCell : kSiteCell;
}

void compare_cells(ElementType type, const void* a, const void* b, std::int64_t count,
                   std::uint8_t* same) {
  if (type == ElementType::boolean) {
    const auto* left = static_cast<const std::uint8_t*>(a);
    const auto* right = static_cast<const std::uint8_t*>(b);
    for (std::int64_t i = 0; i < count; ++i) same[i] = (left[i] != 0) == (right[i] != 0) ? 1 : 0;
    return;
  }
  visit_element_type(type, [&]<class T>(std::type_identity<T>) {
    const T* left = static_cast<const T*>(a);
    const T* right = static_cast<const T*>(b);
    for (std::int64_t i = 0; i < count; ++i) same[i] = same_value(left[i], right[i]) ? 1 : 0;
  });
}

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
#include "core/problem/cell_class.hpp"

#include <algorithm>

#include "core/base/cell_value.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen {
namespace {

/// Gives the cells of one value a class.
template <class T>
void mark_value(const LabelBits& bits, const T* cells, std::int64_t count, std::uint8_t mark,
                std::uint8_t* classes) {
  const T value = value_of<T>(bits);
  for (std::int64_t i = 0; i < count; ++i)
    classes[i] = same_value(cells[i], value) ? mark : classes[i];
}

/// The same for booleans, where all bytes but zero are one value.
void mark_boolean(const LabelBits& bits, const std::uint8_t* cells, std::int64_t count,
                  std::uint8_t mark, std::uint8_t* classes) {
  const bool value = bits.bytes[0] != std::byte{0};
  for (std::int64_t i = 0; i < count; ++i)
    classes[i] = (cells[i] != 0) == value ? mark : classes[i];
}

template <class T>
void select_sites(const SiteRule& rule, const T* cells, std::int64_t count, std::uint8_t* classes) {
  switch (rule.selection) {
    case SiteSelection::nonzero:
      for (std::int64_t i = 0; i < count; ++i)
        classes[i] = is_nonzero(cells[i]) ? kSiteCell : kFreeCell;
      return;
    case SiteSelection::values:
      std::fill_n(classes, count, kFreeCell);
      for (const LabelBits& value : rule.values)
        mark_value(value, cells, count, kSiteCell, classes);
      return;
    case SiteSelection::others:
      std::fill_n(classes, count, kSiteCell);
      for (const LabelBits& value : rule.values)
        mark_value(value, cells, count, kFreeCell, classes);
      return;
    case SiteSelection::all:
      std::fill_n(classes, count, kSiteCell);
      return;
  }
}

}  // namespace

void classify(const SiteRule& rule, const void* cells, std::int64_t count, std::uint8_t* classes) {
  visit_element_type(rule.type, [&]<class T>(std::type_identity<T>) {
    const T* values = static_cast<const T*>(cells);
    select_sites(rule, values, count, classes);
    if (rule.nodata && rule.type != ElementType::boolean)
      mark_value(*rule.nodata, values, count, kNodataCell, classes);
  });
  if (rule.nodata && rule.type == ElementType::boolean)
    mark_boolean(*rule.nodata, static_cast<const std::uint8_t*>(cells), count, kNodataCell,
                 classes);
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

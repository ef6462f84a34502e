// SPDX-License-Identifier: Apache-2.0
//
// Which cells are sites, by the rules that classify() applies to rows on the host.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/base/cell_value.hpp"
#include "core/base/host_device.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda {
inline namespace job {

/// The class of a cell that holds `value`. Booleans are bytes; all bytes but zero are the same
/// value.
template <class T>
THIESSEN_HD std::uint8_t class_of_value(const Rule& rule, T value) {
  if constexpr (std::is_same_v<T, std::uint8_t>)
    if (rule.type == ElementType::boolean) value = value != 0 ? 1 : 0;
  bool site = true;
  if (rule.selection == SiteSelection::nonzero) site = is_nonzero(value);
  if (rule.selection == SiteSelection::values || rule.selection == SiteSelection::others) {
    bool listed = false;
    for (std::int32_t i = 0; i < rule.value_count; ++i)
      listed = listed || same_value(value, value_of<T>(rule.values[i]));
    site = listed == (rule.selection == SiteSelection::values);
  }
  const bool nodata = rule.has_nodata && same_value(value, value_of<T>(rule.nodata));
  if (rule.complement) return site && !nodata ? kFreeCell : kSiteCell;
  return nodata ? kNodataCell : site ? kSiteCell : kFreeCell;
}

/// Whether two values are the same for a boundary: two NaN are, and all that is true.
template <class T>
THIESSEN_HD bool holds_same(ElementType type, T a, T b) {
  if (type == ElementType::boolean) return (a != 0) == (b != 0);
  return same_value(a, b);
}

/// Calls visit(value) with the value of a cell; booleans are bytes.
template <class Visit>
THIESSEN_HD auto visit_value(const Cells<const std::byte>& cells, ElementType type,
                             std::int64_t cell, const Visit& visit) {
  const auto load = [&]<class T>(std::type_identity<T>) {
    return visit(reinterpret_cast<const T*>(cells.bytes)[cell]);
  };
  switch (type) {
    case ElementType::boolean:
    case ElementType::u8:
      return load(std::type_identity<std::uint8_t>{});
    case ElementType::i8:
      return load(std::type_identity<std::int8_t>{});
    case ElementType::u16:
      return load(std::type_identity<std::uint16_t>{});
    case ElementType::i16:
      return load(std::type_identity<std::int16_t>{});
    case ElementType::u32:
      return load(std::type_identity<std::uint32_t>{});
    case ElementType::i32:
      return load(std::type_identity<std::int32_t>{});
    case ElementType::u64:
      return load(std::type_identity<std::uint64_t>{});
    case ElementType::i64:
      return load(std::type_identity<std::int64_t>{});
    case ElementType::f32:
      return load(std::type_identity<float>{});
    default:
      return load(std::type_identity<double>{});
  }
}

/// Class of a cell by a rule.
THIESSEN_HD inline std::uint8_t class_of(const Cells<const std::byte>& cells, const Rule& rule,
                                         std::int64_t cell) {
  return visit_value(cells, rule.type, cell,
                     [&](auto value) { return class_of_value(rule, value); });
}

/// The class of a cell of the sites.
THIESSEN_HD inline std::uint8_t class_of(const Job& job, std::int64_t cell) {
  return class_of(job.sites, job.rule, cell);
}

}  // namespace job
}  // namespace thiessen::cuda

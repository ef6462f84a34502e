// SPDX-License-Identifier: Apache-2.0
//
// Which cells are sites, as classify() tells it of rows on the host.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/host_device.hpp"
#include "cuda/job.hpp"

namespace thiessen::cuda {

template <class T>
THIESSEN_HD T value_of(const LabelBits& bits) {
  T value;
  memcpy(&value, bits.bytes.data(), sizeof value);
  return value;
}

template <class T>
THIESSEN_HD bool is_nonzero(T value) {
  if constexpr (std::is_floating_point_v<T>) return value < 0 || value > 0;  // false for NaN
  return value != 0;
}

template <class T>
THIESSEN_HD bool same_value(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a == b || (a != a && b != b);
  return a == b;
}

/// Class of a cell that holds `value`. Booleans are bytes, of which all but zero are one value.
template <class T>
THIESSEN_HD std::uint8_t class_of_value(const Rule& rule, T value) {
  if constexpr (std::is_same_v<T, std::uint8_t>)
    if (rule.type == ElementType::boolean) value = value != 0 ? 1 : 0;
  bool site = true;
  if (rule.selection == SiteSelection::nonzero) site = is_nonzero(value);
  if (rule.selection == SiteSelection::values) {
    site = false;
    for (std::int32_t i = 0; i < rule.value_count; ++i)
      site = site || same_value(value, value_of<T>(rule.values[i]));
  }
  const bool nodata = rule.has_nodata && same_value(value, value_of<T>(rule.nodata));
  if (rule.complement) return site && !nodata ? kFreeCell : kSiteCell;
  return nodata ? kNodataCell : site ? kSiteCell : kFreeCell;
}

template <class T>
THIESSEN_HD T load_as(const Cells<const std::byte>& cells, std::int64_t cell) {
  return reinterpret_cast<const T*>(cells.bytes)[cell];
}

/// Class of a cell of the sites.
THIESSEN_HD inline std::uint8_t class_of(const Job& job, std::int64_t cell) {
  const auto of = [&](auto value) { return class_of_value(job.rule, value); };
  switch (job.rule.type) {
    case ElementType::boolean:
    case ElementType::u8:
      return of(load_as<std::uint8_t>(job.sites, cell));
    case ElementType::i8:
      return of(load_as<std::int8_t>(job.sites, cell));
    case ElementType::u16:
      return of(load_as<std::uint16_t>(job.sites, cell));
    case ElementType::i16:
      return of(load_as<std::int16_t>(job.sites, cell));
    case ElementType::u32:
      return of(load_as<std::uint32_t>(job.sites, cell));
    case ElementType::i32:
      return of(load_as<std::int32_t>(job.sites, cell));
    case ElementType::u64:
      return of(load_as<std::uint64_t>(job.sites, cell));
    case ElementType::i64:
      return of(load_as<std::int64_t>(job.sites, cell));
    case ElementType::f32:
      return of(load_as<float>(job.sites, cell));
    default:
      return of(load_as<double>(job.sites, cell));
  }
}

}  // namespace thiessen::cuda

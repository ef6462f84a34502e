// SPDX-License-Identifier: Apache-2.0
//
// Sites of a raster as numbers of 32 bits: coordinates side by side. They are ordered like site
// indices, and a pass reads nothing else.
//
// The axes are (top, middle, x): (z, y, x) in 3-D, and (y, none, x) in 2-D, where the middle one
// has one cell. "No site" lies so far out on the top axis that S to it is more than to any site, by
// the usual arithmetic: no test is needed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/base/host_device.hpp"
#include "core/problem/problem.hpp"
#include "thiessen/choices/metric.hpp"

namespace thiessen::cuda::flood {

using PackedCell = std::uint32_t;

struct Packing {
  std::int32_t extent[kAxes] = {};  ///< (top, middle, x)
  std::uint32_t factor[kAxes] = {};
  bool plain = false;  ///< all factors are 1
  int x_bits = 0;
  int middle_bits = 0;
  /// Multiplied by the upper part of a site (or of one without x), it takes that part away.
  std::uint32_t without_upper = 0;
  std::uint32_t without_top = 0;
  PackedCell none = 0;
  /// The greatest S between cells.
  std::uint32_t lift = 0;

  std::array<std::int32_t, kAxes> extents() const { return {extent[0], extent[1], extent[2]}; }
  THIESSEN_HD int top_shift() const { return x_bits + middle_bits; }
  THIESSEN_HD PackedCell pack(std::int32_t top, std::int32_t middle, std::int32_t x) const {
    return static_cast<PackedCell>(top) << top_shift() | static_cast<PackedCell>(middle) << x_bits |
           static_cast<PackedCell>(x);
  }
  THIESSEN_HD std::uint32_t top(PackedCell site) const { return site >> top_shift(); }
  THIESSEN_HD std::uint32_t middle(PackedCell site) const {
    return site >> x_bits & ((1u << middle_bits) - 1);
  }
  THIESSEN_HD std::uint32_t x(PackedCell site) const { return site & ((1u << x_bits) - 1); }
  /// The linear index of a cell.
  THIESSEN_HD std::int64_t index(std::int64_t top, std::int64_t middle, std::int64_t x) const {
    return (top * extent[1] + middle) * extent[2] + x;
  }
  THIESSEN_HD std::int64_t site_index(PackedCell site) const {
    // No index has more bits than the coordinates side by side.
    const std::uint32_t upper = site >> x_bits;
    const std::uint32_t row =
        upper + top(site) * (static_cast<std::uint32_t>(extent[1]) + without_top);
    return row * static_cast<std::uint32_t>(extent[2]) + (site + upper * without_upper);
  }
};

/// The part of two coordinates in S, modulo 2^32.
template <Metric kMetric, bool kPlain>
THIESSEN_HD std::uint32_t packed_along(std::uint32_t factor, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t delta = a - b;
  if constexpr (kMetric == Metric::euclidean)
    return kPlain ? delta * delta : factor * (delta * delta);
  const std::uint32_t length = static_cast<std::int32_t>(delta) < 0 ? 0u - delta : delta;
  return kPlain ? length : factor * length;
}

/// Empty if the coordinates or S need more bits. Only for raster sites without periodic axes.
std::optional<Packing> make_packing(const Problem& problem);

}  // namespace thiessen::cuda::flood

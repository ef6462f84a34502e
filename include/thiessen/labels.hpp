// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <variant>

namespace thiessen {

/// A label given as a number; it must be representable in the type of the label raster.
using LabelValue = std::variant<std::int64_t, std::uint64_t, double>;

/// Site index of a cell that no site reaches.
inline constexpr std::int64_t kUnreached = -1;
/// Site index of a nodata cell.
inline constexpr std::int64_t kNodata = -2;

}  // namespace thiessen

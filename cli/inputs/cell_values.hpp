// SPDX-License-Identifier: Apache-2.0
//
// Single values of cells, for any type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "thiessen/labels.hpp"
#include "thiessen/nearest_site.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen::cli {

/// Whether a cell of this type can have exactly that value.
bool can_hold(ElementType type, const LabelValue& value);

/// Whether one of contiguous cells holds that value; NaN equals NaN. The type must be able to hold
/// it.
bool any_holds(const View<const void>& cells, const LabelValue& value);

/// Its shortest decimal form.
std::string text_of(const LabelValue& value);

/// Kinds of cells, as bits. A nodata cell may be free, or a site.
inline constexpr std::uint8_t kFreeKind = 1, kSiteKind = 2, kNodataKind = 4;

/// The kinds of contiguous cells up to the first free one, by the options of nearest_site() but
/// `free_nodata`. `nodata` is the value of the file, whether the options heed it or not.
std::uint8_t kinds_of(const View<const void>& cells, const NearestSiteOptions& options,
                      const std::optional<LabelValue>& nodata);

/// Writes `put` where the cell of `where`, of the same extents, equals `value`; NaN equals NaN.
/// Both are contiguous. The types must be able to hold the values.
void put_where(const View<void>& cells, const LabelValue& put, const View<const void>& where,
               const LabelValue& value);

}  // namespace thiessen::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// Draws `count` distinct cells and labels them 1..count in the order of their linear index; all
/// other cells become 0.
///
/// sites  2-D or 3-D host view of i32 or i64, any strides, aligned; overwritten.
/// count  0 to the number of cells; i32 must hold it.
/// seed   the same seed, count and extents give the same sites on every machine and in every
///        version.
///
/// The i-th draw is the image of i under a keyed permutation of the cells (a Feistel network with
/// SplitMix64 as its round function), so draws never collide and need no memory. Time O(cells).
/// Throws Error: invalid_argument, cancelled.
THIESSEN_API void random_sites(Context& context, View<void> sites, std::int64_t count,
                               std::uint64_t seed);

/// Same as above, but runs on default_context() and returns a new raster: i32, or i64 for 2^31
/// sites and more.
THIESSEN_API Raster random_sites(const Extents& extents, std::int64_t count, std::uint64_t seed);

}  // namespace thiessen

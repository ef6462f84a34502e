// SPDX-License-Identifier: Apache-2.0
//
// Turns the map and the sites of a call of cost_distance() from the caller's arrays into those that
// methods compute with, on the host.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "core/base/context_state.hpp"
#include "core/base/function_ref.hpp"
#include "core/base/scratch.hpp"
#include "core/cost/problem.hpp"

namespace thiessen {

/// Runs a function over 0..count-1 in pieces, one after the other or on threads.
using Loop = std::function<void(std::int64_t count,
                                FunctionRef<void(std::int64_t begin, std::int64_t end)> piece)>;

/// The place of a site in the order of their index. Methods carry it instead of the index.
using Rank = std::uint32_t;
inline constexpr Rank kNoRank = 0xFFFFFFFFu;

/// The cell of a site that is ignored.
inline constexpr std::int64_t kNoCell = -1;

/// All sites in the order of their index.
template <class T>
struct CostSites {
  std::int64_t count = 0;
  const std::int64_t* cell = nullptr;  ///< linear index or kNoCell
  const T* initial = nullptr;          ///< cost with which a path starts; null: 0
  const std::byte* label = nullptr;    ///< in the type of the output; null: rank + 1
  bool by_cell = true;                 ///< the site index is that of the cell, not the rank

  T initial_of(std::int64_t rank) const { return initial == nullptr ? T{0} : initial[rank]; }
  std::int64_t index_of(Rank rank) const { return by_cell ? cell[rank] : rank; }
};

/// The map as resistances in C order, with NaN for barriers. `resistance` is filled only if needed:
/// a packed map of floats that needs no change is used as it is. Throws Error{invalid_argument}
/// naming the first illegal cell of the argument `name`.
template <class T>
const T* load_map(const CostProblem& problem, const View<const void>& map, const Loop& loop,
                  Scratch::Frame& scratch, const char* name = "map");

/// Throws the error for an illegal cell of the map; `value` has the type of the map.
void refuse_map(const CostProblem& problem, std::int64_t cell, const std::byte* value,
                ElementType type, const char* name = "map");

/// Lists the sites, also those on barriers. Throws Error{invalid_argument} for an illegal initial
/// cost.
template <class T>
CostSites<T> list_sites(const CostProblem& problem, const CostViews& views, const Loop& loop,
                        Scratch::Frame& scratch);

/// Counts a site on a barrier, or in kNoCell outside of the raster; sites are reported in the order
/// of ranks. Throws Error{invalid_argument} if `strict` is set.
void ignore_site(const CostProblem& problem, std::int64_t cell, std::int64_t rank,
                 CostDistanceReport& report);

/// What to warn of when sites were ignored, and when no other ones are left.
Warning ignored_sites(const CostDistanceReport& report);
Warning no_site_left(const CostDistanceReport& report);

/// Lists the sites, and counts those on barriers or outside of the raster in `report`. Throws
/// Error{invalid_argument} for these if `strict` is set, and for an illegal initial cost.
template <class T>
CostSites<T> load_sites(const CostProblem& problem, const CostViews& views, const T* resistance,
                        const Loop& loop, Scratch::Frame& scratch, CostDistanceReport& report);

/// The linear index of the cell in which a point lies; kNoCell outside of the raster, whose first
/// cell is `origin`. The raster repeats along periodic axes.
std::int64_t cell_of_point(const Axes& extent, const PointSites& points, std::int64_t point,
                           const Axes& origin = {}, const std::array<bool, kAxes>& periodic = {});

/// Where a point lies in its cell, in cells from the centre. One that was moved to another cell
/// lies at its centre.
std::array<double, kAxes> offset_in_cell(const CostProblem& problem, const PointSites& points,
                                         std::int64_t point, std::int64_t cell);

/// Where the sites of a list of points lie in their cells, in cells from the centre; null if all
/// lie at the centres.
const std::array<double, kAxes>* site_offsets(const CostProblem& problem,
                                              const View<const void>& points,
                                              const std::int64_t* cells, std::int64_t count,
                                              Scratch::Frame& scratch);

/// An initial cost as costs start with it. Throws Error{invalid_argument} naming the site.
template <class T>
T checked_initial(double value, const std::string& site);

/// A float of either type.
double load_float(const std::byte* address, ElementType type);

/// "[y, x]" or "[z, y, x]".
std::string cell_text(const CostProblem& problem, std::int64_t index);

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
// What of a slab its neighbours must know: in every column the cell of a kind that is nearest to
// one end of the slab.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"
#include "core/slabs/slab.hpp"

namespace thiessen::cpu {

/// Finds in each column the site that is nearest to the end of the slab, and its value. Reads rows
/// from that end on, until all columns have a site.
void find_sites_of_face(ContextState& state, const Problem& problem, const Slab& slab,
                        const View<const void>& sites, End end, const Face& face);

/// The values of the row at the end of the slab, as labels, and in each column the nearest cell
/// with another value.
void find_changes_of_face(ContextState& state, const Problem& problem, const Slab& slab,
                          const View<const void>& values, End end, const Face& face);

/// Numbers the sites of a slab 1, 2, … in the order of their site index, and writes those of two
/// faces, as std::int64_t, into their labels. Returns how many sites there are. Reads the slab
/// twice.
std::int64_t number_sites_of_faces(ContextState& state, const Problem& problem, const Slab& slab,
                                   const View<const void>& sites, const Face& first,
                                   const Face& last);

}  // namespace thiessen::cpu

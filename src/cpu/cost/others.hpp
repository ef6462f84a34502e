// SPDX-License-Identifier: Apache-2.0
//
// For each cell the least cost, and the site, without the sites of its label.
//
//   region    of a label: the cells that have it
//   D, L      the costs and labels of all sites
//   O         of a cell: the cost without the sites of its label
//
// Take away the sites of the label l. A cell p of another label keeps its cost, as a path of the
// cost D(p) starts at a site that is still there. So O is a fixed point inside of each region:
//
//   O(c) = min(least initial cost of the sites in c that have another label,
//              min over the neighbours p of c of fl((L(p) = L(c) ? O(p) : D(p)) + w(p, c)))
//
// All regions are done at once by E. W. Dijkstra's algorithm, along steps that stay in a region.
// Where passes over tiles are much faster, O is found by them, as the least of the costs from parts
// of the sites: those of the digits that the label lacks (cpu/others/label_codes.hpp). In the
// regions of labels that have a digit the cost from its part is D; so such a run begins at their
// rims.
//
// Ranks follow from tight steps as in core/cost/labels.hpp, in the costs without l: O in its region
// and D elsewhere. The rank of a cell elsewhere holds without l too, but for one case: a step out
// of the region may be tight by rounding, though O > D where it begins. Then a lesser rank may
// leave the region. It is kept apart for that label, as the other labels do not see it.
#pragma once

#include "core/base/scratch.hpp"
#include "core/cost/outputs.hpp"
#include "cpu/cost/cost.hpp"

namespace thiessen::cpu {

/// Units of progress that a cell takes, if there is one run.
inline constexpr std::int64_t kUnitsOfOthers = kUnitsOfCost + 3;

/// Finds them for a job whose costs and ranks are final. `label_type` is that of the labels of the
/// sites, if they have any. Takes memory from `scratch` for what it returns.
///
/// Time: n/2 runs of method "exact" by passes, for n digits of codes; else O(cells · log(cells)),
/// on one thread, which ranks take, too. Memory: 12 bytes a cell for float, 4 more by passes, 8 for
/// each cell at the rim of a region. Where costs are so great that they swallow steps, a cell may
/// count once for each label whose absence lowers its rank.
template <class T>
OtherSites<T> find_others(ContextState& state, const CostJob<T>& job, const Rank* rank,
                          ElementType label_type, const Loop& loop, Scratch::Frame& scratch);

}  // namespace thiessen::cpu

// SPDX-License-Identifier: Apache-2.0
//
// The sites of a raster, or points, among which candidates are sought.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"
#include "cpu/candidates/sites.hpp"
#include "cpu/nearest_k/near_sites.hpp"

namespace thiessen::cpu {

/// Which cells of a raster are listed. A site all of whose neighbours are sites is never the
/// nearest one to another cell, as one of them is nearer; only its own cell has to know it.
enum class ListedCells {
  all,
  rims,            ///< not those inside of sites
  rims_of_labels,  ///< not those inside of sites of their label
  rims_of_weights  ///< not those inside of sites of their weight
};

class ListedSites {
 public:
  /// With `by_label`, sites of equal labels are one group; else each site is its own.
  /// Throws Error{unsupported} for 2^32 sites and more.
  ListedSites(ContextState& state, const Problem& problem, const ProblemViews& views, bool by_label,
              ListedCells listed);
  /// The sites of a raster that are not deep, each its own group.
  explicit ListedSites(const NearSites& sites);

  candidates::SiteList list() const { return list_; }
  std::int64_t groups() const { return groups_; }
  /// For each cell 1 and the group of a site that is not listed; 0: there is none. Null if all
  /// sites are listed.
  const std::uint32_t* inner() const { return inner_.empty() ? nullptr : inner_.data(); }

 private:
  void list_points(const ProblemViews& views, bool by_label);
  void list_cells(ContextState& state, const Problem& problem, const ProblemViews& views,
                  bool by_label);
  void drop_inner(ContextState& state, const Problem& problem, const ProblemViews& views,
                  ListedCells listed);
  void point_to_vectors(const SiteWeights& weights = {});

  std::vector<Axes> at_;
  std::vector<std::int64_t> index_;
  std::vector<std::uint32_t> group_;  ///< empty: each site is its own
  std::vector<std::uint32_t> inner_;
  std::int64_t groups_ = 0;
  candidates::SiteList list_;
};

}  // namespace thiessen::cpu

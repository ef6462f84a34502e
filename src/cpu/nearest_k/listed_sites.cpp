// SPDX-License-Identifier: Apache-2.0
#include "cpu/nearest_k/listed_sites.hpp"

#include <atomic>
#include <string>

#include "core/order/torus.hpp"
#include "core/search/site_cells.hpp"
#include "cpu/others/label_groups.hpp"
#include "thiessen/error.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace {

/// Whether all neighbours of a site, also those across corners, are of its group, and have its
/// weight if there are weights. A neighbour beyond the edge of the raster lies nearer to no cell.
bool is_inner(const Problem& problem, const std::vector<std::uint32_t>& groups,
              const Int128* weights, const Axes& cell) {
  const auto own = static_cast<std::size_t>(to_index(problem.extent, cell));
  const auto is_like = [&](const Axes& of) {
    const auto other = static_cast<std::size_t>(to_index(problem.extent, of));
    return groups[other] == groups[own] && (weights == nullptr || weights[other] == weights[own]);
  };
  Axes neighbour;
  const auto each_along = [&](auto&& self, std::size_t axis) -> bool {
    if (axis == kAxes) return is_like(neighbour);
    for (const std::int64_t step : {-1, 0, 1}) {
      neighbour[axis] = unwrap(cell[axis] + step, problem.period[axis]);
      if (neighbour[axis] < 0 || neighbour[axis] >= problem.extent[axis]) continue;
      if (!self(self, axis + 1)) return false;
    }
    return true;
  };
  return each_along(each_along, 0);
}

void require_few(std::int64_t count) {
  if (count >= std::int64_t{0xFFFFFFFF})
    throw Error(ErrorCode::unsupported, "the k nearest, ties, or weights of " +
                                            std::to_string(count) +
                                            " sites are wanted; there may be less than 2^32 - 1");
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a problem, and which of its sites
ListedSites::ListedSites(ContextState& state, const Problem& problem, const ProblemViews& views,
                         bool by_label, ListedCells listed) {
  if (problem.point_sites) {
    list_points(views, by_label);
  } else {
    list_cells(state, problem, views, by_label);
    if (listed != ListedCells::all) drop_inner(state, problem, views, listed);
    point_to_vectors(views.weights);
  }
}

ListedSites::ListedSites(const NearSites& sites) {
  const auto reserve = [&](std::int64_t count) {
    require_few(count);
    at_.reserve(static_cast<std::size_t>(count));
    index_.reserve(static_cast<std::size_t>(count));
  };
  sites.list_shallow(reserve, [&](const Axes& cell, std::int64_t index) {
    at_.push_back(cell);
    index_.push_back(index);
  });
  groups_ = std::ssize(at_);
  point_to_vectors();
}

void ListedSites::point_to_vectors(const SiteWeights& weights) {
  list_ = {.at = at_.data(),
           .index = index_.data(),
           .group = group_.empty() ? nullptr : group_.data(),
           .weights = weights,
           .count = std::ssize(at_)};
}

void ListedSites::list_points(const ProblemViews& views, bool by_label) {
  require_few(views.points.count);
  list_ = {.at = views.points.at, .weights = views.weights, .count = views.points.count};
  groups_ = list_.count;
  if (!by_label || !views.labels) return;
  LabelGroups groups(views.labels.element_type());
  const auto element = static_cast<std::int64_t>(size_of(views.labels.element_type()));
  group_.reserve(static_cast<std::size_t>(list_.count));
  for (std::int64_t i = 0; i < list_.count; ++i)
    group_.push_back(groups.group_of(views.labels.bytes() + i * element));
  list_.group = group_.data();
  groups_ = groups.count();
}

void ListedSites::list_cells(ContextState& state, const Problem& problem, const ProblemViews& views,
                             bool by_label) {
  const bool groups_labels = by_label && problem.rule.type != ElementType::boolean;
  LabelGroups groups(views.labels.element_type());
  const auto reserve = [&](std::int64_t count) {
    require_few(count);
    at_.reserve(static_cast<std::size_t>(count));
    index_.reserve(static_cast<std::size_t>(count));
    group_.reserve(static_cast<std::size_t>(count));
  };
  list_site_cells(problem, views.sites, state.progress, reserve, [&](const Axes& cell) {
    group_.push_back(groups_labels ? groups.group_of(address_of(views.labels, cell))
                                   : static_cast<std::uint32_t>(at_.size()));
    at_.push_back(cell);
    index_.push_back(to_index(problem.extent, cell));
  });
  groups_ = groups_labels ? groups.count() : std::ssize(at_);
}

void ListedSites::drop_inner(ContextState& state, const Problem& problem, const ProblemViews& views,
                             ListedCells listed) {
  const Int128* const weights =
      listed == ListedCells::rims_of_weights ? views.weights.exact : nullptr;
  constexpr std::int64_t kAtOnce = 1 << 12;
  const auto cells = static_cast<std::size_t>(problem.cells());
  std::vector<std::uint32_t> groups(cells);  // plus 1; 0: no site
  for (std::size_t i = 0; i < at_.size(); ++i)
    groups[static_cast<std::size_t>(index_[i])] =
        listed == ListedCells::rims_of_labels ? group_[i] + 1 : 1;
  inner_.resize(cells);
  std::atomic<bool> is_some{false};
  parallel_for(state, std::ssize(at_), kAtOnce, 0, [&](std::int64_t begin, std::int64_t end, int) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      if (!is_inner(problem, groups, weights, at_[i])) continue;
      inner_[static_cast<std::size_t>(index_[i])] = group_[i] + 1;
      is_some = true;
    }
  });
  if (!is_some) return inner_.clear();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < at_.size(); ++i) {
    if (inner_[static_cast<std::size_t>(index_[i])] != 0) continue;
    at_[kept] = at_[i];
    index_[kept] = index_[i];
    group_[kept++] = group_[i];
  }
  at_.resize(kept);
  index_.resize(kept);
  group_.resize(kept);
}

}  // namespace thiessen::cpu

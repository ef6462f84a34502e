// SPDX-License-Identifier: Apache-2.0
#include "cpu/earth/site_tree.hpp"

#include <algorithm>

namespace thiessen::cpu::earth {

SiteTree::SiteTree(std::span<Site> sites, const Progress& progress) : sites_(sites) {
  const auto count = static_cast<std::int64_t>(sites.size());
  nodes_.reserve(static_cast<std::size_t>(4 * (count / kLeaf) + 1));
  if (count > 0) build(0, count, progress);
}

std::int32_t SiteTree::build(std::int64_t first, std::int64_t count, const Progress& progress) {
  constexpr std::int64_t kBetweenChecks = 4096;
  if (count > kBetweenChecks) progress.check();
  const auto number = static_cast<std::int32_t>(nodes_.size());
  Node node{Box::empty(), first, count, 0};
  const std::span<Site> sites =
      sites_.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  for (const Site& site : sites) node.box.include(site.at);
  nodes_.push_back(node);
  if (count <= kLeaf) return number;
  const double longest = node.box.longest_side();
  std::size_t axis = 0;
  while (node.box.high[axis] - node.box.low[axis] < longest) ++axis;
  const std::int64_t half = count / 2;
  std::nth_element(sites.begin(), sites.begin() + half, sites.end(),
                   [axis](const Site& a, const Site& b) { return a.at[axis] < b.at[axis]; });
  build(first, half, progress);
  const std::int32_t right = build(first + half, count - half, progress);
  nodes_[static_cast<std::size_t>(number)].right = right;
  return number;
}

}  // namespace thiessen::cpu::earth

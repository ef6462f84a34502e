// SPDX-License-Identifier: Apache-2.0
//
// The sites as points in space, halved again and again along the longest side of their box.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/context_state.hpp"
#include "cpu/earth/boxes.hpp"

namespace thiessen::cpu::earth {

struct Site {
  Point at;
  std::int64_t index;  ///< site index
};

class SiteTree {
 public:
  struct Node {
    Box box;
    std::int64_t first;  ///< of its sites
    std::int64_t count;
    std::int32_t right;  ///< its second half; the first one is the next node; 0: it has none
  };

  /// Sorts the sites, which must outlive it.
  SiteTree(std::span<Site> sites, const Progress& progress);

  const Node& node(std::int32_t number) const { return nodes_[static_cast<std::size_t>(number)]; }
  std::span<const Site> sites_of(const Node& node) const {
    return sites_.subspan(static_cast<std::size_t>(node.first),
                          static_cast<std::size_t>(node.count));
  }

 private:
  static constexpr std::int64_t kLeaf = 8;

  std::int32_t build(std::int64_t first, std::int64_t count, const Progress& progress);

  std::span<Site> sites_;
  std::vector<Node> nodes_;
};

}  // namespace thiessen::cpu::earth

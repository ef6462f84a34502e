// SPDX-License-Identifier: Apache-2.0
//
// Two trees meet: blocks of cells, which are halved down to a few cells, and boxes of sites
// (site_boxes.hpp). A block carries the list of boxes and sites that may matter to one of its
// cells. With a smaller block the list gets shorter and its boxes smaller, so that in the end each
// cell compares a few sites. Neighbours share most of the work.
//
// An item of the list has a least and a greatest S to the cells of the block. The k-th smallest
// greatest S (boxes count as often as they have sites) is a bound: each cell has k sites within it,
// so an item whose least S is beyond matters to no cell. Items at the bound stay, so that ties are
// decided by the site index. A long list also loses the items that k sites beat at every corner of
// the block (corner_bounds.hpp). Cells of a raster with k sites right beside them are answered
// before the block is halved (near_sites.hpp). For the k nearest labels, each label has a bound of
// its own, that of its nearest item; the k-th of these is the bound of all, and an item matters
// only within the bound of one of its labels. Where only the nearest site of a label counts, sites
// inside of areas of sites are not listed (ListedCells).
//
// A. G. Gray, A. W. Moore, "'N-body' problems in statistical learning" (2000), for dual trees.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/problem/problem.hpp"
#include "core/search/geometry.hpp"
#include "cpu/nearest_k/block_measure.hpp"
#include "cpu/nearest_k/corner_bounds.hpp"
#include "cpu/nearest_k/near_sites.hpp"
#include "cpu/nearest_k/site_boxes.hpp"

namespace thiessen::cpu {

/// More labels at one distance are not counted.
inline constexpr std::int64_t kMostTies = 255;

/// What is sought.
struct BlockQuery {
  std::int64_t k = 1;
  bool by_label = false;     ///< the k nearest labels
  bool counts_ties = false;  ///< how many labels are at the least S; k is 1
};

template <class Geometry, class Scalar>
class BlockSearch {
 public:
  /// `near`, if not null, has all sites, and `boxes` those that are not deep.
  BlockSearch(const Problem& problem, const SiteBoxes& boxes, const NearSites* near,
              const BlockQuery& query, std::int64_t most_cells)
      : problem_(problem),
        boxes_(boxes),
        near_(near),
        query_(query),
        measure_(problem, boxes),
        sites_(static_cast<std::size_t>(most_cells * query.k)),
        exact_(sites_.size()),
        groups_(query.by_label ? sites_.size() : 0),
        ties_(query.counts_ties ? static_cast<std::size_t>(most_cells) : 0),
        is_found_(near != nullptr ? static_cast<std::size_t>(most_cells) : 0) {}

  /// Answers for the cells of a block.
  void search(const CellBlock& block) {
    whole_ = block;
    std::fill(sites_.begin(), sites_.end(), kUnreached);
    std::fill(ties_.begin(), ties_.end(), std::uint8_t{0});
    if (near_ != nullptr) find_near(block);
    if (boxes_.count() == 0 && !boxes_.has_inner()) return;
    if (lists_.empty()) lists_.resize(1);
    lists_[0].clear();
    if (boxes_.count() > 0) lists_[0].push_back(measure_.item(boxes_.levels(), 0, block));
    search_part(block, 0);
  }

  /// The answer of rank `rank` at a cell of the block.
  std::int64_t site(const Axes& cell, std::int64_t rank) const {
    return sites_[at(cell) + static_cast<std::size_t>(rank)];
  }
  Scalar exact(const Axes& cell, std::int64_t rank) const {
    return exact_[at(cell) + static_cast<std::size_t>(rank)];
  }
  std::uint8_t ties(const Axes& cell) const { return ties_[at(cell)]; }  // k is 1

 private:
  using Item = SiteItem<Scalar>;
  using List = std::vector<Item>;

  /// A number of sites, or a label, within S.
  struct Reach {
    Scalar greatest;
    std::int64_t last;  ///< of their indices; not of labels
    std::int64_t sites;
    std::uint32_t group;
  };

  static constexpr Scalar kFar = std::numeric_limits<Scalar>::max();

  /// The place of a cell in the block.
  std::int64_t place_of(const Axes& cell) const {
    return ((cell[0] - whole_.begin[0]) * whole_.side(1) + (cell[1] - whole_.begin[1])) *
               whole_.side(2) +
           (cell[2] - whole_.begin[2]);
  }
  /// Where a cell's answers begin.
  std::size_t at(const Axes& cell) const {
    return static_cast<std::size_t>(place_of(cell) * query_.k);
  }

  template <class Visit>
  void for_each_group(const Item& item, const Visit& visit) const {
    if (item.level == 0) return visit(boxes_.site(item.place).group);
    const SiteGroups& groups = boxes_.box(item.level, item.place).groups;
    for (int i = 0; i < groups.count; ++i) visit(groups.id[static_cast<std::size_t>(i)]);
  }
  bool has_more_groups(const Item& item) const {
    return item.level > 0 && boxes_.box(item.level, item.place).groups.has_more;
  }

  /// Leaves out the items that matter to no cell of the block.
  void prune(List& list) {
    if (query_.by_label) return prune_by_label(list);
    const auto bound = bound_of_sites(list);
    std::erase_if(list, [&](const Item& item) {
      return item.least > bound.first ||
             (item.least == bound.first && first_of(item) > bound.second);
    });
  }

  /// The least and the greatest index of the sites of an item.
  std::int64_t first_of(const Item& item) const {
    return item.level == 0 ? boxes_.site(item.place).index
                           : boxes_.box(item.level, item.place).first;
  }
  std::int64_t last_of(const Item& item) const {
    return item.level == 0 ? boxes_.site(item.place).index
                           : boxes_.box(item.level, item.place).last;
  }

  Scalar limit() const { return problem_.limited ? static_cast<Scalar>(problem_.limit) : kFar; }

  /// The S and the site index up to which k sites come at every cell; of ties, the S alone.
  std::pair<Scalar, std::int64_t> bound_of_sites(const List& list) {
    constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
    std::pair<Scalar, std::int64_t> bound{limit(), kLast};
    if (query_.k == 1) {
      for (const Item& item : list)
        bound = std::min(bound, {item.greatest, query_.counts_ties ? kLast : last_of(item)});
      return bound;
    }
    reaches_.clear();
    for (const Item& item : list)
      reaches_.push_back(
          {item.greatest, last_of(item), boxes_.sites_in(item.level, item.place), 0});
    const auto end = reaches_.begin() + std::min<std::int64_t>(query_.k, std::ssize(reaches_));
    std::partial_sort(reaches_.begin(), end, reaches_.end(), [](const Reach& a, const Reach& b) {
      return a.greatest != b.greatest ? a.greatest < b.greatest : a.last < b.last;
    });
    std::int64_t sites = 0, last = -1;
    Scalar greatest{-1};
    for (auto reach = reaches_.begin(); reach < end; ++reach) {
      last = reach->greatest == greatest ? std::max(last, reach->last) : reach->last;
      greatest = reach->greatest;
      sites += reach->sites;
      if (sites >= query_.k) return std::min(bound, {greatest, last});
    }
    return bound;
  }

  void prune_by_label(List& list) {
    reaches_.clear();
    for (const Item& item : list)
      for_each_group(item, [&](std::uint32_t group) {
        reaches_.push_back({item.greatest, 0, 1, group});
      });
    std::sort(reaches_.begin(), reaches_.end(), [](const Reach& a, const Reach& b) {
      return a.group != b.group ? a.group < b.group : a.greatest < b.greatest;
    });
    const auto same = [](const Reach& a, const Reach& b) { return a.group == b.group; };
    reaches_.erase(std::unique(reaches_.begin(), reaches_.end(), same), reaches_.end());
    Scalar bound = limit();
    if (std::ssize(reaches_) >= query_.k) {
      bounds_.clear();
      for (const Reach& reach : reaches_) bounds_.push_back(reach.greatest);
      const auto last = bounds_.begin() + (query_.k - 1);
      std::nth_element(bounds_.begin(), last, bounds_.end());
      bound = std::min(bound, *last);
    }
    std::erase_if(list, [&](const Item& item) {
      if (item.least > bound) return true;
      if (has_more_groups(item)) return false;
      bool matters = false;
      for_each_group(item, [&](std::uint32_t group) {
        matters = matters || item.least <= bound_of_group(group);
      });
      return !matters;
    });
  }

  Scalar bound_of_group(std::uint32_t group) const {
    return std::lower_bound(reaches_.begin(), reaches_.end(), group,
                            [](const Reach& reach, std::uint32_t of) { return reach.group < of; })
        ->greatest;
  }

  /// Leaves out of a long list the items that others beat at every cell of the block.
  void drop_beaten(List& list, const CellBlock& block) {
    constexpr std::int64_t kFewCells = 8, kFewItems = 12;
    const std::int64_t few = query_.by_label ? 4 * (kFewItems + query_.k) : kFewItems + query_.k;
    if (block.cells() <= kFewCells || std::ssize(list) <= few) return;
    corners_.clear(measure_.ends_of(block));
    for (const Item& item : list) corners_.add(measure_.bounds(item, block));
    for (std::size_t place = 0; place < list.size(); ++place)
      if (list[place].level > 0)
        corners_.add_first(measure_.bounds_of_first(list[place], block), place);
    corners_.choose({.count = query_.k,
                     .labels = query_.by_label || query_.counts_ties,
                     .ties = query_.counts_ties});
    std::size_t kept = 0;
    for (std::size_t place = 0; place < list.size(); ++place)
      if (!corners_.is_beaten(place)) list[kept++] = list[place];
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(kept), list.end());
  }

  /// Replaces boxes that are larger than `size` by what they hold. Returns whether there were any.
  bool open(List& list, const CellBlock& block, Scalar size) {
    opened_.clear();
    for (const Item& item : list) {
      if (item.level == 0 || measure_.size_of_box(item) <= size) continue;
      const std::int64_t first = item.place * SiteBoxes::kChildren;
      const std::int64_t end = std::min(first + SiteBoxes::kChildren, boxes_.count(item.level - 1));
      for (std::int64_t child = first; child < end; ++child)
        opened_.push_back(measure_.item(item.level - 1, child, block));
    }
    if (opened_.empty()) return false;
    std::erase_if(list, [&](const Item& item) {
      return item.level > 0 && measure_.size_of_box(item) > size;
    });
    list.insert(list.end(), opened_.begin(), opened_.end());
    return true;
  }

  /// Looks for the answers of cells that are sites or have a cell beside them that found its own
  /// right there; it ends at the first cell of each row that has too few sites around.
  void find_near(const CellBlock& block) {
    for (std::int64_t z = block.begin[0]; z < block.end[0]; ++z)
      for (std::int64_t y = block.begin[1]; y < block.end[1]; ++y) {
        bool is_found = false;
        for (std::int64_t x = block.begin[2]; x < block.end[2]; ++x) {
          const Axes cell{z, y, x};
          is_found = (is_found || near_->is_site(cell)) && finds_near(cell);
          is_found_[static_cast<std::size_t>(place_of(cell))] = is_found ? 1 : 0;
        }
      }
  }

  /// Whether the walk around a cell comes to all of its answers, which are kept then.
  bool finds_near(const Axes& cell) {
    const std::size_t first = at(cell);
    const std::size_t last = first + static_cast<std::size_t>(query_.k - 1);
    const Scalar bound = limit();
    std::int64_t found = 0;
    near_->walk(cell, [&](std::int64_t exact, std::int64_t index) {
      const Scalar own = static_cast<Scalar>(exact);
      if (own > bound || (found == query_.k && own > exact_[last])) return false;
      const ListedSite site{{}, index, 0};
      found = insert(first, found, {{}, {}, &site, own});
      return true;
    });
    if (found == query_.k || bound <= static_cast<Scalar>(near_->reached())) return true;
    std::fill_n(sites_.begin() + static_cast<std::ptrdiff_t>(first), found, kUnreached);
    return false;
  }

  bool is_found(const CellBlock& block) const {
    for (std::int64_t z = block.begin[0]; z < block.end[0]; ++z)
      for (std::int64_t y = block.begin[1]; y < block.end[1]; ++y) {
        const auto row = is_found_.begin() + place_of({z, y, block.begin[2]});
        if (std::find(row, row + block.side(2), 0) != row + block.side(2)) return false;
      }
    return true;
  }

  /// Searches a part of the block with the list of its parent, lists_[depth].
  void search_part(const CellBlock& block, std::size_t depth) {
    if (near_ != nullptr && is_found(block)) return;
    List& list = lists_[depth];
    if (query_.k == 1 && boxes_.has_inner() && is_inner(block)) list.clear();
    prune(list);
    while (open(list, block, measure_.size_of_block(block))) prune(list);
    drop_beaten(list, block);
    if (is_ready(block, list)) {
      while (open(list, block, Scalar{-1})) prune(list);
      return answer(block, list);
    }
    if (lists_.size() == depth + 1) lists_.emplace_back();
    for (const bool second : {false, true}) {
      const CellBlock half = half_of(block, second);
      List& own = lists_[depth + 1];
      own.clear();
      for (const Item& each : lists_[depth])
        own.push_back(measure_.item(each.level, each.place, half));
      search_part(half, depth + 1);
    }
  }

  /// Whether all cells are sites that are not listed, so that each is nearest to itself.
  bool is_inner(const CellBlock& block) const {
    for (std::int64_t z = block.begin[0]; z < block.end[0]; ++z)
      for (std::int64_t y = block.begin[1]; y < block.end[1]; ++y)
        for (std::int64_t x = block.begin[2]; x < block.end[2]; ++x)
          if (!boxes_.inner(problem_.extent, {z, y, x})) return false;
    return true;
  }

  /// Whether comparing each cell with all that the list holds costs less than halving the block.
  bool is_ready(const CellBlock& block, const List& list) const {
    constexpr std::int64_t kFewCells = 16;
    const std::int64_t few_sites = 2 * query_.k + (block.cells() <= kFewCells ? 64 : 6);
    if (block.cells() == 1) return true;
    std::int64_t sites = 0;
    for (const Item& item : list) {
      sites += boxes_.sites_in(item.level, item.place);
      if (sites > few_sites) return false;
    }
    return true;
  }

  CellBlock half_of(const CellBlock& block, bool second) const {
    std::size_t longest = 0;
    Scalar size{-1};
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const Scalar side = measure_.part(axis, block.side(axis) - 1);
      if (block.side(axis) < 2 || side <= size) continue;
      longest = axis;
      size = side;
    }
    CellBlock half = block;
    const std::int64_t middle = block.begin[longest] + block.side(longest) / 2;
    (second ? half.begin : half.end)[longest] = middle;
    return half;
  }

  /// Compares each cell of a block with the sites of a list, the nearer ones first.
  void answer(const CellBlock& block, List& list) {
    std::sort(list.begin(), list.end(),
              [](const Item& a, const Item& b) { return a.least < b.least; });
    for (std::int64_t z = block.begin[0]; z < block.end[0]; ++z)
      for (std::int64_t y = block.begin[1]; y < block.end[1]; ++y) {
        row_.clear();
        for (const Item& item : list) {
          const ListedSite& site = boxes_.site(item.place);
          const Scalar of_row = Geometry::combine(measure_.part(0, axis_distance(0, z, site)),
                                                  measure_.part(1, axis_distance(1, y, site)));
          row_.push_back({item.least, of_row, &site});
        }
        for (std::int64_t x = block.begin[2]; x < block.end[2]; ++x) answer_cell({z, y, x});
      }
  }

  std::int64_t axis_distance(std::size_t axis, std::int64_t cell, const ListedSite& site) const {
    return periodic_distance(cell << problem_.fraction_bits, site.at[axis], problem_.period[axis]);
  }

  void answer_cell(const Axes& cell) {
    if (near_ != nullptr && is_found_[static_cast<std::size_t>(place_of(cell))] != 0) return;
    const std::size_t first = at(cell);
    const std::size_t last = first + static_cast<std::size_t>(query_.k - 1);
    std::int64_t found = 0;
    std::size_t compared = 0;
    std::optional<ListedSite> own;
    if (boxes_.has_inner()) own = boxes_.inner(problem_.extent, cell);
    if (own) found = insert(first, found, {{}, {}, &*own});
    for (; compared < row_.size(); ++compared) {
      RowSite& each = row_[compared];
      if (found == query_.k && each.least > exact_[last]) break;
      each.exact =
          Geometry::combine(each.of_row, measure_.part(2, axis_distance(2, cell[2], *each.site)));
      found = query_.by_label ? insert_label(first, found, each) : insert(first, found, each);
    }
    if (!query_.counts_ties || found == 0) return;
    ties_[first] = own ? std::uint8_t{1} : count_labels(compared, exact_[first]);
  }

  /// A site: its least S to the block, its part in S of a row, and S of a cell.
  struct RowSite {
    Scalar least, of_row;
    const ListedSite* site;
    Scalar exact{};
  };

  bool is_before(const RowSite& each, std::size_t place) const {
    return each.exact < exact_[place] ||
           (each.exact == exact_[place] && each.site->index < sites_[place]);
  }

  void put(std::size_t place, const RowSite& each) {
    exact_[place] = each.exact;
    sites_[place] = each.site->index;
    if (query_.by_label) groups_[place] = each.site->group;
  }

  void move(std::size_t from, std::size_t to) {
    exact_[to] = exact_[from];
    sites_[to] = sites_[from];
    if (query_.by_label) groups_[to] = groups_[from];
  }

  /// Puts a site in place of the one of this rank, or of one before that, which then moves there.
  void settle(std::size_t first, std::int64_t rank, const RowSite& each) {
    std::size_t place = first + static_cast<std::size_t>(rank);
    for (; place > first && is_before(each, place - 1); --place) move(place - 1, place);
    put(place, each);
  }

  /// Puts a site among the `found` nearest so far, and returns how many there are then.
  std::int64_t insert(std::size_t first, std::int64_t found, const RowSite& each) {
    const bool is_full = found == query_.k;
    if (is_full && !is_before(each, first + static_cast<std::size_t>(found - 1))) return found;
    settle(first, is_full ? found - 1 : found, each);
    return std::min(found + 1, query_.k);
  }

  /// The same where a label has one place at most.
  std::int64_t insert_label(std::size_t first, std::int64_t found, const RowSite& each) {
    const auto begin = groups_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + found;
    const auto own = std::find(begin, end, each.site->group);
    if (own == end) return insert(first, found, each);
    const std::ptrdiff_t rank = own - begin;
    if (is_before(each, first + static_cast<std::size_t>(rank))) settle(first, rank, each);
    return found;
  }

  /// How many labels the first `compared` sites at `exact` have, up to 255.
  std::uint8_t count_labels(std::size_t compared, Scalar exact) {
    tied_.clear();
    for (std::size_t i = 0; i < compared; ++i)
      if (row_[i].exact == exact) tied_.push_back(row_[i].site->group);
    std::sort(tied_.begin(), tied_.end());
    const auto end = std::unique(tied_.begin(), tied_.end());
    return static_cast<std::uint8_t>(std::min<std::int64_t>(end - tied_.begin(), kMostTies));
  }

  const Problem& problem_;
  const SiteBoxes& boxes_;
  const NearSites* near_;
  BlockQuery query_;
  BlockMeasure<Geometry, Scalar> measure_;
  CellBlock whole_{};

  // The k answers of each cell of the block, one cell after the other.
  std::vector<std::int64_t> sites_;
  std::vector<Scalar> exact_;
  std::vector<std::uint32_t> groups_;
  std::vector<std::uint8_t> ties_;
  std::vector<std::uint8_t> is_found_;  ///< of each cell: whether find_near() has its answers

  std::vector<List> lists_;  ///< of the block, its half, the half of that …
  List opened_;
  std::vector<Reach> reaches_;
  CornerBounds<Geometry, Scalar> corners_;
  std::vector<Scalar> bounds_;
  std::vector<RowSite> row_;
  std::vector<std::uint32_t> tied_;
};

}  // namespace thiessen::cpu

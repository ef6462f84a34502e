// SPDX-License-Identifier: Apache-2.0
#include "cpu/solvers/nearest_repair.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "core/order/spans.hpp"
#include "core/search/geometry.hpp"
#include "core/search/result_writer.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu::solvers {
namespace {

/// A cell whose winner is sought.
constexpr std::int32_t kOpen = -3;
/// The cells of a tile, row by row, with gaps where it goes beyond the raster.
using TileCells = std::array<std::int32_t, kTileCells>;

constexpr std::int32_t kNoCopy = -1;

/// The entry of a site in a list in ascending order, or null.
template <class Entry>
const Entry* find_site(const std::vector<Entry>& entries, std::int64_t site) {
  if (entries.empty()) return nullptr;
  const auto at =
      std::lower_bound(entries.begin(), entries.end(), site,
                       [](const Entry& each, std::int64_t sought) { return each.site < sought; });
  return at != entries.end() && at->site == site ? &*at : nullptr;
}

template <class Geometry, class Scalar>
class Repair final : public NearestRepair {
 public:
  Repair(const Problem& problem, const TileTree& tree, const SiteTable& sites, NearestMap& map)
      : problem_(problem),
        tree_(tree),
        sites_(sites),
        map_(map),
        factor_(factors_of<Scalar>(problem)),
        greatest_(static_cast<std::size_t>(tree.nodes()), kInfinite),
        copy_of_(static_cast<std::size_t>(tree.tiles()), kNoCopy),
        slab_(whole_raster(problem)) {}

  void compare(NearestMap& fresh, std::int32_t above, const std::vector<SiteEdits::Move>& moved,
               ChangeList& changes) override;
  void write_all(ContextState& state, const NearestMap& map, ProblemViews views,
                 const std::function<void(std::int64_t z, std::int64_t y)>& write_labels) override;
  void replace(NearestMap& fresh) noexcept override;
  void list(const NearestMap& before, const std::vector<SiteEdits::Move>& moved,
            ChangedList& cells) override;
  bool repair(ContextState& state, const SiteEdits& edits, std::int64_t work) override;
  void list(ChangeList& changes) override;
  void write(const ProblemViews& views) override;
  void roll_back() override;
  std::size_t bytes() const override {
    return greatest_.capacity() * sizeof(Scalar) + copy_of_.capacity() * sizeof(std::int32_t) +
           copies_.capacity() * sizeof(TileCells) + candidates_.capacity() * sizeof(Candidate) +
           (copied_.capacity() + open_tiles_.capacity()) * sizeof(std::int64_t) +
           stack_.capacity() * sizeof(Node) + row_parts_.capacity() * sizeof(Scalar);
  }

 private:
  /// More than any S.
  static constexpr Scalar kInfinite = Scalar{1} << (sizeof(Scalar) * 8 - 2);

  /// A site with its part in S of a row.
  struct RowSite {
    std::int64_t site = kUnreached;
    Axes place{};
    Scalar part{};
  };

  struct Candidate {
    std::int64_t site;
    Axes place;
    Scalar least;  ///< least S to the box
  };

  Scalar limit() const { return static_cast<Scalar>(problem_.limit); }

  Scalar part(std::size_t axis, std::int64_t distance) const {
    return Geometry::along(factor_[axis], distance);
  }
  Scalar part_of_cell(std::size_t axis, std::int64_t cell, const Axes& place) const {
    return part(axis, periodic_distance(cell << problem_.fraction_bits, place[axis],
                                        problem_.period[axis]));
  }
  Scalar part_of_row(std::int64_t z, std::int64_t y, const Axes& place) const {
    return Geometry::combine(part_of_cell(0, z, place), part_of_cell(1, y, place));
  }
  Scalar exact(const RowSite& site, std::int64_t x) const {
    return Geometry::combine(site.part, part_of_cell(2, x, site.place));
  }
  void go_to(RowSite& row, std::int64_t site, std::int64_t z, std::int64_t y) const {
    if (row.site == site) return;
    row = {site, sites_.place(site), {}};
    row.part = part_of_row(z, y, row.place);
  }

  static Spans spans_of(const Axes& place) {
    return {Span{place[0], place[0]}, Span{place[1], place[1]}, Span{place[2], place[2]}};
  }
  /// The centres of the cells of a box.
  Spans centres_of(const CellBox& box) const {
    Spans spans;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      spans[axis] = {box.first[axis] << problem_.fraction_bits, (box.end[axis] - 1)
                                                                    << problem_.fraction_bits};
    return spans;
  }
  /// Where the sites of a node are: tiles at the edges have those outside of the grid, too.
  Spans places_of(const Node& node) const {
    const CellBox box = tree_.cells(node);
    Spans spans;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const bool is_open = sites_.is_list() && problem_.period[axis] == kNoPeriod;
      spans[axis].low =
          is_open && box.first[axis] == 0 ? -kBeyond : box.first[axis] << problem_.fraction_bits;
      spans[axis].high = is_open && box.end[axis] == problem_.extent[axis]
                             ? kBeyond
                             : (box.end[axis] << problem_.fraction_bits) - 1;
    }
    return spans;
  }
  Scalar least(const Spans& a, const Spans& b) const {
    const auto along = [&](std::size_t axis) {
      return part(axis, least_span_distance(a[axis], b[axis], problem_.period[axis]));
    };
    return Geometry::combine(Geometry::combine(along(0), along(1)), along(2));
  }
  Scalar most(const Axes& place, const Spans& box) const {
    const auto along = [&](std::size_t axis) {
      return part(axis, greatest_span_distance(place[axis], box[axis], problem_.period[axis]));
    };
    return Geometry::combine(Geometry::combine(along(0), along(1)), along(2));
  }

  std::int32_t* row_of(std::int64_t z, std::int64_t y) const {
    return map_.data() + to_index(problem_.extent, {z, y, 0});
  }
  /// Calls visit(z, y, row) for the rows of a box.
  template <class Visit>
  void for_each_row(const CellBox& box, Visit&& visit) const {
    for (std::int64_t z = box.first[0]; z < box.end[0]; ++z)
      for (std::int64_t y = box.first[1]; y < box.end[1]; ++y) visit(z, y, row_of(z, y));
  }

  Scalar& greatest(const Node& node) {
    return greatest_[static_cast<std::size_t>(tree_.number(node))];
  }
  void measure(ContextState& state, const std::vector<SiteEdits::Place>& went);
  template <class PlaceOf>
  Scalar measured(const Node& tile, const PlaceOf& place_of) const;
  Scalar measured_run(const RowSite& site, std::int64_t first, std::int64_t end) const;
  Scalar greatest_of_children(const Node& node);
  void lower(Node node);

  bool change(const SiteEdits& edits, std::int64_t work);

  template <class Visit>
  void for_each_tile_near(const Axes& place, Visit&& visit);

  TileCells& save(const Node& tile);
  void forget_copies();

  void open_cells(const Node& tile, std::int64_t site);
  void set_cell(std::int64_t index, std::int32_t value);
  void note_relabelled(std::int64_t site);
  bool solve_open_cells(std::int64_t work);
  CellBox open_box(const Node& tile) const;
  void gather(const Node& node);
  void settle(const CellBox& box, std::size_t count);
  std::size_t keep_near(const Spans& box, std::size_t count);
  void settle_cells(const CellBox& box, std::size_t count);
  void take_cells(const Node& tile, std::int64_t site, const Axes& place);

  bool has_other_distance(const SiteEdits::Move& move, std::int64_t z, std::int64_t y,
                          std::int64_t x) const;
  bool is_relabelled(std::int64_t site) const;
  void mark_other_distances(const Chunk& chunk, const std::int32_t* now,
                            std::uint8_t* differs) const;
  void mark_differences(const Chunk& chunk, const std::int32_t* before, const std::int32_t* now,
                        std::uint8_t* differs) const;
  template <class Visit>
  void for_each_row_of_copies(const Visit& visit) const;
  const std::int32_t* row_before(const Node& tile, std::int64_t z, std::int64_t y) const;
  template <class Visit>
  void for_each_looked_at(const Node& tile, std::int64_t z, std::int64_t y,
                          const Visit& visit) const;
  void write_run(const ResultWriter<Scalar>& writer, const std::int32_t* row, const Chunk& run,
                 Winners<Scalar>& winners) const;

  const Problem& problem_;
  const TileTree& tree_;
  const SiteTable& sites_;
  NearestMap& map_;
  std::array<Scalar, kAxes> factor_;
  std::vector<Scalar> greatest_;  ///< of each node an S that none of its cells exceeds
  bool is_measured_ = false;      ///< whether that is so

  std::vector<std::int32_t> copy_of_;  ///< of each tile: which of the copies, or kNoCopy
  std::vector<std::int64_t> copied_;   ///< tiles
  std::vector<TileCells> copies_;
  std::vector<std::int64_t> open_tiles_;
  std::vector<Node> stack_;
  std::vector<Candidate> candidates_;
  std::vector<Scalar> row_parts_;
  Spans box_{};     ///< that candidates are gathered for
  Scalar bound_{};  ///< S that no winner of the box exceeds
  std::int64_t work_ = 0;

  const std::vector<SiteEdits::Move>* moved_ = nullptr;
  const std::vector<std::int64_t>* relabelled_ = nullptr;
  Slab slab_;
  Winners<Scalar> winners_;
};

// ---- the greatest S of tiles ----

/// On an axis that is not periodic, S is greatest at an end.
template <class Geometry, class Scalar>
Scalar Repair<Geometry, Scalar>::measured_run(const RowSite& site, std::int64_t first,
                                              std::int64_t end) const {
  Scalar most = std::max(exact(site, first), exact(site, end - 1));
  if (problem_.period[2] != kNoPeriod)
    for (std::int64_t x = first + 1; x < end - 1; ++x) most = std::max(most, exact(site, x));
  return most;
}

/// Infinite if a cell is unreached, -1 if all are nodata.
template <class Geometry, class Scalar>
template <class PlaceOf>
Scalar Repair<Geometry, Scalar>::measured(const Node& tile, const PlaceOf& place_of) const {
  const CellBox box = tree_.cells(tile);
  Scalar most = -1;
  for_each_row(box, [&](std::int64_t z, std::int64_t y, const std::int32_t* row) {
    for (std::int64_t x = box.first[2]; x < box.end[2];) {
      const std::int64_t first = x;
      const std::int32_t own = row[x];
      while (x < box.end[2] && row[x] == own) ++x;
      if (own == kUnreached) most = kInfinite;
      if (own < 0) continue;
      const Axes place = place_of(own);
      most = std::max(most, measured_run({own, place, part_of_row(z, y, place)}, first, x));
    }
  });
  return most;
}

template <class Geometry, class Scalar>
Scalar Repair<Geometry, Scalar>::greatest_of_children(const Node& node) {
  Scalar most = -1;
  tree_.for_each_child(node, [&](const Node& child) { most = std::max(most, greatest(child)); });
  return most;
}

/// Measures a tile, and what is above it, again.
template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::lower(Node node) {
  Scalar value = measured(node, [&](std::int64_t site) { return sites_.place(site); });
  for (;;) {
    if (greatest(node) == value) return;
    greatest(node) = value;
    if (tree_.is_root(node)) return;
    node = tree_.parent(node);
    value = greatest_of_children(node);
  }
}

/// Measures all tiles, when sites that went may be elsewhere already.
template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::measure(ContextState& state,
                                       const std::vector<SiteEdits::Place>& went) {
  constexpr std::int64_t kTilesAtOnce = 256;
  const auto place_of = [&](std::int64_t site) {
    const SiteEdits::Place* const former = find_site(went, site);
    return former != nullptr ? former->place : sites_.place(site);
  };
  parallel_for(state, tree_.tiles(), kTilesAtOnce, 0,
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t i = begin; i < end; ++i)
                   greatest_[static_cast<std::size_t>(i)] = measured(tree_.tile(i), place_of);
               });
  for (std::int64_t i = tree_.tiles(); i < tree_.nodes(); ++i)
    greatest_[static_cast<std::size_t>(i)] = greatest_of_children(tree_.node(i));
  is_measured_ = true;
}

// ---- from sites to tiles ----

/// Calls visit(tile) for the tiles with a cell that a site at `place` can have.
template <class Geometry, class Scalar>
template <class Visit>
void Repair<Geometry, Scalar>::for_each_tile_near(const Axes& place, Visit&& visit) {
  const Spans at = spans_of(place);
  const auto is_near = [&](const Node& node) {
    ++work_;
    return least(at, centres_of(tree_.cells(node))) <= std::min(greatest(node), limit());
  };
  stack_.clear();
  if (is_near(tree_.root())) stack_.push_back(tree_.root());
  while (!stack_.empty()) {
    const Node node = stack_.back();
    stack_.pop_back();
    if (node.level == 0) {
      visit(node);
      work_ += kTileCells / 4;
      continue;
    }
    tree_.for_each_child(node, [&](const Node& child) {
      if (is_near(child)) stack_.push_back(child);
    });
  }
}

// ---- copies of tiles ----

template <class Geometry, class Scalar>
TileCells& Repair<Geometry, Scalar>::save(const Node& tile) {
  const std::int64_t number = tree_.number(tile);
  std::int32_t& copy = copy_of_[static_cast<std::size_t>(number)];
  if (copy == kNoCopy) {
    copied_.push_back(number);
    copies_.resize(copied_.size());
    copy = static_cast<std::int32_t>(copied_.size() - 1);
    const CellBox box = tree_.cells(tile);
    for_each_row(box, [&](std::int64_t z, std::int64_t y, const std::int32_t* row) {
      std::copy(row + box.first[2], row + box.end[2],
                copies_.back().begin() + tree_.place_in_tile({z, y, box.first[2]}));
    });
  }
  return copies_[static_cast<std::size_t>(copy)];
}

template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::roll_back() {
  for (const std::int64_t number : copied_) {
    const CellBox box = tree_.cells(tree_.tile(number));
    const auto copy = static_cast<std::size_t>(copy_of_[static_cast<std::size_t>(number)]);
    for_each_row(box, [&](std::int64_t z, std::int64_t y, std::int32_t* row) {
      const auto* const from = copies_[copy].data() + tree_.place_in_tile({z, y, box.first[2]});
      std::copy(from, from + (box.end[2] - box.first[2]), row + box.first[2]);
    });
  }
  forget_copies();
}

template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::forget_copies() {
  for (const std::int64_t tile : copied_) copy_of_[static_cast<std::size_t>(tile)] = kNoCopy;
  copied_.clear();
  copies_.clear();
  open_tiles_.clear();
}

// ---- 1: sites that went ----

template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::open_cells(const Node& tile, std::int64_t site) {
  const CellBox box = tree_.cells(tile);
  const auto own = static_cast<std::int32_t>(site);
  bool found = false;
  for_each_row(box, [&](std::int64_t, std::int64_t, std::int32_t* row) {
    if (!found && std::find(row + box.first[2], row + box.end[2], own) != row + box.end[2]) {
      found = true;
      save(tile);
    }
    if (found) std::replace(row + box.first[2], row + box.end[2], own, kOpen);
  });
  if (found) open_tiles_.push_back(tree_.number(tile));
}

template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::set_cell(std::int64_t index, std::int32_t value) {
  const Node tile = tree_.tile_of(to_cell(problem_.extent, index));
  save(tile);
  map_[static_cast<std::size_t>(index)] = value;
  if (value == kOpen) open_tiles_.push_back(tree_.number(tile));
}

/// Copies the tiles where a site has cells, so that they are written.
template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::note_relabelled(std::int64_t site) {
  for_each_tile_near(sites_.place(site), [&](const Node& tile) {
    const CellBox box = tree_.cells(tile);
    bool found = false;
    for_each_row(box, [&](std::int64_t, std::int64_t, const std::int32_t* row) {
      const auto* const end = row + box.end[2];
      found = found || std::find(row + box.first[2], end, static_cast<std::int32_t>(site)) != end;
    });
    if (found) save(tile);
  });
}

// ---- 2: open cells ----

template <class Geometry, class Scalar>
CellBox Repair<Geometry, Scalar>::open_box(const Node& tile) const {
  const CellBox box = tree_.cells(tile);
  CellBox open{box.end, box.first};
  for_each_row(box, [&](std::int64_t z, std::int64_t y, const std::int32_t* row) {
    for (std::int64_t x = box.first[2]; x < box.end[2]; ++x) {
      if (row[x] != kOpen) continue;
      const Axes cell{z, y, x};
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        open.first[axis] = std::min(open.first[axis], cell[axis]);
        open.end[axis] = std::max(open.end[axis], cell[axis] + 1);
      }
    }
  });
  return open;
}

/// Adds the sites of a node whose least S to the box is no more than the bound, which falls with
/// them: nodes that are nearer come first.
template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::gather(const Node& node) {
  if (node.level == 0) {
    sites_.for_each_site(node, [&](std::int64_t site, const Axes& place) {
      ++work_;
      const Scalar own = least(spans_of(place), box_);
      if (own > bound_) return;
      bound_ = std::min(bound_, most(place, box_));
      candidates_.push_back({site, place, own});
    });
    return;
  }
  constexpr std::size_t kMostChildren = 16;
  std::array<std::pair<Scalar, Node>, kMostChildren> children;
  std::size_t count = 0;
  tree_.for_each_child(node, [&](const Node& child) {
    if (sites_.count(child) == 0) return;
    ++work_;
    const Scalar own = least(places_of(child), box_);
    if (own > bound_) return;
    std::size_t at = count++;
    for (; at > 0 && own < children[at - 1].first; --at) children[at] = children[at - 1];
    children[at] = {own, child};
  });
  for (std::size_t i = 0; i < count; ++i)
    if (children[i].first <= bound_) gather(children[i].second);
}

/// Moves those of the first `count` candidates that can win a cell of the box to the front, and
/// returns their number.
template <class Geometry, class Scalar>
std::size_t Repair<Geometry, Scalar>::keep_near(const Spans& box, std::size_t count) {
  Scalar bound = limit();
  for (std::size_t i = 0; i < count; ++i) bound = std::min(bound, most(candidates_[i].place, box));
  const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(count);
  const auto kept = std::partition(candidates_.begin(), end, [&](const Candidate& each) {
    return least(spans_of(each.place), box) <= bound;
  });
  return static_cast<std::size_t>(kept - candidates_.begin());
}

/// Solves the open cells of a box, whose winners are among the first `count` candidates. The order
/// of these changes.
template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::settle(const CellBox& box, std::size_t count) {
  constexpr std::int64_t kFewCells = 8;
  constexpr std::size_t kFewCandidates = 4;
  work_ += static_cast<std::int64_t>(count);
  count = keep_near(centres_of(box), count);
  if (count <= kFewCandidates || box.cells() <= kFewCells) return settle_cells(box, count);
  std::size_t longest = 0;
  for (std::size_t axis = 1; axis < kAxes; ++axis)
    if (box.end[axis] - box.first[axis] > box.end[longest] - box.first[longest]) longest = axis;
  const std::int64_t middle = (box.first[longest] + box.end[longest]) / 2;
  CellBox half = box;
  half.end[longest] = middle;
  settle(half, count);
  half = box;
  half.first[longest] = middle;
  settle(half, count);
}

template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::settle_cells(const CellBox& box, std::size_t count) {
  work_ += box.cells() * static_cast<std::int64_t>(count + 1);
  row_parts_.resize(std::max(row_parts_.size(), count));
  for_each_row(box, [&](std::int64_t z, std::int64_t y, std::int32_t* row) {
    for (std::size_t i = 0; i < count; ++i) row_parts_[i] = part_of_row(z, y, candidates_[i].place);
    for (std::int64_t x = box.first[2]; x < box.end[2]; ++x) {
      if (row[x] != kOpen) continue;
      std::int64_t best = kUnreached;
      Scalar best_exact = limit();
      for (std::size_t i = 0; i < count; ++i) {
        const Candidate& each = candidates_[i];
        const Scalar own = Geometry::combine(row_parts_[i], part_of_cell(2, x, each.place));
        if (own > best_exact || (own == best_exact && best >= 0 && best < each.site)) continue;
        best = each.site;
        best_exact = own;
      }
      row[x] = static_cast<std::int32_t>(best);
    }
  });
}

template <class Geometry, class Scalar>
bool Repair<Geometry, Scalar>::solve_open_cells(std::int64_t work) {
  std::sort(open_tiles_.begin(), open_tiles_.end());
  open_tiles_.erase(std::unique(open_tiles_.begin(), open_tiles_.end()), open_tiles_.end());
  for (const std::int64_t number : open_tiles_) {
    const Node tile = tree_.tile(number);
    const CellBox box = open_box(tile);
    if (box.cells() <= 0) continue;
    box_ = centres_of(box);
    bound_ = limit();
    candidates_.clear();
    if (sites_.sites() > 0) gather(tree_.root());
    settle(box, candidates_.size());
    if (work_ > work) return false;
  }
  return true;
}

// ---- 3: sites that came ----

template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::take_cells(const Node& tile, std::int64_t site, const Axes& place) {
  const CellBox box = tree_.cells(tile);
  for_each_row(box, [&](std::int64_t z, std::int64_t y, std::int32_t* row) {
    const RowSite own{site, place, part_of_row(z, y, place)};
    if (own.part > limit()) return;
    RowSite other;
    for (std::int64_t x = box.first[2]; x < box.end[2]; ++x) {
      const std::int32_t now = row[x];
      if (now == site || now == kNodata) continue;
      const Scalar own_exact = exact(own, x);
      if (own_exact > limit()) continue;
      if (now >= 0) {
        go_to(other, now, z, y);
        const Scalar other_exact = exact(other, x);
        if (own_exact > other_exact || (own_exact == other_exact && now < site)) continue;
      }
      save(tile);
      row[x] = static_cast<std::int32_t>(site);
    }
  });
}

/// Does the three steps. Returns false if they take more than `work` steps.
template <class Geometry, class Scalar>
bool Repair<Geometry, Scalar>::change(const SiteEdits& edits, std::int64_t work) {
  for (const SiteEdits::Place& went : edits.went) {
    for_each_tile_near(went.place, [&](const Node& tile) { open_cells(tile, went.site); });
    if (work_ > work) return false;
  }
  for (const std::int64_t cell : edits.from_nodata) set_cell(cell, kOpen);
  for (const std::int64_t cell : edits.to_nodata)
    set_cell(cell, static_cast<std::int32_t>(kNodata));
  if (!solve_open_cells(work)) return false;
  for (const std::int64_t site : edits.came) {
    const Axes place = sites_.place(site);
    for_each_tile_near(place, [&](const Node& tile) { take_cells(tile, site, place); });
    if (work_ > work) return false;
  }
  for (const std::int64_t site : edits.relabelled) {
    note_relabelled(site);
    if (work_ > work) return false;
  }
  return true;
}

template <class Geometry, class Scalar>
bool Repair<Geometry, Scalar>::repair(ContextState& state, const SiteEdits& edits,
                                      std::int64_t work) {
  if (!is_measured_) measure(state, edits.went);
  moved_ = &edits.moved;
  relabelled_ = &edits.relabelled;
  work_ = 0;
  if (!change(edits, work)) {
    roll_back();
    return false;
  }
  std::sort(copied_.begin(), copied_.end());
  for (const std::int64_t tile : copied_) lower(tree_.tile(tile));
  return true;
}

// ---- what changed ----

template <class Geometry, class Scalar>
bool Repair<Geometry, Scalar>::is_relabelled(std::int64_t site) const {
  return std::binary_search(relabelled_->begin(), relabelled_->end(), site);
}

/// Whether the distance of a cell to its site, as f64, is another one than it was.
template <class Geometry, class Scalar>
bool Repair<Geometry, Scalar>::has_other_distance(const SiteEdits::Move& move, std::int64_t z,
                                                  std::int64_t y, std::int64_t x) const {
  const auto exact_to = [&](const Axes& place) {
    return Geometry::combine(part_of_row(z, y, place), part_of_cell(2, x, place));
  };
  const Scalar before = exact_to(move.before);
  const Scalar now = exact_to(move.now);
  return before != now && to_distance(problem_.weights, problem_.metric, before) !=
                              to_distance(problem_.weights, problem_.metric, now);
}

/// Writes cells of a row of a map.
template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::write_run(const ResultWriter<Scalar>& writer,
                                         const std::int32_t* row, const Chunk& run,
                                         Winners<Scalar>& winners) const {
  RowSite site;
  for (std::int64_t i = 0; i < run.count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::int64_t x = run.x + i;
    winners.site[at] = row[x];
    winners.exact[at] = 0;
    if (row[x] < 0) continue;
    go_to(site, row[x], run.z, run.y);
    winners.exact[at] = exact(site, x);
  }
  writer.write(run, winners);
}

template <class Geometry, class Scalar>
const std::int32_t* Repair<Geometry, Scalar>::row_before(const Node& tile, std::int64_t z,
                                                         std::int64_t y) const {
  const auto copy =
      static_cast<std::size_t>(copy_of_[static_cast<std::size_t>(tree_.number(tile))]);
  return copies_[copy].data() + tree_.place_in_tile({z, y, tree_.cells(tile).first[2]});
}

/// Calls visit(x, before, now, differs, written) for the cells of a row of a tile: whether their
/// site or distance is another one, and whether their outputs may be.
template <class Geometry, class Scalar>
template <class Visit>
void Repair<Geometry, Scalar>::for_each_looked_at(const Node& tile, std::int64_t z, std::int64_t y,
                                                  const Visit& visit) const {
  const CellBox box = tree_.cells(tile);
  const std::int32_t* const before = row_before(tile, z, y);
  const std::int32_t* const row = row_of(z, y);
  std::int64_t looked_up = kUnreached;  // the site of which the next two tell
  const SiteEdits::Move* move = nullptr;
  bool relabelled = false;
  for (std::int64_t x = box.first[2]; x < box.end[2]; ++x) {
    const std::int32_t old = before[x - box.first[2]];
    const std::int32_t now = row[x];
    if (old != now) {
      visit(x, old, now, true, true);
      continue;
    }
    if (now >= 0 && now != looked_up) {
      looked_up = now;
      move = find_site(*moved_, now);
      relabelled = is_relabelled(now);
    }
    const bool moved = now >= 0 && move != nullptr;
    visit(x, old, now, moved && has_other_distance(*move, z, y, x),
          moved || (now >= 0 && relabelled));
  }
}

/// Calls visit(tile, z, y) for the rows of tiles that were copied, in the order of cells: row by
/// row through the tiles that are side by side.
template <class Geometry, class Scalar>
template <class Visit>
void Repair<Geometry, Scalar>::for_each_row_of_copies(const Visit& visit) const {
  const auto tile_at = [&](std::size_t i) { return tree_.tile(copied_[i]); };
  const auto end_of = [&](std::size_t first, std::size_t end, std::size_t axis) {
    const std::int64_t at = tile_at(first).at[axis];
    std::size_t i = first;
    while (i < end && tile_at(i).at[axis] == at) ++i;
    return i;
  };
  for (std::size_t layer = 0; layer < copied_.size();) {
    const std::size_t layer_end = end_of(layer, copied_.size(), 0);
    const CellBox box = tree_.cells(tile_at(layer));
    for (std::int64_t z = box.first[0]; z < box.end[0]; ++z)
      for (std::size_t first = layer; first < layer_end;) {
        const std::size_t end = end_of(first, layer_end, 1);
        const CellBox rows = tree_.cells(tile_at(first));
        for (std::int64_t y = rows.first[1]; y < rows.end[1]; ++y)
          for (std::size_t i = first; i < end; ++i) visit(tile_at(i), z, y);
        first = end;
      }
    layer = layer_end;
  }
}

template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::list(ChangeList& changes) {
  for_each_row_of_copies([&](const Node& tile, std::int64_t z, std::int64_t y) {
    changes.go_to_row(z, y, row_of(z, y) - map_.data());
    for_each_looked_at(
        tile, z, y, [&](std::int64_t x, std::int32_t before, std::int32_t now, bool differs, bool) {
          if (differs) changes.add(x, before, now);
        });
  });
}

template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::write(const ProblemViews& views) {
  const ResultWriter<Scalar> writer(problem_, slab_, views, Write::all);
  for_each_row_of_copies([&](const Node& tile, std::int64_t z, std::int64_t y) {
    Chunk run{z, y, 0, 0};
    const auto write_out = [&] {
      if (run.count > 0) write_run(writer, row_of(z, y), run, winners_);
      run.count = 0;
    };
    for_each_looked_at(tile, z, y,
                       [&](std::int64_t x, std::int32_t, std::int32_t, bool, bool written) {
                         if (!written) return write_out();
                         if (run.count++ == 0) run.x = x;
                       });
    write_out();
  });
  forget_copies();
}

/// Sets differs[i] to 1 where a cell keeps its site, but not its distance.
template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::mark_other_distances(const Chunk& chunk, const std::int32_t* now,
                                                    std::uint8_t* differs) const {
  if (std::memchr(differs, 0, static_cast<std::size_t>(chunk.count)) == nullptr) return;
  std::int64_t looked_up = kUnreached;  // the site that `move` is of
  const SiteEdits::Move* move = nullptr;
  for (std::int64_t i = 0; i < chunk.count; ++i) {
    if (differs[i] != 0 || now[i] < 0) continue;
    if (now[i] != looked_up) {
      looked_up = now[i];
      move = find_site(*moved_, looked_up);
    }
    if (move != nullptr && has_other_distance(*move, chunk.z, chunk.y, chunk.x + i)) differs[i] = 1;
  }
}

/// Sets differs[i] to 1 where the site or the distance of a cell is another one, else to 0.
template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::mark_differences(const Chunk& chunk, const std::int32_t* before,
                                                const std::int32_t* now,
                                                std::uint8_t* differs) const {
  for (std::int64_t i = 0; i < chunk.count; ++i) differs[i] = before[i] != now[i] ? 1 : 0;
  if (!moved_->empty()) mark_other_distances(chunk, now, differs);
}

template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::compare(NearestMap& fresh, std::int32_t above,
                                       const std::vector<SiteEdits::Move>& moved,
                                       ChangeList& changes) {
  moved_ = &moved;
  std::array<std::uint8_t, kChunk> differs;
  for_each_row({{0, 0, 0}, problem_.extent},
               [&](std::int64_t z, std::int64_t y, const std::int32_t* row) {
                 const std::int64_t first = row - map_.data();
                 changes.go_to_row(z, y, first);
                 for_each_chunk(z, y, problem_.extent[2], [&](const Chunk& chunk) {
                   std::int32_t* const now = fresh.data() + first + chunk.x;
                   if (above != 0)
                     for (std::int64_t i = 0; i < chunk.count; ++i)
                       now[i] -= now[i] < 0 ? 0 : above;
                   const std::int32_t* const before = row + chunk.x;
                   mark_differences(chunk, before, now, differs.data());
                   changes.count_some(chunk.x, chunk.count, before, now, differs.data());
                 });
               });
}

template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::write_all(
    ContextState& state, const NearestMap& map, ProblemViews views,
    const std::function<void(std::int64_t, std::int64_t)>& write_labels) {
  constexpr std::int64_t kCellsAtOnce = 16 * kChunk;
  views.out.labels = {};
  const ResultWriter<Scalar> writer(problem_, slab_, views, Write::all);
  const std::int64_t height = problem_.extent[1];
  const std::int64_t width = problem_.extent[2];
  parallel_for(state, problem_.extent[0] * height, kCellsAtOnce / width + 1, 0,
               [&](std::int64_t begin, std::int64_t end, int) {
                 Winners<Scalar> winners;
                 for (std::int64_t row = begin; row < end; ++row) {
                   for_each_chunk(row / height, row % height, width, [&](const Chunk& chunk) {
                     write_run(writer, map.data() + row * width, chunk, winners);
                   });
                   write_labels(row / height, row % height);
                 }
               });
}

template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::replace(NearestMap& fresh) noexcept {
  map_.swap(fresh);
  is_measured_ = false;
}

template <class Geometry, class Scalar>
void Repair<Geometry, Scalar>::list(const NearestMap& before,
                                    const std::vector<SiteEdits::Move>& moved, ChangedList& cells) {
  moved_ = &moved;
  std::array<std::uint8_t, kChunk> differs;
  for_each_row({{0, 0, 0}, problem_.extent},
               [&](std::int64_t z, std::int64_t y, const std::int32_t* row) {
                 for_each_chunk(z, y, problem_.extent[2], [&](const Chunk& chunk) {
                   const std::int64_t first = row - map_.data() + chunk.x;
                   const std::int32_t* const was = before.data() + first;
                   mark_differences(chunk, was, row + chunk.x, differs.data());
                   for (std::int64_t i = 0; i < chunk.count; ++i) {
                     if (differs[static_cast<std::size_t>(i)] == 0) continue;
                     cells.add(first + i, was[i]);
                   }
                 });
               });
}

}  // namespace

std::unique_ptr<NearestRepair> make_nearest_repair(const Problem& problem, const TileTree& tree,
                                                   const SiteTable& sites, NearestMap& map) {
  std::unique_ptr<NearestRepair> made;
  with_geometry(problem, [&]<class Geometry, class Scalar>(Geometry, Scalar) {
    made = std::make_unique<Repair<Geometry, Scalar>>(problem, tree, sites, map);
  });
  return made;
}

}  // namespace thiessen::cpu::solvers

// SPDX-License-Identifier: Apache-2.0
//
// Walks along the outlines of regions, from corner to corner of cells.
//
// Notation: corner (r, c) is the upper left one of cell (r, c). A walk keeps the cells of its
// region on its left, where row 0 is on top: down along their left edges, right along their lower
// ones, up, and left along their upper ones. It therefore runs counter-clockwise around a region,
// and clockwise around a hole.
//
// At a corner where two cells of the region touch, with others between them, a walk goes on along
// the cell that it follows. So it follows one set of cells that hang together across their edges,
// and it may come through such a corner twice: a *pinch*, where it falls into simple rings.
//
// Each walk has a left edge of a cell in its uppermost row. All left edges are the beginnings of
// runs of equal labels in the rows, so the list of runs tells which walks were made.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/base/context_state.hpp"
#include "core/statistics/label_key.hpp"
#include "thiessen/view.hpp"

namespace thiessen::polygons {

struct Corner {
  std::int32_t row, column;
  bool operator==(const Corner&) const = default;
};

/// A point of an outline: a corner where it turns, or where the region on its right changes.
struct Vertex {
  Corner at;
  bool pinch;     ///< the walk may come through this corner twice
  bool junction;  ///< more than two outlines meet
  bool borders;   ///< a region lies on the right from here on, with this label
  LabelKey right;
};

/// A closed walk.
struct Walk {
  LabelKey label;
  std::vector<Vertex> vertices;
};

/// The runs of equal labels in the rows of a raster.
class Runs {
 public:
  Runs() = default;
  Runs(std::vector<std::int64_t> rows, std::vector<std::int32_t> begins)
      : rows_(std::move(rows)), begins_(std::move(begins)), owners_(begins_.size(), kUnseen) {}

  static constexpr std::int32_t kUnseen = -1;

  /// The runs row(r) … row(r + 1) - 1 lie in row r.
  std::int64_t row(std::int64_t r) const { return rows_[static_cast<std::size_t>(r)]; }
  /// The first column of a run.
  std::int32_t begin(std::int64_t run) const { return begins_[static_cast<std::size_t>(run)]; }
  /// What the walk along its left edge belongs to.
  std::int32_t& owner(std::int64_t run) { return owners_[static_cast<std::size_t>(run)]; }
  /// The run that begins there.
  std::int64_t at(const Corner& corner) const;

 private:
  std::vector<std::int64_t> rows_;
  std::vector<std::int32_t> begins_;
  std::vector<std::int32_t> owners_;
};

/// A raster of labels with two axes on the host, and what of it belongs to no region besides NaN.
struct LabelCells {
  View<const void> labels;
  std::vector<LabelKey> left_out;
};

/// Makes all walks, in the order of their first left edges in the rows. visit(walk, before) returns
/// the owner of the walk; before() is the owner of the last run of the same label before the walk,
/// in its uppermost row. For a walk around holes that is the walk around the region.
using OwnerBefore = std::function<std::int32_t()>;
using VisitWalk = std::function<std::int32_t(const Walk& walk, const OwnerBefore& before)>;
void for_each_walk(ContextState& state, const LabelCells& cells, const VisitWalk& visit);

}  // namespace thiessen::polygons

// SPDX-License-Identifier: Apache-2.0
//
// Cost distance of a raster in slabs, for rasters that are larger than memory or than one machine.
// The bits are the same as of one call.
//
//     for each stage (costs, sites, hops):
//       CostSlabQueue queue(heights)
//       while (visit = queue.next())
//         report = visit->is_first ? begin_cost_slab(context, slabs[visit->slab], options, stage)
//                                  : continue_cost_slab(context, slabs[visit->slab], options,
//                                  stage)
//         queue.add(visit->slab, report)
//     for each slab: finish_cost_slab(context, slab, options, outputs)
//
// A slab holds some rows (2-D) or planes (3-D), with all their cells, and the rows beside it: one
// on each side, or two with 16 neighbours, as far as the raster goes. The caller keeps the known
// state of all cells. Before each visit the caller copies the known state of the rows beside the
// slab into the slab's arrays. Slabs may have any heights, also none.
//
// Slabs may be visited at the same time if none of them changes rows that lie beside another one of
// them. Any slabs may be visited at the same time if each visit works on copies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "thiessen/choices/choice.hpp"
#include "thiessen/context.hpp"
#include "thiessen/cost_distance.hpp"
#include "thiessen/export.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// The stages of a cost distance: each is found for all cells before the next begins.
enum class CostStage : std::uint8_t {
  costs,
  sites,  ///< on final costs
  hops,   ///< steps back to the site: only for back links
};

inline constexpr std::string_view kCostStageNames[] = {"costs", "sites", "hops"};

constexpr std::string_view name_of(CostStage stage) {
  return detail::choice_name(kCostStageNames, stage);
}

/// The stage that has this name, or nothing.
constexpr std::optional<CostStage> find_cost_stage(std::string_view name) {
  return detail::find_choice<CostStage>(kCostStageNames, name);
}

/// Some rows (2-D) or planes (3-D) of a raster.
struct SlabRows {
  std::int64_t first = 0;
  std::int64_t count = 0;

  bool operator==(const SlabRows&) const = default;
};

/// The rows that the arrays of a slab hold: its own rows and the rows beside it. Throws
/// Error{invalid_argument}.
THIESSEN_API SlabRows cost_slab_rows(const Extents& raster, const SlabRows& own,
                                     Connectivity connectivity);

/// A slab, and the known state of its cells. All arrays have the rows cost_slab_rows() and lie on
/// the host. From `resistance` on they are in C order without gaps, and visits write them. The last
/// three may be empty if they are not needed.
struct CostSlab {
  Extents raster;  ///< extents of the whole raster, (y, x) or (z, y, x)
  SlabRows own;    ///< the rows of the slab there

  CostMap map = {};  ///< as in cost_distance(): for first visits for costs, and the end
  /// As in cost_distance(): a raster for begin_cost_slab(), or a list of all points for every call.
  View<const void> sites = {};
  PointList points = {};
  View<const void> initial_cost = {};
  /// The number of boolean sites in the slabs above, for their numbers; for begin_cost_slab().
  std::int64_t sites_before = 0;

  /// The map in the type CostDistanceOptions::distance_type, with NaN for barriers: all rows are
  /// written by the first visit for costs.
  View<void> resistance;
  View<void> cost;  ///< in the same type; +inf: not reached so far
  /// The index of the site in the whole raster or the list; -1: none so far. Only if labels, site
  /// indices or back links are wanted.
  View<std::int64_t> site_index = {};
  /// The label of the known site, for sites of a raster whose labels are wanted, in the type of the
  /// output.
  View<void> labels = {};
  /// The steps back to the site; -1: not known so far. Only if back links are wanted.
  View<std::int64_t> hops = {};
};

/// The result of a visit to a slab.
struct CostSlabReport {
  static constexpr double kNone = std::numeric_limits<double>::infinity();
  /// For the row next to the slab, and for the row behind it: the least cost of its cells that the
  /// slab changes; infinity if there is none. Rows beside a slab that have such cells must be
  /// visited with their own slab.
  std::array<double, 2> above{kNone, kNone};
  std::array<double, 2> below{kNone, kNone};
  /// By begin_cost_slab() for the stage `costs`: the number of sites in the slab's own rows, and
  /// the number of them on barriers or nodata. Points outside the raster count in the slab that has
  /// the first row.
  std::int64_t sites = 0;
  std::int64_t ignored_sites = 0;
  std::int64_t first_ignored_site = 0;  ///< index of the first of them

  bool operator==(const CostSlabReport&) const = default;
};

/// Visits a slab for the first time in a stage. It finds everything that follows from the slab's
/// own sites and from the known state of the rows beside it. Earlier contents of its own rows do
/// not count. Rows beside it hold their known state; where nothing is known, infinity (costs) or
/// -1.
///
/// options  the options of the whole call. Not with `strict` or `labels_carried`; `method` must be
///          exact.
///
/// Time: as cost_distance() for these rows. Scratch: 5 to 24 bytes a cell for f32.
/// Source: as in cost_distance(); docs/slabs.md explains why the order of visits does not matter.
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled.
THIESSEN_API CostSlabReport begin_cost_slab(Context& context, const CostSlab& slab,
                                            const CostDistanceOptions& options, CostStage stage);

/// Visits a slab again, or some rows of it, after rows beside it have changed. It finds everything
/// that follows from this change.
///
/// Time: O(cells that change + cells beside the slab). Throws as begin_cost_slab().
THIESSEN_API CostSlabReport continue_cost_slab(Context& context, const CostSlab& slab,
                                               const CostDistanceOptions& options, CostStage stage);

/// Writes the outputs of a slab when no stage has a visit left: what cost_distance() of the whole
/// raster would write there, bit for bit.
///
/// out  as in cost_distance(), of the extents of the slab's own rows, on the host. Outputs of
///      another label are unsupported.
///
/// It gives no warnings. Time: O(cells). Throws as begin_cost_slab().
THIESSEN_API void finish_cost_slab(Context& context, const CostSlab& slab,
                                   const CostDistanceOptions& options,
                                   const CostDistanceOutputs& out);

/// Chooses the next slab to visit in a stage. Slabs that have not been visited come first. Then
/// comes the slab in which the cheapest cell waits, so that costs seldom change once more.
class THIESSEN_API CostSlabQueue {
 public:
  /// The number of rows or planes of each slab, in order. A slab without rows is not visited.
  explicit CostSlabQueue(std::span<const std::int64_t> heights);

  struct Visit {
    std::size_t slab = 0;
    bool is_first = true;
  };
  /// Takes the next slab; nothing if none waits. The stage is over if no visit is under way then.
  /// Several slabs may be taken before their reports are added.
  std::optional<Visit> next();

  /// Takes the next slab among the given slabs, such as the slabs in memory; nothing if none of the
  /// given slabs waits.
  std::optional<Visit> next_among(std::span<const std::size_t> slabs);

  /// Enters the result of a visit. Throws Error{invalid_argument} for a slab that does not exist.
  void add(std::size_t slab, const CostSlabReport& report);

  std::int64_t visits() const { return visits_; }  ///< that next() has given

 private:
  /// Whether a slab has been visited, the least cost of a cell that waits in it, and its number.
  using Waiting = std::tuple<bool, double, std::size_t>;

  std::optional<Visit> take(const Waiting& next);
  void check(std::size_t slab) const;
  void wait(std::int64_t row, double cost);

  std::vector<std::int64_t> first_;  ///< rows of the slabs, and the end
  std::vector<Waiting> waiting_;     ///< of each slab
  std::set<Waiting> order_;          ///< those that wait
  std::int64_t visits_ = 0;
};

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
#include "core/cost/slab.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/problem/call_checks.hpp"
#include "thiessen/slabs/slabs.hpp"

namespace thiessen {
namespace {

std::string text_of(const SlabRows& rows) {
  return "rows " + std::to_string(rows.first) + " to " + std::to_string(rows.first + rows.count);
}

/// The axis of the rows among (z, y, x).
std::size_t row_axis(const Extents& raster) { return raster.rank() == 2 ? 1 : 0; }

void check_options(const CostDistanceOptions& options) {
  if (options.method != CostMethod::exact)
    throw Error(ErrorCode::unsupported,
                {"method", std::string(name_of(options.method)), "slabs have exact only"});
  refuse_single_call_options(options, "slabs");
  if (options.strict) refuse("strict", "true", "slabs give no warnings");
  if (options.labels_carried) refuse("labels_carried", "true", "labels of slabs are settled");
}

void check_rows(const char* name, const View<const void>& view, const Extents& wanted) {
  if (view && view.extents() != wanted)
    refuse(name, "has other extents than the slab with the rows beside it (cost_slab_rows())");
}

/// Checks an array of what is known.
void check_known(const NamedView& known, const Extents& wanted) {
  if (!known.view) return;
  check_output(known, wanted, ReachableMemory());
  if (wanted.count() > 0 && !is_packed(known.view))
    refuse(known.name, "has gaps; must be in C order without gaps");
  check_aligned_cells(known.name, known.view);
}

void require(const View<const void>& known, const char* name, CostStage stage) {
  if (!known) refuse(name, "is empty; the stage " + std::string(name_of(stage)) + " needs it");
}

std::vector<NamedView> known_views(const CostSlab& slab) {
  return {{"resistance", slab.resistance},
          {"cost", slab.cost},
          {"site_index", slab.site_index},
          {"labels", slab.labels},
          {"hops", slab.hops}};
}

/// The problem of a slab without its outputs; `map` is that, or stands for it.
CostProblem make_problem_of(const CostSlab& slab, const CostMap& map,
                            const CostDistanceOptions& options) {
  if (slab.points.coordinates)
    return make_cost_problem(map, slab.points, options, {}, {}, slab.initial_cost);
  if (slab.sites) return make_cost_problem(map, slab.sites, options, {}, {}, slab.initial_cost);
  return make_cost_problem(map, options);
}

/// Checks an array that has the float type of costs.
void check_floats(const NamedView& known, const CostDistanceOptions& options) {
  if (!known.view) refuse(known.name, "is empty; must be memory for what is known");
  if (known.view.element_type() != to_element_type(options.distance_type))
    refuse(known.name, "is " + std::string(name_of(known.view.element_type())) +
                           "; must be distance_type, " +
                           std::string(name_of(options.distance_type)));
}

/// Checks all arrays, and describes the slab.
CostSlabProblem make_checked(const CostSlab& slab, CostDistanceOptions options, bool reads_map) {
  check_options(options);
  const SlabRows rows = cost_slab_rows(slab.raster, slab.own, options.connectivity);
  const Extents wanted = slab_extents(slab.raster, rows.count);
  if (reads_map && !slab.map)
    refuse("map", "is empty; must have the rows of the slab and the rows beside it");
  check_rows("map", slab.map, wanted);
  check_rows("sites", slab.sites, wanted);
  const bool by_points = static_cast<bool>(slab.points.coordinates);
  if (by_points && slab.sites) refuse("sites and points are given; must be one of them");
  for (const NamedView& known : known_views(slab)) check_known(known, wanted);
  check_floats({"resistance", slab.resistance}, options);
  check_floats({"cost", slab.cost}, options);
  if (!reads_map) options.map_nodata.reset();
  CostSlabProblem all;
  const CostMap resistance(slab.resistance, slab.map.weight());
  all.problem = make_problem_of(slab, reads_map ? slab.map : resistance, options);
  all.problem.point_sites = by_points;
  if (slab.labels && by_points) refuse("labels", "are given; labels of points need no memory");
  if (slab.labels && slab.sites)
    check_label_type(slab.sites.element_type(), slab.raster, {"labels", slab.labels});
  check_overlaps({{"the map", slab.map.cells()}, {"the sites", slab.sites}}, [&] {
    std::vector<NamedView> given = known_views(slab);
    std::erase_if(given, [](const NamedView& known) { return !known.view; });
    return given;
  }());

  all.rows = rows.count;
  all.begin = slab.own.first - rows.first;
  all.end = all.begin + slab.own.count;
  all.first_row = rows.first;
  all.raster_rows = slab.raster[0];
  all.row_cells = rows.count == 0 ? 0 : wanted.count() / rows.count;
  all.sites_before = slab.sites_before;
  all.problem.origin[row_axis(slab.raster)] = rows.first;
  all.resistance = slab.resistance.bytes();
  all.cost = slab.cost.bytes();
  all.site = slab.site_index.data();
  all.label = slab.labels.bytes();
  all.label_bytes = slab.labels ? size_of(slab.labels.element_type()) : 0;
  all.hops = slab.hops.data();
  all.views.map = with_three_axes(slab.map.cells());
  all.views.sites = with_three_axes(slab.sites);
  all.views.points = slab.points.coordinates;
  all.views.initial_cost = by_points ? slab.initial_cost : with_three_axes(slab.initial_cost);
  return all;
}

void check_stage(const CostSlab& slab, CostStage stage) {
  if (stage == CostStage::costs) return;
  require(slab.site_index, "site_index", stage);
  if (stage == CostStage::hops) require(slab.hops, "hops", stage);
}

}  // namespace

SlabRows cost_slab_rows(const Extents& raster, const SlabRows& own, Connectivity connectivity) {
  if (raster.rank() != 2 && raster.rank() != 3)
    refuse("raster", "has " + std::to_string(raster.rank()) + " axes; must have 2 or 3");
  if (own.first < 0 || own.count < 0 || own.first > raster[0] || own.count > raster[0] - own.first)
    refuse("own", "are the " + text_of(own) + "; must lie in the raster, which has " +
                      std::to_string(raster[0]));
  const std::int64_t reach =
      checked_connectivity(connectivity, raster.rank()) == 16 ? std::int64_t{2} : std::int64_t{1};
  const std::int64_t first = std::max<std::int64_t>(own.first - reach, 0);
  return {first, std::min(own.first + own.count + reach, raster[0]) - first};
}

CostSlabProblem make_cost_slab_problem(const CostSlab& slab, const CostDistanceOptions& options,
                                       CostStage stage, bool is_first) {
  CostSlabProblem all = make_checked(slab, options, is_first && stage == CostStage::costs);
  check_stage(slab, stage);
  return all;
}

CostSlabProblem make_cost_slab_problem(const CostSlab& slab, const CostDistanceOptions& options,
                                       const CostDistanceOutputs& out) {
  CostSlabProblem all = make_checked(slab, options, true);
  if (wants_other_labels(out))
    throw Error(ErrorCode::unsupported,
                "outputs of another label are wanted; slabs know one site a cell");
  if (out.direction)
    throw Error(ErrorCode::unsupported, "direction is wanted; slabs have back_link");
  std::vector<NamedView> inputs = known_views(slab);
  inputs.push_back({"the map", slab.map.cells()});
  check_cost_outputs(slab_extents(slab.raster, slab.own.count), inputs, out, ReachableMemory());
  if (out.labels || out.site_index || out.back_link) check_stage(slab, CostStage::sites);
  if (out.back_link) check_stage(slab, CostStage::hops);
  if (out.labels && all.problem.point_sites)
    check_point_label_type(slab.points, {"labels", out.labels});
  if (out.labels && !all.problem.point_sites) {
    if (!slab.labels) refuse("labels", "are wanted; must be known of the slab, too");
    check_label_type(slab.labels.element_type(), slab.raster, {"labels", out.labels});
  }
  set_special_labels(all.problem, options, out.labels);
  all.views.labels = slab.points.labels;
  all.views.out = with_three_axes(out);
  return all;
}

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
#include "thiessen/cost_distance.hpp"

#include "api/call/structs_of.hpp"
#include "operations/tables/sites/making_sites.hpp"

namespace thiessen {
namespace {

class CostDistanceCall : public StructsOf<CostDistanceInputs, CostDistanceOptions,
                                          CostDistanceOutputs, CostDistanceReport> {
 public:
  void run(Context& context) override {
    complete_options();
    own_.results = own_.in.points ? cost_distance(context, map(), points(), own_.options, own_.out,
                                                  own_.in.initial_cost)
                                  : cost_distance(context, map(), own_.in.sites, own_.options,
                                                  own_.out, own_.in.initial_cost);
  }
  Solver make_solver(Context& context) override {
    complete_options();
    if (own_.in.points)
      return {CostSolver(context, map(), points(), own_.options, own_.out, own_.in.initial_cost)};
    return {
        CostSolver(context, map(), own_.in.sites, own_.options, own_.out, own_.in.initial_cost)};
  }
  ResultShape shape() const override {
    const CostMap given = map();
    const View<const void> ground = given ? given.cells() : own_.in.elevation;
    check_extents(given || !own_.in.elevation ? "map" : "elevation", ground.extents());
    return shape_of(own_.options, ground.extents(), ground.rank(),
                    own_.in.points ? label_type(points())
                                   : label_type(own_.in.sites, ground.extents().count()));
  }

 private:
  void complete_options() {
    if (own_.in.cost && own_.in.stiffness)
      refuse("stiffness", "is given beside cost; must be one of them");
    if (!map() && !own_.in.elevation)
      refuse("cost", "is missing; must be given, or stiffness, or an elevation");
    if (own_.in.point_labels && !own_.in.points)
      refuse("point_labels", "are given; they are for points, and the sites are a raster");
    own_.options.elevation = own_.in.elevation;
    own_.options.blocked_faces = own_.in.blocked_faces;
  }
  CostMap map() const { return map_of(own_.in); }
  PointList points() const { return points_of(own_.in); }
};

constexpr Maker kCostDistanceMakers[] = {
    {&kCostDistance, &make<CostDistanceCall>},
    runs<LeastCostPathInputs, LeastCostPathOptions, NoOutputs, LeastCostPathResults>(
        kLeastCostPath,
        [](Context&, auto& own) {
          own.results.path =
              least_cost_path(own.in.back_link, own.options.connectivity, own.options.from);
        }),
    runs<LeastCostLineInputs, LeastCostLineOptions, NoOutputs, LeastCostLineResults>(
        kLeastCostLine,
        [](Context&, auto& own) {
          own.results.line = least_cost_line(own.in, own.options.connectivity, own.options.spacing,
                                             own.options.from);
        }),
};

}  // namespace

std::span<const Maker> cost_distance_makers() { return kCostDistanceMakers; }

}  // namespace thiessen

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
    results_ = inputs_.points ? cost_distance(context, map(), points(), options_, outputs_,
                                              inputs_.initial_cost)
                              : cost_distance(context, map(), inputs_.sites, options_, outputs_,
                                              inputs_.initial_cost);
  }
  Solver make_solver(Context& context) override {
    complete_options();
    if (inputs_.points)
      return {CostSolver(context, map(), points(), options_, outputs_, inputs_.initial_cost)};
    return {CostSolver(context, map(), inputs_.sites, options_, outputs_, inputs_.initial_cost)};
  }
  ResultShape shape() const override {
    const CostMap given = map();
    const View<const void> ground = given ? given.cells() : inputs_.elevation;
    check_extents(given || !inputs_.elevation ? "map" : "elevation", ground.extents());
    return shape_of(options_, ground.extents(), ground.rank(),
                    inputs_.points ? label_type(points())
                                   : label_type(inputs_.sites, ground.extents().count()));
  }

 private:
  void complete_options() {
    if (inputs_.cost && inputs_.stiffness)
      refuse("stiffness", "is given beside cost; must be one of them");
    if (!map() && !inputs_.elevation)
      refuse("cost", "is missing; must be given, or stiffness, or an elevation");
    if (inputs_.point_labels && !inputs_.points)
      refuse("point_labels", "are given; they are for points, and the sites are a raster");
    options_.elevation = inputs_.elevation;
  }
  CostMap map() const { return map_of(inputs_); }
  PointList points() const {
    return {.coordinates = inputs_.points, .labels = inputs_.point_labels};
  }
};

class LeastCostPathCall
    : public StructsOf<LeastCostPathInputs, LeastCostPathOptions, NoOutputs, LeastCostPathResults> {
 public:
  void run(Context&) override {
    results_.path = least_cost_path(inputs_.back_link, options_.connectivity, options_.from);
  }
};

constexpr Maker kCostDistanceMakers[] = {
    {&kCostDistance, &make<CostDistanceCall>},
    {&kLeastCostPath, &make<LeastCostPathCall>},
};

}  // namespace

std::span<const Maker> cost_distance_makers() { return kCostDistanceMakers; }

}  // namespace thiessen

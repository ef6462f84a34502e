// SPDX-License-Identifier: Apache-2.0
//
// How each operation calls the function of the library that does it.
#include "api/call/arguments.hpp"

#include <utility>

#include "api/label_types.hpp"
#include "core/problem.hpp"
#include "core/refuse.hpp"
#include "thiessen/cost_distance.hpp"
#include "thiessen/nearest_site.hpp"

namespace thiessen {
namespace {

template <class Inputs, class Options, class Outputs, class Results>
class StructsOf : public Arguments {
 public:
  StructsOf() {
    inputs = &inputs_;
    options = &options_;
    outputs = &outputs_;
    results = &results_;
  }

 protected:
  Inputs inputs_;
  Options options_;
  Outputs outputs_;
  Results results_;
};

struct NoResults {};

template <class Options>
ResultShape shape_of(const Options& options, const Extents& extents, int rank, ElementType labels) {
  ResultShape shape{.grid = {.extents = extents},
                    .rank = rank,
                    .labels = labels,
                    .distances = to_element_type(options.distance_type)};
  if constexpr (requires { options.k; }) shape.k = options.k;
  return shape;
}

class NearestSiteArguments
    : public StructsOf<NearestSiteInputs, NearestSiteOptions, NearestSiteOutputs, NoResults> {
 public:
  void run(Context& context) override {
    nearest_site(context, inputs_.sites, options_, outputs_, inputs_.domain);
  }
  ResultShape shape() const override {
    const Extents& extents = inputs_.sites.extents();
    check_extents("sites", extents);
    return shape_of(options_, extents, extents.rank(), label_type(inputs_.sites, extents.count()));
  }
};

class NearestSiteBatchArguments
    : public StructsOf<NearestSiteInputs, NearestSiteOptions, NearestSiteOutputs, NoResults> {
 public:
  void run(Context& context) override {
    nearest_site_batch(context, inputs_.sites, options_, outputs_, inputs_.domain);
  }
  ResultShape shape() const override {
    const Extents& extents = inputs_.sites.extents();
    check_batch_extents(extents);
    const std::int64_t cells = extents[0] > 0 ? extents.count() / extents[0] : 0;
    return shape_of(options_, extents, extents.rank() - 1, label_type(inputs_.sites, cells));
  }
};

class VoronoiArguments
    : public StructsOf<VoronoiInputs, VoronoiOptions, NearestSiteOutputs, NoResults> {
 public:
  void run(Context& context) override {
    voronoi(context, points(), {.extents = Extents(options_.shape)}, options_, outputs_,
            inputs_.domain);
  }
  ResultShape shape() const override {
    const Extents extents(options_.shape);
    check_extents("shape", extents);
    return shape_of(options_, extents, extents.rank(), label_type(points()));
  }

 private:
  PointList points() const {
    return {.coordinates = inputs_.points, .labels = inputs_.point_labels};
  }
};

class CostDistanceArguments : public StructsOf<CostDistanceInputs, CostDistanceOptions,
                                               CostDistanceOutputs, CostDistanceReport> {
 public:
  void run(Context& context) override {
    if (inputs_.cost && inputs_.stiffness)
      refuse("stiffness is given beside cost; must be one of them");
    if (inputs_.sites && inputs_.points)
      refuse("points are given beside sites; must be one of them");
    options_.elevation = inputs_.elevation;
    options_.edge_weight = inputs_.cost ? EdgeWeight::cost : EdgeWeight::stiffness;
    results_ = inputs_.points ? cost_distance(context, map(), points(), options_, outputs_,
                                              inputs_.initial_cost)
                              : cost_distance(context, map(), inputs_.sites, options_, outputs_,
                                              inputs_.initial_cost);
  }
  ResultShape shape() const override {
    const View<const void>& ground = map() ? map() : inputs_.elevation;
    check_extents(map() || !inputs_.elevation ? "map" : "elevation", ground.extents());
    return shape_of(options_, ground.extents(), ground.rank(),
                    inputs_.points ? label_type(points())
                                   : label_type(inputs_.sites, ground.extents().count()));
  }

 private:
  const View<const void>& map() const { return inputs_.cost ? inputs_.cost : inputs_.stiffness; }
  PointList points() const {
    return {.coordinates = inputs_.points, .labels = inputs_.point_labels};
  }
};

template <class Own>
std::unique_ptr<Arguments> make() {
  return std::make_unique<Own>();
}

constexpr std::pair<const Operation*, std::unique_ptr<Arguments> (*)()> kMakers[] = {
    {&kNearestSite, &make<NearestSiteArguments>},
    {&kNearestSiteBatch, &make<NearestSiteBatchArguments>},
    {&kVoronoi, &make<VoronoiArguments>},
    {&kCostDistance, &make<CostDistanceArguments>},
};

}  // namespace

std::unique_ptr<Arguments> make_arguments(const Operation& operation) {
  for (const auto& [own, maker] : kMakers)
    if (own == &operation) return maker();
  throw Error(ErrorCode::unsupported,
              {.argument = std::string(operation.name), .rule = "cannot be called by its name"});
}

}  // namespace thiessen

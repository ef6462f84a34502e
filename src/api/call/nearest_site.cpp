// SPDX-License-Identifier: Apache-2.0
#include "thiessen/nearest_site.hpp"

#include "api/call/structs_of.hpp"

namespace thiessen {
namespace {

class NearestSiteCall
    : public StructsOf<NearestSiteInputs, NearestSiteOptions, NearestSiteOutputs, NoResults> {
 public:
  void run(Context& context) override {
    nearest_site(context, inputs_.sites, options_, outputs_, inputs_.domain);
  }
  Solver make_solver(Context& context) override {
    return {NearestSiteSolver(context, inputs_.sites, options_, outputs_, inputs_.domain)};
  }
  ResultShape shape() const override {
    const Extents& extents = inputs_.sites.extents();
    check_extents("sites", extents);
    return shape_of(options_, extents, extents.rank(), label_type(inputs_.sites, extents.count()));
  }
};

class NearestSiteBatchCall
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

class VoronoiCall : public StructsOf<VoronoiInputs, VoronoiOptions, NearestSiteOutputs, NoResults> {
 public:
  void run(Context& context) override {
    voronoi(context, points(), grid(), options_, outputs_, inputs_.domain);
  }
  Solver make_solver(Context& context) override {
    return {NearestSiteSolver(context, points(), grid(), options_, outputs_, inputs_.domain)};
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
  Grid grid() const { return {.extents = Extents(options_.shape)}; }
};

constexpr Maker kNearestSiteMakers[] = {
    {&kNearestSite, &make<NearestSiteCall>},
    {&kNearestSiteBatch, &make<NearestSiteBatchCall>},
    {&kVoronoi, &make<VoronoiCall>},
};

}  // namespace

std::span<const Maker> nearest_site_makers() { return kNearestSiteMakers; }

}  // namespace thiessen

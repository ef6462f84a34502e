// SPDX-License-Identifier: Apache-2.0
#include "thiessen/nearest_site.hpp"

#include "api/call/structs_of.hpp"

namespace thiessen {
namespace {

class NearestSiteCall
    : public StructsOf<NearestSiteInputs, NearestSiteOptions, NearestSiteOutputs, NoResults> {
 public:
  void run(Context& context) override {
    nearest_site(context, own_.in.sites, own_.options, own_.out, own_.in.domain, own_.in.weights);
  }
  Solver make_solver(Context& context) override {
    return {NearestSiteSolver(context, own_.in.sites, own_.options, own_.out, own_.in.domain)};
  }
  ResultShape shape() const override {
    const Extents& extents = own_.in.sites.extents();
    check_extents("sites", extents);
    return shape_of(own_.options, extents, extents.rank(),
                    label_type(own_.in.sites, extents.count()));
  }
};

class VoronoiCall : public StructsOf<VoronoiInputs, VoronoiOptions, NearestSiteOutputs, NoResults> {
 public:
  void run(Context& context) override {
    voronoi(context, points_of(own_.in), grid(), own_.options, own_.out, own_.in.domain);
  }
  Solver make_solver(Context& context) override {
    return {NearestSiteSolver(context, points_of(own_.in), grid(), own_.options, own_.out,
                              own_.in.domain)};
  }
  ResultShape shape() const override {
    const Extents extents = grid().extents;
    check_extents("shape", extents);
    return shape_of(own_.options, extents, extents.rank(), label_type(points_of(own_.in)));
  }

 private:
  Grid grid() const { return {.extents = Extents(own_.options.shape)}; }
};

constexpr Maker kNearestSiteMakers[] = {
    {&kNearestSite, &make<NearestSiteCall>},
    {&kVoronoi, &make<VoronoiCall>},
    runs<EllipseInputs, NoOptions, NoOutputs, EllipseMetrics>(
        kEllipseMetrics,
        [](Context&, auto& own) {
          own.results = {
              .rank = own.in.radii.rank() == 2 ? static_cast<int>(own.in.radii.extent(1)) : 0,
              .metrics = ellipse_metrics(own.in.radii, own.in.directions)};
        }),
    runs<NearestSiteInputs, NearestSiteOptions, NearestSiteOutputs, NoResults>(
        kNearestSiteBatch,
        [](Context& context, auto& own) {
          nearest_site_batch(context, own.in.sites, own.options, own.out, own.in.domain,
                             own.in.weights);
        },
        [](const auto& own) {
          const Extents& extents = own.in.sites.extents();
          check_batch_extents(extents);
          const std::int64_t cells = extents[0] > 0 ? extents.count() / extents[0] : 0;
          return shape_of(own.options, extents, extents.rank() - 1,
                          label_type(own.in.sites, cells));
        }),
};

}  // namespace

std::span<const Maker> nearest_site_makers() { return kNearestSiteMakers; }

}  // namespace thiessen

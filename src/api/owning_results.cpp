// SPDX-License-Identifier: Apache-2.0
//
// The overloads without a Context: they allocate the results, make the call on the Context of the
// thread, and return both results and warnings.
#include <optional>
#include <string>
#include <vector>

#include "api/label_types.hpp"
#include "core/base/refuse.hpp"
#include "core/problem/outputs.hpp"
#include "core/problem/problem.hpp"
#include "thiessen/compare.hpp"
#include "thiessen/components.hpp"
#include "thiessen/contours.hpp"
#include "thiessen/cost_distance.hpp"
#include "thiessen/coverage.hpp"
#include "thiessen/nearest_site.hpp"
#include "thiessen/polygons.hpp"
#include "thiessen/random_sites.hpp"
#include "thiessen/render.hpp"
#include "thiessen/statistics.hpp"

namespace thiessen {
namespace {

/// Whether a call of this thread uses its default Context.
thread_local bool is_in_use = false;

/// The Context for one call: the default one, or another while that is in use, for a callback of a
/// running call may call the library again.
class CallContext {
 public:
  CallContext() {
    if (is_in_use)
      own_.emplace();
    else
      is_in_use = true;
  }
  ~CallContext() {
    if (!own_) is_in_use = false;
  }
  CallContext(const CallContext&) = delete;
  CallContext& operator=(const CallContext&) = delete;

  Context& get() { return own_ ? *own_ : default_context(); }

 private:
  std::optional<Context> own_;
};

/// The axis of the k nearest; the call refuses what is no k.
std::int64_t axis_of_k(std::int64_t k) { return k > 0 && k <= kMostNearest ? k : 0; }

/// Memory for the outputs that are wanted. `grid` has an axis more than `rank` for a batch.
NearestSite allocate(const Grid& grid, int rank, ElementType labels,
                     const NearestSiteOptions& options, const NearestSiteWanted& wanted) {
  NearestSite result;
  allocate_results<NearestSiteOutputs>(result, wanted,
                                       {.grid = grid,
                                        .rank = rank,
                                        .k = axis_of_k(options.k),
                                        .labels = labels,
                                        .distances = to_element_type(options.distance_type)});
  return result;
}

/// What has the extents of the results, checked.
const View<const void>& checked_ground(const View<const void>& map,
                                       const CostDistanceOptions& options) {
  const bool is_map = map || !options.elevation;
  const View<const void>& ground = is_map ? map : options.elevation;
  check_extents(is_map ? "map" : "elevation", ground.extents());
  return ground;
}

template <class Sites>
CostDistance find_cost_distance(const CostMap& map, const Sites& sites, ElementType labels,
                                const CostDistanceOptions& options,
                                const CostDistanceWanted& wanted,
                                const View<const void>& initial_cost) {
  const Extents& extents = checked_ground(map, options).extents();
  CostDistance result;
  allocate_results<CostDistanceOutputs>(result, wanted,
                                        {.grid = {.extents = extents},
                                         .rank = extents.rank(),
                                         .k = axis_of_k(options.k),
                                         .labels = labels,
                                         .distances = to_element_type(options.distance_type)});
  CallContext context;
  result.report = cost_distance(context.get(), map, sites, options, result.outputs(), initial_cost);
  result.warnings = context.get().warnings();
  return result;
}

/// The extents of a picture with a pixel for each cell.
Extents cells_of(const RenderInputs& inputs) {
  for (const View<const void>* view : {&inputs.labels, &inputs.distance, &inputs.sites})
    if (view->rank() == 2) return view->extents();
  return {0, 0};  // render() says what is wrong with the inputs
}

}  // namespace

NearestSiteOutputs NearestSite::outputs() { return views_of_results<NearestSiteOutputs>(*this); }

CostDistanceOutputs CostDistance::outputs() { return views_of_results<CostDistanceOutputs>(*this); }

NearestSite nearest_site(View<const void> sites, const NearestSiteOptions& options,
                         const NearestSiteWanted& wanted, View<const void> domain,
                         View<const void> weights) {
  const Extents& extents = sites.extents();
  check_extents("sites", extents);
  NearestSite result = allocate({.extents = extents}, extents.rank(),
                                label_type(sites, extents.count()), options, wanted);
  CallContext context;
  nearest_site(context.get(), sites, options, result.outputs(), domain, weights);
  result.warnings = context.get().warnings();
  return result;
}

NearestSite nearest_site_batch(View<const void> sites, const NearestSiteOptions& options,
                               const NearestSiteWanted& wanted, View<const void> domain,
                               View<const void> weights) {
  const Extents& extents = sites.extents();
  check_batch_extents(extents);
  const std::int64_t cells = extents[0] > 0 ? extents.count() / extents[0] : 0;
  NearestSite result =
      allocate({.extents = extents}, extents.rank() - 1, label_type(sites, cells), options, wanted);
  CallContext context;
  nearest_site_batch(context.get(), sites, options, result.outputs(), domain, weights);
  result.warnings = context.get().warnings();
  return result;
}

NearestSite voronoi(const PointList& points, const Grid& grid, const NearestSiteOptions& options,
                    const NearestSiteWanted& wanted, View<const void> domain) {
  check_extents("grid", grid.extents);
  NearestSite result = allocate(grid, grid.extents.rank(), label_type(points), options, wanted);
  CallContext context;
  voronoi(context.get(), points, grid, options, result.outputs(), domain);
  result.warnings = context.get().warnings();
  return result;
}

CostDistance cost_distance(const CostMap& map, View<const void> sites,
                           const CostDistanceOptions& options, const CostDistanceWanted& wanted,
                           View<const void> initial_cost) {
  const std::int64_t cells = checked_ground(map, options).extents().count();
  return find_cost_distance(map, sites, label_type(sites, cells), options, wanted, initial_cost);
}

CostDistance cost_distance(const CostMap& map, const PointList& sites,
                           const CostDistanceOptions& options, const CostDistanceWanted& wanted,
                           View<const void> initial_cost) {
  return find_cost_distance(map, sites, label_type(sites), options, wanted, initial_cost);
}

Array<float> material_map(const Extents& extents, Material material, std::uint64_t seed) {
  check_extents("map", extents);
  Array<float> map(extents);
  CallContext context;
  material_map(context.get(), map.view(), material, seed);
  return map;
}

Components connected_components(View<const void> image, const ComponentsOptions& options) {
  check_extents("image", image.extents());
  Components result{.labels = Raster(number_type(image.extents().count()), image.extents())};
  CallContext context;
  result.count = connected_components(context.get(), image, options, result.labels.view());
  return result;
}

Raster random_sites(const Extents& extents, std::int64_t count, std::uint64_t seed) {
  check_extents("sites", extents);
  Raster sites(number_type(count), extents);
  CallContext context;
  random_sites(context.get(), sites.view(), count, seed);
  return sites;
}

Comparison compare(const CompareInputs& inputs, const CompareOptions& options) {
  CallContext context;
  return compare(context.get(), inputs, options);
}

SiteStatistics site_statistics(View<const void> labels, const SiteFields& fields,
                               const SiteStatisticsOptions& options) {
  CallContext context;
  return site_statistics(context.get(), labels, fields, options);
}

Adjacency adjacency(View<const void> labels, const AdjacencyOptions& options) {
  CallContext context;
  return adjacency(context.get(), labels, options);
}

Polygons region_polygons(View<const void> labels, const RegionPolygonsOptions& options) {
  CallContext context;
  return region_polygons(context.get(), labels, options);
}

Borders region_borders(View<const void> labels, View<const void> distance,
                       const RegionPolygonsOptions& options) {
  CallContext context;
  return region_borders(context.get(), labels, distance, options);
}

Polygons voronoi_polygons(const PointList& sites, const Extents& extents,
                          const VoronoiPolygonsOptions& options) {
  CallContext context;
  return voronoi_polygons(context.get(), sites, extents, options);
}

Borders voronoi_borders(const PointList& sites, const Extents& extents,
                        const VoronoiPolygonsOptions& options) {
  CallContext context;
  return voronoi_borders(context.get(), sites, extents, options);
}

Contours contour_lines(View<const void> distance, const ContourOptions& options) {
  CallContext context;
  return contour_lines(context.get(), distance, options);
}

Raster coverage_distance(View<const void> coverage, const CoverageDistanceOptions& options) {
  check_extents("coverage", coverage.extents());
  Raster distance(to_element_type(options.distance_type), coverage.extents());
  CallContext context;
  coverage_distance(context.get(), coverage, options, distance.view());
  return distance;
}

Array<std::uint8_t> render(const RenderInputs& inputs, const RenderOptions& options,
                           const Extents& size) {
  const Extents pixels = size.rank() == 0 ? cells_of(inputs) : size;
  if (pixels.rank() != 2 && pixels.rank() != 3)
    refuse("size", "has " + std::to_string(pixels.rank()) +
                       " axes; must have 2, (y, x), or 3, (y, x, channels)");
  Array<std::uint8_t> picture({pixels[0], pixels[1], pixels.rank() == 3 ? pixels[2] : 3});
  CallContext context;
  render(context.get(), inputs, options, picture.view());
  return picture;
}

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/labels/polygons.hpp"

#include "api/call/structs_of.hpp"

namespace thiessen {
namespace {

PointList points_of(const VoronoiPolygonsInputs& in) {
  return {.coordinates = in.points, .weights = in.weights};
}

constexpr Maker kPolygonMakers[] = {
    runs<RegionPolygonsInputs, RegionPolygonsOptions, NoOutputs, Polygons>(
        kRegionPolygons,
        [](Context& context, auto& own) {
          own.results = region_polygons(context, own.in.labels, own.options);
        }),
    runs<RegionBordersInputs, RegionPolygonsOptions, NoOutputs, Borders>(
        kRegionBorders,
        [](Context& context, auto& own) {
          own.results = region_borders(context, own.in.labels, own.in.distance, own.options);
        }),
    runs<VoronoiPolygonsInputs, VoronoiPolygonsShape, NoOutputs, Polygons>(
        kVoronoiPolygons,
        [](Context& context, auto& own) {
          own.results =
              voronoi_polygons(context, points_of(own.in), Extents(own.options.shape), own.options);
        }),
    runs<VoronoiPolygonsInputs, VoronoiPolygonsShape, NoOutputs, Borders>(
        kVoronoiBorders,
        [](Context& context, auto& own) {
          own.results =
              voronoi_borders(context, points_of(own.in), Extents(own.options.shape), own.options);
        }),
    runs<ContourLinesInputs, ContourOptions, NoOutputs, Contours>(
        kContourLines,
        [](Context& context, auto& own) {
          own.results = contour_lines(context, own.in.distance, own.options);
        }),
};

}  // namespace

std::span<const Maker> polygon_makers() { return kPolygonMakers; }

}  // namespace thiessen

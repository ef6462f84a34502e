// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/labels/polygons.hpp"

#include "operations/checks/tables.hpp"
#include "operations/rows/operation.hpp"
#include "operations/rows/result_member.hpp"
#include "operations/tables/shared/options.hpp"

namespace thiessen {
namespace {

constexpr Input kRegionLabels = {.name = "labels",
                                 .help = "raster of labels: a region is all cells of one label",
                                 .is_required = true};

constexpr Input kRegionPolygonsInputs[] = {input<&RegionPolygonsInputs::labels>(kRegionLabels)};

constexpr Input kRegionBordersInputs[] = {
    input<&RegionBordersInputs::labels>(kRegionLabels),
    input<&RegionBordersInputs::distance>(
        {.name = "distance", .help = "distance of each cell, which the points of borders get"}),
};

constexpr Input kVoronoiPolygonsInputs[] = {
    input<&VoronoiPolygonsInputs::points>(text::kPoints),
    input<&VoronoiPolygonsInputs::weights>(text::kPointWeights),
};

constexpr Input kContourInputs[] = {
    input<&ContourLinesInputs::distance>(
        {.name = "distance", .help = "distance or cost of each cell", .is_required = true}),
};

constexpr Field kRegionPolygonsFields[] = {
    field<&RegionPolygonsOptions::background>(text::kBackground),
    field<&RegionPolygonsOptions::nodata>(text::kRegionNodata),
};

constexpr Field kVoronoiPolygonsFields[] = {
    field<&VoronoiPolygonsShape::shape>(text::kShape),
    field<&VoronoiPolygonsOptions::spacing>(text::kSpacing),
    field<&VoronoiPolygonsOptions::weighting>(text::kWeighting),
};

constexpr std::string_view kIntervalName[] = {"interval"};
constexpr std::string_view kLevelsName[] = {"levels"};
constexpr Field kContourFields[] = {
    field<&ContourOptions::interval>({.name = "interval",
                                      .help = "lines at the multiples of this length",
                                      .if_missing = "lines at the levels",
                                      .range = kPositive,
                                      .not_with = kLevelsName}),
    field<&ContourOptions::levels>({.name = "levels",
                                    .help = "lines at these distances",
                                    .range = kFinite,
                                    .not_with = kIntervalName}),
};

constexpr ResultText kCoordinates = {
    .name = "coordinates", .help = "y and x of each point, in cells", .columns = Columns::two};

constexpr Result kPolygonsResults[] = {
    result<&Polygons::labels>({.name = "labels", .help = "label of each region, ascending"}),
    result<&Polygons::parts>(
        {.name = "parts", .help = "first polygon of each region, and the number of polygons"}),
    result<&Polygons::rings>(
        {.name = "rings", .help = "first ring of each polygon, and the number of rings"}),
    result<&Polygons::points>(
        {.name = "points", .help = "first point of each ring, and the number of points"}),
    result<&Polygons::coordinates>(kCoordinates),
};

constexpr Result kBordersResults[] = {
    result<&Borders::a>({.name = "a", .help = "lesser label of each border, ascending"}),
    result<&Borders::b>({.name = "b", .help = "greater label of each border"}),
    result<&Borders::points>(
        {.name = "points", .help = "first point of each border, and the number of points"}),
    result<&Borders::coordinates>(kCoordinates),
    result<&Borders::distance>(
        {.name = "distance", .help = "distance from each point to the sites; empty if unknown"}),
};

constexpr Result kContourResults[] = {
    result<&Contours::levels>({.name = "levels", .help = "level of each line, ascending"}),
    result<&Contours::points>(
        {.name = "points", .help = "first point of each line, and the number of points"}),
    result<&Contours::coordinates>(kCoordinates),
};

static_assert(detail::are_sound(kRegionPolygonsInputs, kRegionPolygonsFields, {}));
static_assert(detail::are_sound(kRegionBordersInputs, kRegionPolygonsFields, {}));
static_assert(detail::are_sound(kVoronoiPolygonsInputs, kVoronoiPolygonsFields, {}));
static_assert(detail::are_sound(kContourInputs, kContourFields, {}));
static_assert(detail::count_members<RegionPolygonsOptions>() == std::size(kRegionPolygonsFields));
static_assert(detail::count_members<ContourOptions>() == std::size(kContourFields));
static_assert(detail::count_members<Polygons>() == std::size(kPolygonsResults));
static_assert(detail::count_members<Borders>() == std::size(kBordersResults));
static_assert(detail::count_members<Contours>() == std::size(kContourResults));

}  // namespace

constinit const Operation kRegionPolygons = {
    .name = "region_polygons",
    .help = "outlines of the regions of a raster of labels, along the edges of cells",
    .inputs = kRegionPolygonsInputs,
    .fields = kRegionPolygonsFields,
    .results = kPolygonsResults,
    .defaults = &defaults_of<RegionPolygonsOptions>};

constinit const Operation kRegionBorders = {
    .name = "region_borders",
    .help = "borders between the regions of a raster of labels, along the edges of cells",
    .inputs = kRegionBordersInputs,
    .fields = kRegionPolygonsFields,
    .results = kBordersResults,
    .defaults = &defaults_of<RegionPolygonsOptions>};

constinit const Operation kVoronoiPolygons = {
    .name = "voronoi_polygons",
    .help = "polygons in which each point is the nearest, cut off at a grid",
    .inputs = kVoronoiPolygonsInputs,
    .fields = kVoronoiPolygonsFields,
    .results = kPolygonsResults,
    .defaults = &defaults_of<VoronoiPolygonsShape>};

constinit const Operation kVoronoiBorders = {.name = "voronoi_borders",
                                             .help = "borders between the polygons of points",
                                             .inputs = kVoronoiPolygonsInputs,
                                             .fields = kVoronoiPolygonsFields,
                                             .results = kBordersResults,
                                             .defaults = &defaults_of<VoronoiPolygonsShape>};

constinit const Operation kContourLines = {.name = "contour_lines",
                                           .help = "lines of equal distance or cost",
                                           .inputs = kContourInputs,
                                           .fields = kContourFields,
                                           .results = kContourResults,
                                           .defaults = &defaults_of<ContourOptions>};

}  // namespace thiessen

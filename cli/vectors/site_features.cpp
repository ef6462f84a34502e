// SPDX-License-Identifier: Apache-2.0
#include "vectors/site_features.hpp"

#include <cmath>
#include <iterator>
#include <utility>

#include "io/table/area_clip.hpp"
#include "results/result_files.hpp"
#include "vectors/outline_measures.hpp"
#include "vectors/region_table.hpp"
#include "words/arguments.hpp"
#include "words/flag_group.hpp"

namespace thiessen::cli {
namespace {

struct RegionFile {
  RegionOutput output;
  const char* flag;
  bool has_geometry;
  const char* help;
};

constexpr RegionFile kRegionFiles[] = {
    {RegionOutput::polygons, "--polygons", true,
     "The region of each site, with the fields of the sites (2-D): .gpkg .geojson .fgb .shp"},
    {RegionOutput::edges, "--edges", true,
     "The borders between regions as lines, with both sites: .gpkg .geojson .fgb .shp"},
    {RegionOutput::table, "--table", false,
     "A row for each site: area, cells, centroid, distances: .csv .gpkg .parquet"},
    {RegionOutput::adjacency, "--adjacency", false,
     "A row for each pair of sites whose regions touch: .csv .gpkg .parquet"}};

/// The columns with these rows of each.
std::vector<io::Column> rows_of_all(const std::vector<io::Column>& columns,
                                    const std::vector<std::int64_t>& rows) {
  std::vector<io::Column> result;
  result.reserve(columns.size());
  for (const io::Column& column : columns) result.push_back(io::rows_of(column, rows));
  return result;
}

void append(std::vector<io::Column> columns, std::vector<io::Column>& all) {
  std::move(columns.begin(), columns.end(), std::back_inserter(all));
}

PointList points_of(const Sites& sites) {
  PointList list = sites.point_list();
  list.labels = {};
  return list;
}

/// The study area of sites with a domain.
io::AreaClip study_area(Context& context, const Sites& sites) {
  const Grid grid = georeferenced(sites.grid);
  if (sites.area) return {sites.area->lines(grid), "the study area"};
  return {region_polygons(context, sites.domain.view()), "the study area"};
}

Polygons straight_polygons(Context& context, const FeatureInputs& inputs) {
  Polygons polygons = voronoi_polygons(context, points_of(inputs.sites), inputs.sites.extents(),
                                       {.spacing = inputs.spacing, .weighting = inputs.weighting});
  if (!inputs.sites.domain) return polygons;
  return as_usage_error([&] { return study_area(context, inputs.sites).clip(polygons); });
}

/// The distance of each point of borders to its sites.
std::vector<double> distances_of(const Borders& borders, const std::vector<double>& points,
                                 const std::vector<double>& spacing) {
  std::vector<double> distances;
  for (std::size_t border = 0; border + 1 < borders.points.size(); ++border) {
    const double* const from = points.data() + 2 * borders.a.view<std::int64_t>().data()[border];
    for (std::int64_t i = borders.points[border]; i < borders.points[border + 1]; ++i) {
      const double* const point = borders.coordinates.data() + 2 * i;
      distances.push_back(
          std::hypot((point[0] - from[0]) * spacing[0], (point[1] - from[1]) * spacing[1]));
    }
  }
  return distances;
}

Borders straight_borders(Context& context, const FeatureInputs& inputs) {
  Borders borders = voronoi_borders(context, points_of(inputs.sites), inputs.sites.extents(),
                                    {.spacing = inputs.spacing, .weighting = inputs.weighting});
  if (!inputs.sites.domain) return borders;
  borders = as_usage_error([&] { return study_area(context, inputs.sites).clip(borders); });
  borders.distance = distances_of(borders, inputs.sites.points, inputs.spacing);
  return borders;
}

/// The polygons of the regions, with straight edges if they may have them.
Polygons make_polygons(Context& context, const FeatureInputs& inputs) {
  if (inputs.why_cell_outlines.empty()) return straight_polygons(context, inputs);
  return region_polygons(context, inputs.regions,
                         {.background = inputs.unreached, .nodata = inputs.nodata});
}

Borders make_borders(Context& context, const FeatureInputs& inputs) {
  if (inputs.why_cell_outlines.empty()) return straight_borders(context, inputs);
  return region_borders(context, inputs.regions, inputs.distance,
                        {.background = inputs.unreached, .nodata = inputs.nodata});
}

/// Rows of the table for each region of a list.
std::vector<std::int64_t> rows_of_regions(const RegionTable& table, const Raster& regions) {
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < regions.extents()[0]; ++i) rows.push_back(table.row_of(regions, i));
  return rows;
}

/// The keys of both sides of borders or pairs.
std::vector<io::Column> keys_of_pairs(const RegionTable& table, const Raster& a, const Raster& b) {
  std::vector<io::Column> columns = rows_of_all(table.keys("_a"), rows_of_regions(table, a));
  append(rows_of_all(table.keys("_b"), rows_of_regions(table, b)), columns);
  return columns;
}

void write_polygons(io::OutputFile& file, const FeatureInputs& inputs, const RegionTable& table,
                    const Polygons& polygons) {
  const std::vector<std::int64_t> rows = rows_of_regions(table, polygons.labels);
  io::Features features{.rows = static_cast<std::int64_t>(rows.size()),
                        .columns = rows_of_all(table.keys(), rows),
                        .polygons = &polygons,
                        .georeference = *georeferenced(inputs.sites.grid).georeference};
  for (io::Column& column : rows_of_all(table.measures(), rows)) {
    if (column.name == "area" && inputs.cell_areas.empty())
      features.columns.push_back(io::real_column("area", areas_of(polygons, inputs.spacing)));
    else if (column.name == "cells" || column.name == "area" || column.name.ends_with("_distance"))
      features.columns.push_back(std::move(column));
  }
  append(rows_of_all(table.attributes(), rows), features.columns);
  io::write_features(file, features);
}

void write_edges(io::OutputFile& file, const FeatureInputs& inputs, const RegionTable& table,
                 const Borders& borders) {
  io::Features features{.rows = static_cast<std::int64_t>(borders.points.size()) - 1,
                        .columns = keys_of_pairs(table, borders.a, borders.b),
                        .lines = io::Lines{borders.points, borders.coordinates, borders.distance},
                        .georeference = *georeferenced(inputs.sites.grid).georeference};
  const std::vector<double> spacing =
      inputs.spacing.empty() ? std::vector<double>{1, 1} : inputs.spacing;
  BorderMeasures measures = measure(borders, spacing);
  if (inputs.why_cell_outlines.empty())
    measures.least = measure_gaps(borders, inputs.sites.points, spacing).least;
  if (!inputs.spacing.empty())
    features.columns.push_back(io::real_column("length", std::move(measures.length)));
  features.columns.push_back(io::real_column("least_distance", std::move(measures.least)));
  features.columns.push_back(io::real_column("greatest_distance", std::move(measures.greatest)));
  io::write_features(file, features);
}

void write_table(io::OutputFile& file, const RegionTable& table) {
  io::Features features{.rows = table.rows(), .columns = table.keys()};
  append(table.measures(), features.columns);
  append(table.attributes(), features.columns);
  io::write_features(file, features);
}

/// Pairs of points are those whose polygons share an edge.
io::Features pairs_of_points(const FeatureInputs& inputs, const RegionTable& table,
                             const Borders& borders) {
  io::Features features{.rows = static_cast<std::int64_t>(borders.points.size()) - 1,
                        .columns = keys_of_pairs(table, borders.a, borders.b)};
  features.columns.push_back(io::real_column("border", measure(borders, inputs.spacing).length));
  features.columns.push_back(io::real_column(
      "least_distance", measure_gaps(borders, inputs.sites.points, inputs.spacing).between));
  return features;
}

/// Pairs of regions are those with cells that share an edge.
io::Features pairs_of_regions(Context& context, const FeatureInputs& inputs,
                              const RegionTable& table) {
  AdjacencyOptions options{.background = inputs.unreached, .nodata = inputs.nodata};
  if (!inputs.spacing.empty()) options.spacing = inputs.spacing;
  const Adjacency pairs = adjacency(context, inputs.regions, options);
  io::Features features{.rows = static_cast<std::int64_t>(pairs.contacts.size()),
                        .columns = keys_of_pairs(table, pairs.a, pairs.b)};
  features.columns.push_back(io::integer_column("contacts", pairs.contacts));
  if (inputs.spacing.empty()) return features;
  features.columns.push_back(io::real_column("border", pairs.boundary));
  features.columns.push_back(io::real_column(
      "shortest_way", shortest_ways(pairs, inputs.regions, inputs.distance, inputs.spacing)));
  return features;
}

}  // namespace

void add_feature_flags(CLI::App& command, FeatureArguments& arguments) {
  const FlagGroup outputs(command, "Vector outputs");
  for (const RegionFile& each : kRegionFiles)
    outputs
        .option(each.flag, arguments.files[static_cast<std::size_t>(each.output)], "FILE",
                each.help)
        ->check(check_file_name);
  FlagGroup(command, "Choice")
      .input("--sum-of", arguments.sums,
             "Raster, such as a population, that --table sums up for each site; repeatable")
      ->needs(command.get_option("--table"));
  add_contour_flags(command, arguments.contours);
}

FeatureFiles::FeatureFiles(const FeatureArguments& arguments, const Sites& sites,
                           ResultFiles& files)
    : arguments_(arguments) {
  require_plane(sites.name, "vector outputs", sites.extents());
  for (const RegionFile& each : kRegionFiles) {
    const auto place = static_cast<std::size_t>(each.output);
    if (!arguments.files[place].empty())
      files_[place] = &files.add_features(arguments.files[place], each.has_geometry);
  }
  if (arguments.contours.are_given()) contours_.emplace(arguments.contours, sites, files);
}

void FeatureFiles::write(Context& context, const FeatureInputs& inputs, Report& report) {
  if (arguments_.needs().regions) write_regions(context, inputs, report);
  if (contours_) contours_->write(context, inputs.distance, inputs.sites.grid, report);
}

void FeatureFiles::write_regions(Context& context, FeatureInputs inputs, Report& report) {
  if (inputs.sites.are_points()) {
    inputs.unreached = kUnreached;
    inputs.nodata = kNodata;
  }
  io::OutputFile *const polygons_file = file(RegionOutput::polygons),
                        *const edges_file = file(RegionOutput::edges),
                        *const table_file = file(RegionOutput::table),
                        *const pairs_file = file(RegionOutput::adjacency);
  std::optional<Borders> borders;
  std::optional<Polygons> polygons;
  const auto make = [&] {
    if (polygons_file != nullptr) polygons = make_polygons(context, inputs);
    if (edges_file != nullptr || (pairs_file != nullptr && inputs.why_cell_outlines.empty()))
      borders = make_borders(context, inputs);
  };
  try {
    make();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
    inputs.why_cell_outlines = error.what();
    make();
  }
  const RegionTable table(context, inputs, arguments_.sums);
  if (polygons) write_polygons(*polygons_file, inputs, table, *polygons);
  if (edges_file != nullptr) write_edges(*edges_file, inputs, table, *borders);
  if (table_file != nullptr) write_table(*table_file, table);
  if (pairs_file != nullptr)
    io::write_features(*pairs_file, inputs.why_cell_outlines.empty()
                                        ? pairs_of_points(inputs, table, *borders)
                                        : pairs_of_regions(context, inputs, table));
  if (!inputs.cell_areas.empty()) report.set("area_unit", "square metre");
  if (polygons_file == nullptr && edges_file == nullptr) return;
  report.set("outlines", inputs.why_cell_outlines.empty() ? "straight" : "along cells");
  if (!inputs.why_cell_outlines.empty()) report.set("why_along_cells", inputs.why_cell_outlines);
}

}  // namespace thiessen::cli

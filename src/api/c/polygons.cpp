// SPDX-License-Identifier: Apache-2.0
#include "thiessen/polygons.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"
#include "api/c/nearest_site.hpp"
#include "api/c/tables.hpp"

namespace {

using thiessen::c::at_boundary;
using thiessen::c::check_table;
using thiessen::c::column;
using thiessen::c::free_table;
using thiessen::c::read_struct;
using thiessen::c::required;
using thiessen::c::to_optional_view;
using thiessen::c::to_points;
using thiessen::c::to_spacing;
using thiessen::c::to_value;
using thiessen::c::to_view;
using thiessen::c::write_struct;
using thiessen::c::write_table;

thiessen_region_polygons_options polygon_defaults() {
  thiessen_region_polygons_options options{};
  options.size = sizeof options;
  options.background = thiessen_value_i64(0);
  return options;
}

thiessen::RegionPolygonsOptions to_options(const thiessen_region_polygons_options* given) {
  const auto options = read_struct("options", given, polygon_defaults());
  return {.background = to_value("background", options.background),
          .nodata = to_value("nodata", options.nodata)};
}

thiessen::Extents to_extents(const std::int64_t* extents) {
  required("extents", extents);
  return {extents[0], extents[1]};
}

void write_polygons(thiessen_polygons* polygons, thiessen::Polygons found) {
  write_table("polygons", polygons, std::move(found), [](const thiessen::Polygons& own) {
    thiessen_polygons table{};
    table.regions = static_cast<std::int64_t>(own.parts.size()) - 1;
    table.labels = own.labels.bytes();
    table.parts = column(own.parts);
    table.rings = column(own.rings);
    table.points = column(own.points);
    table.coordinates = column(own.coordinates);
    return table;
  });
}

void write_borders(thiessen_borders* borders, thiessen::Borders found) {
  write_table("borders", borders, std::move(found), [](const thiessen::Borders& own) {
    thiessen_borders table{};
    table.rows = static_cast<std::int64_t>(own.points.size()) - 1;
    table.a = own.a.bytes();
    table.b = own.b.bytes();
    table.points = column(own.points);
    table.coordinates = column(own.coordinates);
    table.distance = column(own.distance);
    return table;
  });
}

}  // namespace

thiessen_status thiessen_region_polygons_options_init(thiessen_region_polygons_options* options,
                                                      size_t size) {
  return at_boundary([&] { write_struct("options", options, size, polygon_defaults()); });
}

thiessen_status thiessen_region_polygons(thiessen_context* context, const thiessen_array* labels,
                                         const thiessen_region_polygons_options* options,
                                         thiessen_polygons* polygons) {
  return at_boundary([&] {
    thiessen::Context& where = required("context", context).context;
    check_table("polygons", polygons);
    write_polygons(polygons,
                   thiessen::region_polygons(where, to_view("labels", required("labels", labels)),
                                             to_options(options)));
  });
}

thiessen_status thiessen_region_borders(thiessen_context* context, const thiessen_array* labels,
                                        const thiessen_array* distance,
                                        const thiessen_region_polygons_options* options,
                                        thiessen_borders* borders) {
  return at_boundary([&] {
    thiessen::Context& where = required("context", context).context;
    check_table("borders", borders);
    write_borders(borders, thiessen::region_borders(
                               where, to_view("labels", required("labels", labels)),
                               to_optional_view("distance", distance), to_options(options)));
  });
}

thiessen_status thiessen_voronoi_polygons(thiessen_context* context, const thiessen_points* points,
                                          const int64_t* extents, const double* spacing,
                                          thiessen_polygons* polygons) {
  return at_boundary([&] {
    thiessen::Context& where = required("context", context).context;
    check_table("polygons", polygons);
    write_polygons(polygons,
                   thiessen::voronoi_polygons(where, to_points(points), to_extents(extents),
                                              {.spacing = to_spacing(spacing, 2)}));
  });
}

thiessen_status thiessen_voronoi_borders(thiessen_context* context, const thiessen_points* points,
                                         const int64_t* extents, const double* spacing,
                                         thiessen_borders* borders) {
  return at_boundary([&] {
    thiessen::Context& where = required("context", context).context;
    check_table("borders", borders);
    write_borders(borders, thiessen::voronoi_borders(where, to_points(points), to_extents(extents),
                                                     {.spacing = to_spacing(spacing, 2)}));
  });
}

void thiessen_free_polygons(thiessen_polygons* polygons) {
  free_table<thiessen::Polygons>(polygons);
}

void thiessen_free_borders(thiessen_borders* borders) { free_table<thiessen::Borders>(borders); }

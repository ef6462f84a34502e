// SPDX-License-Identifier: Apache-2.0
#include "thiessen/polygons.hpp"

#include <vector>

#include "array.hpp"
#include "bytes.hpp"
#include "calls.hpp"
#include "module.hpp"
#include "options.hpp"
#include "thiessen/contours.hpp"

namespace thiessen::python {
namespace {

/// The options of a call, and how it runs.
struct RegionPolygonsCall : CallOptions, RegionPolygonsOptions {};
struct VoronoiPolygonsCall : CallOptions, VoronoiPolygonsOptions {};
struct ContourCall : CallOptions, ContourOptions {};

nb::dict to_columns(const Polygons& found) {
  nb::dict columns;
  columns["labels"] = to_bytes(found.labels);
  columns["parts"] = to_bytes(found.parts);
  columns["rings"] = to_bytes(found.rings);
  columns["points"] = to_bytes(found.points);
  columns["coordinates"] = to_bytes(found.coordinates);
  return columns;
}

nb::dict to_columns(const Borders& found) {
  nb::dict columns;
  columns["a"] = to_bytes(found.a);
  columns["b"] = to_bytes(found.b);
  columns["points"] = to_bytes(found.points);
  columns["coordinates"] = to_bytes(found.coordinates);
  columns["distance"] = to_bytes(found.distance);
  return columns;
}

nb::dict find_region_polygons(nb::handle labels, const RegionPolygonsCall& options) {
  const Array cells = Array::readable("labels", labels);
  Polygons found;
  call(options, false,
       [&](Context& context) { found = region_polygons(context, cells.const_view(), options); });
  return to_columns(found);
}

nb::dict find_region_borders(nb::handle labels, nb::handle distance,
                             const RegionPolygonsCall& options) {
  const Array cells = Array::readable("labels", labels);
  const Array distances = Array::readable("distance", distance);
  Borders found;
  call(options, false, [&](Context& context) {
    found = region_borders(context, cells.const_view(), distances.const_view(), options);
  });
  return to_columns(found);
}

nb::dict find_voronoi_polygons(nb::handle points, const std::vector<std::int64_t>& shape,
                               const VoronoiPolygonsCall& options) {
  const Array coordinates = Array::readable("points", points);
  const PointList list{.coordinates = coordinates.const_view()};
  Polygons found;
  call(options, false,
       [&](Context& context) { found = voronoi_polygons(context, list, Extents(shape), options); });
  return to_columns(found);
}

nb::dict find_voronoi_borders(nb::handle points, const std::vector<std::int64_t>& shape,
                              const VoronoiPolygonsCall& options) {
  const Array coordinates = Array::readable("points", points);
  const PointList list{.coordinates = coordinates.const_view()};
  Borders found;
  call(options, false,
       [&](Context& context) { found = voronoi_borders(context, list, Extents(shape), options); });
  return to_columns(found);
}

nb::dict find_contour_lines(nb::handle distance, const ContourCall& options) {
  const Array distances = Array::readable("distance", distance);
  Contours found;
  call(options, false,
       [&](Context& context) { found = contour_lines(context, distances.const_view(), options); });
  nb::dict columns;
  columns["levels"] = to_bytes(found.levels);
  columns["points"] = to_bytes(found.points);
  columns["coordinates"] = to_bytes(found.coordinates);
  return columns;
}

}  // namespace

void bind_polygons(nb::module_& module) {
  nb::class_<RegionPolygonsCall, CallOptions> regions(module, "RegionPolygonsOptions");
  regions.def(nb::init<>());
  bind_label(regions, "nodata", &RegionPolygonsCall::nodata);
  regions.def_prop_rw(
      "background", [](const RegionPolygonsCall& options) { return options.background; },
      [](RegionPolygonsCall& options, nb::handle value) {
        options.background.reset();
        if (!value.is_none()) options.background = to_label("background", value);
      },
      nb::for_setter(nb::arg("value").none()));
  nb::class_<VoronoiPolygonsCall, CallOptions>(module, "VoronoiPolygonsOptions")
      .def(nb::init<>())
      .def_rw("spacing", &VoronoiPolygonsCall::spacing);
  module.def("region_polygons", &find_region_polygons, nb::arg("labels"), nb::kw_only(),
             nb::arg("options"), "Calls the C++ function region_polygons() on a host buffer.");
  module.def("region_borders", &find_region_borders, nb::arg("labels"), nb::kw_only(),
             nb::arg("distance").none(), nb::arg("options"),
             "Calls the C++ function region_borders() on host buffers.");
  module.def("voronoi_polygons", &find_voronoi_polygons, nb::arg("points"), nb::kw_only(),
             nb::arg("shape"), nb::arg("options"),
             "Calls the C++ function voronoi_polygons() on a host buffer.");
  module.def("voronoi_borders", &find_voronoi_borders, nb::arg("points"), nb::kw_only(),
             nb::arg("shape"), nb::arg("options"),
             "Calls the C++ function voronoi_borders() on a host buffer.");
  nb::class_<ContourCall, CallOptions>(module, "ContourOptions")
      .def(nb::init<>())
      .def_rw("interval", &ContourCall::interval)
      .def_rw("levels", &ContourCall::levels);
  module.def("contour_lines", &find_contour_lines, nb::arg("distance"), nb::kw_only(),
             nb::arg("options"), "Calls the C++ function contour_lines() on a host buffer.");
}

}  // namespace thiessen::python

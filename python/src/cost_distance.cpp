// SPDX-License-Identifier: Apache-2.0
#include "thiessen/cost_distance.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "array.hpp"
#include "calls.hpp"
#include "cost_distance_call.hpp"
#include "module.hpp"
#include "options.hpp"

namespace thiessen::python {
namespace {

/// With `raster` or `points`, of which the other one is None, for the sites.
// NOLINTNEXTLINE(readability-function-size): what Python passes by name
Told compute(nb::handle map, nb::handle raster, nb::handle points, nb::handle labels,
             nb::handle initial_cost, nb::handle elevation, const nb::dict& outputs,
             CostDistanceCall options) {
  const Array resistance = Array::readable("map", map);
  const Array sites = Array::readable("sites", raster);
  const Array coordinates = Array::readable("points", points);
  const Array point_labels = Array::readable("labels", labels);
  const Array initial = Array::readable("initial_cost", initial_cost);
  const Array heights = Array::readable("elevation", elevation);
  options.elevation = heights.const_view();
  const CostDistanceArrays arrays(outputs);
  const CostDistanceOutputs out = arrays.views();
  // Other methods take their time on small maps, too, and a device has other work to do first.
  constexpr std::int64_t kBrief = 1 << 16;
  const View<const void> ground =
      resistance.view() ? resistance.const_view() : heights.const_view();
  const bool brief = options.method == CostMethod::exact && ground.space() != MemorySpace::cuda &&
                     ground.extents().count() <= kBrief;
  return call(options, brief, [&](Context& context) {
    if (sites.view())
      cost_distance(context, resistance.const_view(), sites.const_view(), options, out,
                    initial.const_view());
    else
      cost_distance(
          context, resistance.const_view(),
          PointList{.coordinates = coordinates.const_view(), .labels = point_labels.const_view()},
          options, out, initial.const_view());
  });
}

std::vector<std::int64_t> follow(nb::handle back_links, std::string_view connectivity,
                                 const std::vector<std::int64_t>& start) {
  const Array links = Array::readable("back_links", back_links);
  return least_cost_path(links.view_of<std::uint8_t>("back_links"),
                         to_choice<Connectivity>("connectivity", connectivity, kConnectivityNames),
                         start);
}

void fill_map(nb::handle map, std::string_view material, std::uint64_t seed) {
  const Array output = Array::writable("map", map);
  const auto found = find_material(material);
  const auto chosen = found ? *found : to_choice<Material>("material", material, kMaterialNames);
  call({.device = "cpu", .threads = 1}, false,
       [&](Context& context) { material_map(context, output.view(), chosen, seed); });
}

void bind_options(nb::module_& module) {
  using Options = CostDistanceCall;
  nb::class_<Options, CallOptions> bound(module, "CostDistanceOptions");
  bound.def(nb::init<>())
      .def_prop_rw(
          "in_float64",
          [](const Options& options) { return options.distance_type == FloatType::f64; },
          [](Options& options, bool wide) {
            options.distance_type = wide ? FloatType::f64 : FloatType::f32;
          })
      .def_rw("spacing", &Options::spacing)
      .def_rw("earth", &Options::earth)
      .def_rw("walk_coefficients", &Options::walk_coefficients)
      .def_rw("slope_factor", &Options::slope_factor)
      .def_rw("zero_is_site", &Options::zero_is_site)
      .def_rw("tight_barriers", &Options::tight_barriers)
      .def_rw("labels_carried", &Options::labels_carried)
      .def_rw("strict", &Options::strict)
      .def_rw("max_distance", &Options::max_distance);
  bind_choice(bound, "method", &Options::method, kCostMethodNames);
  bind_choice(bound, "metric", &Options::metric, kMetricNames);
  bind_choice(bound, "edge_weight", &Options::edge_weight, kEdgeWeightNames);
  bind_choice(bound, "connectivity", &Options::connectivity, kConnectivityNames);
  bind_choice(bound, "walk", &Options::walk, kWalkNames);
  bind_choice(bound, "walk_map", &Options::walk_map, kWalkMapNames);
  bind_choice(bound, "walk_direction", &Options::walk_direction, kWalkDirectionNames);
  bind_labels(bound, "values", &Options::values);
  bind_label(bound, "site_nodata", &Options::site_nodata);
  bind_label(bound, "map_nodata", &Options::map_nodata);
  bind_label(bound, "elevation_nodata", &Options::elevation_nodata);
  bind_label(bound, "nodata_label", &Options::nodata_label);
  bind_label(bound, "unreached", &Options::unreached);
}

}  // namespace

void bind_cost_distance(nb::module_& module) {
  bind_options(module);
  module.def("cost_distance", &compute, nb::arg("map").none(), nb::kw_only(),
             nb::arg("sites").none(), nb::arg("points").none(), nb::arg("labels").none(),
             nb::arg("initial_cost").none(), nb::arg("elevation").none(), nb::arg("outputs"),
             nb::arg("options"), "Calls the C++ function cost_distance().");
  module.def("least_cost_path", &follow, nb::arg("back_links"), nb::kw_only(),
             nb::arg("connectivity"), nb::arg("start"),
             "Calls the C++ function least_cost_path() on a host buffer.");
  module.def("material_map", &fill_map, nb::arg("map"), nb::kw_only(), nb::arg("material"),
             nb::arg("seed"), "Calls the C++ function material_map() on a host buffer.");
}

}  // namespace thiessen::python

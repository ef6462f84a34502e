// SPDX-License-Identifier: Apache-2.0
#include "thiessen/nearest_site.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string_view>
#include <vector>

#include "array.hpp"
#include "calls.hpp"
#include "module.hpp"
#include "nearest_site_call.hpp"
#include "options.hpp"
#include "values.hpp"

namespace thiessen::python {
namespace {

/// nearest_site() or nearest_site_batch() of a raster.
using NearestRasterSite = void (*)(Context&, View<const void>, const NearestSiteOptions&,
                                   const NearestSiteOutputs&, View<const void> domain);

template <NearestRasterSite function>
Told nearest_site_of_raster(nb::handle sites, const nb::dict& outputs,
                            const NearestSiteCall& options) {
  const Array input = Array::readable("sites", sites);
  const NearestSiteArrays arrays(outputs);
  const View<const void> view = input.const_view();
  const NearestSiteOutputs out = arrays.views();
  return call(options, is_brief(options, view, view.extents().count(), 0),
              [&](Context& context) { function(context, view, options, out, {}); });
}

Told nearest_point(nb::handle points, nb::handle labels, nb::handle domain,
                   const std::vector<std::int64_t>& shape, const nb::dict& outputs,
                   const NearestSiteCall& options) {
  const Array coordinates = Array::readable("points", points);
  const Array point_labels = Array::readable("labels", labels);
  const Array cells_of_domain = Array::readable("domain", domain);
  const NearestSiteArrays arrays(outputs);
  const PointList list{.coordinates = coordinates.const_view(),
                       .labels = point_labels.const_view()};
  const Grid grid{.extents = Extents(shape)};
  const NearestSiteOutputs out = arrays.views();
  const std::int64_t count = list.coordinates.rank() > 0 ? list.coordinates.extent(0) : 0;
  return call(options, is_brief(options, list.coordinates, grid.extents.count(), count),
              [&](Context& context) {
                voronoi(context, list, grid, options, out, cells_of_domain.const_view());
              });
}

void set_pattern(FloodingOptions& options, std::string_view name) {
  options.pattern = find_pattern(name);
  if (!options.pattern)
    throw Error(ErrorCode::invalid_argument,
                "pattern = '" + std::string(name) +
                    "'; must be 'square', 'circle:N' or 'random-circle:N', N from 1 to 64");
}

void bind_options(nb::module_& module) {
  nb::class_<FloodingOptions> flooding(module, "FloodingOptions");
  flooding.def_rw("steps", &FloodingOptions::steps)
      .def_prop_rw(
          "pattern",
          [](const FloodingOptions& options) {
            return options.pattern ? std::optional(name_of(*options.pattern)) : std::nullopt;
          },
          &set_pattern)
      .def_rw("seed", &FloodingOptions::seed)
      .def_rw("literal", &FloodingOptions::literal);
  bind_choice(flooding, "step_rule", &FloodingOptions::step_rule, kStepRuleNames);
  bind_choice(flooding, "noise", &FloodingOptions::noise, kNoiseNames);
  nb::class_<RasterOptions> raster(module, "RasterOptions");
  raster.def_rw("scan_sites", &RasterOptions::scan_sites)
      .def_rw("growth_step", &RasterOptions::growth_step)
      .def_rw("labels_carried", &RasterOptions::labels_carried);
  bind_choice(raster, "allotment", &RasterOptions::allotment, kAllotmentNames);
  nb::class_<Earth>(module, "Earth")
      .def(nb::init<>())
      .def_rw("latitude", &Earth::latitude)
      .def_rw("longitude", &Earth::longitude)
      .def_rw("radius", &Earth::radius)
      .def_rw("flattening", &Earth::flattening);
  using Options = NearestSiteCall;
  nb::class_<Options, CallOptions> bound(module, "NearestSiteOptions");
  bound.def(nb::init<>())
      .def_rw("spacing", &Options::spacing)
      .def_rw("earth", &Options::earth)
      .def_rw("periodic", &Options::periodic)
      .def_rw("zero_is_site", &Options::zero_is_site)
      .def_rw("free_nodata", &Options::free_nodata)
      .def_rw("max_distance", &Options::max_distance)
      .def_rw("strict", &Options::strict)
      .def_rw("signed_distance", &Options::signed_distance)
      .def_rw("k", &Options::k)
      .def_rw("distinct_labels", &Options::distinct_labels)
      .def_rw("ties_unreached", &Options::ties_unreached)
      .def_rw("flooding", &Options::flooding)
      .def_rw("raster", &Options::raster);
  bind_choice(bound, "method", &Options::method, kMethodNames);
  bind_choice(bound, "metric", &Options::metric, kMetricNames);
  bind_choice(bound, "distance_to", &Options::distance_to, kDistanceToNames);
  bind_labels(bound, "values", &Options::values);
  bind_label(bound, "nodata", &Options::nodata);
  bind_label(bound, "nodata_label", &Options::nodata_label);
  bind_label(bound, "unreached", &Options::unreached);
}

}  // namespace

void bind_nearest_site(nb::module_& module) {
  bind_options(module);
  module.def("nearest_site", &nearest_site_of_raster<nearest_site>, nb::arg("sites"),
             nb::arg("outputs"), nb::arg("options"),
             "Calls the C++ function nearest_site(sites, options, outputs).");
  module.def("nearest_site_batch", &nearest_site_of_raster<nearest_site_batch>, nb::arg("sites"),
             nb::arg("outputs"), nb::arg("options"),
             "Calls the C++ function nearest_site_batch().");
  module.def("voronoi", &nearest_point, nb::arg("points"), nb::kw_only(), nb::arg("labels").none(),
             nb::arg("domain").none(), nb::arg("shape"), nb::arg("outputs"), nb::arg("options"),
             "Calls the C++ function voronoi(points, grid, options, outputs, domain).");
}

}  // namespace thiessen::python

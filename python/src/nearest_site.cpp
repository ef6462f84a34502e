// SPDX-License-Identifier: Apache-2.0
#include "thiessen/nearest_site.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "array.hpp"
#include "calls.hpp"
#include "module.hpp"
#include "values.hpp"

namespace thiessen::python {
namespace {

/// The output arrays: labels, distance, squared, site_index, offset, direction; None where one is
/// not wanted.
class Outputs {
 public:
  explicit Outputs(const nb::list& arrays)
      : labels_(Array::writable("labels", arrays[0])),
        distance_(Array::writable("distance", arrays[1])),
        squared_(Array::writable("squared", arrays[2])),
        site_index_(Array::writable("site_index", arrays[3])),
        offset_(Array::writable("offset", arrays[4])),
        direction_(Array::writable("direction", arrays[5])) {}

  NearestSiteOutputs views() const {
    return {.labels = labels_.view(),
            .site_index = site_index_.view_of<std::int64_t>("site_index"),
            .distance = distance_.view(),
            .squared = squared_.view_of<std::int64_t>("squared"),
            .offset = offset_.view_of<std::int32_t>("offset"),
            .direction = direction_.view_of<float>("direction")};
  }

 private:
  Array labels_, distance_, squared_, site_index_, offset_, direction_;
};

/// What some methods alone take: steps, pattern, noise and seed of jump flooding, scan_sites and
/// growth_step; empty, empty, empty, 0, -1 and 0 where not given.
using MethodOptions = std::tuple<std::vector<std::int64_t>, std::string, std::string, std::uint64_t,
                                 std::int64_t, std::int64_t>;

FloodingOptions to_flooding(const MethodOptions& options) {
  return {.steps = std::get<0>(options),
          .pattern = std::get<1>(options),
          .noise = std::get<2>(options),
          .seed = std::get<3>(options)};
}

RasterOptions to_raster_options(const MethodOptions& options) {
  return {.scan_sites = std::get<4>(options), .growth_step = std::get<5>(options)};
}

/// Work that is over before anybody would want to stop it.
bool is_brief(const NearestSiteOptions& options, const View<const void>& input, std::int64_t cells,
              std::int64_t points) {
  if (input.space() == MemorySpace::cuda) return true;  // it only starts
  constexpr std::int64_t kCells = 1 << 18;
  constexpr std::int64_t kPoints = 1 << 10;
  return options.method == "exact" && cells <= kCells && points <= kPoints;
}

/// The one of the functions of this name that takes a raster.
constexpr void (*nearest_raster_site)(Context&, View<const void>, const NearestSiteOptions&,
                                      const NearestSiteOutputs&) = nearest_site;

void nearest_site_of_raster(nb::handle sites, const nb::list& outputs, const std::string& method,
                            const std::string& metric, std::vector<double> spacing,
                            std::vector<bool> periodic, const std::vector<nb::object>& values,
                            bool zero_is_site, double max_distance, nb::handle nodata,
                            nb::handle unreached, bool signed_distance, bool to_boundary,
                            const std::string& device, int threads, nb::object progress, bool batch,
                            std::uintptr_t stream, bool wait, const MethodOptions& method_options) {
  NearestSiteOptions options{.method = method,
                             .metric = to_metric(metric),
                             .spacing = std::move(spacing),
                             .periodic = std::move(periodic),
                             .zero_is_site = zero_is_site,
                             .max_distance = max_distance,
                             .nodata = to_optional_label("nodata", nodata),
                             .unreached = to_label("unreached", unreached),
                             .signed_distance = signed_distance,
                             .distance_to = to_boundary ? DistanceTo::boundary : DistanceTo::site,
                             .flooding = to_flooding(method_options),
                             .raster = to_raster_options(method_options)};
  for (const nb::object& value : values) options.values.push_back(to_label("values", value));
  const Array input = Array::readable("sites", sites);
  const Outputs arrays(outputs);
  const View<const void> view = input.const_view();
  const NearestSiteOutputs out = arrays.views();
  call({device, threads, std::move(progress), stream},
       is_brief(options, view, view.extents().count(), 0), [&](Context& context) {
         (batch ? nearest_site_batch : nearest_raster_site)(context, view, options, out);
         if (wait) context.synchronize();
       });
}

void nearest_site_of_points(nb::handle points, nb::handle point_labels,
                            const std::vector<std::int64_t>& shape, const nb::list& outputs,
                            const std::string& method, const std::string& metric,
                            std::vector<double> spacing, std::vector<bool> periodic,
                            double max_distance, nb::handle unreached, const std::string& device,
                            int threads, nb::object progress, std::uintptr_t stream, bool wait,
                            const MethodOptions& method_options) {
  const NearestSiteOptions options{.method = method,
                                   .metric = to_metric(metric),
                                   .spacing = std::move(spacing),
                                   .periodic = std::move(periodic),
                                   .max_distance = max_distance,
                                   .unreached = to_label("unreached", unreached),
                                   .flooding = to_flooding(method_options),
                                   .raster = to_raster_options(method_options)};
  const Array coordinates = Array::readable("points", points);
  const Array given_labels = Array::readable("labels", point_labels);
  const Outputs arrays(outputs);
  const PointList list{.coordinates = coordinates.const_view(),
                       .labels = given_labels.const_view()};
  const Grid grid{.extents = Extents(shape)};
  const NearestSiteOutputs out = arrays.views();
  const std::int64_t count = list.coordinates.rank() > 0 ? list.coordinates.extent(0) : 0;
  call({device, threads, std::move(progress), stream},
       is_brief(options, list.coordinates, grid.extents.count(), count), [&](Context& context) {
         nearest_site(context, list, grid, options, out);
         if (wait) context.synchronize();
       });
}

}  // namespace

void bind_nearest_site(nb::module_& module) {
  module.def("nearest_site_of_raster", &nearest_site_of_raster, nb::arg("sites"),
             nb::arg("outputs"), nb::arg("method"), nb::arg("metric"), nb::arg("spacing"),
             nb::arg("periodic"), nb::arg("values"), nb::arg("zero_is_site"),
             nb::arg("max_distance"), nb::arg("nodata").none(), nb::arg("unreached"),
             nb::arg("signed_distance"), nb::arg("to_boundary"), nb::arg("device"),
             nb::arg("threads"), nb::arg("progress").none(), nb::arg("batch") = false,
             nb::arg("stream") = 0, nb::arg("wait") = false,
             nb::arg("method_options") = MethodOptions{{}, {}, {}, 0, -1, 0},
             "Calls the C++ function nearest_site(sites, options, outputs), or that for a batch.");
  module.def("nearest_site_of_points", &nearest_site_of_points, nb::arg("points"),
             nb::arg("point_labels").none(), nb::arg("shape"), nb::arg("outputs"),
             nb::arg("method"), nb::arg("metric"), nb::arg("spacing"), nb::arg("periodic"),
             nb::arg("max_distance"), nb::arg("unreached"), nb::arg("device"), nb::arg("threads"),
             nb::arg("progress").none(), nb::arg("stream"), nb::arg("wait"),
             nb::arg("method_options"),
             "Calls the C++ function nearest_site(points, grid, options, outputs).");
}

}  // namespace thiessen::python

// SPDX-License-Identifier: Apache-2.0
#include "thiessen/cost_distance.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "array.hpp"
#include "calls.hpp"
#include "module.hpp"
#include "thiessen/error.hpp"
#include "values.hpp"

namespace thiessen::python {
namespace {

/// The output arrays: labels, distance, site_index, back_link; None where one is not wanted.
class Outputs {
 public:
  explicit Outputs(const nb::list& arrays)
      : labels_(Array::writable("labels", arrays[0])),
        distance_(Array::writable("distance", arrays[1])),
        site_index_(Array::writable("site_index", arrays[2])),
        back_link_(Array::writable("back_link", arrays[3])) {}

  CostDistanceOutputs views() const {
    return {.labels = labels_.view(),
            .site_index = site_index_.view_of<std::int64_t>("site_index"),
            .distance = distance_.view(),
            .back_link = back_link_.view_of<std::uint8_t>("back_link")};
  }

 private:
  Array labels_, distance_, site_index_, back_link_;
};

/// Ignored sites, index of the first of them, and active cells of each iteration.
using Found = std::tuple<std::int64_t, std::int64_t, std::vector<std::int64_t>>;

EdgeWeight to_edge_weight(const std::string& name) {
  if (name == "stiffness") return EdgeWeight::stiffness;
  if (name == "cost") return EdgeWeight::cost;
  throw Error(ErrorCode::invalid_argument, "edge_weight = " + name + "; must be stiffness or cost");
}

/// `sites` are a raster, or `points` with their labels.
Found compute(nb::handle map, nb::handle sites, nb::handle points, nb::handle point_labels,
              nb::handle initial_cost, const nb::list& outputs, const std::string& method,
              const std::string& edge_weight, int connectivity, bool wide,
              std::vector<double> spacing, const std::vector<nb::object>& values, bool zero_is_site,
              nb::handle site_nodata, nb::handle nodata, nb::handle nodata_label,
              nb::handle unreached, bool tight_barriers, bool strict, double max_distance,
              const std::string& device, int threads, nb::object progress, std::uintptr_t stream,
              bool wait) {
  CostDistanceOptions options{.method = method,
                              .edge_weight = to_edge_weight(edge_weight),
                              .connectivity = connectivity,
                              .computed_in = wide ? ElementType::f64 : ElementType::f32,
                              .spacing = std::move(spacing),
                              .zero_is_site = zero_is_site,
                              .site_nodata = to_optional_label("site_nodata", site_nodata),
                              .nodata = to_optional_label("nodata", nodata),
                              .nodata_label = to_optional_label("nodata_label", nodata_label),
                              .unreached = to_label("unreached", unreached),
                              .tight_barriers = tight_barriers,
                              .strict = strict,
                              .max_distance = max_distance};
  for (const nb::object& value : values) options.values.push_back(to_label("values", value));
  const Array resistance = Array::readable("map", map);
  const Array raster = Array::readable("sites", sites);
  const Array coordinates = Array::readable("points", points);
  const Array given_labels = Array::readable("labels", point_labels);
  const Array initial = Array::readable("initial_cost", initial_cost);
  options.initial_cost = initial.const_view();
  const Outputs arrays(outputs);
  const CostDistanceOutputs out = arrays.views();
  CostDistanceReport report;
  // Other methods take their time on small maps, too, and a device has other work to do first.
  constexpr std::int64_t kBrief = 1 << 16;
  const bool brief = options.method == "exact" && resistance.view().space() != MemorySpace::cuda &&
                     resistance.view().extents().count() <= kBrief;
  call({device, threads, std::move(progress), stream}, brief, [&](Context& context) {
    if (raster.view())
      report = cost_distance(context, resistance.const_view(), raster.const_view(), options, out);
    else
      report = cost_distance(
          context, resistance.const_view(),
          PointList{.coordinates = coordinates.const_view(), .labels = given_labels.const_view()},
          options, out);
    if (wait) context.synchronize();
  });
  return {report.ignored_sites, report.first_ignored_site, std::move(report.active_cells)};
}

std::vector<std::int64_t> follow(nb::handle back_links, int connectivity,
                                 const std::vector<std::int64_t>& start) {
  const Array links = Array::readable("back_links", back_links);
  return least_cost_path(links.view_of<std::uint8_t>("back_links"), connectivity, start);
}

void fill_map(nb::handle map, const std::string& material, std::uint64_t seed) {
  const Array output = Array::writable("map", map);
  call({"cpu", 1, nb::none()}, false,
       [&](Context& context) { material_map(context, output.view(), material, seed); });
}

}  // namespace

void bind_cost_distance(nb::module_& module) {
  module.def("cost_distance", &compute, nb::arg("map"), nb::arg("sites").none(),
             nb::arg("points").none(), nb::arg("point_labels").none(),
             nb::arg("initial_cost").none(), nb::arg("outputs"), nb::arg("method"),
             nb::arg("edge_weight"), nb::arg("connectivity"), nb::arg("wide"), nb::arg("spacing"),
             nb::arg("values"), nb::arg("zero_is_site"), nb::arg("site_nodata").none(),
             nb::arg("nodata").none(), nb::arg("nodata_label").none(), nb::arg("unreached"),
             nb::arg("tight_barriers"), nb::arg("strict"), nb::arg("max_distance"),
             nb::arg("device"), nb::arg("threads"), nb::arg("progress").none(), nb::arg("stream"),
             nb::arg("wait"), "Calls the C++ function cost_distance().");
  module.def("least_cost_path", &follow, nb::arg("back_links"), nb::arg("connectivity"),
             nb::arg("start"), "Calls the C++ function least_cost_path() on a host buffer.");
  module.def("material_map", &fill_map, nb::arg("map"), nb::arg("material"), nb::arg("seed"),
             "Calls the C++ function material_map() on a host buffer.");
}

}  // namespace thiessen::python

// SPDX-License-Identifier: Apache-2.0
#include "thiessen/statistics.hpp"

#include <optional>

#include "array.hpp"
#include "bytes.hpp"
#include "calls.hpp"
#include "module.hpp"
#include "options.hpp"
#include "solver.hpp"
#include "thiessen/region_statistics.hpp"

namespace thiessen::python {
namespace {

/// The options of a call, and how it runs.
struct StatisticsCall : CallOptions, SiteStatisticsOptions {};
struct AdjacencyCall : CallOptions, AdjacencyOptions {};

nb::dict to_columns(const SiteStatistics& found) {
  nb::dict columns;
  columns["labels"] = to_bytes(found.labels);
  columns["cells"] = to_bytes(found.cells);
  columns["volume"] = to_bytes(found.volume);
  columns["centroid"] = to_bytes(found.centroid);
  columns["second_moments"] = to_bytes(found.second_moments);
  columns["first"] = to_bytes(found.first);
  columns["last"] = to_bytes(found.last);
  columns["mass"] = to_bytes(found.mass);
  columns["mass_centroid"] = to_bytes(found.mass_centroid);
  columns["greatest_distance"] = to_bytes(found.greatest_distance);
  columns["mean_distance"] = to_bytes(found.mean_distance);
  return columns;
}

nb::dict to_columns(const Adjacency& found) {
  nb::dict columns;
  columns["a"] = to_bytes(found.a);
  columns["b"] = to_bytes(found.b);
  columns["contacts"] = to_bytes(found.contacts);
  columns["boundary"] = to_bytes(found.boundary);
  return columns;
}

nb::dict find_statistics(nb::handle labels, nb::handle field, nb::handle distance,
                         const StatisticsCall& options) {
  const Array cells = Array::readable("labels", labels);
  const Array summed = Array::readable("field", field);
  const Array distances = Array::readable("distance", distance);
  SiteStatistics found;
  call(options, false, [&](Context& context) {
    found = site_statistics(context, cells.const_view(),
                            {.field = summed.const_view(), .distance = distances.const_view()},
                            options);
  });
  return to_columns(found);
}

nb::dict find_adjacency(nb::handle labels, const AdjacencyCall& options) {
  const Array cells = Array::readable("labels", labels);
  Adjacency found;
  call(options, false,
       [&](Context& context) { found = adjacency(context, cells.const_view(), options); });
  return to_columns(found);
}

struct RegionCall : CallOptions, RegionStatisticsOptions {};

/// Statistics of the caller's arrays, which it holds.
class RegionObject {
 public:
  RegionObject(nb::handle labels, nb::handle field, nb::handle distance, const RegionCall& options)
      : labels_(Array::readable("labels", labels)),
        field_(Array::readable("field", field)),
        distance_(Array::readable("distance", distance)) {
    call(options, false, [&](Context& context) {
      regions_.emplace(context, labels_.const_view(),
                       SiteFields{.field = field_.const_view(), .distance = distance_.const_view()},
                       options);
    });
  }

  nb::bytes update(nb::handle cells) {
    const Raster labels = regions_->update(to_indices("cells", cells));
    return nb::bytes(labels.bytes(), labels.size_bytes());
  }
  nb::dict statistics(nb::handle labels) {
    return to_columns(labels.is_none()
                          ? regions_->statistics()
                          : regions_->statistics(Array::readable("labels", labels).const_view()));
  }
  nb::dict adjacency(nb::handle labels) const {
    return to_columns(labels.is_none()
                          ? regions_->adjacency()
                          : regions_->adjacency(Array::readable("labels", labels).const_view()));
  }

 private:
  Array labels_;
  Array field_;
  Array distance_;
  std::optional<RegionStatistics> regions_;
};

/// What all have in common.
template <class Options>
nb::class_<Options, CallOptions> bind_options(nb::module_& module, const char* name) {
  nb::class_<Options, CallOptions> bound(module, name);
  bound.def(nb::init<>()).def_rw("spacing", &Options::spacing);
  bind_label(bound, "nodata", &Options::nodata);
  bound.def_prop_rw(
      "background", [](const Options& options) { return options.background; },
      [](Options& options, nb::handle value) {
        options.background.reset();
        if (!value.is_none()) options.background = to_label("background", value);
      },
      nb::for_setter(nb::arg("value").none()));
  return bound;
}

}  // namespace

void bind_statistics(nb::module_& module) {
  bind_options<StatisticsCall>(module, "SiteStatisticsOptions");
  auto bound = bind_options<AdjacencyCall>(module, "AdjacencyOptions");
  bind_choice(bound, "connectivity", &AdjacencyCall::connectivity, kConnectivityNames);
  module.def("site_statistics", &find_statistics, nb::arg("labels"), nb::kw_only(),
             nb::arg("field").none(), nb::arg("distance").none(), nb::arg("options"),
             "Calls the C++ function site_statistics() on host buffers.");
  module.def("adjacency", &find_adjacency, nb::arg("labels"), nb::kw_only(), nb::arg("options"),
             "Calls the C++ function adjacency() on a host buffer.");
  auto regions = bind_options<RegionCall>(module, "RegionStatisticsOptions");
  bind_choice(regions, "connectivity", &RegionCall::connectivity, kConnectivityNames);
  nb::class_<RegionObject>(module, "RegionStatistics")
      .def(nb::init<nb::handle, nb::handle, nb::handle, const RegionCall&>(), nb::arg("labels"),
           nb::kw_only(), nb::arg("field").none(), nb::arg("distance").none(), nb::arg("options"))
      .def("update", &RegionObject::update, nb::arg("cells"))
      .def("statistics", &RegionObject::statistics, nb::arg("labels").none())
      .def("adjacency", &RegionObject::adjacency, nb::arg("labels").none());
}

}  // namespace thiessen::python

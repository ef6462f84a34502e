// SPDX-License-Identifier: Apache-2.0
#include "thiessen/slabs.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "array.hpp"
#include "calls.hpp"
#include "cost_distance_call.hpp"
#include "module.hpp"
#include "nearest_site_call.hpp"
#include "options.hpp"
#include "packed_bytes.hpp"
#include "thiessen/cost_slabs.hpp"

namespace thiessen::python {
namespace {

SlabPlace place_of(const std::vector<std::int64_t>& shape, std::int64_t first) {
  return {Extents(shape), first};
}

nb::bytes summarise(nb::handle cells, const std::vector<std::int64_t>& shape, std::int64_t first,
                    const NearestSiteCall& options) {
  const Array input = Array::readable("cells", cells);
  const View<const void> view = input.const_view();
  const SlabPlace place = place_of(shape, first);
  std::vector<std::byte> summary;
  call(options, is_brief(options, view, view.extents().count(), 0), [&](Context& context) {
    summary = slab_bytes(summarise_slab(context, view, place, options));
  });
  return bytes_of(summary);
}

nb::bytes join(const nb::bytes& upper, const nb::bytes& lower) {
  const auto first = span_of(upper);
  const auto second = span_of(lower);
  std::vector<std::byte> joined;
  {
    const WithoutGil without_gil;
    joined = slab_bytes(join_slabs(slab_summary(first), slab_summary(second)));
  }
  return bytes_of(joined);
}

std::vector<nb::bytes> combine(const std::vector<nb::bytes>& summaries,
                               const std::vector<std::int64_t>& shape,
                               const NearestSiteCall& options) {
  std::vector<std::span<const std::byte>> packed;
  packed.reserve(summaries.size());
  for (const nb::bytes& each : summaries) packed.push_back(span_of(each));
  const Extents raster(shape);
  std::vector<std::vector<std::byte>> found;
  {
    const WithoutGil without_gil;
    std::vector<SlabSummary> all;
    all.reserve(packed.size());
    for (const auto each : packed) all.push_back(slab_summary(each));
    for (const SlabNeighbours& each : combine_slabs(all, raster, options))
      found.push_back(slab_bytes(each));
  }
  std::vector<nb::bytes> neighbours;
  neighbours.reserve(found.size());
  for (const auto& each : found) neighbours.push_back(bytes_of(each));
  return neighbours;
}

void finish(nb::handle cells, const nb::bytes& neighbours, const std::vector<std::int64_t>& shape,
            std::int64_t first, const nb::dict& outputs, const NearestSiteCall& options) {
  const Array input = Array::readable("cells", cells);
  const NearestSiteArrays arrays(outputs);
  const View<const void> view = input.const_view();
  const NearestSiteOutputs out = arrays.views();
  const SlabPlace place = place_of(shape, first);
  const auto packed = span_of(neighbours);
  call(options, is_brief(options, view, view.extents().count(), 0), [&](Context& context) {
    finish_slab(context, view, place, options, slab_neighbours(packed), out);
  });
}

/// The shape of a grid, the first row or plane of a slab in it, and their number.
using GridSlab = std::tuple<std::vector<std::int64_t>, std::int64_t, std::int64_t>;

void nearest_point(nb::handle points, nb::handle labels, nb::handle domain, const GridSlab& slab,
                   const nb::dict& outputs, const NearestSiteCall& options) {
  const Array coordinates = Array::readable("points", points);
  const Array point_labels = Array::readable("labels", labels);
  const Array cells_of_domain = Array::readable("domain", domain);
  const NearestSiteArrays arrays(outputs);
  const PointList list{.coordinates = coordinates.const_view(),
                       .labels = point_labels.const_view()};
  const auto& [shape, first, count] = slab;
  const Grid grid{.extents = Extents(shape)};
  const NearestSiteOutputs out = arrays.views();
  call(options, false, [&, first = first, count = count](Context& context) {
    voronoi_slab(context, list, grid, first, count, options, out, cells_of_domain.const_view());
  });
}

/// The shape of a raster, the first row or plane of a slab in it, their number, and the number of
/// boolean sites above.
using CostPlace = std::tuple<std::vector<std::int64_t>, std::int64_t, std::int64_t, std::int64_t>;

/// A slab of cost distance, whose arrays are held as one Array is.
class HeldCostSlab {
 public:
  HeldCostSlab(const nb::dict& inputs, const nb::dict& known, const CostPlace& place)
      : inputs_(
            NamedArrays::readable(inputs, {"map", "sites", "points", "labels", "initial_cost"})),
        known_(NamedArrays::writable(known, {"resistance", "cost", "site_index", "labels", "hops"},
                                     "known ")) {
    const auto& [shape, first, count, sites_before] = place;
    slab_.raster = Extents(shape);
    slab_.own = {first, count};
    slab_.sites_before = sites_before;
    slab_.map = inputs_.view("map");
    slab_.sites = inputs_.view("sites");
    slab_.points = {.coordinates = inputs_.view("points"), .labels = inputs_.view("labels")};
    slab_.initial_cost = inputs_.view("initial_cost");
    slab_.resistance = known_.view("resistance");
    slab_.cost = known_.view("cost");
    slab_.site_index = known_.view_of<std::int64_t>("site_index");
    slab_.labels = known_.view("labels");
    slab_.hops = known_.view_of<std::int64_t>("hops");
  }

  const CostSlab& slab() const { return slab_; }
  bool is_brief() const {
    constexpr std::int64_t kBrief = 1 << 16;
    return slab_.map.extents().count() <= kBrief;
  }

 private:
  NamedArrays inputs_;
  NamedArrays known_;
  CostSlab slab_;
};

/// What CostSlabReport has, in its order.
using CostReport = std::tuple<std::array<double, 2>, std::array<double, 2>, std::int64_t,
                              std::int64_t, std::int64_t>;

CostReport visit_cost(const nb::dict& inputs, const nb::dict& known, const CostPlace& place,
                      std::string_view stage, bool is_first, const CostDistanceCall& options) {
  const HeldCostSlab held(inputs, known, place);
  const auto which = to_choice<CostStage>("stage", stage, kCostStageNames);
  CostSlabReport report;
  call(options, held.is_brief(), [&](Context& context) {
    report = is_first ? begin_cost_slab(context, held.slab(), options, which)
                      : continue_cost_slab(context, held.slab(), options, which);
  });
  return {report.above, report.below, report.sites, report.ignored_sites,
          report.first_ignored_site};
}

void finish_cost(const nb::dict& inputs, const nb::dict& known, const CostPlace& place,
                 const nb::dict& outputs, const CostDistanceCall& options) {
  const HeldCostSlab held(inputs, known, place);
  const CostDistanceArrays arrays(outputs);
  const CostDistanceOutputs out = arrays.views();
  call(options, held.is_brief(),
       [&](Context& context) { finish_cost_slab(context, held.slab(), options, out); });
}

std::tuple<std::int64_t, std::int64_t> cost_rows(const std::vector<std::int64_t>& shape,
                                                 std::int64_t first, std::int64_t count,
                                                 std::string_view connectivity) {
  const SlabRows rows =
      cost_slab_rows(Extents(shape), {first, count},
                     to_choice<Connectivity>("connectivity", connectivity, kConnectivityNames));
  return {rows.first, rows.count};
}

/// The index of the next slab, and whether it is its first visit; -1: none waits.
std::tuple<std::int64_t, bool> take_next(CostSlabQueue& queue) {
  const auto next = queue.next();
  if (!next) return {-1, false};
  return {static_cast<std::int64_t>(next->slab), next->is_first};
}

void add_report(CostSlabQueue& queue, std::size_t slab, const std::array<double, 2>& above,
                const std::array<double, 2>& below) {
  queue.add(slab, {.above = above, .below = below});
}

void bind_cost_slabs(nb::module_& module) {
  module.def("visit_cost_slab", &visit_cost, nb::arg("inputs"), nb::arg("known"), nb::kw_only(),
             nb::arg("place"), nb::arg("stage"), nb::arg("is_first"), nb::arg("options"),
             "Calls the C++ function begin_cost_slab() or continue_cost_slab().");
  module.def("finish_cost_slab", &finish_cost, nb::arg("inputs"), nb::arg("known"), nb::kw_only(),
             nb::arg("place"), nb::arg("outputs"), nb::arg("options"),
             "Calls the C++ function finish_cost_slab().");
  module.def("cost_slab_rows", &cost_rows, nb::arg("shape"), nb::kw_only(), nb::arg("first"),
             nb::arg("count"), nb::arg("connectivity"), "Calls the C++ function cost_slab_rows().");
  nb::class_<CostSlabQueue>(module, "CostSlabQueue")
      .def("__init__",
           [](CostSlabQueue* self, const std::vector<std::int64_t>& heights) {
             new (self) CostSlabQueue(heights);
           })
      .def("next", &take_next)
      .def("add", &add_report, nb::arg("slab"), nb::arg("above"), nb::arg("below"))
      .def("visits", &CostSlabQueue::visits);
}

}  // namespace

void bind_slabs(nb::module_& module) {
  bind_cost_slabs(module);
  module.def("summarise_slab", &summarise, nb::arg("cells"), nb::kw_only(), nb::arg("shape"),
             nb::arg("first"), nb::arg("options"), "Calls the C++ function summarise_slab().");
  module.def("join_slabs", &join, nb::arg("upper"), nb::arg("lower"),
             "Calls the C++ function join_slabs().");
  module.def("combine_slabs", &combine, nb::arg("summaries"), nb::kw_only(), nb::arg("shape"),
             nb::arg("options"), "Calls the C++ function combine_slabs().");
  module.def("finish_slab", &finish, nb::arg("cells"), nb::arg("neighbours"), nb::kw_only(),
             nb::arg("shape"), nb::arg("first"), nb::arg("outputs"), nb::arg("options"),
             "Calls the C++ function finish_slab().");
  module.def("voronoi_slab", &nearest_point, nb::arg("points"), nb::kw_only(),
             nb::arg("labels").none(), nb::arg("domain").none(), nb::arg("slab"),
             nb::arg("outputs"), nb::arg("options"), "Calls the C++ function voronoi_slab().");
}

}  // namespace thiessen::python

// SPDX-License-Identifier: Apache-2.0
#include "thiessen/slabs.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "array.hpp"
#include "calls.hpp"
#include "module.hpp"
#include "nearest_site_call.hpp"
#include "packed_bytes.hpp"

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

}  // namespace

void bind_slabs(nb::module_& module) {
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

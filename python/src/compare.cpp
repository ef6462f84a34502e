// SPDX-License-Identifier: Apache-2.0
#include "thiessen/compare.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "array.hpp"
#include "calls.hpp"
#include "module.hpp"
#include "values.hpp"

namespace thiessen::python {
namespace {

/// `a` and `b` are labels, site index and distance; None where there are none.
Comparison compare_results(const nb::list& a, const nb::list& b, double tolerance,
                           const std::optional<std::string>& metric, std::vector<double> spacing,
                           int threads) {
  CompareOptions options{.tolerance = tolerance, .spacing = std::move(spacing)};
  if (metric) options.metric = to_metric(*metric);
  const Array labels[] = {Array::readable("a.labels", a[0]), Array::readable("b.labels", b[0])};
  const Array site_index[] = {Array::readable("a.site_index", a[1]),
                              Array::readable("b.site_index", b[1])};
  const Array distance[] = {Array::readable("a.distance", a[2]),
                            Array::readable("b.distance", b[2])};
  const CompareInputs inputs{.labels_a = labels[0].const_view(),
                             .labels_b = labels[1].const_view(),
                             .site_index_a = site_index[0].view_of<std::int64_t>("a.site_index"),
                             .site_index_b = site_index[1].view_of<std::int64_t>("b.site_index"),
                             .distance_a = distance[0].const_view(),
                             .distance_b = distance[1].const_view()};
  Comparison comparison;
  call({"cpu", threads, nb::none()}, false,
       [&](Context& context) { comparison = compare(context, inputs, options); });
  return comparison;
}

}  // namespace

void bind_compare(nb::module_& module) {
  nb::class_<Comparison>(module, "Comparison")
      .def_ro("cells", &Comparison::cells)
      .def_ro("differing", &Comparison::differing)
      .def_ro("ties", &Comparison::ties)
      .def_ro("mismatched", &Comparison::mismatched)
      .def_ro("labels_differing", &Comparison::labels_differing)
      .def_ro("site_index_differing", &Comparison::site_index_differing)
      .def_ro("distance_differing", &Comparison::distance_differing)
      .def_ro("largest_excess", &Comparison::largest_excess)
      .def_ro("largest_relative_excess", &Comparison::largest_relative_excess)
      .def_ro("largest_shortfall", &Comparison::largest_shortfall)
      .def_ro("mean_excess", &Comparison::mean_excess)
      .def_ro("worst_cell", &Comparison::worst_cell)
      .def_ro("first_cell", &Comparison::first_cell);
  module.def("compare", &compare_results, nb::arg("a"), nb::arg("b"), nb::arg("tolerance"),
             nb::arg("metric").none(), nb::arg("spacing"), nb::arg("threads"),
             "Calls the C++ function compare() on host buffers.");
}

}  // namespace thiessen::python

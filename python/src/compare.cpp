// SPDX-License-Identifier: Apache-2.0
#include "thiessen/compare.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string_view>

#include "array.hpp"
#include "calls.hpp"
#include "module.hpp"
#include "options.hpp"

namespace thiessen::python {
namespace {

/// The options of a call, and how it runs.
struct CompareCall : CallOptions, CompareOptions {};

/// The arrays of one result by name; `prefix` is what messages call it.
NamedArrays result_arrays(const nb::dict& arrays, std::string_view prefix) {
  return NamedArrays::readable(arrays, {"labels", "site_index", "distance"}, prefix);
}

Comparison compare_results(const nb::dict& a, const nb::dict& b, const CompareCall& options) {
  const NamedArrays arrays_a = result_arrays(a, "a.");
  const NamedArrays arrays_b = result_arrays(b, "b.");
  const CompareInputs inputs{.labels_a = arrays_a.view("labels"),
                             .labels_b = arrays_b.view("labels"),
                             .site_index_a = arrays_a.view_of<std::int64_t>("site_index"),
                             .site_index_b = arrays_b.view_of<std::int64_t>("site_index"),
                             .distance_a = arrays_a.view("distance"),
                             .distance_b = arrays_b.view("distance")};
  Comparison comparison;
  call(options, false, [&](Context& context) { comparison = compare(context, inputs, options); });
  return comparison;
}

void bind_options(nb::module_& module) {
  using Options = CompareCall;
  nb::class_<Options, CallOptions> bound(module, "CompareOptions");
  bound.def(nb::init<>())
      .def_rw("tolerance", &Options::tolerance)
      .def_rw("spacing", &Options::spacing);
  bind_choice(bound, "metric", &Options::metric, kMetricNames);
}

}  // namespace

void bind_compare(nb::module_& module) {
  bind_options(module);
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
  module.def("compare", &compare_results, nb::arg("a"), nb::arg("b"), nb::arg("options"),
             "Calls the C++ function compare() on host buffers.");
}

}  // namespace thiessen::python

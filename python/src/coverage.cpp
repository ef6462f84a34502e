// SPDX-License-Identifier: Apache-2.0
#include "thiessen/coverage.hpp"

#include <cstdint>
#include <vector>

#include "array.hpp"
#include "calls.hpp"
#include "module.hpp"
#include "options.hpp"

namespace thiessen::python {
namespace {

/// The options of a call, and how it runs.
struct CoverageDistanceCall : CallOptions, CoverageDistanceOptions {};

void find_coverage_distance(nb::handle coverage, nb::handle distance,
                            const CoverageDistanceCall& options) {
  const Array cells = Array::readable("coverage", coverage);
  const Array out = Array::writable("out", distance);
  call(options, false, [&](Context& context) {
    coverage_distance(context, cells.const_view(), options, out.view());
  });
}

}  // namespace

void bind_coverage(nb::module_& module) {
  nb::class_<CoverageDistanceCall, CallOptions>(module, "CoverageDistanceOptions")
      .def(nb::init<>())
      .def_rw("spacing", &CoverageDistanceCall::spacing)
      .def_rw("max_distance", &CoverageDistanceCall::max_distance);
  module.def("coverage_distance", &find_coverage_distance, nb::arg("coverage"), nb::arg("distance"),
             nb::arg("options"), "Calls the C++ function coverage_distance() on host buffers.");
}

}  // namespace thiessen::python

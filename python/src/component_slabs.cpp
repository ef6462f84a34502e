// SPDX-License-Identifier: Apache-2.0
#include "thiessen/component_slabs.hpp"

#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "array.hpp"
#include "calls.hpp"
#include "components_call.hpp"
#include "module.hpp"
#include "packed_bytes.hpp"

namespace thiessen::python {
namespace {

nb::bytes summarise(nb::handle image, nb::handle labels, const ComponentsCall& options) {
  const Array input = Array::readable("image", image);
  const Array output = Array::writable("labels", labels);
  std::vector<std::byte> summary;
  call(options, false, [&](Context& context) {
    summary = slab_bytes(summarise_components(context, input.const_view(), options, output.view()));
  });
  return bytes_of(summary);
}

std::vector<nb::bytes> combine(const std::vector<nb::bytes>& summaries,
                               const std::vector<std::int64_t>& shape,
                               const ComponentsCall& options) {
  std::vector<ComponentsSummary> all;
  all.reserve(summaries.size());
  for (const nb::bytes& each : summaries) all.push_back(components_summary(span_of(each)));
  std::vector<nb::bytes> found;
  found.reserve(all.size());
  for (const ComponentNumbers& each : combine_components(all, Extents(shape), options))
    found.push_back(bytes_of(slab_bytes(each)));
  return found;
}

std::int64_t number(nb::handle labels, const nb::bytes& numbers) {
  const ComponentNumbers own = component_numbers(span_of(numbers));
  const Array cells = Array::writable("labels", labels);
  const WithoutGil without_gil;
  number_components(own, cells.view());
  return own.all;
}

}  // namespace

void bind_component_slabs(nb::module_& module) {
  module.def("summarise_components", &summarise, nb::arg("image"), nb::kw_only(), nb::arg("labels"),
             nb::arg("options"), "Calls the C++ function summarise_components().");
  module.def("combine_components", &combine, nb::arg("summaries"), nb::kw_only(), nb::arg("shape"),
             nb::arg("options"), "Calls the C++ function combine_components().");
  module.def("number_components", &number, nb::arg("labels"), nb::arg("numbers"),
             "Calls the C++ function number_components().");
}

}  // namespace thiessen::python

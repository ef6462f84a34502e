// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/string.h>

#include "array.hpp"
#include "calls.hpp"
#include "module.hpp"
#include "thiessen/components.hpp"
#include "thiessen/random_sites.hpp"
#include "values.hpp"

namespace thiessen::python {
namespace {

std::int64_t number_components(nb::handle image, nb::handle labels, bool corners, nb::handle nodata,
                               const std::string& device, int threads, nb::object progress) {
  const ComponentsOptions options{
      .connectivity = corners ? Connectivity::corners : Connectivity::faces,
      .nodata = to_optional_label("nodata", nodata)};
  const Array input = Array::readable("image", image);
  const Array output = Array::writable("labels", labels);
  std::int64_t count = 0;
  call({device, threads, std::move(progress)}, false, [&](Context& context) {
    count = connected_components(context, input.const_view(), options, output.view());
  });
  return count;
}

void draw_sites(nb::handle sites, std::int64_t count, std::uint64_t seed) {
  const Array output = Array::writable("sites", sites);
  call({"cpu", 1, nb::none()}, false,
       [&](Context& context) { random_sites(context, output.view(), count, seed); });
}

}  // namespace

void bind_rasters(nb::module_& module) {
  module.def("connected_components", &number_components, nb::arg("image"), nb::arg("labels"),
             nb::arg("corners"), nb::arg("nodata").none(), nb::arg("device"), nb::arg("threads"),
             nb::arg("progress").none(),
             "Calls the C++ function connected_components() on host buffers.");
  module.def("random_sites", &draw_sites, nb::arg("sites"), nb::arg("count"), nb::arg("seed"),
             "Calls the C++ function random_sites() on a host buffer.");
}

}  // namespace thiessen::python

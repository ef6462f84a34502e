// SPDX-License-Identifier: Apache-2.0
#include "array.hpp"
#include "calls.hpp"
#include "components_call.hpp"
#include "module.hpp"
#include "options.hpp"
#include "thiessen/components.hpp"
#include "thiessen/random_sites.hpp"

namespace thiessen::python {
namespace {

std::int64_t number_components(nb::handle image, nb::handle labels, const ComponentsCall& options) {
  const Array input = Array::readable("image", image);
  const Array output = Array::writable("labels", labels);
  std::int64_t count = 0;
  call(options, false, [&](Context& context) {
    count = connected_components(context, input.const_view(), options, output.view());
  });
  return count;
}

void draw_sites(nb::handle sites, std::int64_t count, std::uint64_t seed) {
  const Array output = Array::writable("sites", sites);
  call({.device = "cpu", .threads = 1}, false,
       [&](Context& context) { random_sites(context, output.view(), count, seed); });
}

void bind_options(nb::module_& module) {
  using Options = ComponentsCall;
  nb::class_<Options, CallOptions> bound(module, "ComponentsOptions");
  bound.def(nb::init<>());
  bind_choice(bound, "connectivity", &Options::connectivity, kConnectivityNames);
  bind_label(bound, "nodata", &Options::nodata);
}

}  // namespace

void bind_rasters(nb::module_& module) {
  bind_options(module);
  module.def("connected_components", &number_components, nb::arg("image"), nb::kw_only(),
             nb::arg("labels"), nb::arg("options"),
             "Calls the C++ function connected_components() on host buffers.");
  module.def("random_sites", &draw_sites, nb::arg("sites"), nb::kw_only(), nb::arg("count"),
             nb::arg("seed"), "Calls the C++ function random_sites() on a host buffer.");
}

}  // namespace thiessen::python

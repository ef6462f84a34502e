// SPDX-License-Identifier: Apache-2.0
#include "thiessen/devices.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "module.hpp"

namespace thiessen::python {

namespace nb = nanobind;

void bind_devices(nb::module_& module) {
  nb::class_<MethodInfo>(module, "Method")
      .def_prop_ro("name", [](const MethodInfo& info) { return std::string(name_of(info.method)); })
      .def_ro("exact", &MethodInfo::exact)
      .def_prop_ro("approximate_metrics", [](const MethodInfo& info) {
        std::vector<std::string> names;
        for (const Metric metric : info.approximate_metrics) names.emplace_back(name_of(metric));
        return names;
      });
  nb::class_<DeviceInfo>(module, "Device")
      .def_ro("name", &DeviceInfo::name)
      .def_ro("description", &DeviceInfo::description)
      .def_ro("available", &DeviceInfo::available)
      .def_ro("reason", &DeviceInfo::reason)
      .def_ro("methods", &DeviceInfo::methods)
      .def_prop_ro("cost_methods", [](const DeviceInfo& info) {
        std::vector<std::string> names;
        for (const CostMethod method : info.cost_methods) names.emplace_back(name_of(method));
        return names;
      });
  module.def("devices", &thiessen::devices, "Calls the C++ function devices().");
}

}  // namespace thiessen::python

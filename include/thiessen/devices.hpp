// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "thiessen/choices/method.hpp"
#include "thiessen/export.hpp"

namespace thiessen {

/// The abilities of one method of a device.
struct MethodInfo {
  Method method = Method::exact;
  bool exact = false;     ///< by all metrics except `approximate_metrics`: is_exact()
  bool flooding = false;  ///< it takes NearestSiteOptions::flooding
  std::vector<Metric> approximate_metrics = {};
};

/// One usable unit, or the reason why a backend has none.
struct DeviceInfo {
  std::string name;         ///< "cpu"; what ContextOptions::device takes
  std::string description;  ///< a description for people
  bool available = false;
  std::string reason;  ///< why it is not available
  std::vector<MethodInfo> methods;
  std::vector<CostMethod> cost_methods = {};
};

/// Devices of every backend in this build, in the order in which `auto` prefers them.
THIESSEN_API std::vector<DeviceInfo> devices();

/// Methods of nearest_site() that some backend of this build has, each once. It looks for no
/// device, because drivers of GPUs take tenths of a second to start.
THIESSEN_API std::vector<MethodInfo> methods();

}  // namespace thiessen

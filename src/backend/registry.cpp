// SPDX-License-Identifier: Apache-2.0
#include "backend/backend.hpp"
#include "thiessen/error.hpp"

namespace thiessen {

// Each backend's folder defines <name>_backend(); deleting a backend is deleting its folder and its
// line in the top CMakeLists.txt.
#define THIESSEN_BACKEND(name) const Backend& name##_backend();
#include "backend_list.inc"
#undef THIESSEN_BACKEND

std::span<const Backend* const> backends() {
#define THIESSEN_BACKEND(name) &name##_backend(),
  static const Backend* const list[] = {
#include "backend_list.inc"
  };
#undef THIESSEN_BACKEND
  return list;
}

bool names_several(std::string_view device) {
  return device.find(',') != std::string_view::npos || device.ends_with(":all");
}

const Backend* find_backend(std::string_view device) {
  const std::string_view name = device.substr(0, device.find(':'));
  for (const Backend* backend : backends())
    if (backend->name() == name) return names_several(device) ? backend->several() : backend;
  return nullptr;
}

std::string auto_device() {
  for (const Backend* backend : backends())
    for (const DeviceInfo& device : backend->devices())
      if (device.available) return device.name;
  throw Error(ErrorCode::unsupported,
              {"device", "auto", "no backend of this build finds a device"});
}

namespace {

template <class Entry, class AnyMethod>
const Entry& find(std::span<const Entry> entries, const Backend& backend, AnyMethod method,
                  std::string_view what) {
  std::string names;
  for (const Entry& entry : entries) {
    if (entry.method == method) return entry;
    names += (names.empty() ? "" : ", ") + std::string(name_of(entry.method));
  }
  const std::string has = names.empty() ? "none" : names;
  throw Error(ErrorCode::invalid_argument,
              {"method", std::string(name_of(method)),
               std::string(backend.name()) + " has" + std::string(what) + ": " + has});
}

}  // namespace

const MethodEntry& find_method(const Backend& backend, Method method) {
  return find(backend.methods(), backend, method, "");
}

const CostMethodEntry& find_cost_method(const Backend& backend, CostMethod method) {
  return find(backend.cost_methods(), backend, method, " for cost distance");
}

}  // namespace thiessen

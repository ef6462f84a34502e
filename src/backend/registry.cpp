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

const Backend* find_backend(std::string_view device) {
  const std::string_view name = device.substr(0, device.find(':'));
  for (const Backend* backend : backends())
    if (backend->name() == name) return backend;
  return nullptr;
}

std::string auto_device() {
  for (const Backend* backend : backends())
    for (const DeviceInfo& device : backend->devices())
      if (device.available) return device.name;
  throw Error(ErrorCode::unsupported, "device = auto; no backend of this build finds a device");
}

namespace {

template <class AnyMethod>
const AnyMethod& find(std::span<const AnyMethod> methods, const Backend& backend,
                      std::string_view name, std::string_view what) {
  std::string names;
  for (const AnyMethod& method : methods) {
    if (method.name == name) return method;
    names += (names.empty() ? "" : ", ") + std::string(method.name);
  }
  const std::string has = names.empty() ? "none" : names;
  throw Error(ErrorCode::invalid_argument, "method = " + std::string(name) + "; " +
                                               std::string(backend.name()) + " has" +
                                               std::string(what) + ": " + has);
}

}  // namespace

const Method& find_method(const Backend& backend, std::string_view name) {
  return find(backend.methods(), backend, name, "");
}

const CostMethod& find_cost_method(const Backend& backend, std::string_view name) {
  return find(backend.cost_methods(), backend, name, " for cost distance");
}

}  // namespace thiessen

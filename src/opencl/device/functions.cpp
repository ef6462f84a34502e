// SPDX-License-Identifier: Apache-2.0
#include "opencl/device/functions.hpp"

#include <dlfcn.h>

namespace thiessen::opencl {

Functions functions;

std::string load(const char* library) {
  // Kept while the process runs: drivers may not be unloaded.
  void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const reason = dlerror();
    return "no OpenCL: " + std::string(reason != nullptr ? reason : library);
  }
  Functions found;
#define THIESSEN_FIND(name)                                                       \
  found.name.address = reinterpret_cast<decltype(::name)*>(dlsym(handle, #name)); \
  if (found.name.address == nullptr) return std::string(library) + " has no " #name;
  THIESSEN_OPENCL_FUNCTIONS(THIESSEN_FIND)
#undef THIESSEN_FIND
  functions = found;
  return {};
}

}  // namespace thiessen::opencl

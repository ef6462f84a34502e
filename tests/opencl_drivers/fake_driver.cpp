// SPDX-License-Identifier: Apache-2.0
//
// An OpenCL driver, for the loader to find, that is broken in the way that THIESSEN_FAKE_DRIVER
// names:
//
//   none         its platform has no device
//   fails        its platform fails when it is asked for devices
//   old          a device of OpenCL 1.2
//   no_compiler  a device without a compiler
//   mute         a device that fails when it is asked about itself
//   lost         a device that looks fine, and fails when it is used
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>

#include <cstdlib>
#include <cstring>
#include <string>

// Handles of OpenCL point to an object that begins with the table of the driver's functions.
struct _cl_platform_id {
  const cl_icd_dispatch* functions;
};
struct _cl_device_id {
  const cl_icd_dispatch* functions;
};

namespace {

bool is(const char* way) {
  const char* const wanted = std::getenv("THIESSEN_FAKE_DRIVER");
  return wanted != nullptr && std::strcmp(wanted, way) == 0;
}

extern const cl_icd_dispatch kFunctions;
_cl_platform_id platform{&kFunctions};
_cl_device_id device{&kFunctions};

cl_int give(const void* value, std::size_t size, std::size_t room, void* to, std::size_t* needed) {
  if (needed != nullptr) *needed = size;
  if (to == nullptr) return CL_SUCCESS;
  if (room < size) return CL_INVALID_VALUE;
  std::memcpy(to, value, size);
  return CL_SUCCESS;
}

cl_int give_text(const std::string& text, std::size_t room, void* to, std::size_t* needed) {
  return give(text.c_str(), text.size() + 1, room, to, needed);
}

/// Writes a number in the type that the caller wants.
template <class T>
cl_int give_number(T number, std::size_t room, void* to, std::size_t* needed) {
  return give(&number, sizeof number, room, to, needed);
}

cl_int CL_API_CALL platform_info(cl_platform_id, cl_platform_info name, std::size_t room, void* to,
                                 std::size_t* needed) {
  switch (name) {
    case CL_PLATFORM_NAME:
      return give_text("Fake", room, to, needed);
    case CL_PLATFORM_VERSION:
      return give_text("OpenCL 3.0 fake", room, to, needed);
    case CL_PLATFORM_PROFILE:
      return give_text("FULL_PROFILE", room, to, needed);
    case CL_PLATFORM_EXTENSIONS:
      return give_text("cl_khr_icd", room, to, needed);
    case CL_PLATFORM_ICD_SUFFIX_KHR:
      return give_text("FAKE", room, to, needed);
    default:
      return give_text("", room, to, needed);
  }
}

cl_int CL_API_CALL device_ids(cl_platform_id, cl_device_type, cl_uint room, cl_device_id* to,
                              cl_uint* count) {
  if (is("none")) return CL_DEVICE_NOT_FOUND;
  if (is("fails")) return CL_OUT_OF_RESOURCES;
  if (count != nullptr) *count = 1;
  if (to != nullptr && room > 0) *to = &device;
  return CL_SUCCESS;
}

cl_int CL_API_CALL device_info(cl_device_id, cl_device_info name, std::size_t room, void* to,
                               std::size_t* needed) {
  if (is("mute") && name != CL_DEVICE_TYPE) return CL_OUT_OF_HOST_MEMORY;
  switch (name) {
    case CL_DEVICE_TYPE:
      return give_number<cl_device_type>(CL_DEVICE_TYPE_GPU, room, to, needed);
    case CL_DEVICE_PLATFORM:
      return give_number<cl_platform_id>(&platform, room, to, needed);
    case CL_DEVICE_NAME:
      return give_text("  broken ", room, to, needed);
    case CL_DEVICE_VERSION:
      return give_text(is("old") ? "OpenCL 1.2 fake" : "OpenCL 3.0 fake", room, to, needed);
    case CL_DEVICE_PROFILE:
      return give_text("FULL_PROFILE", room, to, needed);
    case CL_DEVICE_EXTENSIONS:
      return give_text("", room, to, needed);
    case CL_DEVICE_AVAILABLE:
      return give_number<cl_bool>(CL_TRUE, room, to, needed);
    case CL_DEVICE_COMPILER_AVAILABLE:
      return give_number<cl_bool>(is("no_compiler") ? CL_FALSE : CL_TRUE, room, to, needed);
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
      return give_number<cl_uint>(1, room, to, needed);
    default:  // sizes, and bits of arithmetic
      return give_number<cl_ulong>(1 << 20, room, to, needed);
  }
}

cl_int CL_API_CALL keep_device(cl_device_id) { return CL_SUCCESS; }

cl_context CL_API_CALL create_context(const cl_context_properties*, cl_uint, const cl_device_id*,
                                      void(CL_CALLBACK*)(const char*, const void*, std::size_t,
                                                         void*),
                                      void*, cl_int* status) {
  *status = CL_DEVICE_NOT_AVAILABLE;
  return nullptr;
}

const cl_icd_dispatch kFunctions = [] {
  cl_icd_dispatch functions{};
  functions.clGetPlatformInfo = platform_info;
  functions.clGetDeviceIDs = device_ids;
  functions.clGetDeviceInfo = device_info;
  functions.clRetainDevice = keep_device;
  functions.clReleaseDevice = keep_device;
  functions.clCreateContext = create_context;
  return functions;
}();

cl_int CL_API_CALL platform_ids(cl_uint room, cl_platform_id* to, cl_uint* count) {
  if (count != nullptr) *count = 1;
  if (to != nullptr && room > 0) *to = &platform;
  return CL_SUCCESS;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void* CL_API_CALL
clGetExtensionFunctionAddress(const char* name) {
  if (std::strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
    return reinterpret_cast<void*>(platform_ids);
  if (std::strcmp(name, "clGetPlatformInfo") == 0) return reinterpret_cast<void*>(platform_info);
  return nullptr;
}

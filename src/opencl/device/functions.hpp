// SPDX-License-Identifier: Apache-2.0
//
// The functions of OpenCL that we call, found when they are first needed. Nothing links to
// libOpenCL: a program or a Python wheel with this backend also starts on machines without it
// (docs/adr/0008-opencl.md).
#pragma once

#define CL_TARGET_OPENCL_VERSION 300  // NOLINT(readability-identifier-naming)
#include <CL/cl.h>

#include <string>

namespace thiessen::opencl {

/// Every function that our sources call, or the C++ bindings for us. The linker does not find a
/// symbol that is missing here.
#define THIESSEN_OPENCL_FUNCTIONS(F)    \
  F(clBuildProgram)                     \
  F(clCreateBuffer)                     \
  F(clCreateCommandQueueWithProperties) \
  F(clCreateContext)                    \
  F(clCreateKernel)                     \
  F(clCreateProgramWithSource)          \
  F(clEnqueueFillBuffer)                \
  F(clEnqueueMapBuffer)                 \
  F(clEnqueueNDRangeKernel)             \
  F(clEnqueueReadBuffer)                \
  F(clEnqueueUnmapMemObject)            \
  F(clEnqueueWriteBuffer)               \
  F(clFinish)                           \
  F(clFlush)                            \
  F(clGetDeviceIDs)                     \
  F(clGetDeviceInfo)                    \
  F(clGetEventProfilingInfo)            \
  F(clGetKernelWorkGroupInfo)           \
  F(clGetPlatformIDs)                   \
  F(clGetPlatformInfo)                  \
  F(clGetProgramBuildInfo)              \
  F(clGetProgramInfo)                   \
  F(clReleaseCommandQueue)              \
  F(clReleaseContext)                   \
  F(clReleaseDevice)                    \
  F(clReleaseEvent)                     \
  F(clReleaseKernel)                    \
  F(clReleaseMemObject)                 \
  F(clReleaseProgram)                   \
  F(clRetainCommandQueue)               \
  F(clRetainContext)                    \
  F(clRetainDevice)                     \
  F(clRetainEvent)                      \
  F(clRetainKernel)                     \
  F(clRetainMemObject)                  \
  F(clRetainProgram)                    \
  F(clSetKernelArg)                     \
  F(clWaitForEvents)

/// A function whose address is found later. It can be called, and its address taken, like a
/// function.
template <class Signature>
struct LateFunction {
  Signature* address = nullptr;

  operator Signature*() const { return address; }   // NOLINT(google-explicit-constructor)
  Signature* operator&() const { return address; }  // NOLINT(google-runtime-operator)
};

struct Functions {
// NOLINTNEXTLINE(bugprone-macro-parentheses)
#define THIESSEN_MEMBER(name) LateFunction<decltype(::name)> name;
  THIESSEN_OPENCL_FUNCTIONS(THIESSEN_MEMBER)
#undef THIESSEN_MEMBER
};

/// The functions that load() has found.
extern Functions functions;

/// Finds all functions in a library. Returns an empty string, or the reason why they are missing.
std::string load(const char* library);

}  // namespace thiessen::opencl

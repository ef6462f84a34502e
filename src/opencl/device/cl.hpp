// SPDX-License-Identifier: Apache-2.0
//
// The C++ bindings of OpenCL; only this file includes them. Their calls go to `functions` instead
// of a library that is linked. Their namespace gets a name of our own, because they consist of
// inline functions: a program that links us and uses them with other settings would get two
// different bodies of each.
#pragma once

// NOLINTBEGIN(readability-identifier-naming): the names are theirs
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 200
#define CL_HPP_ENABLE_EXCEPTIONS

#include "opencl/device/functions.hpp"

// One line for each of THIESSEN_OPENCL_FUNCTIONS: a macro cannot define macros.
#define clBuildProgram thiessen::opencl::functions.clBuildProgram
#define clCreateBuffer thiessen::opencl::functions.clCreateBuffer
#define clCreateCommandQueueWithProperties \
  thiessen::opencl::functions.clCreateCommandQueueWithProperties
#define clCreateContext thiessen::opencl::functions.clCreateContext
#define clCreateKernel thiessen::opencl::functions.clCreateKernel
#define clCreateProgramWithSource thiessen::opencl::functions.clCreateProgramWithSource
#define clEnqueueFillBuffer thiessen::opencl::functions.clEnqueueFillBuffer
#define clEnqueueMapBuffer thiessen::opencl::functions.clEnqueueMapBuffer
#define clEnqueueNDRangeKernel thiessen::opencl::functions.clEnqueueNDRangeKernel
#define clEnqueueReadBuffer thiessen::opencl::functions.clEnqueueReadBuffer
#define clEnqueueUnmapMemObject thiessen::opencl::functions.clEnqueueUnmapMemObject
#define clEnqueueWriteBuffer thiessen::opencl::functions.clEnqueueWriteBuffer
#define clFinish thiessen::opencl::functions.clFinish
#define clFlush thiessen::opencl::functions.clFlush
#define clGetDeviceIDs thiessen::opencl::functions.clGetDeviceIDs
#define clGetDeviceInfo thiessen::opencl::functions.clGetDeviceInfo
#define clGetEventProfilingInfo thiessen::opencl::functions.clGetEventProfilingInfo
#define clGetKernelWorkGroupInfo thiessen::opencl::functions.clGetKernelWorkGroupInfo
#define clGetPlatformIDs thiessen::opencl::functions.clGetPlatformIDs
#define clGetPlatformInfo thiessen::opencl::functions.clGetPlatformInfo
#define clGetProgramBuildInfo thiessen::opencl::functions.clGetProgramBuildInfo
#define clGetProgramInfo thiessen::opencl::functions.clGetProgramInfo
#define clReleaseCommandQueue thiessen::opencl::functions.clReleaseCommandQueue
#define clReleaseContext thiessen::opencl::functions.clReleaseContext
#define clReleaseDevice thiessen::opencl::functions.clReleaseDevice
#define clReleaseEvent thiessen::opencl::functions.clReleaseEvent
#define clReleaseKernel thiessen::opencl::functions.clReleaseKernel
#define clReleaseMemObject thiessen::opencl::functions.clReleaseMemObject
#define clReleaseProgram thiessen::opencl::functions.clReleaseProgram
#define clRetainCommandQueue thiessen::opencl::functions.clRetainCommandQueue
#define clRetainContext thiessen::opencl::functions.clRetainContext
#define clRetainDevice thiessen::opencl::functions.clRetainDevice
#define clRetainEvent thiessen::opencl::functions.clRetainEvent
#define clRetainKernel thiessen::opencl::functions.clRetainKernel
#define clRetainMemObject thiessen::opencl::functions.clRetainMemObject
#define clRetainProgram thiessen::opencl::functions.clRetainProgram
#define clSetKernelArg thiessen::opencl::functions.clSetKernelArg
#define clWaitForEvents thiessen::opencl::functions.clWaitForEvents
#define cl thiessen_cl
#include <CL/opencl.hpp>
#undef cl
#undef clBuildProgram
#undef clCreateBuffer
#undef clCreateCommandQueueWithProperties
#undef clCreateContext
#undef clCreateKernel
#undef clCreateProgramWithSource
#undef clEnqueueFillBuffer
#undef clEnqueueMapBuffer
#undef clEnqueueNDRangeKernel
#undef clEnqueueReadBuffer
#undef clEnqueueUnmapMemObject
#undef clEnqueueWriteBuffer
#undef clFinish
#undef clFlush
#undef clGetDeviceIDs
#undef clGetDeviceInfo
#undef clGetEventProfilingInfo
#undef clGetKernelWorkGroupInfo
#undef clGetPlatformIDs
#undef clGetPlatformInfo
#undef clGetProgramBuildInfo
#undef clGetProgramInfo
#undef clReleaseCommandQueue
#undef clReleaseContext
#undef clReleaseDevice
#undef clReleaseEvent
#undef clReleaseKernel
#undef clReleaseMemObject
#undef clReleaseProgram
#undef clRetainCommandQueue
#undef clRetainContext
#undef clRetainDevice
#undef clRetainEvent
#undef clRetainKernel
#undef clRetainMemObject
#undef clRetainProgram
#undef clSetKernelArg
#undef clWaitForEvents
// NOLINTEND(readability-identifier-naming)

namespace thiessen::opencl {
namespace cl = ::thiessen_cl;
}  // namespace thiessen::opencl

// SPDX-License-Identifier: Apache-2.0
//
// From failures of OpenCL to Error.
#pragma once

#include <string>

#include "opencl/cl.hpp"
#include "thiessen/error.hpp"

namespace thiessen::opencl {

/// "clFinish: CL_OUT_OF_RESOURCES (-5)"
std::string to_text(const cl::Error& error);

/// Whether a failure says that there is no memory for what was asked.
bool is_out_of_memory(cl_int status);

/// The Error that a failure is; `what` says what was to be done.
Error to_error(const std::string& what, const cl::Error& error);

/// Calls `call`, and throws the failures of OpenCL in it as Error.
template <class Call>
auto checked(const char* what, const Call& call) {
  try {
    return call();
  } catch (const cl::Error& error) {
    throw to_error(what, error);
  }
}

}  // namespace thiessen::opencl

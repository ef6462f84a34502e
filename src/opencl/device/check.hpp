// SPDX-License-Identifier: Apache-2.0
//
// Turns failures of OpenCL into Error.
#pragma once

#include <string>

#include "opencl/device/cl.hpp"
#include "thiessen/error.hpp"

namespace thiessen::opencl {

/// "clFinish: CL_OUT_OF_RESOURCES (-5)"
std::string to_text(const cl::Error& error);

/// Whether a failure means that there is too little memory.
bool is_out_of_memory(cl_int status);

/// The Error for a failure; `what` says what should be done.
Error to_error(const std::string& what, const cl::Error& error);

/// Calls `call`, and throws its OpenCL failures as Error.
template <class Call>
auto checked(const char* what, const Call& call) {
  try {
    return call();
  } catch (const cl::Error& error) {
    throw to_error(what, error);
  }
}

}  // namespace thiessen::opencl

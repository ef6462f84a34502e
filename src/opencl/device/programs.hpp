// SPDX-License-Identifier: Apache-2.0
//
// The table of programs: the kernels' files, which are embedded when the library is built. A file
// is a program under its own name without ".cl". Before it come measure.cl, and row_table.cl or
// random.cl; relaxation.cl stands alone.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "opencl/device/cl.hpp"

namespace thiessen::opencl {

/// Names and values for the compiler's option -D.
using Definitions = std::vector<std::pair<std::string, std::string>>;
std::string to_options(const Definitions& definitions);

/// The source of a program, such as "brute_force".
std::string source_of(const std::string& name);

/// Throws Error{device_failed} with the compiler's message if the source does not compile.
cl::Program build_program(const cl::Context& context, const cl::Device& device,
                          const std::string& name, const std::string& source,
                          const std::string& options);

}  // namespace thiessen::opencl

// SPDX-License-Identifier: Apache-2.0
//
// The table of programs: what is built together of the kernels' files, which are embedded when the
// library is built. A file is a program under its own name without ".cl", after measure.cl and
// random.cl, with which all begin but cost_relaxation.cl.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "opencl/cl.hpp"

namespace thiessen::opencl {

/// Names and values for the compiler's option -D.
using Definitions = std::vector<std::pair<std::string, std::string>>;
std::string to_options(const Definitions& definitions);

/// Source of the program "brute_force", and so on.
std::string source_of(const std::string& name);

/// Throws Error{device_failed}, with what the compiler said if it did not like the source.
cl::Program build_program(const cl::Context& context, const cl::Device& device,
                          const std::string& name, const std::string& source,
                          const std::string& options);

}  // namespace thiessen::opencl

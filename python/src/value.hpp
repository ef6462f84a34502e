// SPDX-License-Identifier: Apache-2.0
//
// Python values on their way to the options of a call.
#pragma once

#include <nanobind/nanobind.h>

#include "api/call/call.hpp"

namespace thiessen::python {

namespace nb = nanobind;

/// Sets the options of a call by their names. None leaves an option at its default.
void set_options(Call& call, const nb::dict& options);

}  // namespace thiessen::python

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calls.hpp"
#include "thiessen/components.hpp"

namespace thiessen::python {

/// The options of a call, and how it runs.
struct ComponentsCall : CallOptions, ComponentsOptions {};

}  // namespace thiessen::python

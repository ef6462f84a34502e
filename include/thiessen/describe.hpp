// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "thiessen/export.hpp"

namespace thiessen {

/// All operations with their inputs, options, outputs and results as JSON, for front ends and
/// generators that are not C++: `{"operations": [{"name": "nearest_site", "inputs": […], …}]}`.
/// Infinities and NaN are texts.
THIESSEN_API std::string describe();

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace thiessen {

/// All operations with their inputs, options, outputs and results, as JSON: what the tables say,
/// for front ends and generators that are not C++. Infinities and NaN are texts.
std::string describe();

}  // namespace thiessen

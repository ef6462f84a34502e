// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "thiessen/components.hpp"
#include "thiessen/thiessen.h"

namespace thiessen::c {

/// Throws Error{invalid_argument} naming the argument, its value and the rule.
ComponentsOptions to_options(const thiessen_components_options* given);

}  // namespace thiessen::c

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "thiessen/error.hpp"

namespace thiessen {

/// The message names the argument, its value and the rule that it breaks.
[[noreturn]] inline void refuse(const std::string& message) {
  throw Error(ErrorCode::invalid_argument, message);
}

}  // namespace thiessen

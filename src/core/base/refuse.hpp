// SPDX-License-Identifier: Apache-2.0
//
// How the library refuses an argument.
#pragma once

#include <string>
#include <utility>

#include "thiessen/error.hpp"

namespace thiessen {

/// "k = 2000; must be from 1 to 1024".
[[noreturn]] inline void refuse(std::string argument, std::string value, std::string rule) {
  throw Error(ErrorCode::invalid_argument,
              {std::move(argument), std::move(value), std::move(rule)});
}

/// "labels is a null pointer; must be memory for its cells".
[[noreturn]] inline void refuse(std::string argument, std::string rule) {
  throw Error(ErrorCode::invalid_argument, {std::move(argument), {}, std::move(rule)});
}

/// For what no single argument breaks.
[[noreturn]] inline void refuse(const std::string& message) {
  throw Error(ErrorCode::invalid_argument, message);
}

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "thiessen/error.hpp"

namespace thiessen::testing {

/// What a call's Error says; "" if there is none.
template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace thiessen::testing

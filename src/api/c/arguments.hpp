// SPDX-License-Identifier: Apache-2.0
//
// Turns what C callers pass into what the C++ functions take. Everything here throws
// Error{invalid_argument} naming the argument, its value and the rule.
#pragma once

#include <string>

#include "core/base/refuse.hpp"
#include "thiessen/thiessen.h"
#include "thiessen/view.hpp"

namespace thiessen::c {

template <class T>
T& required(const char* name, T* pointer) {
  if (pointer == nullptr) refuse(std::string(name) + " is a null pointer");
  return *pointer;
}

/// Makes a view; empty for rank 0.
View<void> to_view(const char* name, const thiessen_array& array);

}  // namespace thiessen::c

// SPDX-License-Identifier: Apache-2.0
//
// What is behind the opaque pointers.
#pragma once

#include <string>

#include "api/call/call.hpp"
#include "api/call/solver.hpp"
#include "thiessen/context.hpp"
#include "thiessen/thiessen.h"

struct thiessen_context {
  explicit thiessen_context(const thiessen::ContextOptions& options)
      : context(options), device(context.device()) {}

  thiessen::Context context;
  std::string device;  // ends with a zero, which a string_view need not
};

struct thiessen_call {
  thiessen::Call call;
};

struct thiessen_solver {
  thiessen::Solver solver;
};

// SPDX-License-Identifier: Apache-2.0
//
// The operations that a caller can run, for walkers that know none of them.
#pragma once

#include <span>
#include <string_view>

#include "operations/field.hpp"
#include "operations/output.hpp"
#include "operations/result.hpp"
#include "thiessen/export.hpp"

namespace thiessen {

struct Operation {
  std::string_view name;
  std::string_view help;
  std::span<const Input> inputs;
  std::span<const Field> fields;
  std::span<const Output> outputs;
  std::span<const Result> results = {};
  const void* (*defaults)() = nullptr;  ///< the struct of options as a caller finds it
};

template <class Options>
const void* defaults_of() {
  static const Options kDefaults;
  return &kDefaults;
}

extern THIESSEN_API const Operation kNearestSite, kNearestSiteBatch, kVoronoi, kCostDistance;

THIESSEN_API std::span<const Operation* const> operations();

/// The operation of a name; throws Error{invalid_argument}.
THIESSEN_API const Operation& find_operation(std::string_view name);

/// The row of a name. Throws Error{invalid_argument} that names the row which was likely meant.
THIESSEN_API const Field& find_field(const Operation& operation, std::string_view name);
THIESSEN_API const Input& find_input(const Operation& operation, std::string_view name);
THIESSEN_API const Output& find_output(const Operation& operation, std::string_view name);

}  // namespace thiessen

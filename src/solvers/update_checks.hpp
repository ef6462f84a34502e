// SPDX-License-Identifier: Apache-2.0
//
// Checks of the arguments of updates, which throw Error{invalid_argument} naming the argument, its
// value and the rule; and what keeps other exceptions from leaving a solver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "thiessen/error.hpp"
#include "thiessen/view.hpp"

namespace thiessen::solvers {

/// The name of an element of an argument.
inline std::string at(const char* name, std::size_t i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
}

[[noreturn]] void refuse_unsupported(const std::string& message);

/// Checks that an index is below `count`, and so all of a list.
void check_range(const char* name, std::int64_t index, std::int64_t count);
void check_range(const char* name, std::span<const std::int64_t> indices, std::int64_t count);

/// Checks that no index comes twice. `sorted` is memory for it.
void check_unique(const char* name, std::span<const std::int64_t> indices,
                  std::vector<std::int64_t>& sorted);

/// Checks that a list of values, or a box of them, can be read.
void check_value_memory(const char* name, const View<const void>& values);

/// Checks that the argument of a constructor lies on the host, where solvers keep their sites.
void check_on_host(const char* name, const View<const void>& view);

/// A copy of a view, contiguous.
std::vector<std::byte> packed(const View<const void>& view);

/// Only Error leaves a solver.
template <class Call>
decltype(auto) with_errors(const Call& call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "no memory for what a solver keeps");
  }
}

}  // namespace thiessen::solvers

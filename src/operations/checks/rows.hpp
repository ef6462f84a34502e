// SPDX-License-Identifier: Apache-2.0
//
// What a compiler checks of rows of any kind, so that a mistake does not compile.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "operations/rows/output.hpp"

namespace thiessen::detail {

/// Converts to the type of any member.
struct AnyMember {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor): an initialiser of a member
};

template <class Struct, std::size_t... kMembers>
constexpr bool takes(std::index_sequence<kMembers...>) {
  return requires { Struct{(static_cast<void>(kMembers), AnyMember{})...}; };
}

/// The number of members of an aggregate: the most initialisers that it takes.
template <class Struct, std::size_t kCount = 0>
constexpr std::size_t count_members() {
  if constexpr (takes<Struct>(std::make_index_sequence<kCount + 1>()))
    return count_members<Struct, kCount + 1>();
  else
    return kCount;
}

/// A name is of small letters, digits and underscores.
constexpr bool is_name(std::string_view name) {
  for (const char letter : name)
    if (!(letter >= 'a' && letter <= 'z') && !(letter >= '0' && letter <= '9') && letter != '_')
      return false;
  return !name.empty();
}

/// Names are unique, and each row has a line of help. Places are compared and not pointers, which
/// g++ does not compare in a constant expression with -fsanitize=undefined.
template <class Row>
constexpr bool are_named(std::span<const Row> rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!is_name(rows[i].name) || rows[i].help.empty()) return false;
    for (std::size_t j = 0; j < i; ++j)
      if (rows[i].name == rows[j].name) return false;
  }
  return true;
}

constexpr bool fits(double value, double least, double greatest) {
  return value >= least && value <= greatest;
}

/// Whether each type that the output can have holds its special values.
constexpr bool holds_special_values(const Output& output) {
  constexpr double kGreatest32 = 2147483647, kExact = 9007199254740992;
  if (output.type != TypeRule::fixed) return true;
  for (const double value : {output.unreached, output.nodata}) {
    if (output.element == ElementType::u8 && !fits(value, 0, 255)) return false;
    if (output.element == ElementType::i32 && !fits(value, -kGreatest32 - 1, kGreatest32))
      return false;
    if (output.element == ElementType::i64 && !fits(value, -kExact, kExact)) return false;
  }
  return true;
}

/// Whether the rows of a table of outputs are right by themselves.
constexpr bool are_outputs(std::span<const Output> outputs) {
  for (const Output& output : outputs)
    if (!holds_special_values(output)) return false;
  return are_named(outputs);
}

}  // namespace thiessen::detail

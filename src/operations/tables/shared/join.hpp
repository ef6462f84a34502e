// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace thiessen::detail {

/// The rows of two tables in one.
template <class Row, std::size_t kFirst, std::size_t kSecond>
constexpr auto join(const Row (&first)[kFirst], const Row (&second)[kSecond]) {
  std::array<Row, kFirst + kSecond> rows;
  std::copy_n(first, kFirst, rows.begin());
  std::copy_n(second, kSecond, rows.begin() + kFirst);
  return rows;
}
template <class Row, std::size_t kFirst, std::size_t kSecond>
constexpr auto join(const Row (&first)[kFirst], const std::array<Row, kSecond>& second) {
  std::array<Row, kFirst + kSecond> rows;
  std::copy_n(first, kFirst, rows.begin());
  std::copy_n(second.begin(), kSecond, rows.begin() + kFirst);
  return rows;
}

/// The rows of a table without some.
template <class Row, std::size_t kRows, std::size_t kLess>
constexpr auto without(const Row (&rows)[kRows], const std::string_view (&names)[kLess]) {
  std::array<Row, kRows - kLess> rest;
  std::size_t count = 0;
  for (const Row& row : rows) {
    if (std::find(names, names + kLess, row.name) != names + kLess) continue;
    rest.at(count++) = row;  // too many rows, for a name that there is not, do not compile
  }
  if (count != rest.size()) throw "a name stands twice";
  return rest;
}

}  // namespace thiessen::detail

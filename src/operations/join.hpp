// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace thiessen::detail {

/// The rows of two tables in one.
template <class Row, std::size_t kFirst, std::size_t kSecond>
constexpr auto join(const Row (&first)[kFirst], const Row (&second)[kSecond]) {
  std::array<Row, kFirst + kSecond> rows;
  std::copy_n(first, kFirst, rows.begin());
  std::copy_n(second, kSecond, rows.begin() + kFirst);
  return rows;
}

}  // namespace thiessen::detail

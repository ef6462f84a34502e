// SPDX-License-Identifier: Apache-2.0
//
// Rasters for tests of the C API.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/c/call.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::testing {

inline constexpr std::int64_t kRows = 9;
inline constexpr std::int64_t kColumns = 12;
inline constexpr std::size_t kCells = kRows * kColumns;

/// Rasters of 9 x 12 cells: some sites of three labels, regions, a stiffness.
class CRasters : public ::testing::Test {
 protected:
  CRasters() : sites_(kCells), regions_(kCells), stiffness_(kCells), distance_(kCells) {
    std::uint32_t state = 7;
    for (std::size_t cell = 0; cell < kCells; ++cell) {
      state = state * 1664525U + 1013904223U;
      sites_[cell] = (state >> 24) % 13 == 0 ? static_cast<std::uint8_t>(1 + (state >> 16) % 3) : 0;
      stiffness_[cell] = static_cast<float>((state >> 20) % 7) / 4;
    }
    nearest_site(context_, sites(), {},
                 {.labels = View<std::uint8_t>(regions_.data(), extents()),
                  .distance = View<float>(distance_.data(), extents())});
  }

  static Extents extents() { return {kRows, kColumns}; }
  View<const std::uint8_t> sites() const { return {sites_.data(), extents()}; }
  View<const std::uint8_t> regions() const { return {regions_.data(), extents()}; }
  View<const float> stiffness() const { return {stiffness_.data(), extents()}; }
  View<const float> distance() const { return {distance_.data(), extents()}; }
  static View<const double> points() {
    static const std::vector<double> kPoints = {1, 2, 7.5, 3.25, 4, 10.0625, 8, 8};
    return {kPoints.data(), {4, 2}};
  }

  Context context_;
  CContext c_;
  std::vector<std::uint8_t> sites_, regions_;
  std::vector<float> stiffness_, distance_;
};

}  // namespace thiessen::testing

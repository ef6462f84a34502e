// SPDX-License-Identifier: Apache-2.0
//
// Count, range, mean and deviation of cells, for the metadata of files.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

namespace thiessen::io {

/// Statistics of the cells that count: finite numbers that are not nodata.
struct CellStatistics {
  std::int64_t count = 0;
  double least = 0, greatest = 0, mean = 0;
  double squares = 0;  ///< sum of the squared deviations from the mean

  void merge(const CellStatistics& other);
};

namespace detail {

inline constexpr std::size_t kStatisticsLanes = 8;

/// Statistics of numbers, of which those that are not finite or equal `nodata` (NaN: none) do not
/// count. `count` is a multiple of kStatisticsLanes, and the numbers are aligned to 64 bytes.
CellStatistics statistics_of_numbers(const double* numbers, std::size_t count, double nodata);

}  // namespace detail

/// Statistics of cells side by side. Sums have the same order with each instruction set.
template <class T>
CellStatistics statistics_of(const T* cells, std::int64_t count, const std::optional<T>& nodata) {
  constexpr std::int64_t kPiece = 512;
  constexpr auto kLanes = static_cast<std::int64_t>(detail::kStatisticsLanes);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  // As a double, an integer of 64 bits may look like nodata that differs from it.
  constexpr bool kIsExact = std::is_floating_point_v<T> || sizeof(T) < sizeof(std::int64_t);
  alignas(64) std::array<double, kPiece> numbers;
  CellStatistics all;
  for (; count > 0; cells += kPiece, count -= kPiece) {
    const std::int64_t here = std::min(count, kPiece);
    for (std::int64_t i = 0; i < here; ++i) {
      double& number = numbers[static_cast<std::size_t>(i)];
      number = static_cast<double>(cells[i]);
      if constexpr (!kIsExact) {
        if (nodata && cells[i] == *nodata) number = kNan;
      }
    }
    const std::int64_t whole = (here + kLanes - 1) / kLanes * kLanes;
    std::fill(numbers.begin() + here, numbers.begin() + whole, kNan);
    const double no_number = kIsExact && nodata ? static_cast<double>(*nodata) : kNan;
    all.merge(
        detail::statistics_of_numbers(numbers.data(), static_cast<std::size_t>(whole), no_number));
  }
  return all;
}

}  // namespace thiessen::io

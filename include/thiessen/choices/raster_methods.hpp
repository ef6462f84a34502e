// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "thiessen/choices/choice.hpp"

namespace thiessen {

/// Which cells a thread of a GPU takes, if K threads have more than K cells to do (W. Tu, J. Wang,
/// "Raster-based method for Voronoi diagram using GPU parallel technology"). Results do not depend
/// on it.
enum class Allotment : std::uint8_t {
  /// Thread i takes the cells i, i + K, i + 2K, …: the program of the paper, and its equation (3),
  /// but for the stride. Neighbouring threads read neighbouring cells.
  cyclic,
  /// Thread i takes the C cells from i · C on, C = cells / K rounded up: equation (2).
  contiguous,
};

inline constexpr std::string_view kAllotmentNames[] = {"cyclic", "contiguous"};

constexpr std::string_view name_of(Allotment allotment) {
  return detail::choice_name(kAllotmentNames, allotment);
}

/// The allotment of a name, or nothing.
constexpr std::optional<Allotment> find_allotment(std::string_view name) {
  return detail::find_choice<Allotment>(kAllotmentNames, name);
}

/// Options of the methods that go through the raster's cells (docs/raster-methods.md).
struct RasterOptions {
  /// For Method::raster_gpu: up to so many sites every cell is compared with all of them; with
  /// more, each cell looks around itself until it meets one, as Method::expansion does. >= 0; -1:
  /// what was measured for the device.
  std::int64_t scan_sites = -1;

  /// For Method::circle_growing: by how many cells (of the longest spacing) the radius grows from
  /// round to round. 1 to 2^30. Results do not depend on it.
  std::int64_t growth_step = 1;

  /// For Method::dilation and Method::expansion on the CPU, as Tu and Wang have them, who settle no
  /// labels: a dilated cell takes the first of the labels that reach it in its round, whether or
  /// not a site of a lesser index is as near; a cell expands its neighbourhood until a site is met,
  /// and takes the nearest of those met, whether or not a nearer one lies in a larger
  /// neighbourhood. Approximate; deterministic.
  bool labels_carried = false;
  /// For Method::brute_force on cuda and opencl: which cells a thread takes; nothing: cyclic.
  std::optional<Allotment> allotment = std::nullopt;
};

}  // namespace thiessen

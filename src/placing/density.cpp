// SPDX-License-Identifier: Apache-2.0
#include "placing/density.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/refuse.hpp"
#include "core/problem/problem.hpp"
#include "operations/rows/numbers.hpp"
#include "thiessen/element_visit.hpp"
#include "threads/rows.hpp"

namespace thiessen::placing {
namespace {

/// `count` cells of any type as doubles.
void convert(const std::byte* cells, ElementType type, std::int64_t count, double* values) {
  visit_element_type(type, [&]<class T>(std::type_identity<T>) {
    const auto* const from = reinterpret_cast<const T*>(cells);
    const bool truth = type == ElementType::boolean;
    for (std::int64_t i = 0; i < count; ++i)
      values[i] = truth ? (from[i] != 0 ? 1.0 : 0.0) : static_cast<double>(from[i]);
  });
}

}  // namespace

Density::Density(const View<const void>& cells, const Extents& extents)
    : given_(cells),
      cells_(with_three_axes(cells)),
      extent_(to_axes(extents)),
      rank_(extents.rank()) {
  if (!cells) return;
  check_aligned_cells("density", cells);
  if (cells.extents() != extents)
    thiessen::refuse("density", "has " + std::to_string(cells.rank()) + " axes and " +
                                    std::to_string(cells.extents().count()) +
                                    " cells; must have the extents of the raster, " +
                                    std::to_string(rank_) + " axes and " +
                                    std::to_string(extents.count()) + " cells");
}

void Density::for_each(ContextState& state, const Piece& piece) const {
  const std::int64_t width = extent_[2];
  if (cells() == 0) return;
  parallel_for(
      state, extent_[0] * extent_[1], rows_per_task(width), width,
      [&](std::int64_t begin, std::int64_t end, int worker) {
        ChunkBuffer buffer;
        std::array<double, kChunk> values;
        values.fill(1.0);
        for (std::int64_t row = begin; row < end; ++row)
          for (std::int64_t x = 0; x < width; x += kChunk) {
            const std::int64_t count = std::min(kChunk, width - x);
            if (cells_)
              convert(CellReader(cells_).read(row / extent_[1], row % extent_[1], x, count, buffer),
                      cells_.element_type(), count, values.data());
            piece(row * width + x, count, values.data(), worker);
          }
      });
}

void Density::refuse(std::int64_t cell, const char* cells) const {
  const Axes at = to_cell(extent_, cell);
  std::string place;
  for (int axis = kAxes - rank_; axis < kAxes; ++axis)
    place += (place.empty() ? "" : ", ") + std::to_string(at[static_cast<std::size_t>(axis)]);
  double value = 0;
  convert(address_of(cells_, at), cells_.element_type(), 1, &value);
  thiessen::refuse("density[" + place + "]", shortest_decimal(value),
                   std::string("must be finite and >= 0 in ") + cells);
}

}  // namespace thiessen::placing

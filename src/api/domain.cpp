// SPDX-License-Identifier: Apache-2.0
#include "api/domain.hpp"

#include <array>
#include <cstring>

#include "core/base/cell_access.hpp"
#include "core/base/element_width.hpp"
#include "core/problem/outputs.hpp"
#include "core/search/result_writer.hpp"
#include "threads/parallel.hpp"

namespace thiessen {
namespace {

/// For each cell of a chunk 1 if it lies outside of the domain.
using Outside = std::array<std::uint8_t, kChunk>;

/// Whether any cell of the chunk lies outside of the domain.
bool find_outside(const CellReader& domain, const Chunk& chunk, Outside& outside) {
  ChunkBuffer buffer;
  const std::byte* const cells = domain.read(chunk.z, chunk.y, chunk.x, chunk.count, buffer);
  std::uint8_t any = 0;
  visit_element_width(domain.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto* const values = reinterpret_cast<const T*>(cells);
    for (std::int64_t i = 0; i < chunk.count; ++i) {
      outside[static_cast<std::size_t>(i)] = values[i] == 0 ? 1 : 0;
      any |= outside[static_cast<std::size_t>(i)];
    }
  });
  return any != 0;
}

/// Puts `size` bytes into the cells outside.
template <std::size_t kSize>
void put(const void* value, const Chunk& chunk, const Outside& outside, std::byte* cell,
         std::int64_t stride) {
  for (std::int64_t i = 0; i < chunk.count; ++i, cell += stride)
    if (outside[static_cast<std::size_t>(i)] != 0) std::memcpy(cell, value, kSize);
}

/// Puts the nodata value of an output into the cells outside, of all its components.
void put_nodata(const Output& output, const LabelBits& label, const View<void>& view,
                const Chunk& chunk, const Outside& outside) {
  const LabelBits value =
      output.type == TypeRule::labels
          ? label
          : to_label_bits(output.nodata, view.element_type(), output.name.data());
  const int front = view.rank() - kAxes;
  for (std::int64_t component = 0; component < (front > 0 ? view.extent(0) : 1); ++component) {
    std::byte* const cell = view.bytes() + component * (front > 0 ? view.stride(0) : 0) +
                            chunk.z * view.stride(front) + chunk.y * view.stride(front + 1) +
                            chunk.x * view.stride(front + 2);
    visit_element_width(view.element_type(), [&]<class T>(std::type_identity<T>) {
      put<sizeof(T)>(value.bytes.data(), chunk, outside, cell, view.stride(front + 2));
    });
  }
}

}  // namespace

void mark_outside(ContextState& state, const Problem& problem, const ProblemViews& views) {
  constexpr std::int64_t kCellsAtOnce = 1 << 16;
  const PhaseTimer phase(state, "domain");
  const CellReader domain(views.domain);
  const std::int64_t height = views.domain.extent(1);
  const std::int64_t width = views.domain.extent(2);
  parallel_for(state, views.domain.extent(0) * height, kCellsAtOnce / width + 1, 0,
               [&](std::int64_t begin, std::int64_t end, int) {
                 Outside outside;
                 for (std::int64_t row = begin; row < end; ++row)
                   for_each_chunk(row / height, row % height, width, [&](const Chunk& chunk) {
                     if (find_outside(domain, chunk, outside))
                       for_each_output(
                           views.out, [&](const Output& output, const View<void>& view) {
                             put_nodata(output, problem.nodata_label, view, chunk, outside);
                           });
                   });
               });
}

}  // namespace thiessen

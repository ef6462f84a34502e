// SPDX-License-Identifier: Apache-2.0
#include "api/domain.hpp"

#include <array>
#include <cstring>
#include <limits>

#include "core/cell_access.hpp"
#include "core/element_width.hpp"
#include "core/result_writer.hpp"
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

template <class T>
void put_value(T value, const View<void>& view, const Chunk& chunk, const Outside& outside) {
  if (!view) return;
  put<sizeof value>(&value, chunk, outside, address_of(view, {chunk.z, chunk.y, chunk.x}),
                    view.stride(2));
}

void put_offset(const View<void>& view, const Chunk& chunk, const Outside& outside) {
  constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::min();
  if (!view) return;
  for (std::int64_t component = 0; component < view.extent(0); ++component)
    put<sizeof kNone>(&kNone, chunk, outside,
                      view.bytes() + component * view.stride(0) + chunk.z * view.stride(1) +
                          chunk.y * view.stride(2) + chunk.x * view.stride(3),
                      view.stride(3));
}

void put_label(const LabelBits& label, const View<void>& view, const Chunk& chunk,
               const Outside& outside) {
  if (!view) return;
  visit_element_width(view.element_type(), [&]<class T>(std::type_identity<T>) {
    T value;
    std::memcpy(&value, label.bytes.data(), sizeof value);
    put_value(value, view, chunk, outside);
  });
}

void put_distance(const View<void>& view, const Chunk& chunk, const Outside& outside) {
  if (view && view.element_type() == ElementType::f64)
    put_value(std::numeric_limits<double>::quiet_NaN(), view, chunk, outside);
  else
    put_value(std::numeric_limits<float>::quiet_NaN(), view, chunk, outside);
}

void put_nodata(const Problem& problem, const NearestSiteOutputs& out, const Chunk& chunk,
                const Outside& outside) {
  put_label(problem.nodata_label, out.labels, chunk, outside);
  put_value(kNodata, out.site_index, chunk, outside);
  put_value(kNodata, out.squared, chunk, outside);
  put_value(std::numeric_limits<float>::quiet_NaN(), out.direction, chunk, outside);
  put_offset(out.offset, chunk, outside);
  put_distance(out.distance, chunk, outside);
  put_label(problem.nodata_label, out.other_labels, chunk, outside);
  put_value(kNodata, out.other_site_index, chunk, outside);
  put_distance(out.other_distance, chunk, outside);
  put_value(std::uint8_t{0}, out.ties, chunk, outside);
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
                       put_nodata(problem, views.out, chunk, outside);
                   });
               });
}

}  // namespace thiessen

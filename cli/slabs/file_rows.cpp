// SPDX-License-Identifier: Apache-2.0
#include "slabs/file_rows.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "slabs/slab_plan.hpp"
#include "talk/interrupt.hpp"
#include "words/arguments.hpp"
#include "words/memory.hpp"

namespace thiessen::cli {

void FileRows::read(const SlabRows& rows, std::byte* cells) {
  throw_if_interrupted();
  as_usage_error([&] {
    if (!read_) read_ = open_();
    read_(rows.first, rows.count, cells);
  });
}

View<const void> RasterRows::memory(const SlabRows& rows) {
  const std::int64_t columns = extents().count() / std::max<std::int64_t>(extents()[0], 1);
  const std::size_t row_bytes = size_of(element_type()) * static_cast<std::size_t>(columns);
  return {raster_.bytes() + static_cast<std::size_t>(rows.first) * row_bytes, element_type(),
          slab_extents(extents(), rows.count)};
}

void RasterRows::read(const SlabRows& rows, std::byte* cells) {
  const View<const void> from = memory(rows);
  const auto count = static_cast<std::size_t>(from.extents().count());
  std::memcpy(cells, from.bytes(), count * size_of(element_type()));
}

std::byte* room_for(Raster& kept, ElementType type, const Extents& rows) {
  if (!kept || kept.extents() != rows) kept = Raster(type, rows);
  return kept.bytes();
}

Raster held(RowSource& source, const Grid& grid) {
  const std::int64_t rows = source.extents()[0];
  require_memory(source.extents().count(), size_of(source.element_type()));
  Raster cells(source.element_type(), grid);
  source.read({0, rows}, cells.bytes());
  source.close();
  return cells;
}

void for_each_rows(RowSource& source,
                   const std::function<void(const SlabRows&, const View<const void>&)>& visit) {
  constexpr std::int64_t kCells = 1 << 22;
  const Extents& all = source.extents();
  const std::int64_t columns = all.count() / std::max<std::int64_t>(all[0], 1);
  const std::int64_t rows = std::max<std::int64_t>(kCells / std::max<std::int64_t>(columns, 1), 1);
  Raster cells;
  for (std::int64_t first = 0; first < all[0]; first += rows) {
    const SlabRows some{first, std::min(rows, all[0] - first)};
    const Extents extents = slab_extents(all, some.count);
    source.read(some, room_for(cells, source.element_type(), extents));
    visit(some, std::as_const(cells).view());
  }
  source.close();
}

}  // namespace thiessen::cli

// SPDX-License-Identifier: Apache-2.0
#include "slabs/file_rows.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "inputs/cell_values.hpp"
#include "inputs/domain_input.hpp"
#include "io/raster/inspect.hpp"
#include "slabs/slab_plan.hpp"
#include "talk/interrupt.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {

void FileRows::read(const SlabRows& rows, std::byte* cells) {
  throw_if_interrupted();
  as_usage([&] {
    if (!reader_) reader_ = open_();
    reader_->read(rows.first, rows.count, cells);
  });
}

void RasterRows::read(const SlabRows& rows, std::byte* cells) {
  const std::size_t row_bytes =
      raster_.size_bytes() / static_cast<std::size_t>(std::max<std::int64_t>(extents()[0], 1));
  std::memcpy(cells, raster_.bytes() + static_cast<std::size_t>(rows.first) * row_bytes,
              static_cast<std::size_t>(rows.count) * row_bytes);
}

DomainRows::DomainRows(const std::string& path, const std::string& nodata, int threads) {
  const io::RasterInfo info = as_usage([&] { return io::inspect_raster(path); });
  value_ = value_outside(path, nodata, info);
  cells_.emplace(info.element_type, info.grid.extents, [path, threads] {
    return io::open_rows(path, {.colours = false, .threads = threads});
  });
}

bool DomainRows::has_outside() {
  bool has = false;
  if (value_)
    for_each_rows(*cells_, [&](const SlabRows&, const View<const void>& cells) {
      has = has || any_holds(cells, *value_);
    });
  return has;
}

void DomainRows::read(const SlabRows& rows, std::byte* cells) {
  const Extents some = slab_extents(extents(), rows.count);
  if (!read_ || read_.extents() != some) read_ = Raster(cells_->element_type(), some);
  cells_->read(rows, read_.bytes());
  std::fill_n(cells, some.count(), std::byte{1});
  put_where({cells, ElementType::u8, some}, std::int64_t{0}, std::as_const(read_).view(), *value_);
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
    if (!cells || cells.extents() != extents) cells = Raster(source.element_type(), extents);
    source.read(some, cells.bytes());
    visit(some, std::as_const(cells).view());
  }
  source.close();
}

}  // namespace thiessen::cli

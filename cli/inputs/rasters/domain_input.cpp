// SPDX-License-Identifier: Apache-2.0
#include "inputs/rasters/domain_input.hpp"

#include <algorithm>
#include <utility>

#include "inputs/rasters/raster_input.hpp"
#include "io/raster/cell_values.hpp"
#include "io/raster/inspect.hpp"
#include "thiessen/element_visit.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
void DomainRows::read(const SlabRows& rows, std::byte* cells) {
  const Extents some = slab_extents(extents(), rows.count);
  cells_.read(rows, room_for(read_, cells_.element_type(), some));
  const std::int64_t count = some.count();
  auto* const inside = reinterpret_cast<std::uint8_t*>(cells);
  visit_element_type(cells_.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto* const from = reinterpret_cast<const T*>(read_.bytes());
    for (std::int64_t i = 0; i < count; ++i)
      inside[i] = !is_mask_ || from[i] < 0 || from[i] > 0 ? 1 : 0;
  });
  if (outside_)
    io::replace_where({cells, ElementType::u8, some}, std::int64_t{0}, std::as_const(read_).view(),
                      *outside_);
}

bool has_cell(RowSource& domain, std::int64_t value) {
  bool found = false;
  for_each_rows(domain, [&](const SlabRows&, const View<const void>& cells) {
    found = found || io::any_holds(cells, value);
  });
  return found;
}

DomainRows domain_of_like(const std::string& path, const std::string& nodata, int threads) {
  const io::RasterInfo info = as_usage_error([&] { return io::inspect_raster(path); });
  FileRows cells(info.element_type, info.grid.extents, [path, threads] {
    return reading_by(io::open_rows_or_all(path, {.colours = false, .threads = threads}));
  });
  return {std::move(cells),
          choose_nodata("--nodata", nodata, info.nodata, info.element_type,
                        "the type of " + path + ","),
          false};
}

void CommonRows::read(const SlabRows& rows, std::byte* cells) {
  const Extents some = slab_extents(extents(), rows.count);
  a_.read(rows, cells);
  b_.read(rows, room_for(read_, ElementType::u8, some));
  io::replace_where({cells, ElementType::u8, some}, std::int64_t{0}, std::as_const(read_).view(),
                    std::int64_t{0});
}

void CommonRows::close() {
  a_.close();
  b_.close();
}

}  // namespace thiessen::cli

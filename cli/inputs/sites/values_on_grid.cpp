// SPDX-License-Identifier: Apache-2.0
#include "inputs/sites/values_on_grid.hpp"

#include <utility>

#include "inputs/rasters/raster_input.hpp"
#include "io/raster/cell_values.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::cli {

Raster values_on_grid(const std::string& flag, const std::string& path, const Sites& sites,
                      double missing) {
  io::RasterFile file = read_quantities(path, {.colours = false});
  require_same_cells(flag + " " + path, file.raster.grid(), sites);
  const ElementType type = file.raster.element_type();
  const bool has_missing = file.nodata && io::can_hold(type, *file.nodata);
  if (type == ElementType::f32 || type == ElementType::f64) {
    const View<void> cells = file.raster.view();
    if (has_missing) io::replace_where(cells, missing, cells, *file.nodata);
    return std::move(file.raster);
  }
  const std::int64_t cells = file.raster.extents().count();
  Raster values = Raster::of<double>(file.raster.extents());
  double* const to = values.view<double>().data();
  visit_element_type(type, [&]<class T>(std::type_identity<T>) {
    const auto* from = reinterpret_cast<const T*>(file.raster.bytes());
    for (std::int64_t i = 0; i < cells; ++i) to[i] = static_cast<double>(from[i]);
  });
  if (has_missing) io::replace_where(values.view(), missing, file.raster.view(), *file.nodata);
  return values;
}

}  // namespace thiessen::cli

// SPDX-License-Identifier: Apache-2.0
#include "inputs/sites/values_on_grid.hpp"

#include "inputs/rasters/raster_input.hpp"
#include "io/raster/cell_values.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::cli {

Raster values_on_grid(const std::string& flag, const std::string& path, const Sites& sites,
                      double missing) {
  const io::RasterFile file = read_quantities(path, {.colours = false});
  require_same_cells(flag + " " + path, file.raster.grid(), sites);
  const std::int64_t cells = file.raster.extents().count();
  Raster values = Raster::of<double>(file.raster.extents());
  double* const to = values.view<double>().data();
  visit_element_type(file.raster.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto* from = reinterpret_cast<const T*>(file.raster.bytes());
    for (std::int64_t i = 0; i < cells; ++i) to[i] = static_cast<double>(from[i]);
  });
  if (file.nodata && io::can_hold(file.raster.element_type(), *file.nodata))
    io::replace_where(values.view(), missing, file.raster.view(), *file.nodata);
  return values;
}

}  // namespace thiessen::cli

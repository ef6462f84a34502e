// SPDX-License-Identifier: Apache-2.0
#include "inputs/sites/values_on_grid.hpp"

#include <utility>

#include "inputs/rasters/raster_input.hpp"
#include "io/raster/cell_values.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::cli {
namespace {

Raster as_doubles(const Raster& from) {
  Raster to = Raster::of<double>(from.extents());
  double* const values = to.view<double>().data();
  visit_element_type(from.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto* cells = reinterpret_cast<const T*>(from.bytes());
    for (std::int64_t i = 0; i < from.extents().count(); ++i)
      values[i] = static_cast<double>(cells[i]);
  });
  return to;
}

}  // namespace

Raster numbers_on_grid(const std::string& flag, const std::string& path, const Sites& sites,
                       double missing) {
  io::RasterFile file = read_quantities(path, {.colours = false});
  require_same_cells(flag + " " + path, file.raster.grid(), sites);
  const ElementType type = file.raster.element_type();
  if (!file.nodata || !io::can_hold(type, *file.nodata)) return std::move(file.raster);
  const bool is_float = type == ElementType::f32 || type == ElementType::f64;
  Raster doubles;
  if (!is_float) doubles = as_doubles(file.raster);
  Raster& values = is_float ? file.raster : doubles;
  io::replace_where(values.view(), missing, file.raster.view(), *file.nodata);
  return std::move(values);
}

Raster values_on_grid(const std::string& flag, const std::string& path, const Sites& sites,
                      double missing) {
  Raster values = numbers_on_grid(flag, path, sites, missing);
  return values.element_type() == ElementType::f64 ? std::move(values) : as_doubles(values);
}

}  // namespace thiessen::cli

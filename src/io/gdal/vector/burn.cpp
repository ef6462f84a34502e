// SPDX-License-Identifier: Apache-2.0
#include "io/gdal/vector/burn.hpp"

#include <cpl_conv.h>
#include <gdal_alg.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <string>

#include "core/base/element_width.hpp"
#include "io/gdal/session.hpp"
#include "io/gdal/vector/geometry.hpp"
#include "thiessen/error.hpp"

namespace thiessen::io {
namespace {

constexpr std::int64_t kMaskBytes = std::int64_t{16} << 20;
constexpr double kFarthest = 1 << 30;

/// The shift from cells of the grid to cells of a window.
struct Shift {
  double x, y;
};

// NOLINTNEXTLINE(readability-function-size): as GDAL wants it
int shift_points(void* shift, int, int count, double* x, double* y, double*, int* success) {
  const auto* const by = static_cast<const Shift*>(shift);
  for (int i = 0; i < count; ++i) {
    x[i] -= by->x;
    y[i] -= by->y;
    success[i] = 1;
  }
  return 1;
}

/// A mask as a dataset of GDAL.
Dataset dataset_of(std::uint8_t* mask, int width, int height) {
  Dataset dataset(GDALCreate(GDALGetDriverByName("MEM"), "", width, height, 0, GDT_Byte, nullptr));
  if (!dataset) return nullptr;
  std::array<char, 64> address{};
  CPLPrintPointer(address.data(), mask, static_cast<int>(address.size()) - 1);
  const std::string option = std::string("DATAPOINTER=") + address.data();
  std::array<char*, 2> options{const_cast<char*>(option.c_str()), nullptr};
  return GDALAddBand(dataset.get(), GDT_Byte, options.data()) == CE_None ? std::move(dataset)
                                                                         : nullptr;
}

/// A triangle as a polygon, the only shape with area that GDAL can burn; empty for other shapes.
Geometry as_polygon(OGRGeometryH part, OGRwkbGeometryType type) {
  if (type != wkbTriangle) return nullptr;
  return Geometry(OGR_G_ForceTo(OGR_G_Clone(part), wkbPolygon, nullptr));
}

}  // namespace

GeometryBurner::GeometryBurner(const Grid& grid, const GridRows& rows, ElementType type,
                               std::byte* cells, bool all_touched)
    : rows_(rows),
      type_(type),
      cells_(cells),
      rule_of_areas_(all_touched ? Rule::touched : Rule::centres),
      height_(grid.extents.rank() == 2 ? grid.extents[0] : 0),
      width_(grid.extents.rank() == 2 ? grid.extents[1] : 0) {
  if (grid.extents.rank() != 2) {
    throw Error(ErrorCode::invalid_argument, "grid has " + std::to_string(grid.extents.rank()) +
                                                 " axes; features are burned onto 2");
  }
  if (!grid.georeference) {
    throw Error(ErrorCode::invalid_argument,
                "grid has no georeference, which features need to find their cells");
  }
  std::array<double, 6> transform = grid.georeference->transform;
  if (GDALInvGeoTransform(transform.data(), to_cells_.data()) == 0) {
    throw Error(ErrorCode::invalid_argument, "grid has a geotransform without an area");
  }
  std::memset(cells, 0, static_cast<std::size_t>(rows.count * width_) * size_of(type));
}

bool GeometryBurner::burn(OGRGeometryH geometry, const std::byte* label) {
  const Geometry cells(OGR_G_Clone(geometry));
  if (!cells) throw std::bad_alloc();
  if (!to_cells(cells.get())) return false;
  if (!meets_rows(cells.get())) return true;
  label_ = label;
  found_ = false;
  burn_parts(cells.get(), rule_of_areas_);
  if (!found_) burn_parts(cells.get(), Rule::touched);
  if (!found_) burn_vertices(cells.get());
  return true;
}

/// Converts world coordinates to cells, whose corners are integers; false if they are too far away.
bool GeometryBurner::to_cells(OGRGeometryH geometry) const {
  bool near = true;
  OGR_G_FlattenTo2D(geometry);
  for_each_part(geometry, [this, &near](OGRGeometryH part, OGRwkbGeometryType) {
    for_each_line(part, [this, &near](OGRGeometryH line) {
      for (int i = 0; i < OGR_G_GetPointCount(line); ++i) {
        const double x = OGR_G_GetX(line, i);
        const double y = OGR_G_GetY(line, i);
        const double column = to_cells_[0] + x * to_cells_[1] + y * to_cells_[2];
        const double row = to_cells_[3] + x * to_cells_[4] + y * to_cells_[5];
        near = near && std::abs(column) <= kFarthest && std::abs(row) <= kFarthest;
        OGR_G_SetPoint_2D(line, i, column, row);
      }
    });
  });
  return near;
}

/// Whether a geometry may have cells in the rows; one that does is burned whole, as what it finds
/// elsewhere decides how.
bool GeometryBurner::meets_rows(OGRGeometryH geometry) const {
  OGREnvelope box;
  OGR_G_GetEnvelope(geometry, &box);
  const auto first = static_cast<double>(rows_.first);
  return box.MaxY + 2 >= first && box.MinY - 2 <= first + static_cast<double>(rows_.count);
}

void GeometryBurner::burn_parts(OGRGeometryH geometry, Rule rule_of_areas) {
  for_each_part(geometry, [this, rule_of_areas](OGRGeometryH part, OGRwkbGeometryType type) {
    if (type == wkbPoint) {
      burn_cell(OGR_G_GetX(part, 0), OGR_G_GetY(part, 0));
    } else {
      const bool area = type == wkbPolygon || type == wkbTriangle;
      const Geometry plain = as_polygon(part, type);
      burn_shape(plain ? plain.get() : part, area ? rule_of_areas : Rule::touched);
    }
  });
}

/// Burns a geometry that has neither length nor area.
void GeometryBurner::burn_vertices(OGRGeometryH geometry) {
  for_each_vertex(geometry, [this](double x, double y) { burn_cell(x, y); });
}

void GeometryBurner::burn_cell(double x, double y) {
  const auto column = static_cast<std::int64_t>(std::floor(x));
  const auto row = static_cast<std::int64_t>(std::floor(y));
  if (column < 0 || column >= width_ || row < 0 || row >= height_) return;
  mask_.assign(1, 1);
  give({column, row, column + 1, row + 1});
}

/// Burns one line or area, in pieces of rows that fit a mask of limited size.
void GeometryBurner::burn_shape(OGRGeometryH shape, Rule rule) {
  OGREnvelope box;
  OGR_G_GetEnvelope(shape, &box);
  const auto before = [](double value) { return static_cast<std::int64_t>(std::floor(value)) - 1; };
  const auto after = [](double value) { return static_cast<std::int64_t>(std::floor(value)) + 2; };
  const Window all{std::max<std::int64_t>(before(box.MinX), 0),
                   std::max<std::int64_t>(before(box.MinY), 0), std::min(after(box.MaxX), width_),
                   std::min(after(box.MaxY), height_)};
  if (all.x >= all.end_x || all.y >= all.end_y) return;
  const std::int64_t rows = std::max<std::int64_t>(kMaskBytes / (all.end_x - all.x), 1);
  for (std::int64_t y = all.y; y < all.end_y; y += rows) {
    burn_rows(shape, rule, {all.x, y, all.end_x, std::min(y + rows, all.end_y)});
  }
}

void GeometryBurner::burn_rows(OGRGeometryH shape, Rule rule, const Window& rows) {
  const auto width = static_cast<int>(rows.end_x - rows.x);
  const auto height = static_cast<int>(rows.end_y - rows.y);
  mask_.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0);
  const Dataset dataset = dataset_of(mask_.data(), width, height);
  if (!dataset) return;  // the caller's session has the reason
  Shift shift{static_cast<double>(rows.x), static_cast<double>(rows.y)};
  static constexpr int kBand = 1;
  static constexpr double kOne = 1;
  char all_touched[] = "ALL_TOUCHED=TRUE";
  std::array<char*, 2> options{rule == Rule::touched ? all_touched : nullptr, nullptr};
  GDALRasterizeGeometries(dataset.get(), 1, &kBand, 1, &shape, shift_points, &shift, &kOne,
                          options.data(), nullptr, nullptr);
  GDALFlushCache(dataset.get());
  give(rows);
}

/// Gives the masked cells to the geometry, if they are free.
void GeometryBurner::give(const Window& rows) {
  visit_element_width(type_, [&]<class Cell>(std::type_identity<Cell>) {
    Cell label;
    std::memcpy(&label, label_, sizeof label);
    auto* const cells = reinterpret_cast<Cell*>(cells_);
    const std::uint8_t* mask = mask_.data();
    for (std::int64_t y = rows.y; y < rows.end_y; ++y) {
      for (std::int64_t x = rows.x; x < rows.end_x; ++x, ++mask) {
        if (*mask == 0) continue;
        found_ = true;
        if (y < rows_.first || y >= rows_.first + rows_.count) continue;
        Cell& cell = cells[(y - rows_.first) * width_ + x];
        if (cell == 0) cell = label;
      }
    }
  });
}

}  // namespace thiessen::io

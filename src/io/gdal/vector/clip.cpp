// SPDX-License-Identifier: Apache-2.0
#include <ogr_api.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "io/files/io_error.hpp"
#include "io/gdal/session.hpp"
#include "io/gdal/vector/geometry.hpp"
#include "io/table/area_clip.hpp"
#include "io/table/feature_file.hpp"

namespace thiessen::io {
namespace {

using Prepared = Released<OGRPreparedGeometryH, OGRDestroyPreparedGeometry>;

std::int64_t at(const std::vector<std::int64_t>& list, std::int64_t i) {
  return list[static_cast<std::size_t>(i)];
}

/// The points first … end - 1 of coordinates y, x as a line of x, y.
OGRGeometryH line_of(const std::vector<double>& coordinates, std::int64_t first, std::int64_t end,
                     OGRwkbGeometryType type) {
  constexpr int kStride = 2 * sizeof(double);
  const double* const y = coordinates.data() + 2 * first;
  OGRGeometryH line = OGR_G_CreateGeometry(type);
  OGR_G_SetPoints(line, static_cast<int>(end - first), y + 1, kStride, y, kStride, nullptr, 0);
  return line;
}

OGRGeometryH polygon_of(const Polygons& polygons, std::int64_t part) {
  OGRGeometryH polygon = OGR_G_CreateGeometry(wkbPolygon);
  for (std::int64_t ring = at(polygons.rings, part); ring < at(polygons.rings, part + 1); ++ring)
    OGR_G_AddGeometryDirectly(polygon, line_of(polygons.coordinates, at(polygons.points, ring),
                                               at(polygons.points, ring + 1), wkbLinearRing));
  return polygon;
}

/// Appends the points of a line, y before x.
void append_points(OGRGeometryH line, std::vector<double>& coordinates) {
  for (int i = 0; i < OGR_G_GetPointCount(line); ++i)
    coordinates.insert(coordinates.end(), {OGR_G_GetY(line, i), OGR_G_GetX(line, i)});
}

std::int64_t point_count(const std::vector<double>& coordinates) {
  return static_cast<std::int64_t>(coordinates.size()) / 2;
}

/// Appends a polygon with its outer ring counter-clockwise where y counts downwards.
void append_polygon(OGRGeometryH polygon, Polygons& result) {
  result.rings.push_back(static_cast<std::int64_t>(result.points.size()));
  for (int ring = 0; ring < OGR_G_GetGeometryCount(polygon); ++ring) {
    OGRGeometryH line = OGR_G_GetGeometryRef(polygon, ring);
    result.points.push_back(point_count(result.coordinates));
    append_points(line, result.coordinates);
    double sum = 0;  // twice the area, > 0 if x and y count as in mathematics
    for (int i = 0; i + 1 < OGR_G_GetPointCount(line); ++i)
      sum += OGR_G_GetX(line, i) * OGR_G_GetY(line, i + 1) -
             OGR_G_GetX(line, i + 1) * OGR_G_GetY(line, i);
    if ((sum < 0) == (ring == 0)) continue;
    using Place = std::pair<double, double>;
    auto* const first = reinterpret_cast<Place*>(result.coordinates.data()) + result.points.back();
    std::reverse(first, first + OGR_G_GetPointCount(line));
  }
}

}  // namespace

struct AreaClip::State {
  std::filesystem::path name;
  Geometry area;
  Prepared prepared;

  /// What a geometry has in common with the area.
  Geometry common(OGRGeometryH geometry) const {
    const GdalSession session;
    Geometry result(OGR_G_Intersection(geometry, area.get()));
    session.check(result != nullptr, name, "cannot cut outlines off");
    return result;
  }

  bool holds(OGRGeometryH geometry) const {
    return OGRPreparedGeometryContains(prepared.get(), geometry) != 0;
  }
  bool meets(OGRGeometryH geometry) const {
    return OGRPreparedGeometryIntersects(prepared.get(), geometry) != 0;
  }
};

AreaClip::AreaClip(const Polygons& areas, std::filesystem::path name)
    : state_(std::make_unique<State>()) {
  state_->name = std::move(name);
  const GdalSession session;
  const Geometry all(OGR_G_CreateGeometry(wkbMultiPolygon));
  const auto parts = static_cast<std::int64_t>(areas.rings.size()) - 1;
  for (std::int64_t part = 0; part < parts; ++part) {
    const Geometry valid(OGR_G_MakeValid(Geometry(polygon_of(areas, part)).get()));
    session.check(valid != nullptr, state_->name, "holds areas that cannot be mended");
    for_each_part(valid.get(), [&](OGRGeometryH piece, OGRwkbGeometryType type) {
      if (type == wkbPolygon) OGR_G_AddGeometry(all.get(), piece);
    });
  }
  state_->area.reset(OGR_G_UnionCascaded(all.get()));
  state_->prepared.reset(OGRCreatePreparedGeometry(state_->area.get()));
  session.check(state_->prepared != nullptr, state_->name, "cannot be put together");
}
AreaClip::~AreaClip() = default;

Polygons AreaClip::clip(const Polygons& polygons) const {
  Polygons result;
  std::vector<std::int64_t> kept;
  for (std::int64_t region = 0; region + 1 < static_cast<std::int64_t>(polygons.parts.size());
       ++region) {
    const auto first_part = static_cast<std::int64_t>(result.rings.size());
    for (std::int64_t part = at(polygons.parts, region); part < at(polygons.parts, region + 1);
         ++part) {
      const Geometry polygon(polygon_of(polygons, part));
      if (state_->holds(polygon.get())) {
        append_polygon(polygon.get(), result);
      } else if (state_->meets(polygon.get())) {
        const Geometry common = state_->common(polygon.get());
        for_each_part(common.get(), [&](OGRGeometryH piece, OGRwkbGeometryType type) {
          if (type == wkbPolygon) append_polygon(piece, result);
        });
      }
    }
    if (static_cast<std::int64_t>(result.rings.size()) == first_part) continue;
    kept.push_back(region);
    result.parts.push_back(first_part);
  }
  result.parts.push_back(static_cast<std::int64_t>(result.rings.size()));
  result.rings.push_back(static_cast<std::int64_t>(result.points.size()));
  result.points.push_back(point_count(result.coordinates));
  result.labels = rows_of(polygons.labels.view(), kept);
  return result;
}

Borders AreaClip::clip(const Borders& borders) const {
  Borders result;
  std::vector<std::int64_t> rows;
  const auto append = [&](std::int64_t border, OGRGeometryH line) {
    rows.push_back(border);
    result.points.push_back(point_count(result.coordinates));
    append_points(line, result.coordinates);
  };
  for (std::int64_t border = 0; border + 1 < static_cast<std::int64_t>(borders.points.size());
       ++border) {
    const Geometry line(line_of(borders.coordinates, at(borders.points, border),
                                at(borders.points, border + 1), wkbLineString));
    if (state_->holds(line.get())) {
      append(border, line.get());
    } else if (state_->meets(line.get())) {
      const Geometry common = state_->common(line.get());
      for_each_part(common.get(), [&](OGRGeometryH piece, OGRwkbGeometryType type) {
        if (type == wkbLineString) append(border, piece);
      });
    }
  }
  result.points.push_back(point_count(result.coordinates));
  result.a = rows_of(borders.a.view(), rows);
  result.b = rows_of(borders.b.view(), rows);
  return result;
}

}  // namespace thiessen::io

// SPDX-License-Identifier: Apache-2.0
//
// Features of layers, and walks through geometries; only gdal_*.cpp include this.
#pragma once

#include <ogr_api.h>

#include "io/gdal/session.hpp"

namespace thiessen::io {

using Feature = Released<OGRFeatureH, OGR_F_Destroy>;
using Geometry = Released<OGRGeometryH, OGR_G_DestroyGeometry>;

/// Calls visit(part) with every point, line and area of a geometry without curves, except empty
/// ones.
template <class Visit>
void for_each_part(OGRGeometryH geometry, const Visit& visit) {
  if (OGR_G_IsEmpty(geometry) != 0) return;
  const OGRwkbGeometryType type = OGR_GT_Flatten(OGR_G_GetGeometryType(geometry));
  const bool simple = type == wkbPoint || type == wkbLineString || type == wkbLinearRing ||
                      type == wkbPolygon || type == wkbTriangle;
  if (simple) return visit(geometry, type);
  for (int i = 0; i < OGR_G_GetGeometryCount(geometry); ++i) {
    for_each_part(OGR_G_GetGeometryRef(geometry, i), visit);
  }
}

/// Calls visit(line) with the points and lines, which have coordinates, of a part.
template <class Visit>
void for_each_line(OGRGeometryH part, const Visit& visit) {
  const int rings = OGR_G_GetGeometryCount(part);
  if (rings == 0) return visit(part);
  for (int i = 0; i < rings; ++i) visit(OGR_G_GetGeometryRef(part, i));
}

/// Calls visit(x, y) with every vertex of a geometry without curves.
template <class Visit>
void for_each_vertex(OGRGeometryH geometry, const Visit& visit) {
  for_each_part(geometry, [&visit](OGRGeometryH part, OGRwkbGeometryType) {
    for_each_line(part, [&visit](OGRGeometryH line) {
      for (int i = 0; i < OGR_G_GetPointCount(line); ++i) {
        visit(OGR_G_GetX(line, i), OGR_G_GetY(line, i));
      }
    });
  });
}

}  // namespace thiessen::io

// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/labels/polygons.hpp"

#include "api/call/structs_of.hpp"

namespace thiessen {
namespace {

class RegionPolygonsCall
    : public StructsOf<RegionPolygonsInputs, RegionPolygonsOptions, NoOutputs, Polygons> {
 public:
  void run(Context& context) override {
    results_ = region_polygons(context, inputs_.labels, options_);
  }
};

class RegionBordersCall
    : public StructsOf<RegionBordersInputs, RegionPolygonsOptions, NoOutputs, Borders> {
 public:
  void run(Context& context) override {
    results_ = region_borders(context, inputs_.labels, inputs_.distance, options_);
  }
};

class VoronoiPolygonsCall
    : public StructsOf<VoronoiPolygonsInputs, VoronoiPolygonsShape, NoOutputs, Polygons> {
 public:
  void run(Context& context) override {
    results_ = voronoi_polygons(context, {.coordinates = inputs_.points}, Extents(options_.shape),
                                options_);
  }
};

class VoronoiBordersCall
    : public StructsOf<VoronoiPolygonsInputs, VoronoiPolygonsShape, NoOutputs, Borders> {
 public:
  void run(Context& context) override {
    results_ = voronoi_borders(context, {.coordinates = inputs_.points}, Extents(options_.shape),
                               options_);
  }
};

class ContourLinesCall : public StructsOf<ContourLinesInputs, ContourOptions, NoOutputs, Contours> {
 public:
  void run(Context& context) override {
    results_ = contour_lines(context, inputs_.distance, options_);
  }
};

constexpr Maker kPolygonMakers[] = {
    {&kRegionPolygons, &make<RegionPolygonsCall>},   {&kRegionBorders, &make<RegionBordersCall>},
    {&kVoronoiPolygons, &make<VoronoiPolygonsCall>}, {&kVoronoiBorders, &make<VoronoiBordersCall>},
    {&kContourLines, &make<ContourLinesCall>},
};

}  // namespace

std::span<const Maker> polygon_makers() { return kPolygonMakers; }

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
#include <cpl_error.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <gtest/gtest.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "io/raster/crs.hpp"
#include "io/raster/inspect.hpp"
#include "io/table/vector_file.hpp"
#include "test_files.hpp"

namespace thiessen::io {
namespace {

namespace fs = std::filesystem;

/// Cells 1 x 1, y upwards, the first row at the top: cell [r, c] is x in [c, c + 1) and
/// y in (height - r - 1, height - r].
Grid grid_of(std::int64_t height, std::int64_t width, std::string crs = "") {
  const auto top = static_cast<double>(height);
  return {.extents = {height, width},
          .georeference = Georeference{{0, 1, 0, top, 0, -1}, std::move(crs), false}};
}

/// The labels as text, a row a line, '.' for 0.
template <class Label>
std::string text_of_cells(const Raster& raster) {
  std::string text;
  const auto cells = raster.view<Label>();
  for (std::int64_t y = 0; y < raster.extents()[0]; ++y) {
    for (std::int64_t x = 0; x < raster.extents()[1]; ++x) {
      const Label label = cells(y, x);
      text += label == 0 ? '.' : static_cast<char>('0' + static_cast<int>(label));
    }
    text += '\n';
  }
  return text;
}

struct Field {
  std::string name;
  OGRFieldType type;
  std::vector<std::string> values;  // "": null
};

class VectorTest : public FileTest {
 protected:
  VectorTest() {
    GDALAllRegister();
    CPLSetErrorHandler(CPLQuietErrorHandler);
  }

  /// A GeoJSON file of these geometries, numbered 1, 2, … by "id".
  fs::path json(const std::vector<std::string>& geometries, const std::string& more = "") const {
    std::string text = R"({"type":"FeatureCollection",)" + more + R"("features":[)";
    for (std::size_t i = 0; i < geometries.size(); ++i) {
      text += std::string(i > 0 ? "," : "") + R"({"type":"Feature","properties":{"id":)" +
              std::to_string(i + 1) + R"(,"size":)" + std::to_string(i) + R"(.5,"name":"n"},)" +
              R"("geometry":)" + geometries[i] + "}";
    }
    return make_file("a.geojson", text + "]}");
  }

  static std::string geometry(const std::string& type, const std::string& coordinates) {
    return R"({"type":")" + type + R"(","coordinates":)" + coordinates + "}";
  }

  /// A layer of a GeoPackage, with geometries as WKT; an empty one is null.
  fs::path package(const std::vector<std::string>& geometries,
                   const std::vector<Field>& fields = {}, const std::string& layer_name = "layer",
                   OGRwkbGeometryType type = wkbUnknown, int epsg = 0) const {
    const fs::path file = path("a.gpkg");
    const bool exists = fs::exists(file);
    GDALDatasetH const dataset =
        exists
            ? GDALOpenEx(file.c_str(), GDAL_OF_VECTOR | GDAL_OF_UPDATE, nullptr, nullptr, nullptr)
            : GDALCreate(GDALGetDriverByName("GPKG"), file.c_str(), 0, 0, 0, GDT_Unknown, nullptr);
    OGRSpatialReferenceH const crs = OSRNewSpatialReference(nullptr);
    if (epsg != 0) OSRImportFromEPSG(crs, epsg);
    OGRLayerH const layer = GDALDatasetCreateLayer(dataset, layer_name.c_str(),
                                                   epsg == 0 ? nullptr : crs, type, nullptr);
    for (const Field& field : fields) {
      OGRFieldDefnH const definition = OGR_Fld_Create(field.name.c_str(), field.type);
      EXPECT_EQ(OGR_L_CreateField(layer, definition, 1), OGRERR_NONE);
      OGR_Fld_Destroy(definition);
    }
    for (std::size_t i = 0; i < geometries.size(); ++i) add(layer, geometries[i], fields, i);
    OSRDestroySpatialReference(crs);
    GDALClose(dataset);
    return file;
  }

  static void add(OGRLayerH layer, const std::string& wkt, const std::vector<Field>& fields,
                  std::size_t index) {
    OGRFeatureH const feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
    for (std::size_t field = 0; field < fields.size(); ++field) {
      const std::string& value = fields[field].values[index];
      const int number =
          OGR_FD_GetFieldIndex(OGR_L_GetLayerDefn(layer), fields[field].name.c_str());
      if (!value.empty()) OGR_F_SetFieldString(feature, number, value.c_str());
    }
    if (!wkt.empty()) {
      OGRGeometryH geometry = nullptr;
      std::string copy = wkt;
      char* text = copy.data();
      EXPECT_EQ(OGR_G_CreateFromWkt(&text, nullptr, &geometry), OGRERR_NONE) << wkt;
      OGR_F_SetGeometryDirectly(feature, geometry);
    }
    EXPECT_EQ(OGR_L_CreateFeature(layer, feature), OGRERR_NONE) << CPLGetLastErrorMsg();
    OGR_F_Destroy(feature);
  }

  /// What these geometries, numbered 1, 2, …, become on a grid.
  std::string burned(const std::vector<std::string>& geometries, const Grid& grid) const {
    fs::remove(path("a.gpkg"));
    return text_of_cells<std::int32_t>(VectorFile(package(geometries)).burn(grid));
  }

  std::string refusal(const fs::path& file, const VectorOptions& options = {}) const {
    const std::string text = io_error_of([&] { VectorFile opened(file, options); });
    EXPECT_TRUE(text.starts_with(file.string() + ": ")) << text;
    return text;
  }
};

std::string rectangle(double x0, double y0, double x1, double y1) {
  const auto at = [](double x, double y) { return std::to_string(x) + " " + std::to_string(y); };
  return "POLYGON((" + at(x0, y0) + "," + at(x1, y0) + "," + at(x1, y1) + "," + at(x0, y1) + "," +
         at(x0, y0) + "))";
}

TEST_F(VectorTest, PointsHaveCoordinatesAndLabels) {
  const fs::path file =
      json({geometry("Point", "[1.5,-2]"), "null", geometry("MultiPoint", "[[3,4],[5,6]]"),
            geometry("Point", "[7,8,9]")});
  const VectorFile layer(file);
  EXPECT_TRUE(layer.has_points_only());
  EXPECT_EQ(layer.bounds(), (std::array<double, 4>{1.5, -2, 7, 8}));
  EXPECT_TRUE(layer.degrees());
  const PointsFile points = layer.points();
  EXPECT_EQ(points.axes, 2);
  EXPECT_EQ(points.coordinates, (std::vector<double>{1.5, -2, 3, 4, 5, 6, 7, 8}));
  expect_same(points.labels, raster_of<std::int32_t>({4}, {1, 3, 3, 4}));
  expect_same(VectorFile(file, {.label_field = "ID"}).points().labels, points.labels);
  expect_same(VectorFile(file, {.label_field = "size"}).points().labels,
              raster_of<double>({4}, {0.5, 2.5, 2.5, 3.5}));
}

TEST_F(VectorTest, LabelsThatNeed64BitsHaveThem) {
  const fs::path file =
      package({"POINT(1 1)", "POINT(2 2)"}, {{"wide", OFTInteger64, {"-5000000000", "7"}},
                                             {"narrow", OFTInteger64, {"-2147483648", "7"}}});
  expect_same(VectorFile(file, {.label_field = "wide"}).points().labels,
              raster_of<std::int64_t>({2}, {-5'000'000'000, 7}));
  expect_same(VectorFile(file, {.label_field = "narrow"}).points().labels,
              raster_of<std::int32_t>({2}, {-2147483647 - 1, 7}));
}

TEST_F(VectorTest, PointsGetTheCellTheyLieIn) {
  EXPECT_EQ(burned({"POINT(0.5 2.5)", "MULTIPOINT((1 1),(3.99 0.01))", "POINT(0.1 2.9)",
                    "POINT(4 1)", "POINT(-0.1 1)", "POINT Z(2 3 7)"},
                   grid_of(3, 4)),
            "1.6.\n"
            "....\n"
            ".2.2\n");
}

TEST_F(VectorTest, LinesHaveNoGaps) {
  EXPECT_EQ(burned({"LINESTRING(0.5 0.5, 3.5 3.5)", "LINESTRING(0.2 3.5,3.9 3.5)"}, grid_of(4, 4)),
            "2221\n"
            "..11\n"
            ".11.\n"
            "11..\n");
}

TEST_F(VectorTest, AreasGetTheCellsWhoseCentresTheyHold) {
  EXPECT_EQ(burned({rectangle(0.6, 0.4, 2.6, 1.6)}, grid_of(3, 4)),
            "....\n"
            ".11.\n"
            ".11.\n");
  EXPECT_EQ(burned({"POLYGON((0 0,5 0,5 5,0 5,0 0),(1 1,4 1,4 4,1 4,1 1))"}, grid_of(5, 5)),
            "11111\n1...1\n1...1\n1...1\n11111\n");
}

TEST_F(VectorTest, SmallAndThinAreasAreNotLost) {
  EXPECT_EQ(burned({rectangle(0.1, 0.1, 0.2, 0.2), rectangle(1.1, 1.7, 3.9, 1.8),
                    rectangle(3.2, 2.2, 3.2, 2.2)},
                   grid_of(3, 4)),
            "...3\n"
            ".222\n"
            "1...\n");
  EXPECT_EQ(burned({"LINESTRING(1.5 1.5,1.5 1.5)"}, grid_of(2, 2)), ".1\n..\n");
}

TEST_F(VectorTest, TheFirstFeatureHasTheCell) {
  EXPECT_EQ(burned({rectangle(1, 0, 3, 2), rectangle(0, 0, 2, 2), "LINESTRING(0.5 0.5,3.5 0.5)"},
                   grid_of(2, 4)),
            "211.\n"
            "2113\n");
}

TEST_F(VectorTest, WhatIsOutsideIsCutOff) {
  EXPECT_EQ(burned({rectangle(-1000, -1000, 1.2, 1000), "LINESTRING(-500 1.5,500 1.5)",
                    rectangle(100, 100, 200, 200), "LINESTRING(-5 -5,-6 -7)"},
                   grid_of(3, 3)),
            "1..\n"
            "122\n"
            "1..\n");
}

TEST_F(VectorTest, CurvesCollectionsAndCrossingRingsAreBurned) {
  EXPECT_EQ(burned({"CURVEPOLYGON(CIRCULARSTRING(0.3 2.5,2.5 4.7,4.7 2.5,2.5 0.3,0.3 2.5))"},
                   grid_of(5, 5)),
            "..1..\n.111.\n11111\n.111.\n..1..\n");
  EXPECT_EQ(burned({"GEOMETRYCOLLECTION(POINT(0.5 0.5),LINESTRING(0.5 2.5,2.5 2.5)," +
                    rectangle(2, 0, 3, 1) + ")"},
                   grid_of(3, 3)),
            "111\n...\n1.1\n");
  // A bow tie: both halves.
  EXPECT_EQ(burned({"POLYGON((0 0,5 4,5 0,0 4,0 0))"}, grid_of(4, 5)),
            "1...1\n11.11\n11.11\n1...1\n");
  // The middle of a ring that runs round twice is inside an even number of times.
  EXPECT_EQ(burned({"POLYGON((0 0,5 0,5 5,0 5,0 0),(0 0,5 0,5 5,0 5,0 0))"}, grid_of(5, 5))
                .find_first_not_of(".1\n"),
            std::string::npos);
  EXPECT_EQ(burned({"TIN(((0 0,4 0,0 4,0 0)),((4 0,4 4,0 4,4 0)))"}, grid_of(4, 4)),
            "1111\n1111\n1111\n1111\n");
  EXPECT_EQ(
      burned({"MULTIPOLYGON(((0 0,3 0,3 3,0 3,0 0)),((1 1,4 1,4 4,1 4,1 1)))"}, grid_of(4, 4)),
      ".111\n1111\n1111\n111.\n");  // parts that overlap do not cancel
}

TEST_F(VectorTest, NeighboursShareNoCellAndLeaveNone) {
  std::vector<std::string> strips;
  for (int i = 0; i < 7; ++i) strips.push_back(rectangle(i * 10 / 7.0, 0, (i + 1) * 10 / 7.0, 10));
  const std::string text = burned(strips, grid_of(10, 10));
  EXPECT_EQ(text.find('.'), std::string::npos) << text;
}

TEST_F(VectorTest, RotatedGridsFindTheirCells) {
  // Columns run north, rows run east.
  const Grid grid{.extents = {3, 4}, .georeference = Georeference{{0, 0, 1, 0, 1, 0}, "", false}};
  EXPECT_EQ(burned({"POINT(2.5 0.5)", "LINESTRING(0.5 1.5,0.5 3.5)"}, grid), ".222\n....\n1...\n");
}

TEST_F(VectorTest, LargeGridsAreBurnedInPieces) {
  const Grid grid = grid_of(5'000, 5'000);
  const VectorFile layer(package({"POLYGON((2500 0,5000 2500,2500 5000,0 2500,2500 0))"}));
  const Raster raster = layer.burn(grid);
  const auto cells = raster.view<std::int32_t>();
  std::int64_t wrong = 0;
  for (int y = 0; y < 5'000; ++y) {
    for (int x = 0; x < 5'000; ++x) {
      const double away = std::abs(x + 0.5 - 2500) + std::abs(y + 0.5 - 2500);
      if (away != 2500) wrong += (cells(y, x) != 0) != (away < 2500) ? 1 : 0;
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST_F(VectorTest, LabelsOnRasters) {
  const std::vector<Field> fields = {{"real", OFTReal, {"1.5", "-2"}},
                                     {"wide", OFTInteger64, {"5000000000", "3"}},
                                     {"zero", OFTInteger, {"0", "3"}},
                                     {"none", OFTInteger, {"", "3"}}};
  const fs::path file = package({"POINT(0.5 0.5)", "POINT(1.5 0.5)"}, fields);
  const Grid grid = grid_of(1, 2);
  const auto burn = [&](const char* field) {
    return VectorFile(file, {.label_field = field}).burn(grid);
  };
  expect_same(burn("real"), raster_of<double>({1, 2}, {1.5, -2}));
  expect_same(burn("wide"), raster_of<std::int64_t>({1, 2}, {5'000'000'000, 3}));
  expect_words(io_error_of([&] { burn("zero"); }), {"a.gpkg: feature 1 has the label 0"});
  const fs::path other =
      make_file("b.geojson", R"({"type":"Feature","properties":{"a":NaN},)"
                             R"("geometry":{"type":"Point","coordinates":[1,1]}})");
  expect_words(io_error_of([&] { VectorFile(other, {.label_field = "a"}).burn(grid); }),
               {"b.geojson: feature 0 has the label 0 or NaN"});
  expect_words(refusal(file, {.label_field = "none"}),
               {"feature 1 has no value in the field 'none'"});
}

TEST_F(VectorTest, FieldsAreChecked) {
  const fs::path file = json({geometry("Point", "[1,2]")});
  expect_words(refusal(file, {.label_field = "zone"}),
               {"no field 'zone'; there are: id (Integer), size (Real), name (String)"});
}

/// Equal names share a number, in the order of the features.
TEST_F(VectorTest, TextsAreNames) {
  const fs::path file = package({"POINT(1 2)", "POINT(3 4)", "POINT(5 6)"},
                                {{"shop", OFTString, {"Mill", "Harbour", "Mill"}},
                                 {"opened", OFTDate, {"2001/02/03", "2001/02/03", "2001/02/03"}}});
  const VectorFile layer(file, {.label_field = "shop"});
  EXPECT_EQ(layer.names(), (std::vector<std::string>{"Mill", "Harbour"}));
  expect_same(layer.points().labels, raster_of<std::int32_t>({3}, {1, 2, 1}));
  const FeatureAttributes attributes = layer.attributes();
  ASSERT_EQ(attributes.columns.size(), 3U);
  EXPECT_EQ(attributes.columns[0].name, "source_fid");
  EXPECT_EQ(attributes.columns[1].texts[1], "Harbour");
  EXPECT_EQ(attributes.columns[2].kind, ColumnKind::date);
  EXPECT_EQ(attributes.row_of_point, (std::vector<std::int64_t>{0, 1, 2}));
  expect_words(refusal(file, {.label_field = "opened"}),
               {"labels of type Date in the field 'opened'", "shop (String)"});
}

/// A feature without a name has a number of its own for it.
TEST_F(VectorTest, FeaturesWithoutANameHaveTheirNumber) {
  const fs::path file = package({"POINT(1 2)", "", "POINT(3 4)", "POINT(5 6)", "POINT(7 8)"},
                                {{"shop", OFTString, {"", "", "Mill", "", "Mill"}}});
  const VectorFile layer(file, {.label_field = "shop"});
  EXPECT_EQ(layer.names(), (std::vector<std::string>{"1", "Mill", "3"}));
  EXPECT_EQ(layer.unnamed(), 2);
  EXPECT_EQ(layer.without_geometry(), 1);
  expect_same(layer.points().labels, raster_of<std::int32_t>({4}, {1, 2, 3, 2}));
}

TEST_F(VectorTest, FeaturesAreSelected) {
  const fs::path file = package({"POINT(1 2)", "POINT(3 4)", "POINT(5 6)"},
                                {{"size", OFTInteger, {"1", "2", "3"}}}, "layer", wkbPoint, 32631);
  EXPECT_EQ(VectorFile(file, {.where = "size > 1"}).points().count(), 2);
  EXPECT_EQ(VectorFile(file, {.spat = {{0, 0, 3, 4}}}).points().count(), 2);
  EXPECT_EQ(VectorFile(file, {.sql = "select * from layer where size = 2"}).points().coordinates,
            (std::vector<double>{3, 4}));
  expect_words(refusal(file, {.where = "weight > 1"}), {"no such column: weight"});
  expect_words(refusal(file, {.sql = "choose"}), {"cannot run 'choose'"});
}

TEST_F(VectorTest, LayersAreChosen) {
  package({"POINT(1 2)"}, {}, "towns");
  const fs::path file = package({"LINESTRING(1 2,3 4)"}, {}, "roads");
  expect_words(refusal(file), {"has 2 layers; choose one with FILE|layer=NAME: towns, roads"});
  expect_words(refusal(file, {.layer = "rivers"}), {"no layer 'rivers'; there are: towns, roads"});
  EXPECT_TRUE(VectorFile(file, {.layer = "towns"}).has_points_only());
  EXPECT_TRUE(VectorFile(file.string() + "|layername=towns").has_points_only());
  ASSERT_EQ(inspect_layers(file.string() + "|layer=roads").size(), 1U);
  EXPECT_EQ(inspect_layers(file.string() + "|layer=roads")[0].name, "roads");
  const VectorFile roads(file, {.layer = "roads"});
  EXPECT_FALSE(roads.has_points_only());
  expect_words(io_error_of([&] { roads.points(); }), {"lines or areas"});
  package({""}, {}, "table", wkbNone);
  expect_words(refusal(file, {.layer = "table"}), {"no geometry in the layer 'table'"});
}

TEST_F(VectorTest, EmptyLayersAndGeometries) {
  const VectorFile empty(package({}, {}, "layer", wkbPoint));
  EXPECT_TRUE(empty.has_points_only());
  EXPECT_EQ(empty.points().count(), 0);
  EXPECT_EQ(text_of_cells<std::int32_t>(empty.burn(grid_of(1, 2))), "..\n");
  expect_words(io_error_of([&] { empty.bounds(); }), {"no feature with a geometry"});
  fs::remove(path("a.gpkg"));
  const VectorFile some(package({"", "POINT EMPTY", "MULTIPOINT EMPTY", "POINT(1 2)"}));
  EXPECT_EQ(some.points().coordinates, (std::vector<double>{1, 2}));
  expect_same(some.points().labels, raster_of<std::int32_t>({1}, {4}));
  EXPECT_EQ(some.without_geometry(), 3);
  EXPECT_FALSE(
      VectorFile(package({}, {}, "areas", wkbPolygon), {.layer = "areas"}).has_points_only());
}

TEST_F(VectorTest, CoordinatesAreChecked) {
  const fs::path file = json({geometry("Point", "[1,2]"), geometry("Point", "[1e999,2]")});
  expect_words(refusal(file), {"feature 2 has a coordinate that is not finite"});
  const VectorFile far(package({"POINT(1e30 1)"}));
  EXPECT_EQ(far.points().coordinates, (std::vector<double>{1e30, 1}));
  expect_words(io_error_of([&] { far.burn(grid_of(2, 2)); }),
               {"feature 1 lies more than 2^30 cells away"});
}

TEST_F(VectorTest, GridsAreChecked) {
  const VectorFile layer(package({"POINT(1 1)"}));
  const auto error = [&](const Grid& grid) -> std::string {
    try {
      layer.burn(grid);
    } catch (const Error& problem) {
      EXPECT_EQ(problem.code(), ErrorCode::invalid_argument);
      return problem.what();
    }
    return "no error";
  };
  expect_words(error({.extents = {2, 2}}), {"no georeference"});
  expect_words(error({.extents = {2, 2, 2}, .georeference = Georeference{}}), {"3 axes"});
  expect_words(
      error({.extents = {2, 2}, .georeference = Georeference{{0, 1, 1, 0, 1, 1}, "", false}}),
      {"without an area"});
}

TEST_F(VectorTest, ReferenceSystemsMustAgree) {
  const VectorFile layer(package({"POINT(0.5 0.5)"}, {}, "layer", wkbPoint, 32633));
  EXPECT_FALSE(layer.degrees());
  EXPECT_NO_THROW(layer.burn(grid_of(1, 1, layer.crs())));
  EXPECT_NO_THROW(layer.burn(grid_of(1, 1)));
  fs::remove(path("a.gpkg"));
  const VectorFile other(package({"POINT(0.5 0.5)"}, {}, "layer", wkbPoint, 32632));
  expect_words(
      io_error_of([&] { other.burn(grid_of(1, 1, layer.crs())); }),
      {"EPSG:32632 (WGS 84 / UTM zone 32N), the grid in EPSG:32633 (WGS 84 / UTM zone 33N)",
       "ogr2ogr"});
}

TEST_F(VectorTest, AnUndefinedReferenceSystemIsNone) {
  const VectorFile layer(package({"POINT(0.5 0.5)"}));
  EXPECT_EQ(layer.crs(), "");
  EXPECT_FALSE(layer.degrees());
}

TEST_F(VectorTest, ShapefilesNameTheirReferenceSystemInTheirOwnWay) {
  const fs::path file = path("b.shp");
  GDALDatasetH const dataset = GDALCreate(GDALGetDriverByName("ESRI Shapefile"), file.c_str(), 0, 0,
                                          0, GDT_Unknown, nullptr);
  OGRSpatialReferenceH const crs = OSRNewSpatialReference(nullptr);
  OSRImportFromEPSG(crs, 25832);
  OGRLayerH const layer = GDALDatasetCreateLayer(dataset, "b", crs, wkbPoint, nullptr);
  add(layer, "POINT(1 2)", {}, 0);
  OSRDestroySpatialReference(crs);
  GDALClose(dataset);
  package({}, {}, "layer", wkbPoint, 25832);
  const VectorFile opened(file);
  EXPECT_EQ(opened.points().count(), 1);
  EXPECT_TRUE(same_crs(opened.crs(), VectorFile(path("a.gpkg")).crs()));
  EXPECT_TRUE(crs_text(opened.crs()).starts_with("EPSG:25832 (")) << crs_text(opened.crs());
}

TEST_F(VectorTest, DamagedFilesAreRefused) {
  expect_words(refusal(make_file("a.geojson", R"({"type":"FeatureCollection","features":[{)")),
               {"a.geojson: "});
  expect_words(refusal(make_file("a.txt", "no layer")), {"no vector file"});
  expect_words(refusal(path("none.shp")), {"No such file"});
  package({"POINT(1 2)", "POINT(3 4)"});
  const std::string bytes = bytes_of(path("a.gpkg"));
  for (std::size_t length = 100; length < bytes.size(); length += bytes.size() / 20) {
    const fs::path file = make_file("b.gpkg", std::string_view(bytes).substr(0, length));
    try {
      VectorFile opened(file);
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
}

TEST_F(VectorTest, CanBeCancelled) {
  const fs::path file = package(std::vector<std::string>(100, "POINT(1 2)"));
  const auto stop = [](double fraction) {
    if (fraction > 0.5) throw Cancelled();
  };
  EXPECT_THROW(VectorFile(file, {.progress = stop}), Cancelled);
  std::vector<double> seen;
  const VectorFile layer(file,
                         {.progress = [&seen](double fraction) { seen.push_back(fraction); }});
  EXPECT_EQ(seen.size(), 100U);
  EXPECT_EQ(seen.back(), 1);
  layer.burn(grid_of(3, 3));
  EXPECT_EQ(seen.size(), 200U);
}

TEST_F(VectorTest, LayersAreInspected) {
  package({"POINT(1 2)", "POINT(3 4)"}, {{"id", OFTInteger, {"1", "2"}}}, "towns", wkbPoint, 32633);
  package({}, {}, "areas", wkbMultiPolygon25D);
  const std::vector<LayerInfo> layers = inspect_layers(path("a.gpkg"));
  ASSERT_EQ(layers.size(), 2U);
  EXPECT_EQ(layers[0].name, "towns");
  EXPECT_EQ(layers[0].geometry, "Point");
  EXPECT_EQ(layers[0].features, 2);
  ASSERT_EQ(layers[0].fields.size(), 1U);
  EXPECT_EQ(layers[0].fields[0].name, "id");
  EXPECT_EQ(layers[0].fields[0].type, "Integer");
  EXPECT_NE(layers[0].crs.find("UTM zone 33N"), std::string::npos);
  EXPECT_EQ(layers[1].geometry, "3D Multi Polygon");
  expect_words(io_error_of([&] { inspect_layers(make_file("a.txt", "no layer")); }),
               {"no vector file"});
}

}  // namespace
}  // namespace thiessen::io

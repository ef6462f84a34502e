// SPDX-License-Identifier: Apache-2.0
#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <gtest/gtest.h>
#include <ogr_srs_api.h>
#include <sys/resource.h>

#include <array>
#include <cmath>
#include <csignal>
#include <fstream>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "io/raster/crs.hpp"
#include "io/raster/inspect.hpp"
#include "io/table/site_file.hpp"
#include "test_files.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::io {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

constexpr ElementType kTypes[] = {ElementType::boolean, ElementType::u8,  ElementType::i8,
                                  ElementType::u16,     ElementType::i16, ElementType::u32,
                                  ElementType::i32,     ElementType::u64, ElementType::i64,
                                  ElementType::f32,     ElementType::f64};

std::string wkt(int epsg) {
  OGRSpatialReferenceH const crs = OSRNewSpatialReference(nullptr);
  OSRImportFromEPSG(crs, epsg);
  char* text = nullptr;
  OSRExportToWkt(crs, &text);
  const std::string result = text;
  CPLFree(text);
  OSRDestroySpatialReference(crs);
  return result;
}

/// A list of strings as GDAL takes it.
struct StringList {
  explicit StringList(const Strings& strings) {
    for (const std::string& text : strings) list = CSLAddString(list, text.c_str());
  }
  ~StringList() { CSLDestroy(list); }
  StringList(const StringList&) = delete;
  StringList& operator=(const StringList&) = delete;
  char** list = nullptr;
};

class GdalTest : public FileTest {
 protected:
  GdalTest() {
    GDALAllRegister();
    CPLSetErrorHandler(CPLQuietErrorHandler);
  }

  /// A dataset that GDAL makes; `fill` gets it before it is closed.
  template <class Fill>
  fs::path make(const std::string& name, const std::string& driver, std::array<int, 3> size,
                GDALDataType type, const Fill& fill, const Strings& options = {}) const {
    const fs::path file = name.starts_with("/vsimem/") ? fs::path(name) : path(name);
    const StringList list(options);
    GDALDatasetH const dataset = GDALCreate(GDALGetDriverByName(driver.c_str()), file.c_str(),
                                            size[0], size[1], size[2], type, list.list);
    EXPECT_NE(dataset, nullptr) << CPLGetLastErrorMsg();
    fill(dataset);
    GDALClose(dataset);
    return file;
  }

  static void fill_bands(GDALDatasetH dataset) {
    for (int band = 1; band <= GDALGetRasterCount(dataset); ++band) {
      GDALFillRaster(GDALGetRasterBand(dataset, band), band, 0);
    }
  }

  fs::path write_tiff(const std::string& name, const View<const void>& raster,
                      const WriteOptions& options) const {
    OutputFile file(path(name), true);
    write_raster(file, raster, options);
    file.commit();
    return path(name);
  }

  static std::string item(const fs::path& file, int band, const char* name,
                          const char* domain = nullptr) {
    GDALDatasetH const dataset = GDALOpen(file.c_str(), GA_ReadOnly);
    if (dataset == nullptr) return "no dataset";
    GDALMajorObjectH const object =
        band == 0 ? static_cast<GDALMajorObjectH>(dataset) : GDALGetRasterBand(dataset, band);
    const char* const text = GDALGetMetadataItem(object, name, domain);
    const std::string result = text == nullptr ? "none" : text;
    GDALClose(dataset);
    return result;
  }

  std::string refusal(const fs::path& file, const ReadOptions& options = {}) const {
    const std::string text = io_error_of([&] { read_raster(file, options); });
    EXPECT_TRUE(text.starts_with(file.string() + ": ")) << text;
    return text;
  }
};

TEST_F(GdalTest, EveryTypeComesBack) {
  for (const ElementType type : kTypes) {
    SCOPED_TRACE(std::string(name_of(type)));
    for (const Extents& extents : {Extents{1, 1}, Extents{300, 517}, Extents{3, 20, 300}}) {
      const Raster raster = patterned(type, extents);
      const RasterFile file = read_raster(write_tiff("a.tif", raster.view(), {}));
      expect_same(file.raster, raster);
      EXPECT_FALSE(file.nodata);
      EXPECT_FALSE(file.raster.grid().georeference);
      EXPECT_TRUE(file.raster.grid().spacing.empty());
    }
  }
  EXPECT_EQ(entries(), 1);
}

TEST_F(GdalTest, ViewsOfAnyStridesAreWritten) {
  const Raster raster = patterned(ElementType::u16, {300, 400});
  const View<const void> turned(raster.bytes() + 299 * 800 + 399 * 2, ElementType::u16, {400, 300},
                                {-2, -800});
  const Raster back = read_raster(write_tiff("a.tif", turned, {})).raster;
  for (const auto& [y, x] : {std::pair{0, 0}, std::pair{399, 299}, std::pair{17, 280}}) {
    EXPECT_EQ(back.view<std::uint16_t>()(y, x), raster.view<std::uint16_t>()(299 - x, 399 - y));
  }
  const Raster loose = raster_of<std::uint8_t>({1, 3}, {0, 7, 255});
  const View<const void> bools(loose.bytes(), ElementType::boolean, {1, 3});
  expect_same(read_raster(write_tiff("b.tif", bools, {})).raster,
              raster_of<bool>({1, 3}, {false, true, true}));
}

TEST_F(GdalTest, ComponentsBecomeBands) {
  const Raster offsets = patterned(ElementType::i32, {2, 20, 30});
  const fs::path file = write_tiff("a.tif", offsets.view(), {.bands = Bands::first});
  expect_words(refusal(file), {"has 2 bands; choose one with FILE|band=N"});
  for (const int band : {1, 2}) {
    expect_same(read_raster(file.string() + "|band=" + std::to_string(band)).raster,
                read_raster(file, {.band = band}).raster);
    const Raster plane = read_raster(file, {.band = band}).raster;
    EXPECT_EQ(plane.extents(), (Extents{20, 30}));
    EXPECT_EQ(cells_of(plane),
              cells_of(offsets).substr(static_cast<std::size_t>(band - 1) * 2'400, 2'400));
  }
  for (const int band : {-1, 0, 3}) {
    expect_words(refusal(file, {.band = band}), {"has 2 bands, and no band "});
  }
  const Raster many = patterned(ElementType::u8, {4, 5, 6});
  const fs::path other = write_tiff("b.tif", many.view(), {.bands = Bands::first});
  EXPECT_EQ(cells_of(read_raster(other, {.band = 4}).raster), cells_of(many).substr(90));
}

TEST_F(GdalTest, ComponentsOfPlanesBecomeBandsOfPages) {
  const Raster offsets = patterned(ElementType::i32, {3, 4, 5, 6});
  const fs::path file = write_tiff("a.tif", offsets.view(), {.bands = Bands::first});
  const Raster second = read_raster(file, {.band = 2}).raster;
  EXPECT_EQ(second.extents(), (Extents{4, 5, 6}));
  EXPECT_EQ(cells_of(second), cells_of(offsets).substr(480, 480));
  EXPECT_EQ(inspect_raster(file).bands, 3);
  EXPECT_EQ(inspect_raster(file).grid.extents, second.extents());
}

TEST_F(GdalTest, PicturesAreRgb) {
  const Raster picture = patterned(ElementType::u8, {10, 20, 3});
  const fs::path file = write_tiff("a.tif", picture.view(), {.bands = Bands::last});
  GDALDatasetH const dataset = GDALOpen(file.c_str(), GA_ReadOnly);
  ASSERT_NE(dataset, nullptr);
  EXPECT_EQ(GDALGetRasterCount(dataset), 3);
  EXPECT_EQ(GDALGetRasterColorInterpretation(GDALGetRasterBand(dataset, 2)), GCI_GreenBand);
  GDALClose(dataset);
  EXPECT_EQ(read_raster(file).raster.view<std::uint32_t>()(9, 19),
            picture.view<std::uint8_t>()(9, 19, 0) * 65'536U +
                picture.view<std::uint8_t>()(9, 19, 1) * 256U +
                picture.view<std::uint8_t>()(9, 19, 2));
  expect_words(refusal(file, {.colours = false}), {"has 3 bands", "--band rgb"});
  const fs::path other =
      write_tiff("b.tif", picture.view(), {.nodata = std::int64_t{7}, .bands = Bands::last});
  EXPECT_EQ(read_raster(other).nodata, LabelValue(std::int64_t{0x070707}));
  const Raster blue = read_raster(file, {.band = 3}).raster;
  EXPECT_EQ(blue.view<std::uint8_t>()(9, 19), picture.view<std::uint8_t>()(9, 19, 2));
}

TEST_F(GdalTest, GeoreferencesComeBack) {
  const Raster raster = patterned(ElementType::f32, {20, 30});
  const Georeference world{{500'000, 30, 0, 5'000'000, 0, -20}, wkt(32633), false};
  const Grid grid =
      read_raster(write_tiff("a.tif", raster.view(), {.georeference = world})).raster.grid();
  ASSERT_TRUE(grid.georeference);
  EXPECT_EQ(grid.georeference->transform, world.transform);
  EXPECT_FALSE(grid.georeference->degrees);
  EXPECT_TRUE(same_crs(grid.georeference->crs, world.crs));
  EXPECT_EQ(grid.spacing, (std::vector<double>{20, 30}));

  const Georeference turned{{7, 3, 4, 9, 4, -3}, "", false};
  const Grid rotated =
      read_raster(write_tiff("b.tif", raster.view(), {.georeference = turned})).raster.grid();
  EXPECT_EQ(rotated.georeference->transform, turned.transform);
  EXPECT_EQ(rotated.spacing, (std::vector<double>{5, 5}));
  EXPECT_EQ(rotated.georeference->crs, "");

  const Georeference globe{{-180, 0.1, 0, 90, 0, -0.1}, wkt(4326), true};
  const Grid degrees =
      read_raster(write_tiff("c.tif", raster.view(), {.georeference = globe})).raster.grid();
  EXPECT_TRUE(degrees.georeference->degrees);
  EXPECT_TRUE(degrees.spacing.empty());
  EXPECT_EQ(degrees.georeference->transform, globe.transform);

  const Raster stack = patterned(ElementType::u8, {3, 4, 5});
  const Grid planes =
      read_raster(write_tiff("d.tif", stack.view(), {.georeference = world})).raster.grid();
  EXPECT_EQ(planes.spacing, (std::vector<double>{1, 20, 30}));
  EXPECT_EQ(entries(), 4);  // and no .aux.xml
}

TEST_F(GdalTest, ShearedGridsAreRefused) {
  const Raster raster = patterned(ElementType::u8, {2, 2});
  const auto with = [&](const std::array<double, 6>& t) {
    return write_tiff("a.tif", raster.view(), {.georeference = Georeference{t, "", false}});
  };
  expect_words(refusal(with({0, 1, 0.5, 0, 0, -1})), {"sheared"});
  expect_words(refusal(with({0, 1, 2, 0, 1, 2})), {"sheared"});
  EXPECT_NO_THROW(read_raster(with({0, 0.7071067, 0.7071068, 0, 0.7071068, -0.7071067})));
}

TEST_F(GdalTest, ControlPointsAreNoGeoreference) {
  const fs::path file = make("a.tif", "GTiff", {2, 2, 1}, GDT_Byte, [](GDALDatasetH dataset) {
    std::array<GDAL_GCP, 3> points{};
    GDALInitGCPs(3, points.data());
    for (int i = 0; i < 3; ++i) {
      points[static_cast<std::size_t>(i)].dfGCPPixel = i % 2;
      points[static_cast<std::size_t>(i)].dfGCPLine = i / 2;
      points[static_cast<std::size_t>(i)].dfGCPX = 10 * i;
      points[static_cast<std::size_t>(i)].dfGCPY = 7 * i;
    }
    GDALSetGCPs(dataset, 3, points.data(), wkt(4326).c_str());
    GDALDeinitGCPs(3, points.data());
    fill_bands(dataset);
  });
  EXPECT_FALSE(read_raster(file).raster.grid().georeference);
}

TEST_F(GdalTest, NodataValuesComeBack) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto nodata = [&](ElementType type, const LabelValue& value) {
    const Raster raster = patterned(type, {2, 2});
    return read_raster(write_tiff("a.tif", raster.view(), {.nodata = value})).nodata;
  };
  using Signed = std::int64_t;
  EXPECT_EQ(nodata(ElementType::u8, Signed{255}), LabelValue(Signed{255}));
  EXPECT_EQ(nodata(ElementType::i8, Signed{-128}), LabelValue(Signed{-128}));
  EXPECT_EQ(nodata(ElementType::boolean, Signed{1}), LabelValue(Signed{1}));
  EXPECT_EQ(nodata(ElementType::i32, -7.0), LabelValue(Signed{-7}));
  constexpr Signed kOdd = (Signed{1} << 62) + 1;
  EXPECT_EQ(nodata(ElementType::i64, kOdd), LabelValue(kOdd));
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(nodata(ElementType::u64, kMost), LabelValue(kMost));
  EXPECT_EQ(nodata(ElementType::f64, -9999.1), LabelValue(-9999.1));
  EXPECT_EQ(nodata(ElementType::f32, Signed{-9999}), LabelValue(-9999.0));
  for (const ElementType type : {ElementType::f32, ElementType::f64}) {
    const std::optional<LabelValue> value = nodata(type, kNan);
    ASSERT_TRUE(value);
    EXPECT_TRUE(std::isnan(std::get<double>(*value)));
  }
  for (const auto& [type, value] : std::initializer_list<std::pair<ElementType, LabelValue>>{
           {ElementType::u8, Signed{-1}},
           {ElementType::i32, 0.5},
           {ElementType::i32, kNan},
           {ElementType::f32, 0.1},
           {ElementType::f32, (Signed{1} << 40) + 1},
           {ElementType::boolean, kMost}}) {
    expect_words(io_error_of([&, type = type, value = value] { nodata(type, value); }),
                 {"nodata value", "cannot hold it"});
  }
  EXPECT_EQ(nodata(ElementType::u64, Signed{5}), LabelValue(std::uint64_t{5}));
}

TEST_F(GdalTest, NodataValuesThatNoCellCanHaveAreIgnored) {
  const auto nodata = [&](GDALDataType type, double value) {
    const fs::path file = make("a.tif", "GTiff", {2, 2, 1}, type, [&](GDALDatasetH dataset) {
      GDALSetRasterNoDataValue(GDALGetRasterBand(dataset, 1), value);
      fill_bands(dataset);
    });
    return read_raster(file).nodata;
  };
  EXPECT_EQ(nodata(GDT_Byte, -9999), std::nullopt);
  EXPECT_EQ(nodata(GDT_Int16, 0.5), std::nullopt);
  EXPECT_EQ(nodata(GDT_Int32, std::numeric_limits<double>::quiet_NaN()), std::nullopt);
  EXPECT_EQ(nodata(GDT_UInt32, 4294967295.0), LabelValue(std::int64_t{4294967295}));
  EXPECT_EQ(nodata(GDT_Float32, -9999.1),
            LabelValue(static_cast<double>(static_cast<float>(-9999.1))));
}

TEST_F(GdalTest, StatisticsLeaveOutWhatIsNoNumber) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Raster raster = raster_of<float>({2, 4}, {1, 2, 3, 4, kInfinity, -kInfinity, NAN, -9999});
  const fs::path file = write_tiff("a.tif", raster.view(), {.nodata = std::int64_t{-9999}});
  EXPECT_EQ(item(file, 1, "STATISTICS_MINIMUM"), "1");
  EXPECT_EQ(item(file, 1, "STATISTICS_MAXIMUM"), "4");
  EXPECT_EQ(item(file, 1, "STATISTICS_MEAN"), "2.5");
  EXPECT_EQ(item(file, 1, "STATISTICS_STDDEV").substr(0, 8), "1.118033");
  EXPECT_EQ(item(file, 1, "STATISTICS_VALID_PERCENT"), "50");
  EXPECT_EQ(entries(), 1);
  const Raster none = raster_of<float>({1, 1}, {NAN});
  EXPECT_EQ(item(write_tiff("b.tif", none.view(), {}), 1, "STATISTICS_MINIMUM"), "none");
}

TEST_F(GdalTest, StatisticsOfManyTilesAgreeWithGdal) {
  const Raster raster = patterned(ElementType::u16, {700, 900});
  const fs::path file = write_tiff("a.tif", raster.view(), {});
  double mean = 0;
  double deviation = 0;
  double least = 0;
  double greatest = 0;
  GDALDatasetH const dataset = GDALOpen(file.c_str(), GA_ReadOnly);
  GDALComputeRasterStatistics(GDALGetRasterBand(dataset, 1), 0, &least, &greatest, &mean,
                              &deviation, nullptr, nullptr);
  EXPECT_NEAR(std::stod(item(file, 1, "STATISTICS_MEAN")), mean, 1e-9);
  EXPECT_NEAR(std::stod(item(file, 1, "STATISTICS_STDDEV")), deviation, 1e-9);
  EXPECT_EQ(std::stod(item(file, 1, "STATISTICS_MAXIMUM")), greatest);
  GDALClose(dataset);
}

TEST_F(GdalTest, StorageIsTilesOfDeflate) {
  const Raster raster = patterned(ElementType::i32, {600, 600});
  const RasterInfo info = inspect_raster(write_tiff("a.tif", raster.view(), {}));
  EXPECT_EQ(info.format, "GTiff");
  EXPECT_EQ(info.compression, "DEFLATE");
  EXPECT_EQ(info.block, (Extents{256, 256}));
  EXPECT_EQ(info.element_type, ElementType::i32);
  EXPECT_EQ(bytes_of(path("a.tif")).substr(2, 1), "*");  // 42: no BigTIFF
}

TEST_F(GdalTest, BlocksOfThinRastersAreThin) {
  const auto block = [&](const Extents& extents, ElementType type = ElementType::u8) {
    const Raster raster = patterned(type, extents);
    const fs::path file = write_tiff("a.tif", raster.view(), {});
    expect_same(read_raster(file).raster, raster);
    return *inspect_raster(file).block;
  };
  EXPECT_EQ(block({1, 1'048'576}), (Extents{1, 1'048'576}));
  EXPECT_EQ(block({1'048'576, 1}), (Extents{65'536, 1}));
  EXPECT_EQ(block({3, 100'000}, ElementType::f32), (Extents{1, 100'000}));
  EXPECT_EQ(block({10, 50'000}, ElementType::f32), (Extents{16, 4'096}));
  EXPECT_EQ(block({100, 2'000}), (Extents{112, 576}));
  EXPECT_EQ(block({20, 300}), (Extents{32, 304}));
  EXPECT_EQ(block({2'000, 100}, ElementType::boolean), (Extents{655, 100}));
  EXPECT_EQ(block({300, 300}), (Extents{256, 256}));
  EXPECT_EQ(block({1, 1}), (Extents{1, 1}));
}

TEST_F(GdalTest, InfiniteCellsAreNanIfAskedFor) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Raster raster = raster_of<float>({1, 4}, {1, kInfinity, -kInfinity, NAN});
  const Raster kept = read_raster(write_tiff("a.tif", raster.view(), {})).raster;
  EXPECT_EQ(kept.view<float>()(0, 1), kInfinity);
  const Raster replaced =
      read_raster(write_tiff("a.tif", raster.view(), {.infinite_is_nan = true})).raster;
  EXPECT_EQ(replaced.view<float>()(0, 0), 1);
  for (const int x : {1, 2, 3}) EXPECT_TRUE(std::isnan(replaced.view<float>()(0, x)));
  EXPECT_EQ(raster.view<float>()(0, 1), kInfinity);
}

TEST_F(GdalTest, UnitsAreKept) {
  const Raster raster = patterned(ElementType::u8, {2, 3, 4});
  const fs::path file =
      write_tiff("a.tif", raster.view(), {.bands = Bands::first, .unit = "\u00B5m"});
  GDALDatasetH const dataset = GDALOpen(file.c_str(), GA_ReadOnly);
  for (const int band : {1, 2}) {
    EXPECT_STREQ(GDALGetRasterUnitType(GDALGetRasterBand(dataset, band)), "\u00B5m");
  }
  GDALClose(dataset);
}

TEST_F(GdalTest, CreationOptionsAreFollowed) {
  const Raster raster = patterned(ElementType::i16, {100, 600});
  const auto with = [&](const Strings& options) {
    const fs::path file = write_tiff("a.tif", raster.view(), {.creation_options = options});
    expect_same(read_raster(file).raster, raster);
    return file;
  };
  EXPECT_EQ(inspect_raster(with({"compress=LZW"})).compression, "LZW");
  EXPECT_EQ(inspect_raster(with({"COMPRESS=NONE", "PREDICTOR=1"})).compression, "");
  EXPECT_EQ(inspect_raster(with({"TILED=NO", "BLOCKYSIZE=7"})).block, (Extents{7, 600}));
  EXPECT_EQ(inspect_raster(with({"BLOCKXSIZE=32", "BLOCKYSIZE=16"})).block, (Extents{16, 32}));
  EXPECT_EQ(bytes_of(with({"BIGTIFF=YES"})).substr(2, 1), "+");
  const auto refused = [&](const std::string& option) {
    return io_error_of([&] {
      require_writable("a.tif", ElementType::i16, {2, 2}, {.creation_options = {option}});
    });
  };
  expect_words(refused("COMPRESS"), {"a.tif: ", "'COMPRESS'", "NAME=VALUE"});
  expect_words(refused("COMPRESS=JPEG"), {"'COMPRESS=JPEG'", "loses nothing"});
  expect_words(refused("NBITS=3"), {"'NBITS=3'", "options of storage are COMPRESS"});
  expect_words(refused("BLOCKXSIZE=17"), {"a.tif: ", "cannot be created with these options"});
  expect_words(refused("PREDICTOR=3"), {"with these options: PREDICTOR=3"});
  expect_words(refused("BLOCKXSIZE=none"), {"a.tif: ", "cannot be created with these options"});
  expect_words(
      io_error_of([&] {
        require_writable("a.npy", ElementType::i16, {2, 2}, {.creation_options = {"COMPRESS=LZW"}});
      }),
      {"a.npy: ", "COMPRESS=LZW", "NPY has none"});
}

TEST_F(GdalTest, WhatNoGeotiffCanHoldIsRefused) {
  const auto refused = [&](const Extents& extents, Bands bands = Bands::none) {
    return io_error_of(
        [&] { require_writable("a.tif", ElementType::u8, extents, {.bands = bands}); });
  };
  expect_words(refused({0, 3}), {"a.tif: ", "0 x 3", "1 to 1073741824"});
  expect_words(refused({3}), {"cannot hold a raster of 3 cells"});
  expect_words(refused({1, 2, 3, 4}), {"1 x 2 x 3 x 4"});
  expect_words(refused({2, 2}, Bands::first), {"one axis of them bands"});
  expect_words(refused({2, 2}, Bands::last), {"one axis of them bands"});
  expect_words(refused({70'000, 1, 1}, Bands::first), {"70000 bands", "1 to 65535"});
  expect_words(refused({std::int64_t{1} << 31, 1}), {"1 to 1073741824"});
  const WriteOptions nowhere{.georeference = Georeference{{0, 1, 0, 0, 0, 1}, "nonsense", false}};
  expect_words(io_error_of([&] {
                 require_writable("a.tif", ElementType::u8, {1, 1}, nowhere);
               }),
               {"'nonsense'", "not understood"});
}

TEST_F(GdalTest, BigRastersBecomeBigTiffs) {
  // 3 GB of address space, none of it touched but one page.
  const std::uint8_t cell = 7;
  const View<const void> huge(&cell, ElementType::u8, {50'000, 60'000}, {0, 0});
  int reports = 0;
  const auto stop = [&](double fraction) {
    EXPECT_LE(fraction, 1);
    if (++reports == 3) throw Cancelled();
  };
  OutputFile file(path("a.tif"), false);
  EXPECT_THROW(write_raster(file, huge, {.progress = stop}), Cancelled);
  std::array<char, 4> start{};
  file.read_at(0, start.data(), start.size());
  EXPECT_EQ(start[2], '+');
}

TEST_F(GdalTest, CancelledWritesLeaveNothing) {
  const Raster raster = patterned(ElementType::f64, {3, 1'000, 1'000});
  const auto stop = [](double fraction) {
    if (fraction > 0.5) throw Cancelled();
  };
  EXPECT_THROW(write_tiff("a.tif", raster.view(), {.progress = stop}), Cancelled);
  EXPECT_EQ(entries(), 0);
  {
    int calls = 0;
    OutputFile file(path("a.tif"), false, [&] {
      if (++calls > 20) throw Cancelled();
    });
    EXPECT_THROW(write_raster(file, raster.view()), Cancelled);
  }
  EXPECT_EQ(entries(), 0);
}

TEST_F(GdalTest, ProgressGoesFrom0To1) {
  const Raster raster = patterned(ElementType::f64, {3, 1'000, 1'000});
  std::vector<double> seen;
  const auto note = [&seen](double fraction) { seen.push_back(fraction); };
  const fs::path file = write_tiff("a.tif", raster.view(), {.progress = note});
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.back(), 1);
  seen.clear();
  expect_same(read_raster(file, {.progress = note}).raster, raster);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.front(), 0);
  EXPECT_EQ(seen.back(), 1);
  const auto stop = [](double fraction) {
    if (fraction > 0.3) throw Cancelled();
  };
  EXPECT_THROW(read_raster(file, {.progress = stop}), Cancelled);
}

TEST_F(GdalTest, FullDisksAreErrorsAndLeaveNothing) {
  const Raster raster = patterned(ElementType::u16, {2, 700, 900});
  std::vector<rlim_t> limits(60);
  std::iota(limits.begin(), limits.end(), 0);
  const auto whole = static_cast<rlim_t>(fs::file_size(write_tiff("a.tif", raster.view(), {})));
  fs::remove(path("a.tif"));
  // The disk may be full anywhere: in the header, the tiles, the directory, at the last byte.
  for (const rlim_t step : limits) {
    const FileSizeLimit limit(step < 30 ? step * whole / 30 : whole - 1 - (step - 30) * 40);
    expect_words(io_error_of([&] { write_tiff("a.tif", raster.view(), {}); }),
                 {"a.tif: cannot be written: File too large"});
    EXPECT_EQ(entries(), 0);
  }
}

TEST_F(GdalTest, DevicesAreRefused) {
  const Raster raster = patterned(ElementType::u16, {2, 2});
  fs::create_symlink("/dev/null", path("null.tif"));
  OutputFile null(path("null.tif"), true);
  expect_words(io_error_of([&] { write_raster(null, raster.view()); }),
               {"null.tif: is a pipe or device"});
}

TEST_F(GdalTest, ExistingFilesAreReplacedWhole) {
  write_tiff("a.tif", patterned(ElementType::u8, {500, 500}).view(), {});
  const Raster raster = patterned(ElementType::u8, {2, 2});
  expect_same(read_raster(write_tiff("a.tif", raster.view(), {})).raster, raster);
  EXPECT_EQ(entries(), 1);
}

TEST_F(GdalTest, MemoryAndArchivesAreRead) {
  const Raster raster = patterned(ElementType::u16, {4, 50, 60});
  const std::string bytes = bytes_of(write_tiff("a.tif", raster.view(), {}));
  std::string copy = bytes;
  VSIFCloseL(VSIFileFromMemBuffer("/vsimem/thiessen_test/a.tif",
                                  reinterpret_cast<GByte*>(copy.data()), copy.size(), 0));
  expect_same(read_raster("/vsimem/thiessen_test/a.tif").raster, raster);
  EXPECT_EQ(kind_of("/vsimem/thiessen_test/a.tif"), SiteFileKind::raster);
  VSIUnlink("/vsimem/thiessen_test/a.tif");
  expect_words(io_error_of([] { read_raster("/vsimem/thiessen_test/a.tif"); }), {"/vsimem/"});
  void* const zip = CPLCreateZip(path("a.zip").c_str(), nullptr);
  CPLCreateFileInZip(zip, "b.tif", nullptr);
  CPLWriteFileInZip(zip, bytes.data(), static_cast<int>(bytes.size()));
  CPLCloseFileInZip(zip);
  CPLCloseZip(zip);
  expect_same(read_raster("/vsizip/" + path("a.zip").string() + "/b.tif").raster, raster);
}

TEST_F(GdalTest, PagesOfATiffArePlanes) {
  const auto page = [&](int number, std::array<int, 3> size, GDALDataType type) {
    make(
        "a.tif", "GTiff", size, type,
        [number](GDALDatasetH dataset) {
          GDALFillRaster(GDALGetRasterBand(dataset, 1), number, 0);
        },
        number == 1 ? Strings{} : Strings{"APPEND_SUBDATASET=YES"});
  };
  for (int number = 1; number <= 300; ++number) page(number, {7, 5, 1}, GDT_UInt16);
  const Raster raster = read_raster(path("a.tif")).raster;
  EXPECT_EQ(raster.extents(), (Extents{300, 5, 7}));
  for (int z = 0; z < 300; ++z) ASSERT_EQ(raster.view<std::uint16_t>()(z, 4, 6), z + 1);
  EXPECT_EQ(inspect_raster(path("a.tif")).grid.extents, raster.extents());
  EXPECT_EQ(read_raster(path("a.tif"), {.band = 1}).raster.extents(), raster.extents());
  const Raster second = read_raster("GTIFF_DIR:2:" + path("a.tif").string()).raster;
  EXPECT_EQ(second.extents(), (Extents{5, 7}));
  EXPECT_EQ(second.view<std::uint16_t>()(0, 0), 2);
  page(301, {7, 6, 1}, GDT_UInt16);
  expect_words(refusal(path("a.tif")), {"page 301 has 6 x 7 cells of u16, the first 5 x 7 of u16"});
  page(1, {7, 6, 1}, GDT_UInt16);
  page(2, {7, 6, 1}, GDT_Float32);
  expect_words(refusal(path("a.tif")), {"page 2 has 6 x 7 cells of f32"});
  page(1, {7, 6, 1}, GDT_UInt16);
  page(2, {7, 6, 2}, GDT_UInt16);
  expect_words(refusal(path("a.tif")), {"has 2 bands"});
}

TEST_F(GdalTest, OverviewsAreNoPlanes) {
  const fs::path file = make("a.tif", "GTiff", {600, 600, 1}, GDT_Byte, [](GDALDatasetH dataset) {
    fill_bands(dataset);
    const int factor = 2;
    EXPECT_EQ(GDALBuildOverviews(dataset, "NEAREST", 1, &factor, 0, nullptr, nullptr, nullptr),
              CE_None);
  });
  EXPECT_EQ(read_raster(file).raster.extents(), (Extents{600, 600}));
}

TEST_F(GdalTest, StacksThatATiffHidesAreRefused) {
  const fs::path file = make("a.tif", "GTiff", {2, 2, 1}, GDT_Byte, [](GDALDatasetH dataset) {
    GDALSetMetadataItem(dataset, "TIFFTAG_IMAGEDESCRIPTION", "ImageJ=1.53t\nimages=9\nslices=9\n",
                        nullptr);
    fill_bands(dataset);
  });
  expect_words(refusal(file), {"ImageJ stack of 9 planes", "only 1"});
}

/// Two planes of 2 x 1 cells in one page, as a TIFF of either byte order.
std::string tiff_of_two_planes(bool little) {
  std::string bytes = little ? "II" : "MM";
  const auto put = [&](std::uint32_t value, int count) {
    for (int byte = 0; byte < count; ++byte)
      bytes += static_cast<char>(value >> 8 * (little ? byte : count - 1 - byte));
  };
  const std::pair<std::uint32_t, std::uint32_t> entries[] = {
      {256, 2}, {257, 1}, {258, 8}, {259, 1}, {262, 1},
      {273, 8}, {277, 1}, {278, 1}, {279, 2}, {32997, 2}};
  put(42, 2);
  put(12, 4);
  put(0, 4);  // the cells of both planes
  put(static_cast<std::uint32_t>(std::size(entries)), 2);
  for (const auto& [tag, value] : entries) {
    put(tag, 2);
    put(3, 2);
    put(1, 4);
    put(value, 2);
    put(0, 2);
  }
  put(0, 4);
  return bytes;
}

TEST_F(GdalTest, PlanesThatAPageHidesAreRefused) {
  for (const bool little : {true, false})
    expect_words(refusal(make_file("a.tif", tiff_of_two_planes(little))), {"ImageDepth", "plane"});
}

TEST_F(GdalTest, SetsOfRastersListTheirNames) {
  if (GDALGetDriverByName("GPKG") == nullptr) GTEST_SKIP() << "no GPKG";
  for (const char* const table : {"one", "two"}) {
    make("a.gpkg", "GPKG", {256, 256, 1}, GDT_Byte,
         [](GDALDatasetH dataset) {
           std::array<double, 6> transform{0, 1, 0, 0, 0, -1};
           GDALSetGeoTransform(dataset, transform.data());
           fill_bands(dataset);
         },
         {std::string("RASTER_TABLE=") + table, "TILE_FORMAT=PNG",
          std::string("APPEND_SUBDATASET=") + (table[0] == 'o' ? "NO" : "YES")});
  }
  expect_words(refusal(path("a.gpkg")), {"holds 2 rasters", "GPKG:", ":one", ":two"});
  EXPECT_EQ(kind_of(path("a.gpkg")), SiteFileKind::raster);
}

TEST_F(GdalTest, OtherFormatsAreRead) {
  make_file("a.asc",
            "ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 5\nNODATA_value -1\n"
            "1 2 3\n4 -1 6\n");
  const RasterFile grid = read_raster(path("a.asc"));
  expect_same(grid.raster, raster_of<std::int32_t>({2, 3}, {1, 2, 3, 4, -1, 6}));
  EXPECT_EQ(grid.nodata, LabelValue(std::int64_t{-1}));
  EXPECT_EQ(grid.raster.grid().spacing, (std::vector<double>{5, 5}));
  EXPECT_EQ(grid.raster.grid().georeference->transform,
            (std::array<double, 6>{10, 5, 0, 30, 0, -5}));
  make_file("a.vrt",
            "<VRTDataset rasterXSize=\"3\" rasterYSize=\"2\"><VRTRasterBand dataType=\"Int16\" "
            "band=\"1\"><SimpleSource><SourceFilename relativeToVRT=\"1\">a.asc</SourceFilename>"
            "<SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>");
  expect_same(read_raster(path("a.vrt")).raster,
              raster_of<std::int16_t>({2, 3}, {1, 2, 3, 4, -1, 6}));
}

TEST_F(GdalTest, ComplexCellsAreRefused) {
  expect_words(refusal(make("a.tif", "GTiff", {2, 2, 1}, GDT_CFloat32, fill_bands)),
               {"cells of type CFloat32", "integers or floats"});
}

TEST_F(GdalTest, MasksAndAlphaAreRefused) {
  const fs::path masked = make("a.tif", "GTiff", {2, 2, 1}, GDT_Byte, [](GDALDatasetH dataset) {
    CPLSetThreadLocalConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES");
    GDALCreateDatasetMaskBand(dataset, GMF_PER_DATASET);
    CPLSetThreadLocalConfigOption("GDAL_TIFF_INTERNAL_MASK", nullptr);
    fill_bands(dataset);
  });
  expect_words(refusal(masked), {"mask or alpha band", "gdalwarp -dstnodata"});
  const fs::path clear = make("b.tif", "GTiff", {2, 2, 2}, GDT_Byte, fill_bands, {"ALPHA=YES"});
  expect_words(refusal(clear, {.band = 1}), {"mask or alpha band"});
  EXPECT_NO_THROW(read_raster(clear, {.band = 2}));
}

TEST_F(GdalTest, BlocksThatWereNeverWrittenAreNodataOrZero) {
  for (const bool nodata : {false, true}) {
    const fs::path sparse =
        make("a.tif", "GTiff", {300, 300, 1}, GDT_Int16,
             [nodata](GDALDatasetH dataset) {
               GDALRasterBandH const band = GDALGetRasterBand(dataset, 1);
               if (nodata) GDALSetRasterNoDataValue(band, -5);
               std::int16_t cell = 3;
               EXPECT_EQ(GDALRasterIO(band, GF_Write, 0, 0, 1, 1, &cell, 1, 1, GDT_Int16, 0, 0),
                         CE_None);
             },
             {"TILED=YES", "SPARSE_OK=YES"});
    const RasterFile file = read_raster(sparse);
    EXPECT_EQ(file.raster.view<std::int16_t>()(0, 0), 3);
    EXPECT_EQ(file.raster.view<std::int16_t>()(299, 299), nodata ? -5 : 0);
  }
}

TEST_F(GdalTest, HolesOfTheFileSystemAreZeros) {
  const fs::path file = make("a.tif", "GTiff", {2'000, 2'000, 1}, GDT_Byte, [](GDALDatasetH) {});
  const std::string bytes = bytes_of(file);
  const std::size_t cells = 2'000 * 2'000;
  ASSERT_GE(bytes.size(), cells);
  fs::remove(file);
  // The directory as it is; the cells, which are zeros, as a hole.
  const std::size_t first = bytes.find(std::string(65'536, '\0'));
  ASSERT_NE(first, std::string::npos);
  make_file("a.tif", bytes.substr(0, first));
  fs::resize_file(file, bytes.size());
  const std::size_t end = bytes.find_last_not_of('\0') + 1;
  if (end > first + cells) {
    std::ofstream rest(file, std::ios::in | std::ios::out | std::ios::binary);
    rest.seekp(static_cast<std::streamoff>(first + cells));
    rest << bytes.substr(first + cells);
  }
  ASSERT_EQ(bytes_of(file), bytes);
  EXPECT_EQ(cells_of(read_raster(file).raster), std::string(cells, '\0'));
}

TEST_F(GdalTest, BlocksBeyondTheEndOfATiffAreNamed) {
  const Raster raster = patterned(ElementType::u16, {600, 600});
  const fs::path file = make("a.tif", "GTiff", {600, 600, 1}, GDT_UInt16, [&](GDALDatasetH to) {
    Raster copy = patterned(ElementType::u16, {600, 600});
    EXPECT_EQ(GDALRasterIO(GDALGetRasterBand(to, 1), GF_Write, 0, 0, 600, 600, copy.bytes(), 600,
                           600, GDT_UInt16, 0, 0),
              CE_None);
  });
  expect_same(read_raster(file).raster, raster);
  fs::resize_file(file, fs::file_size(file) / 2);
  expect_words(refusal(file), {"a TIFF that ends too early: it has ", "its block at row 294",
                               "column 0 lies at byte "});
}

TEST_F(GdalTest, TruncatedFilesAreErrors) {
  const Raster raster = patterned(ElementType::u16, {2, 60, 70});
  for (const Strings& options : {Strings{}, Strings{"COMPRESS=NONE", "PREDICTOR=1"}}) {
    const std::string bytes =
        bytes_of(write_tiff("a.tif", raster.view(), {.creation_options = options}));
    for (std::size_t length = 1; length < bytes.size(); length += 1 + bytes.size() / 100) {
      SCOPED_TRACE(length);
      const fs::path file = make_file("b.tif", std::string_view(bytes).substr(0, length));
      refusal(file);
    }
  }
  make("c.bil", "ENVI", {100, 100, 1}, GDT_Int16, fill_bands);
  fs::resize_file(path("c.bil"), 5'000);
  refusal(path("c.bil"));
}

TEST_F(GdalTest, DamagedFilesNeverCrash) {
  const Raster raster = patterned(ElementType::u16, {2, 60, 70});
  const std::string bytes = bytes_of(write_tiff("a.tif", raster.view(), {}));
  for (std::size_t i = 0; i < bytes.size(); i += 1 + i / 50) {
    for (const int flip : {0x01, 0xff}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      try {
        read_raster(make_file("b.tif", damaged));
      } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      }
    }
  }
}

TEST_F(GdalTest, PromisesAreNotTrusted) {
  make_file("a.vrt",
            "<VRTDataset rasterXSize=\"1073741824\" rasterYSize=\"1048576\"><VRTRasterBand "
            "dataType=\"Float64\" band=\"1\"/></VRTDataset>");
  try {
    read_raster(path("a.vrt"));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory) << error.what();
  }
  make_file("b.vrt",
            "<VRTDataset rasterXSize=\"1073741825\" rasterYSize=\"1\"><VRTRasterBand "
            "dataType=\"Byte\" band=\"1\"/></VRTDataset>");
  expect_words(refusal(path("b.vrt")), {"1 x 1073741825", "1 to 1073741824"});
  make_file("c.vrt",
            "<VRTDataset rasterXSize=\"1073741824\" rasterYSize=\"1073741824\"><VRTRasterBand "
            "dataType=\"Float64\" band=\"1\"/></VRTDataset>");
  expect_words(refusal(path("c.vrt")), {"2^63 bytes"});
}

TEST_F(GdalTest, WhatNobodyReadsIsRefused) {
  expect_words(refusal(make_file("a.bin", "certainly no raster")),
               {"is none of NPY", "nor what GDAL reads", "begins with 'certainl'"});
  expect_words(refusal(make_file("b.tif", "")), {"is empty"});
  expect_words(refusal(make_file("c.tif", std::string("II*\0\10\0\0\0\0", 9))), {"GDAL"});
  expect_words(refusal(path("none.tif")), {"No such file or directory"});
  expect_words(refusal("NETCDF:\"none.nc\":x"), {"none.nc"});
  expect_words(io_error_of([&] { inspect_raster(path("a.bin")); }), {"is none of NPY"});
  expect_words(io_error_of([&] { kind_of(path("a.bin")); }), {"is none of NPY"});
  expect_words(io_error_of([&] { kind_of(path("none")); }), {"No such file"});
  fs::create_directory(path("folder"));
  expect_words(io_error_of([&] { kind_of(path("folder")); }), {"Is a directory"});
}

TEST_F(GdalTest, OurOwnFormatsHaveOneBand) {
  const Raster raster = patterned(ElementType::u8, {2, 3});
  for (const char* const name : {"a.npy", "a.png", "a.pgm"}) {
    const fs::path file = write(name, raster.view());
    expect_same(read_raster(file, {.band = 1}).raster, raster);
    expect_words(refusal(file, {.band = 2}), {"has 1 band, and no band 2"});
  }
}

TEST_F(GdalTest, KindsOfSites) {
  const Raster raster = patterned(ElementType::u8, {2, 3});
  EXPECT_EQ(kind_of(write("a.npy", raster.view())), SiteFileKind::raster);
  EXPECT_EQ(kind_of(write("a.tif", raster.view())), SiteFileKind::raster);
  fs::rename(path("a.npy"), path("b.csv"));
  EXPECT_EQ(kind_of(path("b.csv")), SiteFileKind::raster);
  for (const char* const name : {"c.csv", "c.TXT", "c.xyz"}) {
    EXPECT_EQ(kind_of(make_file(name, "x,y\n1,2\n")), SiteFileKind::points);
  }
  EXPECT_EQ(kind_of(make_file("empty.csv", "")), SiteFileKind::points);
  const char* const grid = "NCOLS 1\nNROWS 1\nXLLCORNER 0\nYLLCORNER 0\nCELLSIZE 1\n7\n";
  EXPECT_EQ(kind_of(make_file("d.txt", grid)), SiteFileKind::raster);
  const char* const json = R"({"type":"Point","coordinates":[1,2]})";
  EXPECT_EQ(kind_of(make_file("e.geojson", json)), SiteFileKind::vector);
  EXPECT_EQ(kind_of("/dev/null"), SiteFileKind::raster);
}

TEST_F(GdalTest, InspectsWithoutReading) {
  const Raster raster = patterned(ElementType::u16, {2, 3});
  const RasterInfo npy = inspect_raster(write("a.npy", raster.view()));
  EXPECT_EQ(npy.format, "NPY");
  EXPECT_EQ(npy.grid.extents, raster.extents());
  EXPECT_EQ(npy.element_type, ElementType::u16);
  EXPECT_EQ(npy.bands, 1);
  EXPECT_EQ(inspect_raster(write("a.png", raster.view())).format, "PNG");
  EXPECT_EQ(inspect_raster(write("a.png", raster.view())).element_type, ElementType::u16);
  EXPECT_EQ(inspect_raster(write("a.pgm", raster.view())).format, "PGM");
  EXPECT_EQ(inspect_raster(make_file("a.pbm", "P4 9 2\n")).element_type, ElementType::boolean);
  const WriteOptions options{.georeference = Georeference{{0, 2, 0, 0, 0, -3}, wkt(32633), false},
                             .nodata = std::int64_t{9}};
  const RasterInfo tiff = inspect_raster(write_tiff("a.tif", raster.view(), options));
  EXPECT_EQ(tiff.nodata, LabelValue(std::int64_t{9}));
  EXPECT_EQ(tiff.grid.spacing, (std::vector<double>{3, 2}));
  EXPECT_TRUE(same_crs(tiff.grid.georeference->crs, wkt(32633)));
}

TEST_F(GdalTest, ReferenceSystemsAreCompared) {
  EXPECT_TRUE(same_crs("", wkt(4326)));
  EXPECT_TRUE(same_crs(wkt(4326), wkt(4326)));
  EXPECT_FALSE(same_crs(wkt(4326), wkt(32633)));
  EXPECT_FALSE(same_crs(wkt(32632), wkt(32633)));
  EXPECT_TRUE(same_crs(wkt(4326), wkt(4979)));   // with heights
  EXPECT_TRUE(same_crs(wkt(25832), wkt(5555)));  // compound: and a vertical one
  EXPECT_TRUE(
      same_crs("GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,"
               "298.257223563]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\","
               "0.0174532925199433]]",
               wkt(4326)));
  EXPECT_THROW(same_crs("nonsense", wkt(4326)), Error);
}

TEST_F(GdalTest, ThreadsReadAndWriteSideBySide) {
  const Raster raster = patterned(ElementType::i32, {300, 400});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 5; ++round) {
        const fs::path file = write_tiff(std::to_string(i) + ".tif", raster.view(), {.threads = 2});
        expect_same(read_raster(file, {.threads = 2}).raster, raster);
        EXPECT_THROW(read_raster(path("none.tif")), Error);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(GdalTest, NothingIsPrinted) {
  testing::internal::CaptureStderr();
  refusal(make_file("c.tif", std::string("II*\0\10\0\0\0\0", 9)));
  const Raster raster = patterned(ElementType::u16, {600, 700});
  const std::string bytes = bytes_of(write_tiff("a.tif", raster.view(), {}));
  refusal(make_file("b.tif", std::string_view(bytes).substr(0, bytes.size() / 2)));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace thiessen::io

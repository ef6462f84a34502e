// SPDX-License-Identifier: Apache-2.0
//
// What files may not do when they are opened.
#include "io/files/access.hpp"

#include <cpl_error.h>
#include <dlfcn.h>
#include <gdal.h>
#include <gtest/gtest.h>

#include <string>

#include "io/gdal/session.hpp"
#include "io/raster/crs.hpp"
#include "io/raster/inspect.hpp"
#include "io/table/site_file.hpp"
#include "test_files.hpp"

namespace thiessen::io {
namespace {

namespace fs = std::filesystem;

class AccessTest : public FileTest {
 protected:
  ~AccessTest() override { set_access({}); }

  /// A VRT of 3 x 2 cells with these elements in its one band.
  static std::string vrt(const std::string& band, const std::string& attributes = "") {
    return "<VRTDataset rasterXSize=\"3\" rasterYSize=\"2\"><VRTRasterBand dataType=\"Byte\" "
           "band=\"1\"" +
           attributes + ">" + band + "</VRTRasterBand></VRTDataset>";
  }

  static std::string source(const std::string& name, const std::string& relative = "1") {
    return "<SimpleSource><SourceFilename relativeToVRT=\"" + relative + "\">" + name +
           "</SourceFilename><SourceBand>1</SourceBand></SimpleSource>";
  }

  fs::path write_tiff(const std::string& name) const {
    fs::create_directories(path(name).parent_path());
    return write(name, patterned(ElementType::u8, {2, 3}).view());
  }

  static std::string refusal(const fs::path& file) {
    return io_error_of([&] { read_raster(file); });
  }
};

TEST_F(AccessTest, AFileIsWhatItsSuffixSays) {
  for (const char* const name : {"a.tif", "a.png", "a.asc", "a.gpkg", "a", "a.foo"}) {
    SCOPED_TRACE(name);
    make_file(name, vrt(""));
    expect_words(refusal(path(name)), {"nor what GDAL reads by the suffix", "--driver 'VRT'"});
    EXPECT_THROW(kind_of(path(name)), Error);
    EXPECT_THROW(inspect_raster(path(name)), Error);
    EXPECT_THROW(inspect_layers(path(name)), Error);
  }
  fs::rename(write_tiff("b.tif"), path("b.asc"));
  expect_words(refusal(path("b.asc")), {"by the suffix '.asc'", "--driver 'GTiff'"});
  make_file("c.tif", R"({"type":"Point","coordinates":[1,2]})");
  EXPECT_THROW(kind_of(path("c.tif")), Error);
}

TEST_F(AccessTest, FormatAndDriverSayItOtherwise) {
  fs::rename(write_tiff("a.tif"), path("a"));
  fs::copy(path("a"), path("a.asc"));
  const Raster expected = patterned(ElementType::u8, {2, 3});
  EXPECT_THROW(read_raster(path("a")), Error);
  set_access({.format = "TIF"});
  expect_same(read_raster(path("a")).raster, expected);
  EXPECT_THROW(read_raster(path("a.asc")), Error);
  set_access({.format = "bogus"});
  expect_words(refusal(path("a")), {"format 'bogus'", "no suffix that is known"});
  set_access({.drivers = {"gtiff"}});
  expect_same(read_raster(path("a")).raster, expected);
  expect_same(read_raster(path("a.asc")).raster, expected);
  set_access({.drivers = {"Bogus"}});
  expect_words(refusal(path("a")), {"driver 'Bogus'", "does not have"});
  set_access({.drivers = {"WMS"}});
  expect_words(refusal(path("a")), {"'WMS'", "--allow-remote"});
}

TEST_F(AccessTest, NamesOnTheNetworkAreRefused) {
  for (const char* const name :
       {"/vsicurl/http://127.0.0.1:9/a.tif", "/vsis3/bucket/a.tif", "https://127.0.0.1:9/a.tif",
        "/vsizip//vsicurl/http://127.0.0.1:9/a.zip/b.tif", "GTIFF_DIR:1:/vsigs/bucket/a.tif",
        "NETCDF:\"http://127.0.0.1:9/a.nc\":b"}) {
    expect_words(refusal(name), {"on the network", "--allow-remote"});
    EXPECT_THROW(kind_of(name), Error);
    EXPECT_THROW(inspect_layers(name), Error);
  }
}

TEST_F(AccessTest, PlainVrtsOfTheirOwnFolderAreRead) {
  write_tiff("a.tif");
  write_tiff("below/b.tif");
  const Raster expected = patterned(ElementType::u8, {2, 3});
  expect_same(read_raster(make_file("a.vrt", vrt(source("a.tif")))).raster, expected);
  expect_same(read_raster(make_file("b.vrt", vrt(source("below/b.tif")))).raster, expected);
  const std::string absolute = path("a.tif").string();
  expect_same(read_raster(make_file("c.vrt", vrt(source(absolute, "0")))).raster, expected);
  expect_same(read_raster(make_file("d.vrt", vrt(source("a.vrt")))).raster, expected);
}

TEST_F(AccessTest, VrtsThatDoMoreAreRefused) {
  write_tiff("a.tif");
  fs::create_directory(path("in"));
  make_file("raw", std::string(6, 'x'));
  const auto refused = [this](const std::string& text) {
    return refusal(make_file("in/a.vrt", text));
  };
  const std::string raw =
      "<SourceFilename relativeToVRT=\"0\">/etc/passwd</SourceFilename><ImageOffset>0"
      "</ImageOffset><PixelOffset>1</PixelOffset><LineOffset>3</LineOffset>";
  expect_words(refused(vrt(raw, " subClass=\"VRTRawRasterBand\"")),
               {"VRT of the class 'VRTRawRasterBand'", "--driver VRT"});
  expect_words(refused(vrt(raw, " subclass=\"VRTRawRasterBand\"")), {"VRTRawRasterBand"});
  expect_words(refused(vrt("<PixelFunctionType>sum</PixelFunctionType>",
                           " subClass=\"VRTDerivedRasterBand\"")),
               {"VRTDerivedRasterBand"});
  expect_words(refused(vrt("<KernelFilteredSource/>")), {"<KernelFilteredSource>"});
  expect_words(refused(vrt(source("../a.tif"))), {"'../a.tif'", "not in its folder"});
  expect_words(refused(vrt(source("x/../../a.tif"))), {"not in its folder"});
  expect_words(refused(vrt(source("/etc/passwd", "0"))), {"not in its folder"});
  expect_words(refused(vrt(source("/vsicurl/http://127.0.0.1:9/a.tif", "0"))),
               {"not in its folder"});
  expect_words(refused(vrt(source("&lt;VRTDataset/&gt;", "0"))), {"not in its folder"});
  expect_words(refused(vrt(source("NETCDF:&quot;/tmp/a.nc&quot;:x"))), {"not in its folder"});
  make_file("in/hidden.tif", vrt(raw, " subClass=\"VRTRawRasterBand\""));
  expect_words(refused(vrt(source("hidden.tif"))), {"'hidden.tif'", "not what its suffix says"});
  make_file("in/inner.vrt", vrt(raw, " subClass=\"VRTRawRasterBand\""));
  expect_words(refused(vrt(source("inner.vrt"))), {"VRTRawRasterBand"});
  expect_words(refused("<VRTDataset rasterXSize=\"1\" rasterYSize=\"1\" "
                       "subClass=\"VRTWarpedDataset\"/>"),
               {"VRTWarpedDataset"});
  expect_words(refused("<OGRVRTDataSource/>"), {"--driver 'OGR_VRT'"});
  make_file("in/loop.vrt", vrt(source("loop.vrt")));
  EXPECT_NO_FATAL_FAILURE(refusal(path("in/loop.vrt")));
}

TEST_F(AccessTest, ADriverOfVrtOpensAllOfThem) {
  write_tiff("a.tif");
  fs::create_directory(path("in"));
  set_access({.drivers = {"VRT"}});
  expect_same(read_raster(make_file("in/a.vrt", vrt(source("../a.tif")))).raster,
              patterned(ElementType::u8, {2, 3}));
  const std::string kernel =
      "<KernelFilteredSource><SourceFilename relativeToVRT=\"1\">../a.tif</SourceFilename>"
      "<SourceBand>1</SourceBand><Kernel normalized=\"1\"><Size>0</Size><Coefs/></Kernel>"
      "</KernelFilteredSource>";
  expect_words(refusal(make_file("in/b.vrt", vrt(kernel))), {"kernel without a size"});
}

TEST_F(AccessTest, Libxml2IsSilent) {
  using Parse = void* (*)(const char*, int, const char*, const char*, int);
  const auto parse = reinterpret_cast<Parse>(::dlsym(RTLD_DEFAULT, "xmlReadMemory"));
  if (parse == nullptr) GTEST_SKIP() << "this GDAL has no libxml2";
  testing::internal::CaptureStderr();
  {
    const GdalSession session;
    EXPECT_EQ(parse("<a><b></a>", 10, nullptr, nullptr, 0), nullptr);
    EXPECT_NE(session.complaint(), "");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace thiessen::io

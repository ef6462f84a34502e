// SPDX-License-Identifier: Apache-2.0
//
// Sizes of voxels in the descriptions of TIFFs.
#include <cpl_error.h>
#include <gdal.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "io/raster/inspect.hpp"
#include "test_files.hpp"

namespace thiessen::io {
namespace {

namespace fs = std::filesystem;
using Lengths = std::vector<double>;

class VoxelTest : public FileTest {
 protected:
  VoxelTest() {
    GDALAllRegister();
    CPLSetErrorHandler(CPLQuietErrorHandler);
  }

  /// A TIFF of so many pages, whose first has this description and resolution.
  fs::path make(int pages, const std::string& description, const std::string& x = "",
                const std::string& y = "", const std::string& unit = "1") const {
    const fs::path file = path("a.tif");
    fs::remove(file);
    for (int page = 0; page < pages; ++page) {
      char append[] = "APPEND_SUBDATASET=YES";
      char* options[] = {page > 0 ? append : nullptr, nullptr};
      GDALDatasetH const dataset =
          GDALCreate(GDALGetDriverByName("GTiff"), file.c_str(), 4, 3, 1, GDT_Byte, options);
      const auto set = [&](const char* tag, const std::string& value) {
        if (page == 0 && !value.empty()) {
          GDALSetMetadataItem(dataset, tag, value.c_str(), nullptr);
        }
      };
      set("TIFFTAG_IMAGEDESCRIPTION", description);
      set("TIFFTAG_XRESOLUTION", x);
      set("TIFFTAG_YRESOLUTION", y);
      set("TIFFTAG_RESOLUTIONUNIT", x.empty() ? "" : unit);
      GDALFillRaster(GDALGetRasterBand(dataset, 1), 1, 0);
      GDALClose(dataset);
    }
    return file;
  }

  static VoxelSize size_of(const fs::path& file) {
    const RasterFile read = read_raster(file);
    const RasterInfo info = inspect_raster(file);
    EXPECT_EQ(read.voxels.has_value(), info.voxels.has_value());
    const VoxelSize size = read.voxels.value_or(VoxelSize{});
    EXPECT_EQ(read.raster.grid().spacing, size.spacing);
    EXPECT_EQ(info.grid.spacing, size.spacing);
    return size;
  }
};

TEST_F(VoxelTest, OfImagejAreTheSpacing) {
  const VoxelSize deep =
      size_of(make(3, "ImageJ=1.53t\nimages=3\nslices=3\nunit=micron\nspacing=0.5\nloop=false\n",
                   "15.384615", "7.6923077"));
  EXPECT_EQ(deep.spacing, (Lengths{0.5, 0.13, 0.065}));
  EXPECT_EQ(deep.unit, "\u00B5m");
  expect_words(deep.note, {"0.065 x 0.13 x 0.5 \u00B5m", "ImageJ"});
  const VoxelSize flat = size_of(make(1, "ImageJ=1.53t\nunit=\\u00B5m\n", "4", "4"));
  EXPECT_EQ(flat.spacing, (Lengths{0.25, 0.25}));
  EXPECT_EQ(flat.unit, "\u00B5m");
  const VoxelSize planes = size_of(make(2, "ImageJ=1.53t\nimages=2\nspacing=3\n"));
  EXPECT_EQ(planes.spacing, (Lengths{3, 1, 1}));
  EXPECT_EQ(planes.unit, "");
}

TEST_F(VoxelTest, OfAPrinterDoNotCount) {
  EXPECT_EQ(size_of(make(1, "ImageJ=1.53t\n", "72", "72", "2")).spacing, Lengths{});
  EXPECT_EQ(size_of(make(1, "a scan", "300", "300", "2")).spacing, Lengths{});
  EXPECT_EQ(size_of(make(1, "", "300", "300", "1")).spacing, Lengths{});
}

TEST_F(VoxelTest, OfOmeAreTheSpacing) {
  const auto ome = [](const std::string& pixels) {
    return "<?xml version=\"1.0\"?><OME "
           "xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\">"
           "<Image ID=\"Image:0\"><Pixels DimensionOrder=\"XYZCT\" " +
           pixels + "/></Image></OME>";
  };
  const VoxelSize deep = size_of(make(
      2, ome("SizeZ=\"2\" SizeC=\"1\" SizeT=\"1\" PhysicalSizeX=\"0.2\" PhysicalSizeY=\"0.25\" "
             "PhysicalSizeZ=\"500\" PhysicalSizeZUnit=\"nm\"")));
  ASSERT_EQ(deep.spacing.size(), 3U);
  EXPECT_DOUBLE_EQ(deep.spacing[0], 0.5);
  EXPECT_EQ(deep.spacing[1], 0.25);
  EXPECT_EQ(deep.spacing[2], 0.2);
  EXPECT_EQ(deep.unit, "\u00B5m");
  expect_words(deep.note, {"0.2 x 0.25 x 0.5", "OME-XML"});
  const VoxelSize flat = size_of(
      make(1, ome("SizeZ=\"1\" PhysicalSizeX=\"2\" PhysicalSizeXUnit=\"mm\" PhysicalSizeY=\"2\" "
                  "PhysicalSizeYUnit=\"mm\"")));
  EXPECT_EQ(flat.spacing, (Lengths{2, 2}));
  EXPECT_EQ(flat.unit, "mm");
  EXPECT_EQ(size_of(make(1, ome("SizeZ=\"1\""))).note, "");
  EXPECT_EQ(size_of(make(1, "<OME><Pixels PhysicalSizeX=")).note, "");
}

TEST_F(VoxelTest, ThatAreNotClearAreTold) {
  const VoxelSize mixed = size_of(
      make(4, "ImageJ=1.53t\nimages=4\nchannels=2\nslices=2\nunit=um\nspacing=2\n", "10", "10"));
  EXPECT_EQ(mixed.spacing, Lengths{});
  expect_words(mixed.note, {"channels or times"});
  const VoxelSize missing =
      size_of(make(2,
                   "<OME><Image><Pixels SizeZ=\"2\" PhysicalSizeX=\"1\" PhysicalSizeY=\"1\"/>"
                   "</Image></OME>"));
  EXPECT_EQ(missing.spacing, Lengths{});
  expect_words(missing.note, {"distance of its planes"});
}

}  // namespace
}  // namespace thiessen::io

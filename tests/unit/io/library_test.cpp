// SPDX-License-Identifier: Apache-2.0
//
// Files that GDAL writes by name, and the errors of several files that are open at once.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "io/files/output_format.hpp"
#include "io/raster/cell_sum.hpp"
#include "io/raster/raster_rows.hpp"
#include "test_files.hpp"

namespace thiessen::io {
namespace {

namespace fs = std::filesystem;

class LibraryTest : public FileTest {
 protected:
  /// Writes a file of the format of its suffix.
  void write_by_library(const std::string& name, const Raster& raster,
                        const WriteOptions& options = {}) const {
    OutputFile file(path(name), true, {}, writers_of(path(name), options));
    write_raster(file, raster.view(), options);
    file.commit();
  }
};

TEST_F(LibraryTest, FormatsAreChosenBySuffixAndName) {
  EXPECT_EQ(output_format("a.tif", "").driver, "GTiff");
  EXPECT_EQ(output_format("a.TIF", "cog").driver, "COG");
  EXPECT_EQ(output_format("a.nc", "").driver, "netCDF");
  EXPECT_EQ(output_format("a.bil", "EHdr").driver, "EHdr");
  EXPECT_EQ(output_format("-", "").format, Format::npy);
  EXPECT_EQ(output_format("-", "png").format, Format::png);
  EXPECT_FALSE(is_format_for("a.npy", "COG"));
  EXPECT_FALSE(is_format_for("a.bil", "NPY"));
  EXPECT_FALSE(is_format_for("-", "COG"));
  expect_words(io_error_of([] { output_format("a.bil", ""); }), {"a.bil: has the suffix '.bil'"});
  expect_words(io_error_of([] { output_format("a.npy", "COG"); }), {"a.npy: is not written as"});
}

TEST_F(LibraryTest, SumsTellRastersApart) {
  const Raster raster = patterned(ElementType::u16, {3, 20, 10});
  const auto sum_of = [](const Raster& cells, int axis, std::int64_t rows) {
    CellSum sum(cells.extents(), axis, false);
    const View<const void> all = cells.view();
    for (std::int64_t first = 0; first < all.extent(axis); first += rows) {
      const Extents some = axis == 0 ? Extents{rows, 20, 10} : Extents{3, rows, 10};
      sum.add({all.bytes() + first * all.stride(axis), all.element_type(), some, all.strides()},
              first);
    }
    return sum;
  };
  EXPECT_TRUE(sum_of(raster, 0, 1) == sum_of(raster, 0, 3));
  EXPECT_TRUE(sum_of(raster, 0, 1) == sum_of(raster, 1, 5));
  Raster other = patterned(ElementType::u16, {3, 20, 10});
  std::swap(other.bytes()[8], other.bytes()[10]);
  EXPECT_FALSE(sum_of(raster, 0, 1) == sum_of(other, 0, 1));
}

TEST_F(LibraryTest, SmallestRasters) {
  for (const char* name : {"a.zarr", "a.nc", "a.asc", "a.img"})
    for (const Extents& extents : {Extents{1, 1}, Extents{1, 9}, Extents{9, 1}}) {
      const Raster raster = patterned(ElementType::u8, extents);
      write_by_library(name, raster);
      const Raster back = read_raster(path(name)).raster;
      EXPECT_EQ(back.extents(), extents) << name;
      if (back.element_type() == ElementType::u8) expect_same(back, raster);
    }
  const Raster volume = patterned(ElementType::f32, {1, 4, 5});
  write_by_library("v.zarr", volume);
  EXPECT_EQ(read_raster(path("v.zarr")).raster.extents(), volume.extents());
}

TEST_F(LibraryTest, FullDisksAreErrorsAndLeaveNothing) {
  const Raster raster = patterned(ElementType::u16, {300, 280});
  const WriteOptions options{.georeference =
                                 Georeference{.transform = {0, 1, 0, 9, 0, -1}, .crs = {}}};
  for (const char* name : {"a.zarr", "a.nc", "a.asc", "a.gpkg", "a.img"}) {
    SCOPED_TRACE(name);
    for (const rlim_t bytes : {rlim_t{0}, rlim_t{300}, rlim_t{2000}}) {
      const FileSizeLimit limit(bytes);
      expect_words(io_error_of([&] { write_by_library(name, raster, options); }), {name});
      EXPECT_EQ(entries(), 0) << bytes;
    }
  }
}

TEST_F(LibraryTest, StacksOfManyPages) {
  const Raster raster = patterned(ElementType::u16, {150, 6, 5});
  for (const char* option : {"BIGTIFF=NO", "BIGTIFF=YES"}) {
    WriteOptions options;
    options.creation_options = {option};
    write_by_library("a.tif", raster, options);
    expect_same(read_raster(path("a.tif")).raster, raster);
  }
  const Extents deep{65536, 1, 1};
  expect_words(io_error_of([&] { require_writable(path("a.tif"), ElementType::u8, deep); }),
               {"a.tif: cannot hold 65536 planes"});
  EXPECT_NO_THROW(require_writable(path("a.zarr"), ElementType::u8, deep));
}

TEST_F(LibraryTest, FilesThatAreOpenAtOnceEndInAnyOrder) {
  const Raster raster = patterned(ElementType::u16, {300, 280});
  OutputFile first(path("a.tif"), true);
  OutputFile second(path("b.tif"), true);
  auto first_rows = write_rows(first, raster.element_type(), raster.extents());
  auto second_rows = write_rows(second, raster.element_type(), raster.extents());
  first_rows->write(raster.view());
  first_rows->finish();
  first_rows.reset();
  const FileSizeLimit limit(1000);
  expect_words(io_error_of([&] {
                 second_rows->write(raster.view());
                 second_rows->finish();
               }),
               {"b.tif: cannot be written"});
}

}  // namespace
}  // namespace thiessen::io

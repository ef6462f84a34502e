// SPDX-License-Identifier: Apache-2.0
#include "io/raster/crs.hpp"
#include "io/raster/inspect.hpp"
#include "io/table/site_file.hpp"
#include "io/table/vector_file.hpp"
#include "test_files.hpp"

namespace thiessen::io {
namespace {

class WithoutGdalTest : public FileTest {};

TEST_F(WithoutGdalTest, WhatNeedsGdalSaysSo) {
  EXPECT_FALSE(has_gdal());
  const std::filesystem::path tiff = make_file("a.tif", std::string("II*\0\10\0\0\0", 8));
  for (const auto& error :
       {io_error_of([&] { read_raster(tiff); }), io_error_of([&] { inspect_raster(tiff); }),
        io_error_of([&] { kind_of(tiff); }), io_error_of([&] { inspect_layers(tiff); }),
        io_error_of([&] { VectorFile file(tiff); }), io_error_of([&] {
          require_writable(tiff, ElementType::u8, {1, 1});
        })}) {
    expect_words(error, {"/a.tif: ", "this build has no GDAL"});
  }
}

TEST_F(WithoutGdalTest, TheRestWorks) {
  const Raster raster = patterned(ElementType::u8, {2, 3});
  expect_same(read_raster(write("a.png", raster.view())).raster, raster);
  EXPECT_EQ(inspect_raster(path("a.png")).grid.extents, raster.extents());
  EXPECT_EQ(kind_of(path("a.png")), SiteFileKind::raster);
  EXPECT_EQ(kind_of(make_file("a.csv", "1,2\n")), SiteFileKind::points);
  EXPECT_TRUE(same_crs("a", "a"));
  EXPECT_FALSE(same_crs("a", "b"));
  expect_words(io_error_of([&] { read_raster(path("none")); }), {"No such file"});
}

}  // namespace
}  // namespace thiessen::io

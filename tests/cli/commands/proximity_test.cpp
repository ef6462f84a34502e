// SPDX-License-Identifier: Apache-2.0
//
// thiessen proximity: its flags mean the same as in gdal_proximity.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "cli/command.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

class ProximityTest : public CommandTest {
 protected:
  void SetUp() override {
    write("row.npy", raster_of<std::uint8_t>({1, 6}, {3, 0, 0, 0, 0, 0}));
    write("plane.npy", raster_of<std::uint8_t>({3, 3}, {1, 0, 0, 0, 0, 0, 0, 0, 2}));
  }

  template <class T>
  void expect(const std::string& file, std::initializer_list<T> cells) const {
    const Raster raster = read(file);
    ASSERT_EQ(raster.element_type(), detail::element_type_of<T>());
    ASSERT_EQ(raster.size_bytes(), cells.size() * sizeof(T));
    const T* cell = raster.view<T>().data();
    std::int64_t i = 0;
    for (const T wanted : cells) {
      if (std::isnan(static_cast<double>(wanted)))
        EXPECT_TRUE(std::isnan(static_cast<double>(cell[i]))) << i;
      else
        EXPECT_EQ(cell[i], wanted) << i;
      ++i;
    }
  }

  /// Runs it on `source` and reads the cells of its output.
  template <class T>
  void expect_of(const std::string& source, const std::string& flags,
                 std::initializer_list<T> cells) const {
    succeed("proximity " + source + " out.npy --overwrite -q " + flags);
    SCOPED_TRACE(flags);
    expect<T>("out.npy", cells);
  }
};

TEST_F(ProximityTest, MeasuresToCellsThatAreNotZero) {
  const float diagonal = std::sqrt(2.0F);
  const float knight = std::sqrt(5.0F);
  expect_of<float>("plane.npy", "", {0, 1, 2, 1, diagonal, 1, 2, 1, 0});
  expect_of<float>("plane.npy", "-values 2",
                   {std::sqrt(8.0F), knight, 2, knight, diagonal, 1, 2, 1, 0});
  expect_of<float>("plane.npy", "-values 2,1", {0, 1, 2, 1, diagonal, 1, 2, 1, 0});
}

TEST_F(ProximityTest, WritesNodataBeyondTheMaximum) {
  expect_of<float>("row.npy", "-maxdist 2", {0, 1, 2, 65535, 65535, 65535});
  expect_of<float>("row.npy", "-maxdist 2 -nodata -1", {0, 1, 2, -1, -1, -1});
  expect_of<float>("row.npy", "-maxdist 2 -nodata nan", {0, 1, 2, NAN, NAN, NAN});
  expect_of<float>("row.npy", "-maxdist 2 -nodata 0.1", {0, 1, 2, 0.1F, 0.1F, 0.1F});
  expect_of<double>("row.npy", "-maxdist 0 -ot Float64", {0, 65535, 65535, 65535, 65535, 65535});
  expect_of<float>("row.npy", "-values 9", {65535, 65535, 65535, 65535, 65535, 65535});
}

TEST_F(ProximityTest, RoundsIntoIntegersAndStopsAtTheirMaximum) {
  expect_of<std::uint8_t>("plane.npy", "-ot Byte -values 2", {3, 2, 2, 2, 1, 1, 2, 1, 0});
  expect_of<std::uint8_t>("row.npy", "-ot Byte -maxdist 1", {0, 1, 255, 255, 255, 255});
  expect_of<std::int8_t>("row.npy", "-ot Int8 -maxdist 1", {0, 1, 127, 127, 127, 127});
  expect_of<std::int16_t>("row.npy", "-ot Int16 -maxdist 1 -nodata -1", {0, 1, -1, -1, -1, -1});
  expect_of<std::uint16_t>("row.npy", "-ot UInt16 -maxdist 1", {0, 1, 65535, 65535, 65535, 65535});
  expect_of<std::uint64_t>("row.npy", "-ot uint64", {0, 1, 2, 3, 4, 5});

  Raster far = Raster::of<std::uint8_t>({1, 300});
  std::fill_n(far.bytes(), far.size_bytes(), std::byte{0});
  far.view<std::uint8_t>()(0, 0) = 1;
  write("far.npy", far);
  succeed("proximity far.npy out.npy --overwrite -q -ot Byte");
  const Raster distances = read("out.npy");
  EXPECT_EQ(distances.view<std::uint8_t>()(0, 254), 254);
  EXPECT_EQ(distances.view<std::uint8_t>()(0, 299), 255);
}

/// A distance is rounded once from double, not from its float.
TEST_F(ProximityTest, RoundsOnce) {
  // 64² + 4096² is a hair less than the square of a half, which f32 makes of its root.
  ASSERT_EQ(std::sqrt(64.0F * 64.0F + 4096.0F * 4096.0F), 4096.5F);
  const Extents extents{65, 4097};
  Raster source = Raster::of<std::uint8_t>(extents);
  std::fill_n(source.bytes(), source.size_bytes(), std::byte{0});
  source.view<std::uint8_t>()(0, 0) = 1;
  write("corner.npy", source);
  succeed("proximity corner.npy out.npy -q -ot UInt16");
  const Raster distances = read("out.npy");
  for (std::int64_t y = 0; y < extents[0]; ++y)
    for (std::int64_t x = 0; x < extents[1]; ++x) {
      const double exact = std::sqrt(static_cast<double>(x * x + y * y));
      ASSERT_EQ(distances.view<std::uint16_t>()(y, x), std::floor(exact + 0.5)) << y << ", " << x;
    }
}

TEST_F(ProximityTest, FixedValueReplacesDistancesButNotTargets) {
  expect_of<float>("row.npy", "-fixed-buf-val 7 -maxdist 2", {0, 7, 7, 65535, 65535, 65535});
  expect_of<std::uint8_t>("row.npy", "-fixed-buf-val 1 -maxdist 2 -nodata 0 -ot Byte",
                          {0, 1, 1, 0, 0, 0});
}

TEST_F(ProximityTest, TakesBothKindsOfNames) {
  const std::string old_names =
      "-srcband 1 -dstband 1 -of NPY -ot Int32 -values 3 -distunits PIXEL -maxdist 3 -nodata -9 "
      "-use_input_nodata NO -fixed-buf-val 4";
  expect_of<std::int32_t>("row.npy", old_names, {0, 4, 4, 4, -9, -9});
  const std::string new_names =
      "--band 1 --of NPY --ot Int32 --target-values 3 --distance-units pixel --max-distance 3 "
      "--output-nodata -9 --ignore-input-nodata --fixed-value 4";
  expect_of<std::int32_t>("row.npy", new_names, {0, 4, 4, 4, -9, -9});
  succeed("proximity -i row.npy -o named.npy -quiet -ot Byte");
  expect<std::uint8_t>("named.npy", {0, 1, 2, 3, 4, 5});
  succeed("proximity --output also_named.npy --input row.npy --quiet -b 1 -ot Byte");
  expect<std::uint8_t>("also_named.npy", {0, 1, 2, 3, 4, 5});
}

TEST_F(ProximityTest, ReadsAnyType) {
  write("bool.npy", raster_of<bool>({1, 4}, {false, false, true, false}));
  expect_of<float>("bool.npy", "", {2, 1, 0, 1});
  expect_of<float>("bool.npy", "-values 1", {2, 1, 0, 1});
  expect_of<float>("bool.npy", "-values 0", {0, 0, 1, 0});
  write("real.npy", raster_of<float>({1, 4}, {0.25F, 0, 0, NAN}));
  expect_of<float>("real.npy", "", {0, 1, 2, 3});
  expect_of<float>("real.npy", "-values 0.25", {0, 1, 2, 3});
  write("deep.npy", raster_of<std::int64_t>({2, 1, 2}, {0, 0, -4, 0}));
  expect_of<float>("deep.npy", "", {1, std::sqrt(2.0F), 0, 1});
  write("none.npy", Raster::of<std::uint8_t>({0, 4}));
  expect_of<float>("none.npy", "", {});
}

TEST_F(ProximityTest, WritesPicturesOfIntegers) {
  succeed("proximity row.npy out.png -q -ot Byte -of PNG");
  expect<std::uint8_t>("out.png", {0, 1, 2, 3, 4, 5});
  succeed("proximity row.npy out.pgm -q -ot UInt16 -of pnm");
  expect<std::uint16_t>("out.pgm", {0, 1, 2, 3, 4, 5});
}

/// --json names the command, the extents and the file.
TEST_F(ProximityTest, Reports) {
  const Outcome outcome = run("proximity row.npy out.npy --json");
  EXPECT_EQ(outcome.exit_code, 0);
  for (const std::string word : {"\"proximity\"", "\"extents\"", "\"out.npy\""})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << outcome.out;
}

TEST_F(ProximityTest, OtherCommandsKeepTheirDashes) {
  expect_one_line_of_complaint(run("voronoi -nodata 3 --sites row.npy --labels out.npy"));
}

}  // namespace
}  // namespace thiessen::cli

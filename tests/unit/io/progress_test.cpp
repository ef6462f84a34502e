// SPDX-License-Identifier: Apache-2.0
//
// Long reads and writes report their progress, and end when they are told to.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/table/points_file.hpp"
#include "test_files.hpp"

namespace thiessen::io {
namespace {

struct Enough : std::runtime_error {
  Enough() : std::runtime_error("enough") {}
};

using Report = std::function<void(double)>;

/// Grows, from 0 to 1, in more than a few steps.
void expect_progress(const std::function<void(const Report&)>& work) {
  std::vector<double> fractions;
  work([&](double fraction) { fractions.push_back(fraction); });
  EXPECT_GE(fractions.size(), 3U);
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  for (const double fraction : fractions) {
    EXPECT_GE(fraction, 0);
    EXPECT_LE(fraction, 1);
  }
  int reports = 0;
  const auto stop = [&](double) {
    if (++reports == 2) throw Enough();
  };
  EXPECT_THROW(work(stop), Enough);
  EXPECT_EQ(reports, 2);
}

class ProgressTest : public FileTest {
 protected:
  /// Cells that hardly compress.
  static Raster noise() {
    Raster raster = Raster::of<std::uint16_t>({3'000, 3'000});
    std::uint32_t state = 1;
    std::generate_n(raster.view<std::uint16_t>().data(), 9'000'000, [&] {
      state = state * 1664525 + 1013904223;
      return static_cast<std::uint16_t>(state >> 16);
    });
    return raster;
  }

  void expect_read_progress(const std::filesystem::path& file) const {
    SCOPED_TRACE(file.string());
    expect_progress([&](const Report& report) { read_raster(file, {.progress = report}); });
  }
};

/// Every reader of rasters reports its progress.
TEST_F(ProgressTest, ReadingRasters) {
  const Raster raster = noise();
  for (const char* const name : {"a.npy", "a.png", "a.pgm"}) {
    expect_read_progress(write(name, raster.view()));
  }
  std::string text = "P2\n3000 2000\n9\n";
  for (int i = 0; i < 6'000'000; ++i) text += "7 ";
  expect_read_progress(make_file("text.pgm", text));
}

TEST_F(ProgressTest, ReadingFortranOrder) {
  std::string bytes("\x93NUMPY\1\0v\0", 10);
  bytes += "{'descr': '<u2', 'fortran_order': True, 'shape': (3000, 3000), }";
  bytes.resize(127, ' ');
  bytes += '\n';
  bytes.resize(bytes.size() + 18'000'000);
  expect_read_progress(make_file("a.npy", bytes));
}

/// The reader of points reports its progress.
TEST_F(ProgressTest, ReadingPoints) {
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "1.234567,2.345678\n";
  const std::filesystem::path file = make_file("a.csv", text);
  expect_progress([&](const Report& report) { read_points(file, {.progress = report}); });
}

/// Every writer reports its progress, for all strides.
TEST_F(ProgressTest, WritingRasters) {
  const Raster raster = noise();
  const View<const void> flipped(raster.bytes() + 2'999 * 6'000, ElementType::u16, {3'000, 3'000},
                                 {-6'000, 2});
  for (const char* const name : {"a.npy", "a.png", "a.pgm"}) {
    for (const View<const void>& view : {View<const void>(raster.view()), flipped}) {
      SCOPED_TRACE(name);
      expect_progress([&](const Report& report) {
        OutputFile file(path(name), true);
        write_raster(file, view, {.progress = report});
      });
      EXPECT_EQ(entries(), 0);
    }
  }
}

}  // namespace
}  // namespace thiessen::io

// SPDX-License-Identifier: Apache-2.0
//
// More than 2^31 cells, if there is memory: needs 14 GiB.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

std::int64_t available_memory() {
  std::ifstream info("/proc/meminfo");
  std::string name;
  std::int64_t kibibytes = 0;
  for (std::string rest; info >> name >> kibibytes; std::getline(info, rest))
    if (name == "MemAvailable:") return kibibytes * 1024;
  return 0;
}

struct Point {
  std::int64_t y, x;
};

/// The label (1, 2, …) of the first of the nearest points.
std::uint8_t nearest_label(const std::vector<Point>& points, std::int64_t y, std::int64_t x) {
  std::size_t best = 0;
  const auto squared = [&](std::size_t i) {
    const std::int64_t dy = points[i].y - y;
    const std::int64_t dx = points[i].x - x;
    return dy * dy + dx * dx;
  };
  for (std::size_t i = 1; i < points.size(); ++i)
    if (squared(i) < squared(best)) best = i;
  return static_cast<std::uint8_t>(best + 1);
}

TEST(Large, MoreThan2To31Cells) {
  if (available_memory() < std::int64_t{14} << 30) GTEST_SKIP() << "needs 14 GiB of memory";
  const std::int64_t height = 46350;
  const std::int64_t width = 46351;
  ASSERT_GT(height * width, std::int64_t{1} << 31);
  Raster sites = Raster::of<std::uint8_t>({height, width});
  std::fill_n(sites.bytes(), sites.size_bytes(), std::byte{0});
  // In the order of their index, the last one beyond 2^31.
  const std::vector<Point> points = {{10, 46000}, {20000, 3}, {20001, 30000}, {46349, 46350}};
  for (std::size_t i = 0; i < points.size(); ++i)
    sites.view<std::uint8_t>()(points[i].y, points[i].x) = static_cast<std::uint8_t>(i + 1);
  Raster labels = Raster::of<std::uint8_t>({height, width});
  Context context;
  nearest_site(context, std::as_const(sites).view(), {}, {.labels = labels.view()});
  const auto label = labels.view<std::uint8_t>();
  for (std::int64_t y = 0; y < height; y += 463)
    for (std::int64_t x = 0; x < width; x += 461)
      ASSERT_EQ(label(y, x), nearest_label(points, y, x)) << y << ' ' << x;
  for (const Point& point : points)
    EXPECT_EQ(label(point.y, point.x), nearest_label(points, point.y, point.x));
}

TEST(Large, TheLongestAxis) {
  if (available_memory() < std::int64_t{14} << 30) GTEST_SKIP() << "needs 14 GiB of memory";
  const std::int64_t width = std::int64_t{1} << 30;
  Raster sites = Raster::of<std::uint8_t>({1, width});
  std::fill_n(sites.bytes(), sites.size_bytes(), std::byte{0});
  const auto cells = sites.view<std::uint8_t>();
  cells(0, 0) = 1;
  cells(0, width - 1) = 2;
  Raster labels = Raster::of<std::uint8_t>({1, width});
  Context context;
  nearest_site(context, std::as_const(sites).view(), {}, {.labels = labels.view()});
  const auto label = labels.view<std::uint8_t>();
  EXPECT_EQ(label(0, width / 2 - 1), 1);
  EXPECT_EQ(label(0, width / 2), 2);
  EXPECT_EQ(label(0, width - 1), 2);
}

}  // namespace
}  // namespace thiessen

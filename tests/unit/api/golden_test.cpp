// SPDX-License-Identifier: Apache-2.0
//
// The bits themselves. The oracle and the methods share the last steps, from S to a distance or a
// direction; only fixed values show it if a compiler or a flag changes how these round.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "cases/cases.hpp"
#include "core/base/rng.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

/// FNV-1a over the bytes.
template <class T>
std::uint64_t hash_of(const std::vector<T>& values) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const T& value : values) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof value);
    for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  }
  return hash;
}

struct Golden {
  std::uint64_t site_index, distance64, distance32, direction;
};

Golden golden_of(const NearestSiteOptions& options) {
  const Extents extents{211, 193};
  Context context;
  Raster sites = Raster::of<std::int32_t>(extents);
  random_sites(context, sites.view(), 150, 42);
  const auto cells = static_cast<std::size_t>(extents.count());
  std::vector<std::int64_t> site_index(cells);
  std::vector<double> distance64(cells);
  std::vector<float> distance32(cells);
  std::vector<float> direction(cells);
  nearest_site(context, std::as_const(sites).view(), options,
               {.site_index = View<std::int64_t>(site_index.data(), extents),
                .distance = View<double>(distance64.data(), extents),
                .direction = View<float>(direction.data(), extents)});
  nearest_site(context, std::as_const(sites).view(), options,
               {.distance = View<float>(distance32.data(), extents)});
  return {hash_of(site_index), hash_of(distance64), hash_of(distance32), hash_of(direction)};
}

void expect_golden(const Golden& golden, const NearestSiteOptions& options) {
  const Golden actual = golden_of(options);
  EXPECT_EQ(actual.site_index, golden.site_index) << std::hex << actual.site_index;
  EXPECT_EQ(actual.distance64, golden.distance64) << std::hex << actual.distance64;
  EXPECT_EQ(actual.distance32, golden.distance32) << std::hex << actual.distance32;
  EXPECT_EQ(actual.direction, golden.direction) << std::hex << actual.direction;
}

/// Spacing 1.
TEST(GoldenBits, Cells) {
  expect_golden(
      {0xbd214b51517966c1u, 0x7292c76770248bbau, 0xacc089804191aa26u, 0xa16668dc1de6bb1cu}, {});
}

/// Spacings of few digits.
TEST(GoldenBits, Metres) {
  expect_golden(
      {0x45e9eb02ee6feb11u, 0x7bfe802222fe8c8cu, 0x787221fbdebe4ad8u, 0x5bb41b6114d0430du},
      {.spacing = {0.3, 0.7}});
}

/// Spacings whose weights need many bits.
TEST(GoldenBits, ManyDigits) {
  expect_golden(
      {0x4e51b21fb4abe26bu, 0xe1a4e9a64979baaau, 0xb669f95c2b884672u, 0x7083e7db2eac8ddfu},
      {.spacing = {98765.432109876543, 12345.678901234567}});
}

/// Another metric by axes.
TEST(GoldenBits, Manhattan) {
  expect_golden({0x6ca37ca11cd47ebcu, 0x5d5dad5e288c74e5u, 0x32738bcaacec6255u, 0x1bbb48cc522bcd2u},
                {.metric = Metric::manhattan, .spacing = {0.1, 0.3}});
}

TEST(GoldenBits, MetricsOfTheRasterMethods) {
  expect_golden(
      {0x1da88e838941e04au, 0x1a9db6a36d7e4e32u, 0x3bb61f3b2f77da1du, 0xf4ac8d443aeeb7b0u},
      {.method = Method::raster_gpu, .metric = Metric::octagonal});
  expect_golden(
      {0x7d6beab6d87110c6u, 0x2d39e7da2e48822bu, 0xda755dc86c945f11u, 0x11d40547b88f5393u},
      {.method = Method::chamfer, .metric = Metric::chamfer_3_4});
  expect_golden({0x656ff0ef7dbebef4u, 0x2ce9e1ec67e52beu, 0xc761c5da7be29d1cu, 0x86f395b00df64d4fu},
                {.method = Method::chamfer, .metric = Metric::chamfer_5_7_11});
}

/// Points between cells, round a periodic axis.
TEST(GoldenBits, Points) {
  const Extents extents{97, 88};
  std::vector<double> places;
  for (std::uint64_t i = 0; i < 240; ++i)
    places.push_back(std::ldexp(static_cast<double>(splitmix64(5, i) >> 11), -53) * 120 - 11);
  const auto cells = static_cast<std::size_t>(extents.count());
  std::vector<std::int64_t> site_index(cells);
  std::vector<double> distance(cells);
  std::vector<float> direction(cells);
  Context context;
  voronoi(context, {View<const double>(places.data(), {120, 2})},
          {.extents = extents, .spacing = {0.3, 0.7}}, {.periodic = {true, false}},
          {.site_index = View<std::int64_t>(site_index.data(), extents),
           .distance = View<double>(distance.data(), extents),
           .direction = View<float>(direction.data(), extents)});
  EXPECT_EQ(hash_of(site_index), 0x4991e37f4f0d6f51u) << std::hex << hash_of(site_index);
  EXPECT_EQ(hash_of(distance), 0x3d8fd4af46c3aa87u) << std::hex << hash_of(distance);
  EXPECT_EQ(hash_of(direction), 0x5e45139b7cb677e7u) << std::hex << hash_of(direction);
}

/// The hash that every backend must get with a method of jump flooding.
std::uint64_t flooding_hash(const NearestSiteOptions& options) {
  const Extents extents{211, 193};
  Context context;
  Raster sites = Raster::of<std::int32_t>(extents);
  random_sites(context, sites.view(), 150, 42);
  std::vector<std::int64_t> site_index(static_cast<std::size_t>(extents.count()));
  nearest_site(context, std::as_const(sites).view(), options,
               {.site_index = View<std::int64_t>(site_index.data(), extents)});
  return hash_of(site_index);
}

/// Methods with and without noise, and circles.
TEST(GoldenBits, JumpFlooding) {
  const auto expect = [](Method method, const FloodingOptions& flooding, std::uint64_t hash) {
    const std::uint64_t found = flooding_hash({.method = method, .flooding = flooding});
    EXPECT_EQ(found, hash) << name_of(method) << std::hex << " 0x" << found;
  };
  expect(Method::jfa, {}, 0x2991c79d336edd4cu);
  expect(Method::jfa_noise, {.steps = {64, 8, 1}, .seed = 7}, 0x4a6d39a772d7de45u);
  expect(Method::jfa_plus, {.seed = 7}, 0xbd214b51517966c1u);
  expect(Method::jfa_star, {.steps = {64, 8, 1}, .seed = 7}, 0xa42a933aa1454679u);
  expect(Method::jfa, {.steps = {64, 8, 1}, .pattern = Pattern::circle(9)}, 0xcbb9a1b2f17457d0u);
  expect(Method::jfa, {.pattern = Pattern::random_circle(9), .seed = 7}, 0x702a55f447ed2f27u);
}

}  // namespace
}  // namespace thiessen

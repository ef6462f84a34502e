// SPDX-License-Identifier: Apache-2.0
//
// Compares weighted sites of rasters on every device that takes them with those on the CPU, bit for
// bit; unit/api/weighted_cells_test.cpp compares the CPU with lists of points.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "support/draw.hpp"
#include "support/message_of.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::Draw;
using testing::message_of;

/// A random problem, of one raster or a batch.
struct WeightedCells {
  Extents raster;   ///< extents of one raster
  Extents extents;  ///< of all
  bool is_batch = false;
  bool is_boolean = false;
  std::vector<std::int32_t> cells;
  std::vector<std::uint8_t> marks;  ///< the same as booleans
  std::vector<double> weights;      ///< NaN where there is no site
  std::vector<std::uint8_t> domain;
  NearestSiteOptions options;

  View<const void> sites() const {
    if (!is_boolean) return View<const std::int32_t>(cells.data(), extents);
    return {marks.data(), ElementType::boolean, extents};
  }
  View<const void> given() const { return View<const double>(weights.data(), extents); }
  View<const void> inside() const {
    return domain.empty() ? View<const void>{} : View<const std::uint8_t>(domain.data(), extents);
  }
};

/// All outputs. Offsets have a component for each axis of a raster.
struct CellsOutcome {
  std::vector<std::int64_t> sites, squared;
  std::vector<std::int32_t> labels, offset;
  std::vector<float> distances, directions;
  std::vector<double> keys;
};

Extents draw_raster_extents(Draw& draw) {
  if (draw.once_in(3)) return {1 + draw.below(12), 1 + draw.below(14), 1 + draw.below(40)};
  if (draw.once_in(8)) return {1 + draw.below(3), 1 + draw.below(400)};
  if (draw.once_in(8)) return {1 + draw.below(400), 1 + draw.below(3)};
  return {1 + draw.below(70), 1 + draw.below(90)};
}

/// A few weights, with which there are many ties, or those of a parabola, with which all cells tie;
/// hundredths; large ones; or such with so many digits that keys take 128 bits.
double draw_power_weight(Draw& draw, int kind, std::int64_t x) {
  switch (kind) {
    case 0:
      return static_cast<double>(draw.below(3));
    case 1:
      return static_cast<double>(x * x - 2 * x);
    case 2:
      return static_cast<double>(draw.below(1000) - 500) / 100;
    case 3:
      return static_cast<double>(draw.below(1 << 20)) * 1000;
    default:
      return draw.real() * 9 - 3;
  }
}

void draw_options(Draw& draw, WeightedCells& scene) {
  const auto rank = static_cast<std::size_t>(scene.raster.rank());
  NearestSiteOptions& options = scene.options;
  options.weighting = Weighting::power;
  if (draw.once_in(3))
    options.spacing = {0.1, draw.once_in(2) ? 0.1 : 0.3, 0.1};
  else if (draw.once_in(4))
    options.spacing = {1, 2, 7};
  options.spacing.resize(options.spacing.empty() ? 0 : rank);
  if (draw.once_in(3))
    for (std::size_t axis = 0; axis < rank; ++axis) options.periodic.push_back(draw.once_in(2));
  if (draw.once_in(4)) options.max_distance = draw.real() * 20;
}

void draw_cells(Draw& draw, WeightedCells& scene) {
  const bool has_nodata = !scene.is_boolean && draw.once_in(3);
  const bool has_domain = draw.once_in(3);
  const std::int64_t of_sites = draw.once_in(3) ? 1 : 1 + draw.below(draw.once_in(2) ? 4 : 300);
  const auto kind = static_cast<int>(draw.below(5));
  const std::int64_t width = scene.raster[scene.raster.rank() - 1];
  for (std::int64_t i = 0; i < scene.extents.count(); ++i) {
    const bool is_nodata = has_nodata && draw.once_in(9);
    const bool is_site = !is_nodata && draw.once_in(of_sites);
    scene.cells.push_back(is_nodata ? -9 : is_site ? static_cast<int>(1 + draw.below(900)) : 0);
    scene.marks.push_back(is_site ? 1 : 0);
    scene.weights.push_back(is_site ? draw_power_weight(draw, kind, i % width)
                                    : std::numeric_limits<double>::quiet_NaN());
    if (has_domain) scene.domain.push_back(draw.once_in(3) ? 0 : 1);
  }
  if (has_nodata) scene.options.nodata = std::int64_t{-9};
  if (has_domain && !scene.is_boolean) scene.options.nodata_label = std::int64_t{-8};
}

WeightedCells draw_raster_scene(std::uint64_t seed) {
  Draw draw(seed);
  WeightedCells scene;
  scene.raster = scene.extents = draw_raster_extents(draw);
  scene.is_batch = draw.once_in(6);
  if (scene.is_batch) {
    std::vector<std::int64_t> sizes = {1 + draw.below(3)};
    for (int axis = 0; axis < scene.raster.rank(); ++axis) sizes.push_back(scene.raster[axis]);
    scene.extents = Extents(std::span<const std::int64_t>(sizes));
  }
  scene.is_boolean = draw.once_in(4);
  draw_options(draw, scene);
  draw_cells(draw, scene);
  return scene;
}

template <class T>
View<T> make(std::vector<T>& cells, const Extents& extents) {
  cells.resize(static_cast<std::size_t>(extents.count()));
  return View<T>(cells.data(), extents);
}

/// Everything that there is in a call, or labels alone.
CellsOutcome solve_raster(const WeightedCells& scene, const std::string& device, bool is_simple) {
  CellsOutcome found;
  Context context({.device = device, .threads = 1});
  const Extents& extents = scene.extents;
  NearestSiteOutputs out{.labels = make(found.labels, extents)};
  if (!is_simple) {
    out.site_index = make(found.sites, extents);
    out.distance = make(found.distances, extents);
    out.weighted_distance = make(found.keys, extents);
    if (scene.options.spacing.empty()) out.squared = make(found.squared, extents);
    if (scene.raster.rank() == 2) out.direction = make(found.directions, extents);
    if (!scene.is_batch && scene.raster.rank() == 2)
      out.offset = make(found.offset, {2, extents[0], extents[1]});
    if (!scene.is_batch && scene.raster.rank() == 3)
      out.offset = make(found.offset, {3, extents[0], extents[1], extents[2]});
  }
  if (scene.is_batch)
    nearest_site_batch(context, scene.sites(), scene.options, out, scene.inside(), scene.given());
  else
    nearest_site(context, scene.sites(), scene.options, out, scene.inside(), scene.given());
  return found;
}

/// Whether all are the same, NaN, too.
template <class T>
bool are_equal_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

void expect_same(const CellsOutcome& found, const CellsOutcome& wanted) {
  EXPECT_EQ(found.sites, wanted.sites);
  EXPECT_EQ(found.labels, wanted.labels);
  EXPECT_EQ(found.squared, wanted.squared);
  EXPECT_EQ(found.offset, wanted.offset);
  EXPECT_TRUE(are_equal_bytes(found.distances, wanted.distances));
  EXPECT_TRUE(are_equal_bytes(found.keys, wanted.keys));
  EXPECT_TRUE(are_equal_bytes(found.directions, wanted.directions));
}

bool is_cuda(const DeviceInfo& device) { return device.available && device.name.find("cuda") == 0; }

TEST(WeightedRasters, AreTheSameOnEveryDevice) {
  const char* const given = std::getenv("THIESSEN_TEST_PROBLEMS");
  const std::uint64_t problems = given == nullptr ? 200 : std::strtoull(given, nullptr, 10);
  for (const DeviceInfo& device : devices()) {
    if (!is_cuda(device)) continue;
    for (std::uint64_t seed = 1; seed <= problems; ++seed) {
      SCOPED_TRACE(device.name + ", seed " + std::to_string(seed));
      const WeightedCells scene = draw_raster_scene(seed);
      expect_same(solve_raster(scene, device.name, false), solve_raster(scene, "cpu", false));
      expect_same(solve_raster(scene, device.name, true), solve_raster(scene, "cpu", true));
      if (HasFailure()) return;
    }
  }
}

TEST(WeightedRasters, AreRefusedWhereCudaHasNone) {
  for (const DeviceInfo& device : devices()) {
    if (!is_cuda(device)) continue;
    WeightedCells scene = draw_raster_scene(1);
    for (const Weighting weighting : {Weighting::additive, Weighting::multiplicative}) {
      scene.options.weighting = weighting;
      EXPECT_EQ(message_of([&] { solve_raster(scene, device.name, true); }),
                "method = exact on " + device.name +
                    ": cuda takes weights of a raster with weighting = power, not " +
                    std::string(name_of(weighting)));
    }
  }
}

}  // namespace
}  // namespace thiessen

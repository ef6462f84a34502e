// SPDX-License-Identifier: Apache-2.0
//
// Nearest sites on the ellipsoid against a comparison of all sites by GeographicLib: the same
// micrometres and the same sites, on grids at the poles, across the date line, small and global.
//
// THIESSEN_TEST_PROBLEMS=N draws N problems instead of a few.
#include "thiessen/choices/earth.hpp"

#include <gtest/gtest.h>

#include <GeographicLib/Geodesic.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "cpu/earth/rough_length.hpp"
#include "support/draw.hpp"
#include "support/message_of.hpp"
#include "thiessen/nearest_site.hpp"

namespace thiessen {
namespace {

using testing::Draw;
using testing::message_of;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Case {
  Metric metric = Metric::ellipsoidal;
  Earth earth;
  Extents extents{1, 1};
  std::vector<std::int16_t> sites;  // empty: points
  std::vector<double> points;       // (y, x)
  double max_distance = kInfinity;

  NearestSiteOptions options() const {
    NearestSiteOptions options;
    options.metric = metric;
    options.earth = earth;
    options.max_distance = max_distance;
    options.nodata = std::int64_t{-1};
    return options;
  }
};

struct Answer {
  std::vector<std::int64_t> site;
  std::vector<double> distance;
  std::vector<float> direction;
};

/// A grid of some place and size: about a pole, over the date line, all of the Earth, or small.
Case draw_case(Draw& draw) {
  Case drawn;
  drawn.metric = draw.once_in(3) ? Metric::great_circle : Metric::ellipsoidal;
  const std::int64_t height = 1 + draw.below(40);
  const std::int64_t width = 1 + draw.below(40);
  drawn.extents = {height, width};
  const double share = static_cast<double>(1 + draw.below(1000)) / 1000;
  double lat_step = std::min(180.0 / static_cast<double>(height), 1.0 * share);
  double lon_step = 2.0 * share;
  double latitude = static_cast<double>(draw.below(1600)) / 10 - 80;
  double longitude = static_cast<double>(draw.below(3600)) / 10 - 180;
  switch (draw.below(5)) {
    case 0:  // the whole Earth, poles among its rows or not
      lat_step = height > 1 ? 180.0 / static_cast<double>(height - (draw.once_in(2) ? 1 : 0)) : 1;
      if (lat_step * static_cast<double>(height - 1) > 180)
        lat_step = 180.0 / static_cast<double>(height);
      lon_step = 360.0 / static_cast<double>(width);
      latitude = 90 - std::max(0.0, (180 - lat_step * static_cast<double>(height - 1)) / 2);
      break;
    case 1:  // down from the north pole
      latitude = 90;
      lon_step = 360.0 / static_cast<double>(width);
      break;
    case 2:  // over the date line
      longitude = 180 - lon_step * static_cast<double>(width) / 2;
      break;
    case 3:  // a small region
      lat_step = lon_step = share / 1000;
      break;
    default:
      break;
  }
  for (std::int64_t y = 0; y < height; ++y)
    drawn.earth.latitude.push_back(std::max(latitude - lat_step * static_cast<double>(y),
                                            -90.0 + 1e-9 * static_cast<double>(height - y)));
  for (std::int64_t x = 0; x < width; ++x)
    drawn.earth.longitude.push_back(longitude + lon_step * static_cast<double>(x));
  if (draw.once_in(4)) drawn.earth.radius = 1000.0 + static_cast<double>(draw.below(10000));
  if (draw.once_in(4)) drawn.earth.flattening = static_cast<double>(draw.below(21)) / 1000;
  if (draw.once_in(3)) {
    const std::int64_t count = draw.below(30);
    for (std::int64_t i = 0; i < count; ++i) {
      drawn.points.push_back(static_cast<double>(draw.below(height * 16)) / 8 - 2);
      drawn.points.push_back(static_cast<double>(draw.below(width * 16)) / 8 - 2);
    }
  } else {
    const std::int64_t sparsity = 1 + draw.below(60);
    drawn.sites.resize(static_cast<std::size_t>(drawn.extents.count()));
    for (std::int16_t& cell : drawn.sites)
      cell = static_cast<std::int16_t>(draw.once_in(sparsity) ? 1 + draw.below(9)
                                       : draw.once_in(20)     ? -1
                                                              : 0);
  }
  if (draw.once_in(4)) drawn.max_distance = 1e5 * share;
  return drawn;
}

/// Coordinates between and beyond centres.
double degrees(const std::vector<double>& centres, double place) {
  const auto last = static_cast<double>(centres.size() - 1);
  if (last == 0) return centres[0];
  const double from = std::min(std::max(std::floor(place), 0.0), last);
  if (from == place) return centres[static_cast<std::size_t>(from)];
  const double begin = std::min(from, last - 1);
  const double a = centres[static_cast<std::size_t>(begin)];
  const double b = centres[static_cast<std::size_t>(begin) + 1];
  return a + (place - begin) * (b - a);
}

Answer compare_all(const Case& of) {
  struct At {
    double latitude, longitude;
  };
  std::vector<At> sites;
  std::vector<std::int64_t> index;
  const std::int64_t width = of.extents[1];
  for (std::size_t i = 0; i < of.sites.size(); ++i)
    if (of.sites[i] > 0) {
      sites.push_back({of.earth.latitude[i / static_cast<std::size_t>(width)],
                       of.earth.longitude[i % static_cast<std::size_t>(width)]});
      index.push_back(static_cast<std::int64_t>(i));
    }
  for (std::size_t i = 0; i + 1 < of.points.size(); i += 2) {
    const double latitude = degrees(of.earth.latitude, of.points[i]);
    sites.push_back(
        {std::min(std::max(latitude, -90.0), 90.0), degrees(of.earth.longitude, of.points[i + 1])});
    index.push_back(static_cast<std::int64_t>(i / 2));
  }
  const bool sphere = of.metric == Metric::great_circle;
  const GeographicLib::Geodesic geodesic(of.earth.radius.value_or(sphere ? 6371008.8 : 6378137.0),
                                         sphere ? 0 : of.earth.flattening);
  Answer answer;
  for (std::int64_t cell = 0; cell < of.extents.count(); ++cell) {
    const double latitude = of.earth.latitude[static_cast<std::size_t>(cell / width)];
    const double longitude = of.earth.longitude[static_cast<std::size_t>(cell % width)];
    double least = kInfinity;
    float direction = std::nanf("");
    std::int64_t nearest = -1;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      double metres, begin, end;
      geodesic.Inverse(latitude, longitude, sites[i].latitude, sites[i].longitude, metres, begin,
                       end);
      const double length = std::nearbyint(metres * 1e6);
      if (length >= least) continue;
      least = length;
      nearest = index[i];
      direction = static_cast<float>(metres == 0 ? 0 : begin > 0 ? begin : begin + 360);
    }
    if (least / 1e6 > of.max_distance) nearest = -1;
    if (!of.sites.empty() && of.sites[static_cast<std::size_t>(cell)] == -1) nearest = -2;
    answer.site.push_back(nearest);
    answer.distance.push_back(nearest >= 0 ? least / 1e6 : nearest == -1 ? kInfinity : -1);
    answer.direction.push_back(nearest >= 0 ? direction : -1);
  }
  return answer;
}

Answer solve(Context& context, const Case& of, Method method) {
  const auto cells = static_cast<std::size_t>(of.extents.count());
  Answer answer{std::vector<std::int64_t>(cells), std::vector<double>(cells),
                std::vector<float>(cells)};
  const NearestSiteOutputs out{.site_index = {answer.site.data(), of.extents},
                               .distance = View<double>(answer.distance.data(), of.extents),
                               .direction = {answer.direction.data(), of.extents}};
  NearestSiteOptions options = of.options();
  options.method = method;
  if (of.sites.empty()) {
    options.nodata = std::nullopt;
    const View<const double> points(of.points.data(), Extents{std::ssize(of.points) / 2, 2});
    voronoi(context, {points}, {of.extents}, options, out);
  } else {
    nearest_site(context, View<const std::int16_t>(of.sites.data(), of.extents), options, out);
  }
  for (double& each : answer.distance)
    if (std::isnan(each)) each = -1;
  for (float& each : answer.direction)
    if (std::isnan(each)) each = -1;
  return answer;
}

TEST(Earth, EqualsComparingAllSites) {
  const char* const wanted = std::getenv("THIESSEN_TEST_PROBLEMS");
  const int problems = wanted != nullptr ? std::atoi(wanted) : 60;
  Context context({.device = "cpu", .threads = 2});
  for (int seed = 0; seed < problems; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(static_cast<std::uint64_t>(seed));
    const Case drawn = draw_case(draw);
    const Answer expected = compare_all(drawn);
    for (const Method method : {Method::exact, Method::brute_force}) {
      const Answer found = solve(context, drawn, method);
      ASSERT_EQ(found.site, expected.site);
      ASSERT_EQ(found.distance, expected.distance);
      ASSERT_EQ(found.direction, expected.direction);
    }
  }
}

/// Many points in one corner of half of the Earth: far away all are nearly as far as each other.
Case draw_far_case(Draw& draw) {
  constexpr std::int64_t kHeight = 16, kWidth = 720, kCorner = 60;
  Case drawn;
  drawn.extents = {kHeight, kWidth};
  const double south = static_cast<double>(draw.below(170)) - 88;
  for (std::int64_t y = 0; y < kHeight; ++y)
    drawn.earth.latitude.push_back(south + 0.25 * static_cast<double>(y));
  for (std::int64_t x = 0; x < kWidth; ++x)
    drawn.earth.longitude.push_back(0.25 * static_cast<double>(x));
  if (draw.once_in(4)) drawn.earth.flattening = 0.02;
  for (int i = 0; i < 80; ++i) {
    drawn.points.push_back(static_cast<double>(draw.below(kHeight * 8)) / 8);
    drawn.points.push_back(static_cast<double>(draw.below(kCorner * 8)) / 8);
  }
  return drawn;
}

TEST(Earth, EqualsComparingAllSitesWhereAllAreFar) {
  constexpr int kShare = 40;  // of the other problems, since these are large
  const char* const wanted = std::getenv("THIESSEN_TEST_PROBLEMS");
  const int problems = wanted != nullptr ? std::atoi(wanted) : 60;
  Context context({.device = "cpu", .threads = 2});
  for (int seed = 0; seed < std::max(problems / kShare, 1); ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(static_cast<std::uint64_t>(5000 + seed));
    const Case drawn = draw_far_case(draw);
    const Answer expected = compare_all(drawn);
    const Answer found = solve(context, drawn, Method::exact);
    ASSERT_EQ(found.site, expected.site);
    ASSERT_EQ(found.distance, expected.distance);
    ASSERT_EQ(found.direction, expected.direction);
  }
}

/// Which share of its error the formula of rough lengths has, for two places: latitudes are reduced
/// ones.
double share_of_error(const cpu::earth::Ellipsoid& ellipsoid, double from, double to,
                      double longitude) {
  const cpu::earth::Chords chords(ellipsoid);
  const cpu::earth::RoughLengths lengths(ellipsoid);
  const GeographicLib::Geodesic geodesic(ellipsoid.radius, ellipsoid.flattening);
  const double degree = cpu::earth::Chords::kRadians;
  const auto latitude = [&](double reduced) {
    if (std::abs(reduced) == 90) return reduced;
    return std::atan(std::tan(reduced * degree) / (1 - ellipsoid.flattening)) / degree;
  };
  const cpu::earth::LatLon a{latitude(from), 0};
  const cpu::earth::LatLon b{latitude(to), longitude};
  double metres = 0;
  geodesic.Inverse(a.latitude, a.longitude, b.latitude, b.longitude, metres);
  const cpu::earth::Point begin = chords.point(a);
  const cpu::earth::Point end = chords.point(b);
  const auto [least, most] = lengths.between(begin, end);
  EXPECT_TRUE(least <= metres && metres <= most);
  constexpr double kMicrometre = 1e-6;
  const auto guess = lengths.guess(begin, end);
  return (std::abs(metres - guess.length) - kMicrometre) / guess.error;
}

TEST(Earth, RoughLengthsHoldWithHalfOfTheirError) {
  constexpr double kMost = 0.51;
  for (const double flattening : {1 / 298.257223563, 0.001, 0.02}) {
    const cpu::earth::Ellipsoid ellipsoid{6378137, flattening};
    const auto check = [&](double from, double to, double longitude) {
      EXPECT_LT(share_of_error(ellipsoid, from, to, longitude), kMost)
          << flattening << ": " << from << ", " << to << ", " << longitude;
    };
    for (double from = -90; from <= 0; from += 5)
      for (double to = -90; to <= 90; to += 5)
        for (double longitude = 0.5; longitude < 180; longitude += 3.5) check(from, to, longitude);
    // About the other end of the Earth.
    for (double from = -90; from <= 0; from += 5)
      for (double to = std::max(-from - 8, -90.0); to <= std::min(8 - from, 90.0); to += 0.5)
        for (double longitude = 170; longitude <= 180; longitude += 0.25)
          check(from, to, longitude);
  }
}

/// There an arc sine of the chord loses half of its digits.
TEST(Earth, RoughLengthsHoldAtTheOtherEnd) {
  Draw draw(1);
  for (const double flattening : {0.0, 1 / 298.257223563, 0.02}) {
    const cpu::earth::Ellipsoid ellipsoid{6378137, flattening};
    const cpu::earth::Chords chords(ellipsoid);
    const cpu::earth::RoughLengths lengths(ellipsoid);
    const cpu::earth::Geodesic geodesic(ellipsoid);
    for (int i = 0; i < 20'000; ++i) {
      const double off = std::pow(10, 2 - 12 * draw.real());
      const cpu::earth::LatLon from{170 * draw.real() - 85, 0};
      const cpu::earth::LatLon to{
          std::clamp(-from.latitude + off * (draw.real() - 0.5), -90.0, 90.0),
          180 + off * (draw.real() - 0.5)};
      const double metres = geodesic.micrometres(from, to) / 1e6;
      const auto [least, most] = lengths.between(chords.point(from), chords.point(to));
      ASSERT_LE(least, metres) << off;
      ASSERT_GE(most, metres) << off;
    }
  }
}

/// Points about a pole, or about the other end of the Earth, on cells of metres or degrees.
TEST(Earth, EqualsComparingAllSitesBesideAPoleAndAtTheOtherEnd) {
  constexpr std::int64_t kSide = 16;
  Context context({.device = "cpu", .threads = 2});
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(9000 + seed);
    Case drawn;
    drawn.extents = {kSide, kSide};
    if (draw.once_in(2)) drawn.metric = Metric::great_circle;
    const bool at_pole = seed % 2 == 0;
    const double step = at_pole ? 1 + 9 * draw.real() : std::pow(10, -7 + 5 * draw.real());
    const double south = at_pole ? -90 + (180 - 15 * step) * draw.real() : 160 * draw.real() - 80;
    for (std::int64_t i = 0; i < kSide; ++i) {
      drawn.earth.latitude.push_back(south + step * static_cast<double>(i));
      drawn.earth.longitude.push_back(10 + step * static_cast<double>(i));
    }
    for (int i = 0; i < 120; ++i) {
      const double across = 48 * step * (draw.real() - 0.3);
      const double latitude = at_pole ? 90 - draw.real() : -south - across;
      const double longitude = at_pole ? 360 * draw.real() : 190 + 48 * step * (draw.real() - 0.3);
      drawn.points.push_back((latitude - south) / step);
      drawn.points.push_back((longitude - 10) / step);
    }
    const Answer expected = solve(context, drawn, Method::brute_force);
    const Answer found = solve(context, drawn, Method::exact);
    ASSERT_EQ(found.site, expected.site);
    ASSERT_EQ(found.distance, expected.distance);
  }
}

TEST(Earth, LabelsAloneAreThoseOfBruteForce) {
  Context context({.device = "cpu", .threads = 2});
  for (std::uint64_t seed = 1000; seed < 1050; ++seed) {
    Draw draw(seed);
    const Case drawn = draw_case(draw);
    if (drawn.sites.empty()) continue;
    std::vector<std::vector<std::int16_t>> labels;
    for (const Method method : {Method::exact, Method::brute_force}) {
      NearestSiteOptions options = drawn.options();
      options.method = method;
      labels.emplace_back(drawn.sites.size());
      nearest_site(context, View<const std::int16_t>(drawn.sites.data(), drawn.extents), options,
                   {.labels = View<std::int16_t>(labels.back().data(), drawn.extents)});
    }
    ASSERT_EQ(labels[0], labels[1]) << seed;
  }
}

TEST(Earth, RefusesWhatItCannotMeasure) {
  Context context({.device = "cpu", .threads = 1});
  const std::vector<std::uint8_t> cells = {0, 1, 0, 0, 0, 0};
  std::vector<std::uint8_t> labels(6);
  const auto refusal = [&](const auto& change) {
    NearestSiteOptions options;
    options.metric = Metric::ellipsoidal;
    options.earth = Earth{{10, 9}, {179, 180, 181}};
    change(options);
    return message_of([&] {
      nearest_site(context, View<const std::uint8_t>(cells.data(), {2, 3}), options,
                   {.labels = View<std::uint8_t>(labels.data(), {2, 3})});
    });
  };
  EXPECT_EQ(refusal([](auto&) {}), "");
  EXPECT_EQ(refusal([](auto& options) { options.earth.reset(); }),
            "metric = ellipsoidal; needs earth, the latitude of each row and the longitude of each "
            "column");
  EXPECT_EQ(refusal([](auto& options) { options.metric = Metric::euclidean; }),
            "earth is given; it is for the metrics ellipsoidal and great-circle");
  EXPECT_EQ(refusal([](auto& options) { options.earth->latitude.push_back(8); }),
            "earth.latitude has 3 values; must have one for each of 2");
  EXPECT_EQ(refusal([](auto& options) { options.earth->latitude[1] = -91; }),
            "latitude[1] = -91; must be from -90 to 90");
  for (const Method method : {Method::chamfer, Method::raster_gpu, Method::expansion,
                              Method::dilation, Method::circle_growing})
    EXPECT_EQ(refusal([&](auto& options) { options.method = method; }),
              "method = " + std::string(name_of(method)) +
                  " on cpu: ellipsoidal is measured by exact and brute-force on the cpu only");
  EXPECT_EQ(refusal([](auto& options) { options.earth->longitude[2] = -179; }),
            "earth.longitude[2] = -179 after 180; they must all rise, or all fall, beyond 180 or "
            "-180 if need be");
  EXPECT_NE(refusal([](auto& options) { options.spacing = {1, 1}; }), "");
  EXPECT_NE(refusal([](auto& options) { options.periodic = {false, true}; }), "");
  EXPECT_NE(refusal([](auto& options) { options.signed_distance = true; }), "");
  EXPECT_NE(refusal([](auto& options) { options.distance_to = DistanceTo::boundary; }), "");
  EXPECT_NE(refusal([](auto& options) { options.earth->radius = 0; }), "");
  EXPECT_NE(refusal([](auto& options) { options.earth->flattening = 0.5; }), "");
  EXPECT_NE(refusal([](auto& options) { options.method = Method::jfa; }), "");
}

}  // namespace
}  // namespace thiessen

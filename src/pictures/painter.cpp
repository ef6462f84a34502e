// SPDX-License-Identifier: Apache-2.0
#include "pictures/painter.hpp"

#include <algorithm>
#include <cmath>

namespace thiessen {
namespace {

constexpr LinearColour kWhiteLight{65535, 65535, 65535};

void blend(LinearColour& under, const LinearColour& over, int coverage) {
  const auto mix = [&](std::uint16_t& from, std::uint16_t to) {
    from = static_cast<std::uint16_t>(from + (to - from) * coverage / 255);
  };
  mix(under.red, over.red);
  mix(under.green, over.green);
  mix(under.blue, over.blue);
  mix(under.opacity, over.opacity);
}

std::uint16_t scaled(std::uint16_t channel, std::uint32_t factor) {
  return static_cast<std::uint16_t>(channel * factor >> 16);
}

/// Darkens: multiplies the colour by factor / 65536.
LinearColour scaled(const LinearColour& light, std::uint32_t factor) {
  return {scaled(light.red, factor), scaled(light.green, factor), scaled(light.blue, factor),
          light.opacity};
}

/// The same colour without transparency; there is one if the opacity is not 0.
LinearColour opaque(const LinearColour& light) {
  constexpr std::uint32_t kOpaque = 65535;
  const auto own = [&](std::uint16_t channel) {
    return static_cast<std::uint16_t>(std::min(channel * kOpaque / light.opacity, kOpaque));
  };
  if (light.opacity == kOpaque || light.opacity == 0) return light;
  return {own(light.red), own(light.green), own(light.blue)};
}

}  // namespace

Painter::Painter(const Scene& scene)
    : scene_(scene),
      seeder_(scene),
      seeds_(static_cast<std::size_t>(2 * scene.reach + 1)),
      row_(scene.columns.size()),
      covered_(scene.columns.size() + 2 * padding()) {}

const std::vector<LinearColour>& Painter::paint(std::int64_t y) {
  if (painted_ == y) return row_;
  seed_until(y);
  paint_cells(y);
  put(y, scene_.contour, &SeedRow::contours, [&](LinearColour& light, int coverage, std::size_t x) {
    constexpr std::uint16_t kDark = 13000;
    if (is_nodata(x)) return;
    const bool dark = !scene_.by_label && light.opacity > 0 && opaque(light).green < kDark;
    blend(light, dark ? kWhiteLight : scene_.ink, dark ? coverage / 3 : coverage);
  });
  put(y, scene_.edge, &SeedRow::edges, [&](LinearColour& light, int coverage, std::size_t) {
    blend(light, edge_over(light), coverage);
  });
  for (const auto& [begin, end] : at(y).solid)
    std::fill(row_.begin() + begin, row_.begin() + end, scene_.ink);
  const auto ink = [&](LinearColour& light, int coverage, std::size_t) {
    blend(light, scene_.ink, coverage);
  };
  put(y, scene_.outline, &SeedRow::outlines, ink);
  put(y, scene_.halo, &SeedRow::points,
      [&](LinearColour& light, int coverage, std::size_t) { blend(light, kWhiteLight, coverage); });
  put(y, scene_.disc, &SeedRow::points, ink);
  painted_ = y;
  return row_;
}

std::size_t Painter::padding() const {
  int most = 0;
  for (const Brush* brush :
       {&scene_.contour, &scene_.edge, &scene_.outline, &scene_.halo, &scene_.disc})
    most = std::max(most, brush->reach_x());
  return static_cast<std::size_t>(most);
}

SeedRow& Painter::at(std::int64_t y) {
  return seeds_[static_cast<std::size_t>(y % static_cast<std::int64_t>(seeds_.size()))];
}

void Painter::seed_until(std::int64_t y) {
  const std::int64_t end = std::min(y + scene_.reach + 1, scene_.y.size);
  seeded_ = std::max(seeded_, std::max<std::int64_t>(y - scene_.reach, 0));
  for (; seeded_ < end; ++seeded_) seeder_.find(seeded_, at(seeded_));
}

void Painter::paint_cells(std::int64_t y) {
  if (scene_.inputs.labels) read_numbers(scene_, y, numbers_);
  if (scene_.inputs.distance) read_distances(scene_, y, distances_);
  if (!scene_.inputs.labels && !scene_.inputs.distance)
    return std::fill(row_.begin(), row_.end(), scene_.background);
  if (scene_.by_label)
    paint_labels();
  else
    paint_distances();
  fade_cells();
  if (scene_.inputs.labels) paint_special_labels();
  if (scene_.inputs.distance) paint_special_distances();
}

void Painter::paint_labels() {
  for (std::size_t x = 0; x < row_.size(); ++x) row_[x] = scene_.palette.of(numbers_[x]);
  const double darker = scene_.options.shade;
  const double greatest = std::max(scene_.range.greatest, -scene_.range.least);
  if (!scene_.inputs.distance || darker == 0 || !(greatest > 0)) return;
  for (std::size_t x = 0; x < row_.size(); ++x) {
    const double distance = std::fabs(distances_[x]);
    if (!(distance < kInfinity)) continue;
    const double share = std::min(distance / greatest, 1.0);
    const double factor = 1 - darker * std::sqrt(share);
    // A factor of sRGB is about its square in linear light.
    row_[x] = scaled(row_[x], static_cast<std::uint32_t>(65536 * factor * factor));
  }
}

void Painter::paint_distances() {
  constexpr double kLast = kRampColours - 1;
  // Halves, so that the difference of two finite numbers is finite.
  const double least = scene_.range.least / 2;
  const double span = scene_.range.greatest / 2 - least;
  for (std::size_t x = 0; x < row_.size(); ++x) {
    if (!(std::fabs(distances_[x]) < kInfinity)) continue;
    const double share = span > 0 ? std::clamp((distances_[x] / 2 - least) / span, 0.0, 1.0) : 0;
    row_[x] = scene_.ramp[static_cast<std::size_t>(std::floor(along_ramp(share) * kLast + 0.5))];
  }
}

double Painter::along_ramp(double share) const {
  constexpr double kSteepness = 99;
  switch (scene_.options.ramp_scale) {
    case RampScale::sqrt:
      return std::sqrt(share);
    case RampScale::log:
      return std::min(log2_of(1 + kSteepness * share) / log2_of(1 + kSteepness), 1.0);
    case RampScale::linear:
      break;
  }
  return share;
}

void Painter::fade_cells() {
  const auto factor = static_cast<std::uint32_t>(std::floor(65536 * scene_.options.opacity + 0.5));
  if (factor == 65536) return;
  for (LinearColour& light : row_) {
    light = scaled(light, factor);
    light.opacity = scaled(light.opacity, factor);
  }
}

void Painter::paint_special_labels() {
  for (std::size_t x = 0; x < row_.size(); ++x) {
    if (numbers_[x] == scene_.unreached && scene_.by_label) row_[x] = scene_.background;
    if (scene_.is_nodata(numbers_[x])) row_[x] = scene_.grey;
  }
}

void Painter::paint_special_distances() {
  for (std::size_t x = 0; x < row_.size(); ++x) {
    if (std::fabs(distances_[x]) < kInfinity) continue;
    row_[x] = distances_[x] != distances_[x] ? scene_.grey : scene_.background;
  }
}

bool Painter::is_nodata(std::size_t x) const {
  if (scene_.inputs.labels && scene_.is_nodata(numbers_[x])) return true;
  return scene_.inputs.distance && distances_[x] != distances_[x];
}

LinearColour Painter::edge_over(const LinearColour& light) const {
  constexpr std::uint32_t kDarker = 65536 / 6;
  if (scene_.options.edge_colour) return to_linear_colour(*scene_.options.edge_colour);
  return light.opacity == 0 ? scene_.ink : scaled(opaque(light), kDarker);
}

template <class Paint>
void Painter::put(std::int64_t y, const Brush& brush, std::vector<std::int32_t> SeedRow::*seeds,
                  const Paint& paint) {
  std::uint8_t* covered = covered_.data() + padding();
  bool any = false;
  const std::int64_t first = std::max<std::int64_t>(y - brush.reach_y(), 0);
  const std::int64_t last = std::min(y + brush.reach_y(), scene_.y.size - 1);
  for (std::int64_t row = first; row <= last; ++row) {
    const std::vector<std::int32_t>& columns = at(row).*seeds;
    brush.put(static_cast<int>(row - y), columns, covered);
    any = any || !columns.empty();
  }
  if (!any) return;
  for (std::size_t x = 0; x < row_.size(); ++x)
    if (covered[x] != 0) paint(row_[x], covered[x], x);
  std::fill(covered_.begin(), covered_.end(), std::uint8_t{0});
}

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
#include "support/problems/raster_problem.hpp"

#include <cmath>
#include <cstring>
#include <iterator>
#include <sstream>

namespace thiessen::testing {
namespace {

void draw_noise(Draw& draw, RasterProblem& problem) {
  // A distance between one site and all cells; every power of ten is equally likely.
  const double share = std::pow(10, -4 * draw.real()) * (draw.once_in(8) ? 2 : 1);
  for (auto& site : problem.sites) site = draw.real() < share ? 1 : 0;
}

void fill_balls(Draw& draw, RasterProblem& problem, std::uint8_t value) {
  const std::int64_t count = 1 + draw.below(12);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t radius = 1 + draw.below(30);
    const Sizes centre = {draw.below(problem.size[0]), draw.below(problem.size[1]),
                          draw.below(problem.size[2])};
    for (std::int64_t z = 0; z < problem.size[0]; ++z)
      for (std::int64_t y = 0; y < problem.size[1]; ++y)
        for (std::int64_t x = 0; x < problem.size[2]; ++x) {
          const std::int64_t dz = z - centre[0], dy = y - centre[1], dx = x - centre[2];
          if (dz * dz + dy * dy + dx * dx <= radius * radius) problem.at(z, y, x) = value;
        }
  }
}

void draw_blobs(Draw& draw, RasterProblem& problem) { fill_balls(draw, problem, 1); }

/// As many sites as suit the near search, with holes as wide as its windows.
void draw_holes(Draw& draw, RasterProblem& problem) {
  const double share = 0.002 + 0.03 * draw.real();
  for (auto& site : problem.sites) site = draw.real() < share ? 1 : 0;
  fill_balls(draw, problem, 0);
}

void draw_circle(Draw& draw, RasterProblem& problem) {
  const double radius = draw.real() * static_cast<double>(problem.size[1] + problem.size[2]) / 3;
  for (int i = 0; i < 1000; ++i) {
    const auto y =
        static_cast<std::int64_t>(static_cast<double>(problem.size[1]) / 2 + radius * std::cos(i));
    const auto x =
        static_cast<std::int64_t>(static_cast<double>(problem.size[2]) / 2 + radius * std::sin(i));
    if (y >= 0 && y < problem.size[1] && x >= 0 && x < problem.size[2])
      problem.at(draw.below(problem.size[0]), y, x) = 1;
  }
}

void draw_lines(Draw& draw, RasterProblem& problem) {
  const std::int64_t count = 1 + draw.below(4);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::size_t axis = static_cast<std::size_t>(draw.below(3));
    Sizes cell = {draw.below(problem.size[0]), draw.below(problem.size[1]),
                  draw.below(problem.size[2])};
    for (cell[axis] = 0; cell[axis] < problem.size[axis]; ++cell[axis])
      problem.at(cell[0], cell[1], cell[2]) = 1;
  }
}

/// A plane, or the skin of a ball: volumes with dense sites that are far from most cells.
void draw_surface(Draw& draw, RasterProblem& problem) {
  const std::size_t axis = static_cast<std::size_t>(draw.below(4));
  const Sizes centre = {draw.below(problem.size[0]), draw.below(problem.size[1]),
                        draw.below(problem.size[2])};
  const std::int64_t radius = 1 + draw.below(40);
  const std::int64_t thin = 1 + draw.below(3);
  for (std::int64_t z = 0; z < problem.size[0]; ++z)
    for (std::int64_t y = 0; y < problem.size[1]; ++y)
      for (std::int64_t x = 0; x < problem.size[2]; ++x) {
        const Sizes from = {z - centre[0], y - centre[1], x - centre[2]};
        const std::int64_t square = from[0] * from[0] + from[1] * from[1] + from[2] * from[2];
        const bool skin = square >= radius * radius && square < (radius + 1) * (radius + 1);
        if ((axis < 3 ? from[axis] == 0 : skin) && draw.below(thin) == 0) problem.at(z, y, x) = 1;
      }
}

void draw_checkerboard(Draw& draw, RasterProblem& problem) {
  const std::int64_t square = 1 + draw.below(50);
  for (std::int64_t z = 0; z < problem.size[0]; ++z)
    for (std::int64_t y = 0; y < problem.size[1]; ++y)
      for (std::int64_t x = 0; x < problem.size[2]; ++x)
        problem.at(z, y, x) = (z / square + y / square + x / square) % 2 == 1 ? 1 : 0;
}

/// Values that repeat, but differ between neighbours, also in one byte.
void fill_cells(Draw& draw, RasterProblem& problem) {
  const std::size_t element = size_of(problem.type);
  problem.cells.resize(problem.sites.size() * element);
  for (std::size_t i = 0; i < problem.sites.size(); ++i) {
    if (problem.sites[i] == 0) continue;
    const auto value = static_cast<std::int8_t>(1 + i % 120);
    std::byte* cell = problem.cells.data() + i * element;
    if (problem.type == ElementType::f32) {
      const auto real = static_cast<float>(value);
      std::memcpy(cell, &real, sizeof real);
    } else if (problem.type == ElementType::f64) {
      const auto real = static_cast<double>(value);
      std::memcpy(cell, &real, sizeof real);
    } else {
      std::memcpy(cell, &value, 1);
      if (element > 1 && draw.once_in(2)) cell[element / 2] = static_cast<std::byte>(1 + i % 100);
    }
  }
}

/// Dense dots in a corner of a raster that is empty otherwise: the lists of its leaves fill up.
void draw_corner(Draw& draw, RasterProblem& problem) {
  const double share = 0.1 + 0.6 * draw.real();
  Sizes end = problem.size;
  for (auto& each : end) each = 1 + draw.below(each);
  for (std::int64_t z = 0; z < end[0]; ++z)
    for (std::int64_t y = 0; y < end[1]; ++y)
      for (std::int64_t x = 0; x < end[2]; ++x)
        if (draw.real() < share) problem.at(z, y, x) = 1;
}

/// Every cell of a diagonal, or every few: equally near to many cells by manhattan distance.
void draw_diagonal(Draw& draw, RasterProblem& problem) {
  const std::int64_t step = 1 + draw.below(3);
  const std::int64_t first = draw.below(problem.size[2]);
  for (std::int64_t y = 0; y < problem.size[1]; y += step)
    problem.at(draw.below(problem.size[0]), y, (first + y) % problem.size[2]) = 1;
}

Sizes draw_size(Draw& draw, const AxisRange& range) {
  const bool volume = draw.once_in(2);
  const auto side = [&](std::int64_t longest) {
    return range.shortest + draw.below(longest - range.shortest + 1);
  };
  // Wider than the tiles that the far search begins with.
  if (!volume && draw.once_in(5)) return {1, 1 + draw.below(40), side(range.longest_thin)};
  if (!volume) return {1, side(range.longest_2d), side(range.longest_2d)};
  return {2 + draw.below(range.longest_3d), side(range.longest_3d), side(range.longest_3d)};
}

void draw_layout(Draw& draw, RasterProblem& problem) {
  constexpr void (*kLayouts[])(Draw&, RasterProblem&) = {
      draw_noise,   draw_noise,   draw_noise,        draw_holes,  draw_holes,
      draw_blobs,   draw_circle,  draw_lines,        draw_corner, draw_corner,
      draw_surface, draw_surface, draw_checkerboard, draw_corner, draw_diagonal};
  kLayouts[draw.below(std::size(kLayouts))](draw, problem);
  if (draw.once_in(6)) draw_noise(draw, problem);
  if (draw.once_in(10))
    for (auto& site : problem.sites) site = 1 - site;
}

/// Chooses the site cells, their labels, and the distances.
void draw_rules(Draw& draw, RasterProblem& problem) {
  NearestSiteOptions& options = problem.options;
  if (draw.once_in(5))
    options.signed_distance = true;
  else if (draw.once_in(8))
    options.distance_to = DistanceTo::boundary;
  if (problem.type == ElementType::boolean) return;
  if (draw.once_in(6)) options.nodata = std::int64_t{1 + draw.below(100)};
  if (draw.once_in(8))
    options.values = {std::int64_t{7}, std::int64_t{8}, std::int64_t{60}};
  else if (options.nodata && draw.once_in(4))
    options.zero_is_site = true;
  else if (options.nodata && draw.once_in(3))
    options.free_nodata = true;
  if (draw.once_in(6)) options.unreached = std::int64_t{5};
}

void draw_geometry(Draw& draw, RasterProblem& problem) {
  constexpr double kSpacings[] = {1, 1, 1, 2, 3, 0.5, 0.3, 1.7, 10};
  NearestSiteOptions& options = problem.options;
  const int rank = problem.rank();
  if (draw.once_in(3)) options.metric = static_cast<Metric>(draw.below(3));
  if (draw.once_in(3))
    for (int axis = 0; axis < rank; ++axis)
      options.spacing.push_back(kSpacings[draw.below(std::size(kSpacings))]);
  if (draw.once_in(4)) options.max_distance = 30 * draw.real();
  if (draw.once_in(3))
    for (int axis = 0; axis < rank; ++axis) options.periodic.push_back(draw.once_in(2));
}

}  // namespace

RasterProblem draw_raster_problem(std::uint64_t seed, const AxisRange& range) {
  constexpr ElementType kTypes[] = {ElementType::i32, ElementType::i32,    ElementType::u8,
                                    ElementType::i16, ElementType::f32,    ElementType::i64,
                                    ElementType::f64, ElementType::boolean};
  Draw draw(seed);
  RasterProblem problem;
  problem.size = draw_size(draw, range);
  if (draw.once_in(12)) problem.size[static_cast<std::size_t>(1 + draw.below(2))] = 1;
  for (auto& side : problem.size)
    if (side > 1) side = (side + range.multiple - 1) / range.multiple * range.multiple;
  problem.sites.resize(
      static_cast<std::size_t>(problem.size[0] * problem.size[1] * problem.size[2]));
  problem.type = kTypes[draw.below(std::size(kTypes))];
  draw_layout(draw, problem);
  draw_geometry(draw, problem);
  draw_rules(draw, problem);
  fill_cells(draw, problem);
  return problem;
}

std::string describe(const RasterProblem& problem) {
  const NearestSiteOptions& options = problem.options;
  std::ostringstream text;
  text << problem.size[0] << 'x' << problem.size[1] << 'x' << problem.size[2] << ' '
       << name_of(problem.type) << ", " << name_of(options.metric) << ", spacing";
  for (const double each : options.spacing) text << ' ' << each;
  text << ", periodic";
  for (const bool each : options.periodic) text << ' ' << each;
  text << ", max_distance " << options.max_distance << (options.nodata ? ", nodata" : "")
       << (options.values.empty() ? "" : ", values")
       << (options.zero_is_site ? ", zero_is_site" : "")
       << (options.free_nodata ? ", free_nodata" : "")
       << (options.signed_distance ? ", signed" : "")
       << (options.distance_to == DistanceTo::boundary ? ", to the boundary" : "");
  return text.str();
}

}  // namespace thiessen::testing

// SPDX-License-Identifier: Apache-2.0
//
// A picture is painted row by row on a canvas with at least as many units as there are pixels; then
// the units of each pixel are averaged. Lines and marks start from seeds: units of the canvas that
// are found some rows ahead of those that are painted. This file checks the arguments, chooses the
// brushes for the picture, and divides its rows among the threads; the folder render/ has the rest.
#include "thiessen/render.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <string>

#include "core/base/context_state.hpp"
#include "core/base/refuse.hpp"
#include "core/problem/problem.hpp"
#include "operations/checks/options.hpp"
#include "operations/rows/numbers.hpp"
#include "pictures/averager.hpp"
#include "pictures/painter.hpp"
#include "pictures/scene.hpp"
#include "pictures/seeds.hpp"
#include "thiessen/error.hpp"
#include "threads/guarded.hpp"
#include "threads/parallel.hpp"

namespace thiessen {
namespace {

void check_options(const RenderInputs& inputs, const RenderOptions& options,
                   const View<std::uint8_t>& pixels) {
  check_options(kRenderOptions, &options, 2);
  if (options.opacity < 1 && pixels.extent(2) == 3)
    refuse("opacity", shortest_decimal(options.opacity),
           "must be 1 without a fourth channel: pixels must have the extents (y, x, 4)");
  if (options.range) {
    const auto& [least, greatest] = *options.range;
    if (!std::isfinite(least) || !std::isfinite(greatest) || !(least < greatest))
      refuse("range", shortest_decimal(least) + "," + shortest_decimal(greatest),
             "must be two finite distances, the smaller one first");
  }
  if (!inputs.distance && options.mode == RenderMode::distance)
    refuse("distance", "is missing; the mode is to colour by it");
  if (!inputs.distance && options.contours)
    refuse("distance", "is missing; contours are lines of equal distance");
}

void check(const RenderInputs& inputs, const RenderOptions& options,
           const View<std::uint8_t>& pixels) {
  if (pixels.rank() != 3 || (pixels.extent(2) != 3 && pixels.extent(2) != 4))
    refuse("pixels", "must have the extents (y, x, 3) or (y, x, 4)");
  check_aligned_cells("pixels", pixels);
  check_no_self_overlap("pixels", pixels);
  const Extents* extents = nullptr;
  const auto check_input = [&](const char* name, const View<const void>& view) {
    if (!view) return;
    check_aligned_cells(name, view);
    check_no_overlap("pixels", pixels, name, view);
    if (view.rank() != 2) refuse(name, "must be 2-D");
    if (extents != nullptr && view.extents() != *extents)
      refuse(name, "must have the extents of the other inputs");
    if (view.extents().count() == 0 && pixels.extents().count() > 0)
      refuse(name, "has no cells; there is nothing to paint");
    extents = &view.extents();
  };
  check_input("labels", inputs.labels);
  check_input("distance", inputs.distance);
  check_input("sites", inputs.sites);
  if (extents == nullptr) refuse("labels, distance and sites are missing; must be one at least");
  if (inputs.distance && inputs.distance.element_type() != ElementType::f32 &&
      inputs.distance.element_type() != ElementType::f64)
    refuse("distance",
           "is " + std::string(name_of(inputs.distance.element_type())) + "; must be f32 or f64");
  check_options(inputs, options, pixels);
}

/// The thickness of lines in pixels, by the size of the picture.
double thickness_of(const View<std::uint8_t>& pixels) {
  const double area = static_cast<double>(pixels.extent(0)) * static_cast<double>(pixels.extent(1));
  return std::max(1.0, std::sqrt(area) / 1000);
}

/// The mean length in pixels between edges along a row, and the mean distance between single sites,
/// from some evenly spread rows.
struct Density {
  double edges = kInfinity;
  double points = kInfinity;
};

Density measure_density(Progress& progress, const Scene& scene) {
  constexpr std::int64_t kRows = 512;
  std::int64_t edges = 0;
  std::int64_t points = 0;
  const std::int64_t rows = std::min(kRows, scene.y.size);
  Seeder seeder(scene);
  SeedRow seeds;
  for (std::int64_t i = 0; i < rows; ++i) {
    progress.check();
    seeder.find(i * scene.y.size / rows, seeds);
    edges += static_cast<std::int64_t>(seeds.edges.size());
    points += static_cast<std::int64_t>(seeds.points.size());
  }
  // On average there are as many edges across the row as along it.
  const double height = static_cast<double>(rows) * scene.y.scale;
  const auto width = static_cast<double>(scene.x.pixels);
  Density density;
  if (edges > 0) density.edges = 2 * width * static_cast<double>(rows) / static_cast<double>(edges);
  if (points > 0) density.points = std::sqrt(width * height / static_cast<double>(points));
  return density;
}

void choose_brushes(Scene& scene, double thickness, const Density& density) {
  const auto brush = [&](double width, double strength = 1) {
    Brush made(width, scene.y.scale, scene.x.scale, strength);
    scene.reach = std::max(scene.reach, made.reach_y());
    return made;
  };
  // Where cells are small, lines get thinner, but stay visible: at most a seventh of a cell is
  // line.
  const double thin = std::max(0.1 * density.edges, std::min(0.6, 0.15 * density.edges));
  const double edge = std::min(1.2 * thickness, thin);
  const double cell =
      std::min(static_cast<double>(scene.y.pixels) / static_cast<double>(scene.y.cells),
               static_cast<double>(scene.x.pixels) / static_cast<double>(scene.x.cells));
  const double least_disc = cell > 1 ? std::min(0.3 * cell, 20 * thickness) : 0;
  const double disc = std::max(std::min(5 * thickness, 0.18 * density.points), least_disc);
  scene.contour = brush(0.9 * thickness, 0.6);
  scene.edge = brush(edge);
  scene.outline = brush(1.6 * edge);
  scene.halo = brush(1.5 * disc, 0.9);
  scene.disc = brush(disc);
}

void paint(ContextState& state, const RenderInputs& inputs, const RenderOptions& options,
           const View<std::uint8_t>& pixels) {
  if (pixels.extents().count() == 0) return;
  const double thickness = thickness_of(pixels);
  Scene scene = make_scene(inputs, options, pixels, thickness);
  state.progress.begin((inputs.distance ? scene.y.cells : 0) + scene.y.pixels);
  measure_distances(state, scene);
  choose_brushes(scene, thickness, measure_density(state.progress, scene));
  // Each piece finds the seeds above its first row again.
  const auto repeated = static_cast<std::int64_t>(8 * scene.reach * scene.y.scale);
  const std::int64_t grain = std::max<std::int64_t>(repeated, 32);
  parallel_for(state, scene.y.pixels, grain, 1, [&](std::int64_t begin, std::int64_t end, int) {
    Painter painter(scene);
    Averager averager(scene);
    for (std::int64_t y = begin; y < end; ++y) {
      state.progress.check();
      averager.paint_row(painter, pixels, y);
    }
  });
}

}  // namespace

void render(Context& context, const RenderInputs& inputs, const RenderOptions& options,
            View<std::uint8_t> pixels) {
  ContextState& state = context.state();
  guarded(state, [&] {
    check(inputs, options, pixels);
    try {
      paint(state, inputs, options, pixels);
    } catch (const std::bad_alloc&) {
      throw Error(ErrorCode::out_of_memory, "no memory for some rows of the picture");
    }
  });
}

void render(Context& context, const RenderInputs& inputs, View<std::uint8_t> pixels) {
  render(context, inputs, {}, pixels);
}

}  // namespace thiessen

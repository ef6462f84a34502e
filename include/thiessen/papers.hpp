// SPDX-License-Identifier: Apache-2.0
//
// Options of the methods of papers alone: the jump flooding family, and those that go through the
// raster's cells.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thiessen/choices/choice.hpp"
#include "thiessen/export.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// State of jump flooding between two passes.
struct FloodingPass {
  std::int64_t number = 0;  ///< passes that are done; 0 is the start, after a mask of noise
  std::int64_t count = 0;   ///< passes in all
  std::int64_t step = 0;    ///< jump length of the last pass in cells; 0 at the start
  /// For each cell the index of the site that it holds, or -1; nodata cells hold sites as others
  /// do, and a max distance is not looked at. On the host, valid until the callback returns.
  View<const std::int64_t> site_index = {};
};

/// Where a cell looks in a pass of jump flooding. Made by square(), circle(), random_circle() or
/// find_pattern().
struct Pattern {
  enum class Shape : std::uint8_t { square, circle, random_circle };

  Shape shape = Shape::square;
  int points = 0;  ///< on a circle: 1 to 64; 0 for a square

  /// The 8 cells (26 in 3-D) that lie a step away along some of the axes.
  static constexpr Pattern square() { return {}; }
  /// So many points, evenly on a circle whose radius is the step. 2-D only.
  static constexpr Pattern circle(int points) { return {Shape::circle, points}; }
  /// So many random points on that circle, others for each cell and pass. 2-D only.
  static constexpr Pattern random_circle(int points) { return {Shape::random_circle, points}; }

  bool operator==(const Pattern&) const = default;
};

/// "square", "circle:12", "random-circle:9".
THIESSEN_API std::string name_of(const Pattern& pattern);

/// The pattern of a name, or nothing; circles have 1 to 64 points.
THIESSEN_API std::optional<Pattern> find_pattern(std::string_view name);

/// Random sites for cells that hold none.
enum class Noise : std::uint8_t {
  none,
  in_place,  ///< taken for what an empty cell holds, by itself and by its neighbours
  mask,      ///< put into empty cells before the first pass
};

inline constexpr std::string_view kNoiseNames[] = {"none", "in-place", "mask"};

constexpr std::string_view name_of(Noise noise) { return detail::choice_name(kNoiseNames, noise); }

/// The noise of a name, or nothing.
constexpr std::optional<Noise> find_noise(std::string_view name) {
  return detail::find_choice<Noise>(kNoiseNames, name);
}

/// How steps become shorter, from the longest axis of p cells down to 1.
enum class StepRule : std::uint8_t {
  pow2,     ///< the least power of two that is at least p/2, halved until 1
  half,     ///< ⌊p/2⌋, ⌊p/4⌋, ⌊p/8⌋ … until 1
  quarter,  ///< ⌈p/2⌉, ⌈p/8⌉, ⌈p/32⌉ … until 1
  third,    ///< ⌈p/3⌉, ⌈p/9⌉, ⌈p/27⌉ … until 1
};

inline constexpr std::string_view kStepRuleNames[] = {"pow2", "half", "quarter", "third"};

constexpr std::string_view name_of(StepRule rule) {
  return detail::choice_name(kStepRuleNames, rule);
}

/// The rule of a name, or nothing.
constexpr std::optional<StepRule> find_step_rule(std::string_view name) {
  return detail::find_choice<StepRule>(kStepRuleNames, name);
}

/// What the methods of the jump flooding family can be told. What is not given is the method's own
/// (docs/methods.md has the table); all other methods refuse it.
struct FloodingOptions {
  /// Jump lengths of the passes in cells, each from 1 to 2^30: {256, 64, 8, 1}. Steps longer than
  /// the raster are legal.
  std::vector<std::int64_t> steps = {};

  /// In place of the method's rule; passes that it does before, after or again stay. Not together
  /// with `steps`.
  std::optional<StepRule> step_rule = std::nullopt;

  std::optional<Pattern> pattern = std::nullopt;

  std::optional<Noise> noise = std::nullopt;

  /// Seed of the noise and of random circles.
  std::uint64_t seed = 0;

  /// For Method::jfa_coeurjolly and Method::jfa_thrust only: a cell without a site measures as his
  /// program does, as if it held the site (row n, column 0) below a raster of n rows; so it takes
  /// only what is nearer than that, and may stay empty.
  bool literal = false;

  /// Called with the start and after each pass, from the thread that called the library. It costs 8
  /// bytes a cell, and the passes are then done one by one. What it throws ends the call.
  std::function<void(const FloodingPass&)> on_pass = {};
};

/// Which cells a thread of a GPU takes, if K threads have more than K cells to do (W. Tu, J. Wang,
/// "Raster-based method for Voronoi diagram using GPU parallel technology"). Results do not depend
/// on it.
enum class Allotment : std::uint8_t {
  /// Thread i takes the cells i, i + K, i + 2K, …: the program of the paper, and its equation (3),
  /// but for the stride. Neighbouring threads read neighbouring cells.
  cyclic,
  /// Thread i takes the C cells from i · C on, C = cells / K rounded up: equation (2).
  contiguous,
};

inline constexpr std::string_view kAllotmentNames[] = {"cyclic", "contiguous"};

constexpr std::string_view name_of(Allotment allotment) {
  return detail::choice_name(kAllotmentNames, allotment);
}

/// The allotment of a name, or nothing.
constexpr std::optional<Allotment> find_allotment(std::string_view name) {
  return detail::find_choice<Allotment>(kAllotmentNames, name);
}

/// Options of the methods that go through the raster's cells (docs/raster-methods.md).
struct RasterOptions {
  /// For Method::raster_gpu: up to so many sites every cell is compared with all of them; with
  /// more, each cell looks around itself until it meets one, as Method::expansion does. >= 0; -1:
  /// what was measured for the device.
  std::int64_t scan_sites = -1;

  /// For Method::circle_growing: by how many cells (of the longest spacing) the radius grows from
  /// round to round. 1 to 2^30. Results do not depend on it.
  std::int64_t growth_step = 1;

  /// For Method::dilation and Method::expansion on the CPU, as Tu and Wang have them, who settle no
  /// labels: a dilated cell takes the first of the labels that reach it in its round, whether or
  /// not a site of a lesser index is as near; a cell expands its neighbourhood until a site is met,
  /// and takes the nearest of those met, whether or not a nearer one lies in a larger
  /// neighbourhood. Approximate; deterministic.
  bool labels_carried = false;
  /// For Method::brute_force on cuda and opencl: which cells a thread takes; nothing: cyclic.
  std::optional<Allotment> allotment = std::nullopt;
};

}  // namespace thiessen

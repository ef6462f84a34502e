// SPDX-License-Identifier: Apache-2.0
//
// Options of the methods of papers alone: jump flooding, and the methods that go through the
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
  /// For each cell the index of the site that it holds, or -1. Nodata cells hold sites like all
  /// others, and the max distance is ignored. On the host, valid until the callback returns.
  View<const std::int64_t> site_index = {};
};

/// The places that a cell reads in a pass of jump flooding. Made by square(), circle(),
/// random_circle() or find_pattern().
struct Pattern {
  enum class Shape : std::uint8_t { square, circle, random_circle };

  Shape shape = Shape::square;
  int points = 0;  ///< on a circle: 1 to 64; 0 for a square

  /// The 8 cells (26 in 3-D) that lie a step away along some of the axes.
  static constexpr Pattern square() { return {}; }
  /// This many points, evenly on a circle whose radius is the step. 2-D only.
  static constexpr Pattern circle(int points) { return {Shape::circle, points}; }
  /// This many random points on that circle, different for each cell and pass. 2-D only.
  static constexpr Pattern random_circle(int points) { return {Shape::random_circle, points}; }

  bool operator==(const Pattern&) const = default;
};

/// "square", "circle:12", "random-circle:9".
THIESSEN_API std::string name_of(const Pattern& pattern);

/// The pattern with this name, or nullopt; circles have 1 to 64 points.
THIESSEN_API std::optional<Pattern> find_pattern(std::string_view name);

/// Random sites for cells that hold none.
enum class Noise : std::uint8_t {
  none,
  in_place,  ///< taken for what an empty cell holds, by itself and by its neighbours
  mask,      ///< put into empty cells before the first pass
};

inline constexpr std::string_view kNoiseNames[] = {"none", "in-place", "mask"};

constexpr std::string_view name_of(Noise noise) { return detail::choice_name(kNoiseNames, noise); }

/// The noise with this name, or nullopt.
constexpr std::optional<Noise> find_noise(std::string_view name) {
  return detail::find_choice<Noise>(kNoiseNames, name);
}

/// The rule by which steps become shorter, from the longest axis of p cells down to 1.
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

/// The rule with this name, or nullopt.
constexpr std::optional<StepRule> find_step_rule(std::string_view name) {
  return detail::find_choice<StepRule>(kStepRuleNames, name);
}

/// Options of the methods of jump flooding. Each method has its own default (docs/methods.md has
/// the table). These options are an error with any other method.
struct FloodingOptions {
  /// Jump lengths of the passes in cells, each from 1 to 2^30: {256, 64, 8, 1}. Steps longer than
  /// the raster are legal.
  std::vector<std::int64_t> steps = {};

  /// A rule in place of the method's own. The method's additional passes (before, after or
  /// repeated) are kept. Cannot be combined with `steps`.
  std::optional<StepRule> step_rule = std::nullopt;

  std::optional<Pattern> pattern = std::nullopt;

  std::optional<Noise> noise = std::nullopt;

  /// Seed of the noise and of random circles.
  std::uint64_t seed = 0;

  /// For Method::jfa_coeurjolly and Method::jfa_thrust only. A cell without a site measures as in
  /// Coeurjolly's program: as if it held the site (row n, column 0) below a raster of n rows. It
  /// therefore takes only a nearer site, and may stay empty.
  bool literal = false;

  /// A function that is called with the start and after each pass, from the thread that called the
  /// library. It costs 8 bytes a cell, and the passes are then done one by one. An exception that
  /// it throws ends the call.
  std::function<void(const FloodingPass&)> on_pass = {};
};

/// The cells that a thread of a GPU takes, if K threads have more than K cells (W. Tu, J. Wang,
/// "Raster-based method for Voronoi diagram using GPU parallel technology"). Results do not depend
/// on it.
enum class Allotment : std::uint8_t {
  /// Thread i takes the cells i, i + K, i + 2K, …: the program of the paper, and its equation (3),
  /// except for the stride. Neighbouring threads read neighbouring cells.
  cyclic,
  /// Thread i takes the C cells from i · C on, C = cells / K rounded up: equation (2).
  contiguous,
};

inline constexpr std::string_view kAllotmentNames[] = {"cyclic", "contiguous"};

constexpr std::string_view name_of(Allotment allotment) {
  return detail::choice_name(kAllotmentNames, allotment);
}

/// The allotment with this name, or nullopt.
constexpr std::optional<Allotment> find_allotment(std::string_view name) {
  return detail::find_choice<Allotment>(kAllotmentNames, name);
}

/// Options of the raster methods (docs/raster-methods.md).
struct RasterOptions {
  /// For Method::raster_gpu: up to this number of sites, every cell is compared with all of them.
  /// With more sites, each cell looks around itself until it meets one, as in Method::expansion. >=
  /// 0; -1: the number that was measured for the device.
  std::int64_t scan_sites = -1;

  /// For Method::circle_growing: the growth of the radius from round to round, in cells (of the
  /// longest spacing). 1 to 2^30. Results do not depend on it.
  std::int64_t growth_step = 1;

  /// For Method::dilation and Method::expansion on the CPU, as in the paper of Tu and Wang, which
  /// settles no labels. A dilated cell takes the first of the labels that reach it in its round,
  /// even if a site with a lesser index is as near. A cell expands its neighbourhood until it meets
  /// a site, and takes the nearest of the sites it met, even if a nearer one lies in a larger
  /// neighbourhood. Approximate; deterministic.
  bool labels_carried = false;
  /// For Method::brute_force on cuda and opencl: the cells that a thread takes. Default: cyclic.
  std::optional<Allotment> allotment = std::nullopt;
};

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
// Jump flooding: what every backend does, pass by pass, so that all give the same bits.
//
// Every cell holds one site or none. At the start, the cell of a site holds it; for a point it is
// the nearest cell, see start_of(). If a cell gets several sites, it holds the one with the
// smallest index. With a mask of noise each other cell then holds noise_rank(). A pass of step k
// makes a new state from the old one alone: a cell holds the first, in the order (S, site index),
// of the site that it held and those that its neighbours held; S is the exact distance from the
// cell to the site itself. Its neighbours are the cells at fixed offsets (flooding_offsets()) or at
// random offsets of its own (random_direction()). A periodic axis continues at its other end;
// a neighbour beyond the end of another axis is skipped. With noise in place, an empty cell counts
// as holding its noise_rank(), for itself and for its neighbours: so the first pass makes the
// states that it would make from a mask, and no cell is empty any more. Nodata cells take part like
// all others. After the last pass the states are the answer; only then max distance and nodata
// matter. Papers to the letter have other rules for ties and empty cells, see FloodingPaper.
//
// G. Rong, T.-S. Tan, "Jump flooding in GPU with applications to Voronoi diagram and distance
// transform" (2006); 1+JFA, JFA+1, JFA+2 and JFA² by the same, "Variants of jump flooding algorithm
// for computing discrete Voronoi diagrams" (2007). M. Czyżewski, "GPU-Accelerated Jump Flooding
// Algorithm for Voronoi Diagram in log*(n)": noise, circles, JFA+ and JFA*.
//
// Notation: p cells of the longest axis, n sites, k step.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/base/cells.hpp"
#include "core/base/host_device.hpp"
#include "core/base/int128.hpp"
#include "core/base/rng.hpp"
#include "core/order/torus.hpp"
#include "thiessen/choices/method.hpp"
#include "thiessen/papers.hpp"

namespace thiessen {

/// What the backends call the shape of a pattern, and the noise.
using FloodingPattern = Pattern::Shape;
using FloodingNoise = Noise;

/// The passes that a method makes of the steps of its rule.
enum class FloodingPasses : std::uint8_t {
  plain,          ///< the steps as they are
  one_before,     ///< 1, then these
  one_after,      ///< these, then 1
  two_one_after,  ///< these, then 2 and 1
  twice,
  log_four,  ///< the first ⌈log4(p)⌉ of them, 1 at least
  // The first counted_steps() of them, then 1:
  star,
  log_star,
  log_star_one,
};

/// Whose rules decide what a cell takes in a pass.
enum class FloodingPaper : std::uint8_t {
  none,        ///< ours, see above
  coeurjolly,  ///< of equally near sites the one seen first; neighbours in the order of his program
  /// The site seen last of equally near ones, in the order of index of the cells that hold them,
  /// the cell itself among them. A cell that holds the site of cell 0 looks empty to all others,
  /// and a mask covers it, as (0, 0) is "no site" in his kernel.
  czyzewski,
};

struct FloodingMethod {
  Method method;
  StepRule rule;
  FloodingPasses passes;
  FloodingPattern pattern;
  int points;  ///< on a circle
  FloodingNoise noise;
  FloodingPaper paper = FloodingPaper::none;
};

inline constexpr FloodingMethod kFloodingMethods[] = {
    {Method::jfa, StepRule::pow2, FloodingPasses::plain, FloodingPattern::square, 0,
     FloodingNoise::none},
    {Method::one_jfa, StepRule::pow2, FloodingPasses::one_before, FloodingPattern::square, 0,
     FloodingNoise::none},
    {Method::jfa_one, StepRule::pow2, FloodingPasses::one_after, FloodingPattern::square, 0,
     FloodingNoise::none},
    {Method::jfa_two, StepRule::pow2, FloodingPasses::two_one_after, FloodingPattern::square, 0,
     FloodingNoise::none},
    {Method::jfa2, StepRule::pow2, FloodingPasses::twice, FloodingPattern::square, 0,
     FloodingNoise::none},
    {Method::jfa_noise, StepRule::pow2, FloodingPasses::plain, FloodingPattern::square, 0,
     FloodingNoise::mask},
    {Method::jfa_plus, StepRule::quarter, FloodingPasses::plain, FloodingPattern::square, 0,
     FloodingNoise::in_place},
    {Method::jfa_star, StepRule::third, FloodingPasses::star, FloodingPattern::circle, 12,
     FloodingNoise::mask},
    {Method::jfa_coeurjolly, StepRule::half, FloodingPasses::one_before, FloodingPattern::square, 0,
     FloodingNoise::none, FloodingPaper::coeurjolly},
    {Method::jfa_one_paper, StepRule::half, FloodingPasses::one_after, FloodingPattern::square, 0,
     FloodingNoise::none, FloodingPaper::czyzewski},
    {Method::jfa_plus_paper, StepRule::half, FloodingPasses::log_four, FloodingPattern::square, 0,
     FloodingNoise::in_place, FloodingPaper::czyzewski},
    {Method::jfa_star_paper, StepRule::third, FloodingPasses::log_star,
     FloodingPattern::random_circle, 12, FloodingNoise::mask, FloodingPaper::czyzewski},
    {Method::jfa_star_one_paper, StepRule::third, FloodingPasses::log_star_one,
     FloodingPattern::random_circle, 12, FloodingNoise::mask, FloodingPaper::czyzewski},
};

/// jfa_coeurjolly by Thrust; the cuda backend alone has it.
inline constexpr FloodingMethod kThrustMethod{Method::jfa_thrust,
                                              StepRule::half,
                                              FloodingPasses::one_before,
                                              FloodingPattern::square,
                                              0,
                                              FloodingNoise::none,
                                              FloodingPaper::coeurjolly};

/// Null for a method that is none of the family.
const FloodingMethod* find_flooding_method(Method method);

/// A method of the family with the options given to it.
struct Flooding {
  StepRule rule = StepRule::pow2;
  FloodingPasses passes = FloodingPasses::plain;
  std::vector<std::int64_t> steps;  ///< if not empty: they replace rule and passes
  FloodingPattern pattern = FloodingPattern::square;
  int points = 0;
  FloodingNoise noise = FloodingNoise::none;
  FloodingPaper paper = FloodingPaper::none;
  bool literal = false;  ///< FloodingOptions::literal
  std::uint64_t seed = 0;
  std::function<void(const FloodingPass&)> on_pass;
};

/// Nothing for a method that is none of the family; for that, options must be left as they are.
/// Throws Error{invalid_argument} naming the option, its value and the rule.
std::optional<Flooding> make_flooding(Method method, const FloodingOptions& options);

/// The steps of the passes over a raster of `extent` with so many sites.
std::vector<std::int64_t> flooding_steps(const Flooding& flooding, const Axes& extent,
                                         std::int64_t sites);

/// L of FloodingPasses::star: a number that grows by one from 2, 9, 65, 1025 and 65,537 sites on,
/// as in the program in Czyżewski's repository. It is not log*, although that program calls it so.
THIESSEN_HD inline int iterated_logarithm(std::int64_t sites) {
  return (sites > 1 ? 1 : 0) + (sites > 8 ? 1 : 0) + (sites > 64 ? 1 : 0) + (sites > 1024 ? 1 : 0) +
         (sites > 65536 ? 1 : 0);
}

/// log*(n): how often the binary logarithm is taken until the number is at most 1.
THIESSEN_HD inline int log_star(std::int64_t sites) {
  return (sites > 1 ? 1 : 0) + (sites > 2 ? 1 : 0) + (sites > 4 ? 1 : 0) + (sites > 16 ? 1 : 0) +
         (sites > 65536 ? 1 : 0);
}

/// Whether the number of sites decides how many passes there are.
constexpr bool is_counted(FloodingPasses passes) {
  return passes == FloodingPasses::star || passes == FloodingPasses::log_star ||
         passes == FloodingPasses::log_star_one;
}
inline bool is_counted(const Flooding& flooding) {
  return flooding.steps.empty() && is_counted(flooding.passes);
}

/// The most steps that counted passes take from their rule: L + 1, log*(n) - 1 and log*(n). The
/// passes for more sites begin with those for fewer, except for the last, which is 1.
THIESSEN_HD inline std::int64_t counted_steps(FloodingPasses passes, std::int64_t sites) {
  if (passes == FloodingPasses::star) return iterated_logarithm(sites) + 1;
  const int logarithm = log_star(sites);
  if (passes == FloodingPasses::log_star_one) return logarithm;
  return logarithm > 0 ? logarithm - 1 : 0;
}

/// Whether a cell takes a site that it sees, in place of the one that it has.
template <class Scalar, class Code>
THIESSEN_HD bool takes(FloodingPaper paper, Scalar exact, Code site, Scalar best_exact,
                       Code best_site) {
  const bool wins_ties =
      (paper == FloodingPaper::czyzewski) | ((paper == FloodingPaper::none) & (site < best_site));
  // No branch: nobody can predict which of two sites is nearer.
  return (exact < best_exact) | ((exact == best_exact) & wins_ties);
}

/// A direction in units of 2^-30.
struct UnitVector {
  std::int32_t y = 0;
  std::int32_t x = 0;
};

/// (sin, cos) of 2π·i/count, for count >= 1: by integers alone, so that it is the same everywhere.
/// A half, one and zero are exact.
UnitVector unit_vector(std::int64_t i, std::int64_t count);

inline constexpr int kUnitBits = 30;
/// The number of random directions.
inline constexpr int kDirections = 256;
inline constexpr int kMostCirclePoints = 64;

/// `step` times a component of a direction, rounded half away from zero. For steps up to 2^30.
THIESSEN_HD inline std::int64_t along_direction(std::int64_t step, std::int32_t component) {
  constexpr std::int64_t kHalf = std::int64_t{1} << (kUnitBits - 1);
  const std::int64_t product = step * component;
  return product < 0 ? -((-product + kHalf) >> kUnitBits) : (product + kHalf) >> kUnitBits;
}

/// The offsets of the neighbours in one pass, in the order in which a cell looks at them; not for
/// random circles. Ours are each there once. A circle with at least 8 points reaches all 8
/// neighbours at step 1.
std::vector<Axes> flooding_offsets(const Flooding& flooding, int rank, std::int64_t step);

/// The directions from which random circles choose.
std::array<UnitVector, kDirections> flooding_directions();

/// Streams of the generator: draws for different purposes are independent, also of the random sites
/// with the same seed.
inline constexpr std::uint64_t kNoiseStream = 0x6E6F697365000000u;
inline constexpr std::uint64_t kCircleStream = 0x636972636C650000u;

/// The rank of the site that noise puts into a cell, among `sites` (> 0) in the order of their
/// index; all ranks are equally likely.
THIESSEN_HD inline std::int64_t noise_rank(std::uint64_t seed, std::int64_t cell,
                                           std::int64_t sites) {
  const std::uint64_t draw = splitmix64(seed ^ kNoiseStream, static_cast<std::uint64_t>(cell));
  return static_cast<std::int64_t>((UInt128{draw} * static_cast<std::uint64_t>(sites)) >> 64);
}

/// Seed of the random circles of pass `pass` (from 0).
THIESSEN_HD inline std::uint64_t circle_seed(std::uint64_t seed, std::int64_t pass) {
  return splitmix64(seed ^ kCircleStream, static_cast<std::uint64_t>(pass));
}

/// The number of 64-bit draws for the random circle of a cell: a byte a point.
THIESSEN_HD constexpr std::int64_t circle_draws(int points) { return (points + 7) / 8; }

/// The number of the direction in which point `point` of a cell lies.
THIESSEN_HD inline int random_direction(std::uint64_t pass_seed, std::int64_t cell, int points,
                                        int point) {
  const auto first =
      static_cast<std::uint64_t>(cell) * static_cast<std::uint64_t>(circle_draws(points));
  const std::uint64_t draw = splitmix64(pass_seed, first + static_cast<std::uint64_t>(point / 8));
  return static_cast<int>(draw >> (8 * (point % 8)) & 0xFF);
}

/// The cell nearest to a coordinate of a point in units of 2^-fraction_bits of a cell; the first of
/// two equally near ones. On a periodic axis, of `extent` cells, the point must lie within the
/// period.
THIESSEN_HD inline std::int64_t start_of(std::int64_t place, int fraction_bits, std::int64_t extent,
                                         bool periodic) {
  const std::int64_t half = fraction_bits > 0 ? std::int64_t{1} << (fraction_bits - 1) : 1;
  const std::int64_t cell = (place + half - 1) >> fraction_bits;
  if (periodic) return cell == extent ? 0 : cell;
  return cell < 0 ? 0 : cell >= extent ? extent - 1 : cell;
}

/// A cell's neighbour along one axis, or -1 if it lies beyond an end.
THIESSEN_HD inline std::int64_t neighbour_along(std::int64_t cell, std::int64_t offset,
                                                std::int64_t extent, bool periodic) {
  const std::int64_t at = cell + offset;
  if (at >= 0 && at < extent) return at;
  if (!periodic) return -1;
  const std::int64_t rest = at % extent;
  return rest < 0 ? rest + extent : rest;
}

}  // namespace thiessen

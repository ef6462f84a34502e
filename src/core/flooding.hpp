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
// matter.
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

#include "core/cells.hpp"
#include "core/host_device.hpp"
#include "core/int128.hpp"
#include "core/rng.hpp"
#include "core/torus.hpp"
#include "thiessen/flooding.hpp"
#include "thiessen/method.hpp"

namespace thiessen {

/// What the backends call the shape of a pattern, and the noise.
using FloodingPattern = Pattern::Shape;
using FloodingNoise = Noise;

/// The rules for the steps of a method.
enum class FloodingSteps : std::uint8_t {
  halving,  ///< the least power of two that is at least p/2, halved until 1
  one_halving,
  halving_one,
  halving_two_one,
  halving_twice,
  quartering,  ///< ⌈p/2⌉, ⌈p/8⌉, ⌈p/32⌉ … until 1
  /// ⌈p/3⌉, ⌈p/9⌉, ⌈p/27⌉ … until 1 or until there are L + 1 of them, then 1. L is 0 for n <= 1, 1
  /// for n <= 8, 2 for n <= 64, 3 for n <= 1024, 4 for n <= 65,536, else 5.
  star,
};

struct FloodingMethod {
  Method method;
  FloodingSteps steps;
  FloodingPattern pattern;
  int points;  ///< on a circle
  FloodingNoise noise;
};

inline constexpr FloodingMethod kFloodingMethods[] = {
    {Method::jfa, FloodingSteps::halving, FloodingPattern::square, 0, FloodingNoise::none},
    {Method::one_jfa, FloodingSteps::one_halving, FloodingPattern::square, 0, FloodingNoise::none},
    {Method::jfa_one, FloodingSteps::halving_one, FloodingPattern::square, 0, FloodingNoise::none},
    {Method::jfa_two, FloodingSteps::halving_two_one, FloodingPattern::square, 0,
     FloodingNoise::none},
    {Method::jfa2, FloodingSteps::halving_twice, FloodingPattern::square, 0, FloodingNoise::none},
    {Method::jfa_noise, FloodingSteps::halving, FloodingPattern::square, 0, FloodingNoise::mask},
    {Method::jfa_plus, FloodingSteps::quartering, FloodingPattern::square, 0,
     FloodingNoise::in_place},
    {Method::jfa_star, FloodingSteps::star, FloodingPattern::circle, 12, FloodingNoise::mask},
};

/// 1+jfa as Coeurjolly's program does it; the cuda backend alone has it.
inline constexpr FloodingMethod kThrustMethod{Method::jfa_thrust, FloodingSteps::one_halving,
                                              FloodingPattern::square, 0, FloodingNoise::none};

/// Null for a method that is none of the family.
const FloodingMethod* find_flooding_method(Method method);

/// A method of the family with the options given to it.
struct Flooding {
  FloodingSteps rule = FloodingSteps::halving;
  std::vector<std::int64_t> steps;  ///< if not empty: they replace the rule
  FloodingPattern pattern = FloodingPattern::square;
  int points = 0;
  FloodingNoise noise = FloodingNoise::none;
  std::uint64_t seed = 0;
  std::function<void(const FloodingPass&)> on_pass;
};

/// Nothing for a method that is none of the family; for that, options must be left as they are.
/// Throws Error{invalid_argument} naming the option, its value and the rule.
std::optional<Flooding> make_flooding(Method method, const FloodingOptions& options);

/// The steps of the passes over a raster of `extent` with so many sites.
std::vector<std::int64_t> flooding_steps(const Flooding& flooding, const Axes& extent,
                                         std::int64_t sites);

/// L of FloodingSteps::star: the number of iterated logarithms that the document's program takes
/// for a number of sites. The steps for more sites begin with those for fewer, except for the last,
/// which is 1.
THIESSEN_HD inline int iterated_logarithm(std::int64_t sites) {
  return (sites > 1 ? 1 : 0) + (sites > 8 ? 1 : 0) + (sites > 64 ? 1 : 0) + (sites > 1024 ? 1 : 0) +
         (sites > 65536 ? 1 : 0);
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

/// The offsets of the neighbours in one pass, each once; not for random circles. A circle with at
/// least 8 points reaches all 8 neighbours at step 1.
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

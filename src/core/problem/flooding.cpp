// SPDX-License-Identifier: Apache-2.0
//
// The table of the jump flooding family: steps, patterns and noise of each method; and exact points
// on circles, by integers.
#include "core/problem/flooding.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/refuse.hpp"

namespace thiessen {
namespace {

/// p/divisor, rounded down for StepRule::half, up for the others; but 1 at least.
std::int64_t part_of(std::int64_t longest, std::int64_t divisor, StepRule rule) {
  const std::int64_t up = rule == StepRule::half ? 0 : divisor - 1;
  return std::max<std::int64_t>((longest + up) / divisor, 1);
}

std::vector<std::int64_t> steps_of(StepRule rule, std::int64_t longest) {
  if (rule == StepRule::pow2)  // p/2 of the next power of two
    return steps_of(StepRule::half,
                    static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(longest))));
  const std::int64_t first = rule == StepRule::third ? 3 : 2;
  const std::int64_t factor = rule == StepRule::quarter ? 4 : first;
  std::vector<std::int64_t> steps;
  for (std::int64_t divisor = first; steps.empty() || steps.back() > 1; divisor *= factor)
    steps.push_back(part_of(longest, divisor, rule));
  return steps;
}

/// ⌈log4(n)⌉.
std::int64_t log_four(std::int64_t n) {
  return (std::bit_width(static_cast<std::uint64_t>(n - 1)) + 1) / 2;
}

void keep(std::vector<std::int64_t>& steps, std::int64_t most) {
  if (std::cmp_less(most, steps.size())) steps.resize(static_cast<std::size_t>(most));
}

void append(std::vector<std::int64_t>& steps, const std::vector<std::int64_t>& more) {
  steps.insert(steps.end(), more.begin(), more.end());
}

constexpr std::string_view kSquare = "square";
constexpr std::string_view kCircle = "circle:";
constexpr std::string_view kRandomCircle = "random-circle:";

/// Whether the pattern is one that square(), circle() and random_circle() make, of legal size.
bool is_legal(const Pattern& pattern) {
  if (pattern.shape == Pattern::Shape::square) return pattern.points == 0;
  return pattern.points >= 1 && pattern.points <= kMostCirclePoints;
}

void set_pattern(Flooding& flooding, const Pattern& pattern) {
  if (!is_legal(pattern))
    refuse("pattern", name_of(pattern),
           "must be square, circle:N or random-circle:N, N from 1 to 64");
  flooding.pattern = pattern.shape;
  flooding.points = pattern.points;
}

/// sin and cos of an angle of 0 to π/4, all in units of 2^-60: the Taylor series.
struct SineCosine {
  std::int64_t sine;
  std::int64_t cosine;
};

SineCosine sine_cosine(std::int64_t angle) {
  constexpr int kBits = 60;
  constexpr int kTerms = 20;
  Int128 term = Int128{1} << kBits;  // angle^i / i!
  Int128 sum[2] = {term, 0};         // even terms, odd terms
  for (int i = 1; i <= kTerms; ++i) {
    term = (term * angle >> kBits) / i;
    sum[i % 2] += i % 4 < 2 ? term : -term;
  }
  return {static_cast<std::int64_t>(sum[1]), static_cast<std::int64_t>(sum[0])};
}

std::vector<Axes> circle_offsets(int points, std::int64_t step) {
  std::vector<Axes> offsets;
  for (int i = 0; i < points; ++i) {
    const UnitVector unit = unit_vector(i, points);
    offsets.push_back({0, along_direction(step, unit.y), along_direction(step, unit.x)});
  }
  return offsets;
}

/// In the order of their index, the cell itself among them.
std::vector<Axes> square_offsets(int rank, std::int64_t step) {
  std::vector<Axes> offsets;
  for (std::int64_t z = rank == 3 ? -step : 0; z <= (rank == 3 ? step : 0); z += step)
    for (std::int64_t y = -step; y <= step; y += step)
      for (std::int64_t x = -step; x <= step; x += step) offsets.push_back({z, y, x});
  return offsets;
}

/// Left, right and middle columns, and in each the row of the cell, above and below.
std::vector<Axes> coeurjolly_offsets(std::int64_t step) {
  std::vector<Axes> offsets;
  for (const std::int64_t x : {-step, step, std::int64_t{0}})
    for (const std::int64_t y : {std::int64_t{0}, -step, step})
      if (y != 0 || x != 0) offsets.push_back({0, y, x});
  return offsets;
}

std::int32_t to_component(std::int64_t value) {
  constexpr int kDropped = 60 - kUnitBits;
  return static_cast<std::int32_t>((value + (std::int64_t{1} << (kDropped - 1))) >> kDropped);
}

}  // namespace

std::string name_of(const Pattern& pattern) {
  if (pattern.shape == Pattern::Shape::square) return std::string(kSquare);
  const bool random = pattern.shape == Pattern::Shape::random_circle;
  return std::string(random ? kRandomCircle : kCircle) + std::to_string(pattern.points);
}

std::optional<Pattern> find_pattern(std::string_view name) {
  if (name == kSquare) return Pattern::square();
  const bool random = name.starts_with(kRandomCircle);
  if (!random && !name.starts_with(kCircle)) return std::nullopt;
  name.remove_prefix(random ? kRandomCircle.size() : kCircle.size());
  int points = 0;
  const char* const end = name.data() + name.size();
  const auto [last, error] = std::from_chars(name.data(), end, points);
  const Pattern pattern = random ? Pattern::random_circle(points) : Pattern::circle(points);
  if (error != std::errc() || last != end || !is_legal(pattern)) return std::nullopt;
  return pattern;
}

const FloodingMethod* find_flooding_method(Method method) {
  if (method == kThrustMethod.method) return &kThrustMethod;
  const auto* const found =
      std::find_if(std::begin(kFloodingMethods), std::end(kFloodingMethods),
                   [&](const FloodingMethod& each) { return each.method == method; });
  return found == std::end(kFloodingMethods) ? nullptr : found;
}

std::optional<Flooding> make_flooding(Method method, const FloodingOptions& options) {
  const FloodingMethod* const own = find_flooding_method(method);
  if (own == nullptr) return std::nullopt;
  Flooding flooding{.rule = options.step_rule.value_or(own->rule),
                    .passes = own->passes,
                    .steps = options.steps,
                    .pattern = own->pattern,
                    .points = own->points,
                    .noise = own->noise,
                    .paper = own->paper,
                    .literal = options.literal,
                    .seed = options.seed,
                    .on_pass = options.on_pass};
  if (options.pattern) set_pattern(flooding, *options.pattern);
  if (options.noise) flooding.noise = *options.noise;
  return flooding;
}

std::vector<std::int64_t> flooding_steps(const Flooding& flooding, const Axes& extent,
                                         std::int64_t sites) {
  if (!flooding.steps.empty()) return flooding.steps;
  const std::int64_t longest = *std::max_element(extent.begin(), extent.end());
  std::vector<std::int64_t> steps = steps_of(flooding.rule, longest);
  switch (flooding.passes) {
    case FloodingPasses::plain:
      break;
    case FloodingPasses::one_before:
      steps.insert(steps.begin(), 1);
      break;
    case FloodingPasses::one_after:
      steps.push_back(1);
      break;
    case FloodingPasses::two_one_after:
      append(steps, {2, 1});
      break;
    case FloodingPasses::twice:
      append(steps, steps_of(flooding.rule, longest));
      break;
    case FloodingPasses::log_four:
      keep(steps, std::max<std::int64_t>(log_four(longest), 1));
      break;
    default:
      keep(steps, counted_steps(flooding.passes, sites));
      steps.push_back(1);
  }
  return steps;
}

UnitVector unit_vector(std::int64_t i, std::int64_t count) {
  // π/4 in units of 2^-60. The circle has eight parts in which sin and cos change roles or signs;
  // `eighths` counts in 1/count of a part.
  constexpr std::int64_t kQuarterPi = 0xC90FDAA22168C23;
  const std::int64_t eighths = 8 * (i % count);
  const std::int64_t part = eighths / count;
  const std::int64_t rest = part % 2 == 0 ? eighths % count : count - eighths % count;
  const auto angle = static_cast<std::int64_t>(Int128{kQuarterPi} * rest / count);
  const SineCosine in_part = sine_cosine(angle);
  const bool swapped = (part + 1) / 2 % 2 == 1;
  const std::int32_t y = to_component(swapped ? in_part.cosine : in_part.sine);
  const std::int32_t x = to_component(swapped ? in_part.sine : in_part.cosine);
  return {part >= 4 ? -y : y, part >= 2 && part < 6 ? -x : x};
}

std::vector<Axes> flooding_offsets(const Flooding& flooding, int rank, std::int64_t step) {
  std::vector<Axes> offsets;
  if (flooding.pattern == FloodingPattern::circle)
    offsets = circle_offsets(flooding.points, step);
  else if (flooding.paper == FloodingPaper::coeurjolly)
    return coeurjolly_offsets(step);
  else
    offsets = square_offsets(rank, step);
  if (flooding.paper != FloodingPaper::none) return offsets;
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  std::erase(offsets, Axes{0, 0, 0});
  return offsets;
}

std::array<UnitVector, kDirections> flooding_directions() {
  std::array<UnitVector, kDirections> directions;
  for (int i = 0; i < kDirections; ++i)
    directions[static_cast<std::size_t>(i)] = unit_vector(i, kDirections);
  return directions;
}

}  // namespace thiessen

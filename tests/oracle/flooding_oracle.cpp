// SPDX-License-Identifier: Apache-2.0
#include "oracle/flooding_oracle.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/rng.hpp"

namespace thiessen::oracle {
namespace {

using State = std::vector<std::int64_t>;

/// sin or cos times the step, by way of a multiple of 2^-30.
std::int64_t on_circle(std::int64_t step, double component) {
  const long double fixed = std::roundl(std::ldexp(static_cast<long double>(component), 30));
  return std::llroundl(std::ldexp(static_cast<long double>(step) * fixed, -30));
}

std::vector<Axes> offsets_of(const FloodingScheme& scheme, int rank, std::size_t pass,
                             std::int64_t cell) {
  const std::int64_t step = scheme.steps[pass];
  std::vector<Axes> offsets;
  if (scheme.pattern == "square")
    for (int code = 0; code < (rank == 2 ? 9 : 27); ++code)
      offsets.push_back(
          {step * (code / 9 - (rank == 3)), step * (code / 3 % 3 - 1), step * (code % 3 - 1)});
  if (scheme.pattern == "square" && scheme.ties == "first")
    offsets = {{0, 0, -step},    {0, -step, -step}, {0, step, -step}, {0, 0, step},
               {0, -step, step}, {0, step, step},   {0, -step, 0},    {0, step, 0}};
  const std::uint64_t pass_seed = splitmix64(scheme.seed ^ 0x636972636C650000u, pass);
  for (int i = 0; i < scheme.points && scheme.pattern != "square"; ++i) {
    double turn = static_cast<double>(i) / scheme.points;
    if (scheme.pattern == "random-circle") {
      const int draws = (scheme.points + 7) / 8;
      const std::uint64_t draw =
          splitmix64(pass_seed, static_cast<std::uint64_t>(cell * draws + i / 8));
      turn = static_cast<double>(draw >> (8 * (i % 8)) & 255) / 256;
    }
    const double angle = 2 * 3.14159265358979323846 * turn;
    offsets.push_back({0, on_circle(step, std::sin(angle)), on_circle(step, std::cos(angle))});
  }
  return offsets;
}

std::int64_t noise_of(const FloodingScheme& scheme, std::size_t cell, std::size_t sites) {
  const std::uint64_t draw = splitmix64(scheme.seed ^ 0x6E6F697365000000u, cell);
  return static_cast<std::int64_t>((UInt128{draw} * sites) >> 64);
}

/// The cell that a site starts in.
std::int64_t start_of(const Problem& problem, const Site& site) {
  Axes cell;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const double place = std::ldexp(static_cast<double>(site.place[axis]), -problem.fraction_bits);
    cell[axis] = static_cast<std::int64_t>(std::ceil(place - 0.5));
    if (problem.period[axis] != kNoPeriod) cell[axis] %= problem.extent[axis];
    cell[axis] = std::clamp<std::int64_t>(cell[axis], 0, problem.extent[axis] - 1);
  }
  return to_index(problem.extent, cell);
}

/// The linear index of a neighbour, or -1.
std::int64_t neighbour_of(const Problem& problem, Axes cell, const Axes& offset) {
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const std::int64_t extent = problem.extent[axis];
    cell[axis] += offset[axis];
    if (problem.period[axis] != kNoPeriod) cell[axis] = (cell[axis] % extent + extent) % extent;
    if (cell[axis] < 0 || cell[axis] >= extent) return -1;
  }
  return to_index(problem.extent, cell);
}

}  // namespace

std::vector<std::int64_t> flood(const Problem& problem, const std::vector<Site>& sites,
                                const FloodingScheme& scheme) {
  State state(static_cast<std::size_t>(problem.cells()), -1);
  for (std::size_t rank = sites.size(); rank-- > 0;)
    state[static_cast<std::size_t>(start_of(problem, sites[rank]))] =
        static_cast<std::int64_t>(rank);
  const auto seen = [&](std::int64_t rank) {
    const bool hidden =
        scheme.ties == "last" && rank >= 0 && sites[static_cast<std::size_t>(rank)].index == 0;
    return hidden ? -1 : rank;
  };
  for (std::size_t cell = 0; cell < state.size() && scheme.noise == "mask"; ++cell)
    if (seen(state[cell]) < 0 && !sites.empty()) state[cell] = noise_of(scheme, cell, sites.size());
  for (std::size_t pass = 0; pass < scheme.steps.size(); ++pass) {
    const State old = state;
    std::vector<Axes> offsets = offsets_of(scheme, problem.rank, pass, 0);
    for (std::size_t i = 0; i < state.size(); ++i) {
      const auto index = static_cast<std::int64_t>(i);
      const Axes cell = to_cell(problem.extent, index);
      if (scheme.pattern == "random-circle")
        offsets = offsets_of(scheme, problem.rank, pass, index);
      const auto s = [&](std::int64_t rank) {
        return exact_distance(problem, problem.centre(cell),
                              sites[static_cast<std::size_t>(rank)].place);
      };
      if (old[i] < 0 && scheme.noise == "in-place" && !sites.empty())
        state[i] = noise_of(scheme, i, sites.size());
      Int128 least = state[i] < 0 ? 0 : s(state[i]);
      if (state[i] < 0 && scheme.literal)
        least = exact_distance(problem, problem.centre(cell), {0, problem.extent[1], 0});
      for (const Axes& offset : offsets) {
        const std::int64_t next = neighbour_of(problem, cell, offset);
        if (next < 0) continue;
        std::int64_t held = seen(old[static_cast<std::size_t>(next)]);
        if (held < 0 && scheme.noise == "in-place" && !sites.empty())
          held = noise_of(scheme, static_cast<std::size_t>(next), sites.size());
        if (held < 0 || held == state[i]) continue;
        const Int128 exact = s(held);
        const bool wins_tie = scheme.ties == "index" ? held < state[i] : scheme.ties == "last";
        if ((state[i] >= 0 || scheme.literal) && (exact > least || (exact == least && !wins_tie)))
          continue;
        state[i] = held;
        least = exact;
      }
    }
  }
  return state;
}

}  // namespace thiessen::oracle

// SPDX-License-Identifier: Apache-2.0
//
// Costs are compared with the least one of the cell, so that powers neither overflow nor vanish:
// the term of the first site is 1. Powers are products, as those of libraries differ in the last
// bit. The sum is compensated (A. Neumaier, 1974): the weights then sum to 1 but for their own
// rounding.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/problem/call_checks.hpp"
#include "core/problem/outputs.hpp"
#include "thiessen/shape_functions.hpp"
#include "threads/guarded.hpp"
#include "threads/rows.hpp"

namespace thiessen {
namespace {

constexpr std::int64_t kMostPower = 16;

void check_shepard(const ContextState& state, const View<const void>& distance,
                   const ShepardOptions& options, const View<double>& weights) {
  if (options.power < 1 || options.power > kMostPower)
    refuse("power", std::to_string(options.power), "must be from 1 to 16");
  const int rank = distance.rank();
  if (rank != 3 && rank != 4)
    refuse("distance",
           "has " + std::to_string(rank) + " axes; must have (k, y, x) or (k, z, y, x)");
  const ReachableMemory reachable(state);
  check_distance_type({"distance", distance});
  check_output({"distance", distance}, distance.extents(), reachable);
  check_output({"weights", weights}, distance.extents(), reachable);
  for (const View<const void>& view : {distance, View<const void>(weights)})
    if (view.space() != MemorySpace::host) refuse("distance", "and weights must be on the host");
  check_overlaps({{"distance", distance}}, {{"weights", weights}});
}

double power_of(double ratio, std::int64_t power) {
  double product = ratio;
  for (std::int64_t i = 1; i < power; ++i) product *= ratio;
  return product;
}

/// A sum that keeps what its additions round away.
class CompensatedSum {
 public:
  void add(double term) {
    const double next = sum_ + term;
    rest_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }
  double value() const { return sum_ + rest_; }

 private:
  double sum_ = 0;
  double rest_ = 0;
};

/// Turns the costs of a cell into weights.
void weigh(std::vector<double>& costs, std::int64_t power) {
  const double least = costs.front();
  CompensatedSum sum;
  for (double& each : costs) {
    const bool is_site = each >= 0 && each < std::numeric_limits<double>::infinity();
    if (!is_site)
      each = 0;
    else if (least == 0)
      each = each == 0 ? 1 : 0;
    else
      each = power_of(least / each, power);
    sum.add(each);
  }
  const double total = sum.value();
  if (total == 0) return;
  for (double& each : costs) each /= total;
}

double cost_at(const View<const void>& plane, const Axes& cell) {
  const std::byte* const address = address_of(plane, cell);
  if (plane.element_type() == ElementType::f64) {
    double cost;
    std::memcpy(&cost, address, sizeof cost);
    return cost;
  }
  float cost;
  std::memcpy(&cost, address, sizeof cost);
  return static_cast<double>(cost);
}

void weigh_cells(ContextState& state, const View<const void>& distance,
                 const ShepardOptions& options, const View<double>& weights) {
  const std::int64_t k = distance.extent(0);
  if (distance.extents().count() == 0) return;
  std::vector<View<const void>> from;
  std::vector<View<double>> to;
  for (std::int64_t place = 0; place < k; ++place) {
    from.push_back(with_three_axes(part_of(distance, 0, place)));
    to.push_back(with_three_axes(part_of(weights, 0, place)));
  }
  const Axes extent = to_axes(from.front().extents());
  const auto weigh_rows = [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> costs(static_cast<std::size_t>(k));
    for (std::int64_t i = begin * extent[2]; i < end * extent[2]; ++i) {
      const Axes cell = to_cell(extent, i);
      for (std::size_t place = 0; place < costs.size(); ++place)
        costs[place] = cost_at(from[place], cell);
      weigh(costs, options.power);
      for (std::size_t place = 0; place < costs.size(); ++place)
        std::memcpy(address_of(to[place], cell), &costs[place], sizeof(double));
    }
  };
  state.progress.begin(extent[0] * extent[1] * extent[2]);
  loop_over_rows(state, extent[2], extent[2])(extent[0] * extent[1], weigh_rows);
}

}  // namespace

void shepard_weights(Context& context, View<const void> distance, const ShepardOptions& options,
                     View<double> weights) {
  ContextState& state = context.state();
  guarded(state, [&] {
    check_shepard(state, distance, options, weights);
    weigh_cells(state, distance, options, weights);
  });
}

}  // namespace thiessen

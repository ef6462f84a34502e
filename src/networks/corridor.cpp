// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/base/cells.hpp"
#include "core/base/context_state.hpp"
#include "core/base/refuse.hpp"
#include "core/problem/call_checks.hpp"
#include "core/problem/problem.hpp"
#include "networks/searches.hpp"
#include "operations/rows/numbers.hpp"
#include "threads/guarded.hpp"
#include "threads/rows.hpp"

namespace thiessen {
namespace networks {
namespace {

void check_limit(const std::optional<double>& limit, const char* name) {
  if (limit && !(*limit >= 0)) refuse(name, shortest_decimal(*limit), "must be >= 0");
}

void check_corridor(const CorridorOptions& options, const CorridorOutputs& out,
                    const Extents& extents) {
  check_limit(options.within, "within");
  check_limit(options.within_percent, "within_percent");
  if (options.within && options.within_percent)
    refuse("within_percent", "is given beside within; must be one of them");
  if (out.inside && !options.within && !options.within_percent)
    refuse("inside", "is wanted; needs within or within_percent");
  std::vector<NamedView> outputs;
  if (out.excess_cost) outputs.push_back({"excess_cost", out.excess_cost});
  if (out.inside) outputs.push_back({"inside", out.inside});
  for (const NamedView& output : outputs) check_output(output, extents, {});
  if (out.excess_cost) check_distance_type(outputs.front());
  check_overlaps({}, outputs);
}

/// A sum of costs is no more than the least one, but for the rounding of paths.
constexpr double kRounding = 0x1p-36;

class CorridorWriter {
 public:
  CorridorWriter(const CorridorOutputs& out, const Axes& extent, double least, double within)
      : excess_(with_three_axes(out.excess_cost)),
        inside_(with_three_axes<View<void>>(out.inside)),
        extent_(extent),
        least_(least),
        within_(within) {}

  /// Writes a row of cells with these sums of costs.
  void write(std::int64_t row, const double* sums) const {
    Axes cell{row / extent_[1], row % extent_[1], 0};
    for (; cell[2] < extent_[2]; ++cell[2]) {
      const double sum = sums[cell[2]];
      const double excess = sum - least_ <= kRounding * least_ ? 0 : sum - least_;
      if (inside_) *reinterpret_cast<std::uint8_t*>(address_of(inside_, cell)) = excess <= within_;
      if (excess_) store(cell, std::isinf(sum) ? sum : excess);
    }
  }

 private:
  void store(const Axes& cell, double excess) const {
    std::byte* const at = address_of(excess_, cell);
    if (excess_.element_type() == ElementType::f64) {
      std::memcpy(at, &excess, sizeof excess);
    } else {
      const auto narrow = static_cast<float>(excess);
      std::memcpy(at, &narrow, sizeof narrow);
    }
  }

  View<void> excess_, inside_;
  Axes extent_;
  double least_, within_;
};

/// How much more than the least cost is inside; nothing at all if there is no way.
double limit_of(const CorridorOptions& options, double least) {
  constexpr double kNothing = -1;
  if (std::isinf(least)) return kNothing;
  return options.within ? *options.within : options.within_percent.value_or(0) / 100 * least;
}

CorridorReport make_corridor(Searches& searches, const NumberedPlaces& from,
                             const NumberedPlaces& to, const CorridorOptions& options,
                             const CorridorOutputs& out) {
  Array<double> sums(searches.extents()), others(searches.extents());
  searches.run(from, WalkDirection::from_site, {.distance = sums.view()});
  searches.run(to, WalkDirection::to_site, {.distance = others.view()});
  const Axes extent = to_axes(searches.extents());
  ContextState& state = searches.context().state();
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t cell = 0; cell < sums.size(); ++cell) {
    sums.data()[cell] += others.data()[cell];
    if (sums.data()[cell] < least) least = sums.data()[cell];
  }
  const CorridorWriter writer(out, extent, least, limit_of(options, least));
  loop_over_rows(state, extent[2], 0)(extent[0] * extent[1],
                                      [&](std::int64_t begin, std::int64_t end) {
                                        for (std::int64_t row = begin; row < end; ++row)
                                          writer.write(row, sums.data() + row * extent[2]);
                                      });
  return {.least_cost = least};
}

}  // namespace
}  // namespace networks

// NOLINTNEXTLINE(readability-function-size): each argument is one of the caller's
CorridorReport corridor(Context& context, const CostMap& map, const Places& first,
                        const Places& second, const CostDistanceOptions& options,
                        const CorridorOptions& inside, const CorridorOutputs& out) {
  return guarded(context.state(), [&] {
    networks::Searches searches(context, map, options);
    networks::check_corridor(inside, out, searches.extents());
    const networks::NumberedPlaces from(first, searches.extents(), options, "first");
    const networks::NumberedPlaces to(second, searches.extents(), options, "second");
    searches.begin(4);
    searches.check(from, "first");
    searches.check(to, "second");
    const CorridorReport found = networks::make_corridor(searches, from, to, inside, out);
    searches.finish();
    return found;
  });
}

}  // namespace thiessen

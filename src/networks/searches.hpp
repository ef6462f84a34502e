// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "networks/numbered_places.hpp"

namespace thiessen::networks {

/// The calls of cost_distance() that another call makes, with its warnings and its progress.
class Searches {
 public:
  /// Checks map and options as far as they are not those of cost_distance().
  Searches(Context& context, const CostMap& map, const CostDistanceOptions& options);

  Context& context() const { return context_; }
  const CostMap& map() const { return map_; }
  const Extents& extents() const { return extents_; }
  /// In f64, with labels of places.
  const CostDistanceOptions& options() const { return options_; }

  /// There will be so many searches and checks of places.
  void begin(std::int64_t count) { parts_ = count; }

  /// Warns of the places that lie on barriers or outside of the map; an error if warnings are.
  void check(const NumberedPlaces& places, const char* name);

  /// See NumberedPlaces::search(); walks lead that way.
  void run(const NumberedPlaces& places, WalkDirection direction, const CostDistanceOutputs& out,
           std::int32_t number = 0);

  /// Leaves the warnings of all checks as those of the call.
  void finish();

 private:
  void begin_part();

  Context& context_;
  CostMap map_;
  Extents extents_;
  CostDistanceOptions options_;
  bool strict_;
  std::vector<Warning> warnings_;
  std::int64_t part_ = 0, parts_ = 1;
};

}  // namespace thiessen::networks

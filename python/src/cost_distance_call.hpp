// SPDX-License-Identifier: Apache-2.0
//
// What calls for least costs, and solvers of them, take.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include "array.hpp"
#include "calls.hpp"
#include "thiessen/cost_distance.hpp"

namespace thiessen::python {

/// The options of a call, and how it runs.
struct CostDistanceCall : CallOptions, CostDistanceOptions {};

/// The output arrays by name.
class CostDistanceArrays {
 public:
  explicit CostDistanceArrays(const nb::dict& arrays)
      : arrays_(NamedArrays::writable(
            arrays, {"labels", "distance", "site_index", "back_link", "other_labels",
                     "other_site_index", "other_distance"})) {}

  CostDistanceOutputs views() const {
    return {.labels = arrays_.view("labels"),
            .site_index = arrays_.view_of<std::int64_t>("site_index"),
            .distance = arrays_.view("distance"),
            .back_link = arrays_.view_of<std::uint8_t>("back_link"),
            .other_labels = arrays_.view("other_labels"),
            .other_site_index = arrays_.view_of<std::int64_t>("other_site_index"),
            .other_distance = arrays_.view("other_distance")};
  }

 private:
  NamedArrays arrays_;
};

}  // namespace thiessen::python

// SPDX-License-Identifier: Apache-2.0
//
// What calls for the nearest site, and solvers of it, take.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include "array.hpp"
#include "calls.hpp"
#include "thiessen/nearest_site.hpp"

namespace thiessen::python {

/// The options of a call, and how it runs.
struct NearestSiteCall : CallOptions, NearestSiteOptions {};

/// The output arrays by name.
class NearestSiteArrays {
 public:
  explicit NearestSiteArrays(const nb::dict& arrays)
      : arrays_(NamedArrays::writable(
            arrays, {"labels", "distance", "squared", "site_index", "offset", "direction",
                     "other_labels", "other_site_index", "other_distance", "ties"})) {}

  NearestSiteOutputs views() const {
    return {.labels = arrays_.view("labels"),
            .site_index = arrays_.view_of<std::int64_t>("site_index"),
            .distance = arrays_.view("distance"),
            .squared = arrays_.view_of<std::int64_t>("squared"),
            .offset = arrays_.view_of<std::int32_t>("offset"),
            .direction = arrays_.view_of<float>("direction"),
            .other_labels = arrays_.view("other_labels"),
            .other_site_index = arrays_.view_of<std::int64_t>("other_site_index"),
            .other_distance = arrays_.view("other_distance"),
            .ties = arrays_.view_of<std::uint8_t>("ties")};
  }

 private:
  NamedArrays arrays_;
};

/// Work that is over before anybody would want to stop it.
inline bool is_brief(const NearestSiteOptions& options, const View<const void>& input,
                     std::int64_t cells, std::int64_t points) {
  if (input.space() == MemorySpace::cuda) return true;  // it only starts
  constexpr std::int64_t kCells = 1 << 18;
  constexpr std::int64_t kPoints = 1 << 10;
  return options.method == Method::exact && cells <= kCells && points <= kPoints;
}

}  // namespace thiessen::python

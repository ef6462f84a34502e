// SPDX-License-Identifier: Apache-2.0
#include "thiessen/coverage.hpp"

#include <cstdint>
#include <limits>

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"

namespace {

using thiessen::c::at_boundary;
using thiessen::c::read_struct;
using thiessen::c::required;
using thiessen::c::to_spacing;
using thiessen::c::to_view;
using thiessen::c::write_struct;

thiessen_coverage_distance_options coverage_defaults() {
  thiessen_coverage_distance_options options{};
  options.size = sizeof options;
  options.max_distance = std::numeric_limits<double>::infinity();
  return options;
}

}  // namespace

thiessen_status thiessen_coverage_distance_options_init(thiessen_coverage_distance_options* options,
                                                        size_t size) {
  return at_boundary([&] { write_struct("options", options, size, coverage_defaults()); });
}

thiessen_status thiessen_coverage_distance(thiessen_context* context,
                                           const thiessen_array* coverage,
                                           const thiessen_coverage_distance_options* options,
                                           const thiessen_array* distance) {
  return at_boundary([&] {
    thiessen::Context& where = required("context", context).context;
    const auto view = to_view("coverage", required("coverage", coverage));
    const auto read = read_struct("options", options, coverage_defaults());
    thiessen::coverage_distance(
        where, view,
        {.spacing = to_spacing(read.spacing, view.rank()), .max_distance = read.max_distance},
        to_view("distance", required("distance", distance)));
  });
}

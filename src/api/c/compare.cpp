// SPDX-License-Identifier: Apache-2.0
#include "thiessen/compare.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"

namespace {

using thiessen::c::at_boundary;
using thiessen::c::check_size;
using thiessen::c::read_struct;
using thiessen::c::required;
using thiessen::c::to_enum;
using thiessen::c::to_flag;
using thiessen::c::to_typed_view;
using thiessen::c::to_view;
using thiessen::c::write_struct;

thiessen_compare_options compare_defaults() {
  thiessen_compare_options options{};
  options.size = sizeof options;
  return options;
}

thiessen::CompareInputs to_inputs(const thiessen_compare_inputs* given) {
  const auto inputs = read_struct("inputs", &required("inputs", given), {});
  return {.labels_a = to_view("labels_a", inputs.labels_a),
          .labels_b = to_view("labels_b", inputs.labels_b),
          .site_index_a = to_typed_view<std::int64_t>("site_index_a", inputs.site_index_a),
          .site_index_b = to_typed_view<std::int64_t>("site_index_b", inputs.site_index_b),
          .distance_a = to_view("distance_a", inputs.distance_a),
          .distance_b = to_view("distance_b", inputs.distance_b)};
}

thiessen::CompareOptions to_options(const thiessen_compare_options* given, int rank) {
  const auto options = read_struct("options", given, compare_defaults());
  const auto metric = to_enum("metric", options.metric, thiessen::Metric::chamfer_5_7_11);
  thiessen::CompareOptions cpp{.tolerance = options.tolerance};
  if (to_flag("measure_sites", options.measure_sites)) cpp.metric = metric;
  if (options.spacing != nullptr) cpp.spacing.assign(options.spacing, options.spacing + rank);
  return cpp;
}

void copy_cell(const std::vector<std::int64_t>& cell, std::span<std::int64_t> to) {
  std::fill(std::copy(cell.begin(), cell.end(), to.begin()), to.end(), -1);
}

thiessen_comparison to_c(const thiessen::Comparison& cpp) {
  thiessen_comparison comparison{};
  comparison.cells = cpp.cells;
  comparison.differing = cpp.differing;
  comparison.ties = cpp.ties;
  comparison.mismatched = cpp.mismatched;
  comparison.labels_differing = cpp.labels_differing;
  comparison.site_index_differing = cpp.site_index_differing;
  comparison.distance_differing = cpp.distance_differing;
  comparison.largest_excess = cpp.largest_excess;
  comparison.largest_relative_excess = cpp.largest_relative_excess;
  comparison.largest_shortfall = cpp.largest_shortfall;
  comparison.mean_excess = cpp.mean_excess;
  copy_cell(cpp.worst_cell, comparison.worst_cell);
  copy_cell(cpp.first_cell, comparison.first_cell);
  return comparison;
}

}  // namespace

thiessen_status thiessen_compare_options_init(thiessen_compare_options* options, size_t size) {
  return at_boundary([&] { write_struct("options", options, size, compare_defaults()); });
}

thiessen_status thiessen_compare(thiessen_context* context, const thiessen_compare_inputs* inputs,
                                 const thiessen_compare_options* options,
                                 thiessen_comparison* comparison) {
  return at_boundary([&] {
    thiessen::Context& where = required("context", context).context;
    const std::size_t size = required("comparison", comparison).size;
    check_size("comparison", size, sizeof *comparison);
    const thiessen::CompareInputs views = to_inputs(inputs);
    const int rank =
        std::max({views.labels_a.rank(), views.site_index_a.rank(), views.distance_a.rank()});
    const thiessen::Comparison result = thiessen::compare(where, views, to_options(options, rank));
    write_struct("comparison", comparison, size, to_c(result));
  });
}

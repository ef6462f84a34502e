// SPDX-License-Identifier: Apache-2.0
#include "thiessen/cost_slabs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"
#include "api/c/cost_distance.hpp"
#include "api/c/nearest_site.hpp"
#include "thiessen/slabs.h"

struct thiessen_cost_slab_queue {
  thiessen::CostSlabQueue queue;
};

namespace {

using thiessen::CostSlab;
using thiessen::CostSlabReport;
using thiessen::CostStage;
using thiessen::c::at_boundary;
using thiessen::c::read_struct;
using thiessen::c::required;
using thiessen::c::to_cost_options;
using thiessen::c::to_cost_outputs;
using thiessen::c::to_enum;
using thiessen::c::to_grid;
using thiessen::c::to_optional_view;
using thiessen::c::to_point_list;
using thiessen::c::to_typed_view;
using thiessen::c::to_view;
using thiessen::c::write_struct;

static_assert(static_cast<std::int32_t>(CostStage::hops) == THIESSEN_STAGE_HOPS);

CostSlab to_slab(const thiessen_cost_slab* given) {
  const thiessen_cost_slab slab = read_struct("slab", &required("slab", given), {});
  CostSlab cpp;
  cpp.raster = to_grid(slab.rank, slab.extents).extents;
  cpp.own = {slab.first, slab.count};
  cpp.map = to_view("map", slab.map);
  cpp.sites = to_optional_view("sites", slab.sites);
  if (slab.points != nullptr) cpp.points = to_point_list(*slab.points);
  cpp.initial_cost = to_optional_view("initial_cost", slab.initial_cost);
  cpp.sites_before = slab.sites_before;
  cpp.resistance = to_view("resistance", slab.resistance);
  cpp.cost = to_view("cost", slab.cost);
  cpp.site_index = to_typed_view<std::int64_t>("site_index", slab.site_index);
  cpp.labels = to_view("labels", slab.labels);
  cpp.hops = to_typed_view<std::int64_t>("hops", slab.hops);
  return cpp;
}

void write_report(const CostSlabReport& found, thiessen_cost_slab_report* report) {
  thiessen_cost_slab_report values{};
  std::copy(found.above.begin(), found.above.end(), values.above);
  std::copy(found.below.begin(), found.below.end(), values.below);
  values.sites = found.sites;
  values.ignored_sites = found.ignored_sites;
  values.first_ignored_site = found.first_ignored_site;
  write_struct("report", report, report->size, values);
}

/// Calls visit(context, slab, options, stage), which gives a report.
template <class Visit>
thiessen_status visit_slab(thiessen_context* context, const thiessen_cost_slab* slab,
                           const thiessen_cost_distance_options* options, thiessen_cost_stage stage,
                           thiessen_cost_slab_report* report, const Visit& visit) {
  return at_boundary([&] {
    thiessen::Context& where = required("context", context).context;
    read_struct("report", &required("report", report), {});
    const CostSlab cpp = to_slab(slab);
    write_report(visit(where, cpp, to_cost_options(options, cpp.raster.rank()),
                       to_enum("stage", stage, CostStage::hops)),
                 report);
  });
}

}  // namespace

thiessen_status thiessen_cost_slab_rows(const thiessen_slab* slab, int64_t count,
                                        thiessen_connectivity connectivity, int64_t* first,
                                        int64_t* rows) {
  return at_boundary([&] {
    const thiessen_slab given = read_struct("slab", &required("slab", slab), {});
    required("first", first);
    required("rows", rows);
    const thiessen::SlabRows found = thiessen::cost_slab_rows(
        to_grid(given.rank, given.extents).extents, {given.first, count},
        to_enum("connectivity", connectivity, thiessen::Connectivity::knights));
    *first = found.first;
    *rows = found.count;
  });
}

thiessen_status thiessen_begin_cost_slab(thiessen_context* context, const thiessen_cost_slab* slab,
                                         const thiessen_cost_distance_options* options,
                                         thiessen_cost_stage stage,
                                         thiessen_cost_slab_report* report) {
  return visit_slab(context, slab, options, stage, report, thiessen::begin_cost_slab);
}

thiessen_status thiessen_continue_cost_slab(thiessen_context* context,
                                            const thiessen_cost_slab* slab,
                                            const thiessen_cost_distance_options* options,
                                            thiessen_cost_stage stage,
                                            thiessen_cost_slab_report* report) {
  return visit_slab(context, slab, options, stage, report, thiessen::continue_cost_slab);
}

thiessen_status thiessen_finish_cost_slab(thiessen_context* context, const thiessen_cost_slab* slab,
                                          const thiessen_cost_distance_options* options,
                                          const thiessen_cost_distance_outputs* outputs) {
  return at_boundary([&] {
    thiessen::Context& where = required("context", context).context;
    const CostSlab cpp = to_slab(slab);
    const auto out = to_cost_outputs(outputs);
    if (outputs->report != nullptr) thiessen::refuse("report is given; visits tell it");
    thiessen::finish_cost_slab(where, cpp, to_cost_options(options, cpp.raster.rank()), out);
  });
}

thiessen_status thiessen_cost_slab_queue_create(const int64_t* heights, size_t count,
                                                thiessen_cost_slab_queue** queue) {
  return at_boundary([&] {
    required("queue", queue) = nullptr;
    if (count > 0) required("heights", heights);
    *queue = new thiessen_cost_slab_queue{
        thiessen::CostSlabQueue(std::span<const std::int64_t>(heights, count))};
  });
}

void thiessen_cost_slab_queue_destroy(thiessen_cost_slab_queue* queue) { delete queue; }

thiessen_status thiessen_cost_slab_queue_next(thiessen_cost_slab_queue* queue, int64_t* slab,
                                              int32_t* is_first) {
  return at_boundary([&] {
    required("slab", slab);
    required("is_first", is_first);
    const auto next = required("queue", queue).queue.next();
    *slab = next ? static_cast<std::int64_t>(next->slab) : -1;
    *is_first = next && next->is_first ? 1 : 0;
  });
}

thiessen_status thiessen_cost_slab_queue_add(thiessen_cost_slab_queue* queue, int64_t slab,
                                             const thiessen_cost_slab_report* report) {
  return at_boundary([&] {
    const auto given = read_struct("report", &required("report", report), {});
    CostSlabReport cpp;
    std::copy(std::begin(given.above), std::end(given.above), cpp.above.begin());
    std::copy(std::begin(given.below), std::end(given.below), cpp.below.begin());
    if (slab < 0) thiessen::refuse("slab = " + std::to_string(slab) + "; must be >= 0");
    required("queue", queue).queue.add(static_cast<std::size_t>(slab), cpp);
  });
}

// SPDX-License-Identifier: Apache-2.0
//
// A call as kernels see it, with everything in memory of the host, for tests of functions of host
// and device.
#pragma once

#include <cstddef>

#include "core/order/measure.hpp"
#include "core/problem/problem.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda {

inline Cells<std::byte> host_cells(const View<void>& view) {
  return {view.bytes(), static_cast<std::int32_t>(size_of(view.element_type()))};
}
inline Cells<const std::byte> host_cells(const View<const void>& view) {
  return {view.bytes(), static_cast<std::int32_t>(size_of(view.element_type()))};
}

inline Rule host_rule(const SiteRule& rule) {
  Rule copy;
  copy.type = rule.type;
  copy.selection = rule.selection;
  copy.complement = rule.complement;
  copy.has_nodata = rule.nodata.has_value();
  if (rule.nodata) copy.nodata = *rule.nodata;
  copy.values = rule.values.data();
  copy.value_count = static_cast<std::int32_t>(rule.values.size());
  return copy;
}

/// Views are contiguous; `problem` and what they show must outlive the job.
inline Job host_job(const Problem& problem, const ProblemViews& views) {
  Job job;
  job.rank = problem.rank;
  job.metric = problem.metric;
  job.extent = problem.extent;
  job.period = problem.period;
  job.fraction_bits = problem.fraction_bits;
  job.factor = problem.weights.factor;
  job.unit = problem.weights.unit;
  job.spacing = problem.spacing;
  job.limited = problem.limited;
  job.limit = problem.limit;
  job.unreached = problem.unreached;
  job.rule = host_rule(problem.rule);
  job.sites = host_cells(views.sites);
  job.labels = host_cells(views.labels);
  job.points = views.points.at;
  job.point_count = views.points.count;
  job.out.labels = host_cells(views.out.labels);
  job.out.site_index = views.out.site_index.data();
  job.out.distance = host_cells(views.out.distance);
  job.out.squared = views.out.squared.data();
  job.out.offset = views.out.offset.data();
  job.out.direction = views.out.direction.data();
  return job;
}

/// S between two places in the units of S.
inline Int128 exact_between(const Problem& problem, const Axes& a, const Axes& b) {
  if (problem.metric == Metric::octagonal)
    return across<Metric::octagonal>(periodic_distance(a[1], b[1], problem.period[1]),
                                     periodic_distance(a[2], b[2], problem.period[2]));
  Int128 exact = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const Int128 delta = periodic_distance(a[axis], b[axis], problem.period[axis]);
    const Int128 along = problem.weights.factor[axis] *
                         (problem.metric == Metric::euclidean ? delta * delta : delta);
    exact = problem.metric == Metric::chessboard ? std::max(exact, along) : exact + along;
  }
  return exact;
}

}  // namespace thiessen::cuda

// SPDX-License-Identifier: Apache-2.0
#include "cuda/make_job.hpp"

namespace thiessen::cuda {
namespace {

Rule make_rule(const SiteRule& rule, Transfer& transfer) {
  Rule copy{.type = rule.type, .selection = rule.selection, .complement = rule.complement};
  copy.has_nodata = rule.nodata.has_value();
  if (rule.nodata) copy.nodata = *rule.nodata;
  copy.value_count = static_cast<std::int32_t>(rule.values.size());
  if (!rule.values.empty()) copy.values = transfer.upload(rule.values.data(), copy.value_count);
  return copy;
}

Cells<std::byte> cells_output(const View<void>& view, Transfer& transfer) {
  return {transfer.output(view), static_cast<std::int32_t>(size_of(view.element_type()))};
}

Outputs make_outputs(const NearestSiteOutputs& out, Transfer& transfer) {
  return {.labels = cells_output(out.labels, transfer),
          .site_index = reinterpret_cast<std::int64_t*>(transfer.output(out.site_index)),
          .distance = cells_output(out.distance, transfer),
          .squared = reinterpret_cast<std::int64_t*>(transfer.output(out.squared)),
          .offset = reinterpret_cast<std::int32_t*>(transfer.output(out.offset)),
          .direction = reinterpret_cast<float*>(transfer.output(out.direction))};
}

}  // namespace

Job make_job(const Problem& problem, const ProblemViews& views, Transfer& transfer) {
  Job job{.rank = problem.rank,
          .metric = problem.metric,
          .extent = problem.extent,
          .period = problem.period,
          .fraction_bits = problem.fraction_bits,
          .factor = problem.weights.factor,
          .unit = problem.weights.unit,
          .spacing = problem.spacing,
          .limited = problem.limited,
          .limit = problem.limit,
          .unreached = problem.unreached};
  job.rule = make_rule(problem.rule, transfer);
  if (problem.point_sites) {
    job.points = transfer.upload(views.points.at, views.points.count);
    job.point_count = views.points.count;
  } else {
    job.sites = transfer.upload(views.sites);
  }
  if (views.out.labels)
    job.labels =
        views.labels.bytes() == views.sites.bytes() ? job.sites : transfer.upload(views.labels);
  job.out = make_outputs(views.out, transfer);
  return job;
}

}  // namespace thiessen::cuda

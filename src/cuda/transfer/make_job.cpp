// SPDX-License-Identifier: Apache-2.0
#include "cuda/transfer/make_job.hpp"

#include "cuda/job/outputs.hpp"
#include "cuda/transfer/host_sites.hpp"
#include "cuda/transfer/inputs.hpp"

namespace thiessen::cuda {
inline namespace transfer {
namespace {

const Axes* make_points(const CudaSession& session, const Problem& problem,
                        const ProblemViews& views, Transfer& transfer) {
  if (!views.coordinates) return transfer.upload(views.points.at, views.points.count);
  auto* const points = transfer.device().array<Axes>(views.points.count);
  snap_points(session, problem, views.coordinates, points);
  return points;
}

JobWeights make_weights(const Problem& problem, const ProblemViews& views, Transfer& transfer) {
  const std::int64_t count = weights_in(views);
  const SiteWeights& weights = views.weights;
  const bool is_power = problem.keys.weighting == Weighting::power;
  return {.keys = problem.keys,
          .exact = transfer.upload(weights.exact, count),
          .typed = is_power ? nullptr : transfer.upload(weights.typed, count),
          .greatest = weights.greatest,
          .limited = problem.limited,
          .max_distance = problem.max_distance};
}

/// The labels in the form that `job` needs, which has its sites or points.
Cells<const std::byte> make_labels(const CudaSession& session, const ProblemViews& views,
                                   const Job& job, Transfer& transfer) {
  if (views.labels && views.labels.bytes() == views.sites.bytes()) return job.sites;
  if (views.labels) return transfer.input(views.labels);
  const ElementType type = views.out.labels.element_type();
  if (job.points != nullptr)
    return number_points(session, job.point_count, type, transfer.device());
  const auto element = static_cast<std::int32_t>(size_of(type));
  const Cells<std::byte> numbers{transfer.device().array<std::byte>(job.cells() * element),
                                 element};
  number_sites(session, job, numbers, transfer.device());
  return {numbers.bytes, numbers.element};
}

/// A job without inputs and outputs.
Job start_job(const CudaSession& session, const Problem& problem, Transfer& transfer) {
  Job job{.rank = problem.rank,
          .metric = problem.metric,
          .extent = problem.extent,
          .period = problem.period,
          .fraction_bits = problem.fraction_bits,
          .factor = problem.weights.factor,
          .unit = problem.weights.unit,
          .spacing = problem.spacing,
          .limited = problem.limited && !problem.has_weights(),
          .limit = problem.limit,
          .unreached = problem.unreached};
  job.first_site = problem.first_site;
  job.layered = problem.layers > 1;
  if (job.layered) job.extent[0] = problem.layers;
  job.rule = make_rule(session, problem.rule, transfer);
  job.nodata_label = problem.nodata_label;
  return job;
}

}  // namespace

Rule make_rule(const CudaSession& session, const SiteRule& rule, Transfer& transfer) {
  Rule copy{.type = rule.type, .selection = rule.selection, .complement = rule.complement};
  copy.has_nodata = rule.nodata.has_value();
  if (rule.nodata) copy.nodata = *rule.nodata;
  copy.value_count = static_cast<std::int32_t>(rule.values.size());
  if (rule.values.empty()) return copy;
  auto* const values = transfer.device().array<LabelBits>(copy.value_count);
  put_values(session, rule.values.data(), copy.value_count, values);
  copy.values = values;
  return copy;
}

Job make_job(const CudaSession& session, const Problem& problem, const ProblemViews& views,
             Transfer& transfer) {
  Job job = start_job(session, problem, transfer);
  if (problem.point_sites) {
    job.points = make_points(session, problem, views, transfer);
    job.point_count = views.points.count;
  } else {
    job.sites = upload_sites(session, problem, views, transfer, job.rule);
  }
  if (problem.has_weights()) job.weights = make_weights(problem, views, transfer);
  job.domain = transfer.input(views.domain);
  if (views.out.labels) job.labels = make_labels(session, views, job, transfer);
  job.out = outputs_in_memory(
      views.out, [&](const Output&, const View<void>& view) { return transfer.output(view); });
  return job;
}

Job make_slab_job(const CudaSession& session, const Problem& problem, const View<const void>& sites,
                  Transfer& transfer) {
  Job job = start_job(session, problem, transfer);
  job.sites = transfer.input(sites);
  return job;
}

}  // namespace transfer
}  // namespace thiessen::cuda

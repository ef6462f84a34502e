// SPDX-License-Identifier: Apache-2.0
#include "thiessen/statistics.hpp"

#include "backend/backend.hpp"
#include "core/statistics/problem.hpp"
#include "thiessen/error.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace {

/// That of the CPU for labels on the host, whatever the device of the context.
const StatisticsEntry& entry_for(const View<const void>& labels, const ContextState& state) {
  const bool on_host = labels.space() == MemorySpace::host;
  const std::string_view device = on_host ? std::string_view("cpu") : state.device;
  if (const Backend* backend = find_backend(device))
    if (const StatisticsEntry* entry = backend->statistics()) return *entry;
  throw Error(ErrorCode::unsupported,
              {"device", std::string(device), "this build has no statistics there"});
}

}  // namespace

SiteStatistics site_statistics(Context& context, View<const void> labels, const SiteFields& fields,
                               const SiteStatisticsOptions& options) {
  ContextState& state = context.state();
  return guarded(state, [&] {
    const StatisticsProblem problem =
        make_statistics_problem(labels, fields, options, ReachableMemory(state));
    return entry_for(labels, state).site_statistics(state, problem);
  });
}

Adjacency adjacency(Context& context, View<const void> labels, const AdjacencyOptions& options) {
  ContextState& state = context.state();
  return guarded(state, [&] {
    const AdjacencyProblem problem =
        make_adjacency_problem(labels, options, ReachableMemory(state));
    return entry_for(labels, state).adjacency(state, problem);
  });
}

}  // namespace thiessen

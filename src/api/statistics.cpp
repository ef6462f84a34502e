// SPDX-License-Identifier: Apache-2.0
#include "thiessen/statistics.hpp"

#include "backend/backend.hpp"
#include "core/statistics_problem.hpp"
#include "thiessen/error.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace {

/// That of the context's backend, else that of the CPU.
const StatisticsEntry& entry_of(const ContextState& state) {
  for (const std::string_view device : {std::string_view(state.device), std::string_view("cpu")})
    if (const Backend* backend = find_backend(device))
      if (const StatisticsEntry* entry = backend->statistics()) return *entry;
  throw Error(ErrorCode::unsupported, "this build has no cpu backend, which statistics need");
}

}  // namespace

SiteStatistics site_statistics(Context& context, View<const void> labels, const SiteFields& fields,
                               const SiteStatisticsOptions& options) {
  ContextState& state = context.state();
  SiteStatistics table;
  guarded(state, [&] {
    const StatisticsProblem problem = make_statistics_problem(labels, fields, options);
    table = entry_of(state).site_statistics(state, problem);
  });
  return table;
}

Adjacency adjacency(Context& context, View<const void> labels, const AdjacencyOptions& options) {
  ContextState& state = context.state();
  Adjacency table;
  guarded(state, [&] {
    const AdjacencyProblem problem = make_adjacency_problem(labels, options);
    table = entry_of(state).adjacency(state, problem);
  });
  return table;
}

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
#include "thiessen/nearest_site.hpp"

#include "api/guarded.hpp"
#include "backend/backend.hpp"
#include "core/context_state.hpp"
#include "core/problem.hpp"
#include "thiessen/error.hpp"

namespace thiessen {
namespace {

/// Numbers the true cells of a boolean raster 1, 2, … in the order of their index.
template <class Label>
void number_sites(const View<const void>& mask, Label* labels) {
  Label next = 0;
  for (std::int64_t z = 0; z < mask.extent(0); ++z)
    for (std::int64_t y = 0; y < mask.extent(1); ++y) {
      const std::byte* cell = mask.bytes() + z * mask.stride(0) + y * mask.stride(1);
      for (std::int64_t x = 0; x < mask.extent(2); ++x, cell += mask.stride(2))
        *labels++ = *cell != std::byte{0} ? ++next : 0;
    }
}

/// Boolean sites carry no labels: from here on they are a raster of numbers in scratch memory.
void give_numbers(Scratch::Frame& scratch, Problem& problem, ProblemViews& views) {
  const ElementType type = views.out.labels.element_type();
  void* numbers;
  if (type == ElementType::i32) {
    auto* labels = scratch.array<std::int32_t>(problem.cells());
    number_sites(views.sites, labels);
    numbers = labels;
  } else {
    auto* labels = scratch.array<std::int64_t>(problem.cells());
    number_sites(views.sites, labels);
    numbers = labels;
  }
  views.sites = View<const void>(numbers, type, views.sites.extents());
  problem.rule.type = type;
}

void run(ContextState& state, View<const void> sites, const NearestSiteOptions& options,
         const NearestSiteOutputs& out) {
  state.phases.clear();
  Problem problem = make_problem(sites, options, out);
  const Backend& backend = *find_backend(state.device);
  const Method& method = find_method(backend, options.method);
  if (const Support support = method.supports(problem); !support)
    throw Error(ErrorCode::unsupported,
                "method = " + options.method + " on " + state.device + ": " + support.reason);
  if (problem.cells() == 0) return;

  ProblemViews views = make_views(sites, out);
  Scratch::Frame scratch(state.scratch);
  if (out.labels && problem.rule.type == ElementType::boolean)
    give_numbers(scratch, problem, views);
  method.run(state, problem, views);
}

}  // namespace

void nearest_site(Context& context, View<const void> sites, const NearestSiteOptions& options,
                  const NearestSiteOutputs& out) {
  ContextState& state = context.state();
  guarded(state, [&] { run(state, sites, options, out); });
}

}  // namespace thiessen

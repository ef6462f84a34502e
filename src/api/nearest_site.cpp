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
View<const void> number_sites(ContextState& state, Scratch::Frame& scratch,
                              const View<const void>& mask) {
  const PhaseTimer phase(state, "number sites");
  auto* const numbers = scratch.array<Label>(mask.extents().count());
  Label* label = numbers;
  Label next = 0;
  for (std::int64_t z = 0; z < mask.extent(0); ++z)
    for (std::int64_t y = 0; y < mask.extent(1); ++y) {
      const std::byte* cell = address_of(mask, {z, y, 0});
      for (std::int64_t x = 0; x < mask.extent(2); ++x, cell += mask.stride(2))
        *label++ = *cell != std::byte{0} ? ++next : 0;
      state.progress.check();
    }
  return View<const Label>(numbers, mask.extents());
}

void run(ContextState& state, View<const void> sites, const NearestSiteOptions& options,
         const NearestSiteOutputs& out) {
  const Problem problem = make_problem(sites, options, out);
  const Backend& backend = *find_backend(state.device);
  const Method& method = find_method(backend, options.method);
  if (const Support support = method.supports(problem); !support)
    throw Error(ErrorCode::unsupported,
                "method = " + options.method + " on " + state.device + ": " + support.reason);
  if (problem.cells() == 0) return;

  ProblemViews views = make_views(sites, out);
  Scratch::Frame scratch(state.scratch);
  if (out.labels && problem.rule.type == ElementType::boolean)
    views.labels = out.labels.element_type() == ElementType::i32
                       ? number_sites<std::int32_t>(state, scratch, views.sites)
                       : number_sites<std::int64_t>(state, scratch, views.sites);
  method.run(state, problem, views);
}

}  // namespace

void nearest_site(Context& context, View<const void> sites, const NearestSiteOptions& options,
                  const NearestSiteOutputs& out) {
  ContextState& state = context.state();
  guarded(state, [&] { run(state, sites, options, out); });
}

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
// Calls that read labels or distances: tables, comparisons, pictures.
#include "api/call/structs_of.hpp"
#include "operations/tables/distances/coverage_distance.hpp"
#include "operations/tables/labels/render.hpp"
#include "operations/tables/labels/statistics.hpp"
#include "thiessen/compare.hpp"

namespace thiessen {
namespace {

constexpr Maker kLabelMakers[] = {
    runs<CoverageDistanceInputs, CoverageDistanceOptions, CoverageDistanceOutputs, NoResults>(
        kCoverageDistance,
        [](Context& context, auto& own) {
          coverage_distance(context, own.in.coverage, own.options, own.out.distance);
        },
        [](const auto& own) {
          const Extents& extents = own.in.coverage.extents();
          check_extents("coverage", extents);
          return shape_of(own.options, extents, extents.rank(), ElementType::i32);
        }),
    runs<SiteStatisticsInputs, SiteStatisticsOptions, NoOutputs, SiteStatistics>(
        kSiteStatistics,
        [](Context& context, auto& own) {
          own.results =
              site_statistics(context, own.in.labels,
                              {.field = own.in.field, .distance = own.in.distance}, own.options);
        }),
    runs<LabelsInput, AdjacencyOptions, NoOutputs, Adjacency>(
        kAdjacency,
        [](Context& context, auto& own) {
          own.results = adjacency(context, own.in.labels, own.options);
        }),
    runs<CompareInputs, CompareOptions, NoOutputs, Comparison>(
        kCompare,
        [](Context& context, auto& own) { own.results = compare(context, own.in, own.options); }),
    runs<RenderInputs, RenderShape, RenderOutputs, NoResults>(
        kRender,
        [](Context& context, auto& own) { render(context, own.in, own.options, own.out.pixels); },
        [](const auto& own) -> ResultShape {
          constexpr std::size_t kAxes = 3;
          std::vector<std::int64_t> sizes = own.options.shape;
          for (const View<const void>& view : {own.in.labels, own.in.distance, own.in.sites})
            for (int axis = 0; sizes.size() < 2 && axis < view.rank(); ++axis)
              sizes.push_back(view.extent(axis));
          if (sizes.size() < kAxes) sizes.push_back(kAxes);
          return {.grid = {.extents = Extents(sizes)}};
        }),
};

}  // namespace

std::span<const Maker> label_makers() { return kLabelMakers; }

}  // namespace thiessen

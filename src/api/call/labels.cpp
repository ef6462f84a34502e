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

class CoverageDistanceCall : public StructsOf<CoverageDistanceInputs, CoverageDistanceOptions,
                                              CoverageDistanceOutputs, NoResults> {
 public:
  void run(Context& context) override {
    coverage_distance(context, inputs_.coverage, options_, outputs_.distance);
  }
  ResultShape shape() const override {
    const Extents& extents = inputs_.coverage.extents();
    check_extents("coverage", extents);
    return shape_of(options_, extents, extents.rank(), ElementType::i32);
  }
};

class SiteStatisticsCall
    : public StructsOf<SiteStatisticsInputs, SiteStatisticsOptions, NoOutputs, SiteStatistics> {
 public:
  void run(Context& context) override {
    results_ = site_statistics(context, inputs_.labels,
                               {.field = inputs_.field, .distance = inputs_.distance}, options_);
  }
};

class AdjacencyCall : public StructsOf<LabelsInput, AdjacencyOptions, NoOutputs, Adjacency> {
 public:
  void run(Context& context) override { results_ = adjacency(context, inputs_.labels, options_); }
};

class CompareCall : public StructsOf<CompareInputs, CompareOptions, NoOutputs, Comparison> {
 public:
  void run(Context& context) override { results_ = compare(context, inputs_, options_); }
};

class RenderCall : public StructsOf<RenderInputs, RenderShape, RenderOutputs, NoResults> {
 public:
  void run(Context& context) override { render(context, inputs_, options_, outputs_.pixels); }
  ResultShape shape() const override {
    constexpr std::size_t kAxes = 3;
    std::vector<std::int64_t> sizes = options_.shape;
    for (const View<const void>& view : {inputs_.labels, inputs_.distance, inputs_.sites})
      for (int axis = 0; sizes.size() < 2 && axis < view.rank(); ++axis)
        sizes.push_back(view.extent(axis));
    if (sizes.size() < kAxes) sizes.push_back(kAxes);
    return {.grid = {.extents = Extents(sizes)}};
  }
};

constexpr Maker kLabelMakers[] = {
    {&kCoverageDistance, &make<CoverageDistanceCall>},
    {&kSiteStatistics, &make<SiteStatisticsCall>},
    {&kAdjacency, &make<AdjacencyCall>},
    {&kCompare, &make<CompareCall>},
    {&kRender, &make<RenderCall>},
};

}  // namespace

std::span<const Maker> label_makers() { return kLabelMakers; }

}  // namespace thiessen

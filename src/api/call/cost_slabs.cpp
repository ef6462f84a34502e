// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/slabs/cost_slabs.hpp"

#include "api/call/structs_of.hpp"

namespace thiessen {
namespace {

template <class Own>
CostSlab slab_of(const Own& own) {
  return {.raster = Extents(own.options.shape),
          .own = {own.options.first, own.options.count},
          .map = map_of(own.in),
          .sites = own.in.sites,
          .points = points_of(own.in),
          .initial_cost = own.in.initial_cost,
          .sites_before = own.options.sites_before,
          .resistance = own.out.resistance,
          .cost = own.out.known_cost,
          .site_index = own.out.known_site_index,
          .labels = own.out.known_labels,
          .hops = own.out.known_hops};
}

/// The maker of a call on a slab.
template <class Run>
constexpr Maker runs_on_slab(const Operation& operation, const Run& run) {
  return runs<CostSlabInputs, CostSlabOptions, CostSlabOutputs, CostSlabReport>(
      operation, run, [](const auto& own) {
        check_extents("shape", Extents(own.options.shape));
        std::vector<std::int64_t> sizes = own.options.shape;
        sizes.front() = own.options.count;
        return shape_of(own.options, Extents(sizes), static_cast<int>(sizes.size()),
                        own.out.known_labels ? own.out.known_labels.element_type()
                                             : label_type(points_of(own.in)));
      });
}

class CostSlabQueueCall : public StructsOf<CostSlabQueueInputs, NoOptions, NoOutputs, NoResults> {
 public:
  Solver make_solver(Context&) override {
    return {CostSlabQueue(list_of<std::int64_t>("heights", own_.in.heights))};
  }
};

constexpr Maker kCostSlabMakers[] = {
    runs_on_slab(kBeginCostSlab,
                 [](Context& context, auto& own) {
                   own.results =
                       begin_cost_slab(context, slab_of(own), own.options, own.options.stage);
                 }),
    runs_on_slab(kContinueCostSlab,
                 [](Context& context, auto& own) {
                   own.results =
                       continue_cost_slab(context, slab_of(own), own.options, own.options.stage);
                 }),
    runs_on_slab(kFinishCostSlab,
                 [](Context& context, auto& own) {
                   finish_cost_slab(context, slab_of(own), own.options, own.out);
                 }),
    runs<NoInputs, CostSlabRowsOptions, NoOutputs, SlabRows>(
        kCostSlabRows,
        [](Context&, auto& own) {
          own.results =
              cost_slab_rows(Extents(own.options.shape), {own.options.first, own.options.count},
                             own.options.connectivity);
        }),
    {&kCostSlabQueue, &make<CostSlabQueueCall>},
};

}  // namespace

std::span<const Maker> cost_slab_makers() { return kCostSlabMakers; }

}  // namespace thiessen

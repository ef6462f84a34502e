// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/slabs/cost_slabs.hpp"

#include "api/call/structs_of.hpp"

namespace thiessen {
namespace {

class CostSlabCall
    : public StructsOf<CostSlabInputs, CostSlabOptions, CostSlabOutputs, CostSlabReport> {
 public:
  ResultShape shape() const override {
    check_extents("shape", Extents(options_.shape));
    std::vector<std::int64_t> sizes = options_.shape;
    sizes.front() = options_.count;
    return shape_of(
        options_, Extents(sizes), static_cast<int>(sizes.size()),
        outputs_.known_labels ? outputs_.known_labels.element_type() : label_type(points()));
  }

 protected:
  CostSlab slab() const {
    return {.raster = Extents(options_.shape),
            .own = {options_.first, options_.count},
            .map = map_of(inputs_),
            .sites = inputs_.sites,
            .points = points(),
            .initial_cost = inputs_.initial_cost,
            .sites_before = options_.sites_before,
            .resistance = outputs_.resistance,
            .cost = outputs_.known_cost,
            .site_index = outputs_.known_site_index,
            .labels = outputs_.known_labels,
            .hops = outputs_.known_hops};
  }

 private:
  PointList points() const {
    return {.coordinates = inputs_.points, .labels = inputs_.point_labels};
  }
};

class BeginCostSlabCall : public CostSlabCall {
 public:
  void run(Context& context) override {
    results_ = begin_cost_slab(context, slab(), options_, options_.stage);
  }
};

class ContinueCostSlabCall : public CostSlabCall {
 public:
  void run(Context& context) override {
    results_ = continue_cost_slab(context, slab(), options_, options_.stage);
  }
};

class FinishCostSlabCall : public CostSlabCall {
 public:
  void run(Context& context) override { finish_cost_slab(context, slab(), options_, outputs_); }
};

class CostSlabRowsCall : public StructsOf<NoInputs, CostSlabRowsOptions, NoOutputs, SlabRows> {
 public:
  void run(Context&) override {
    results_ = cost_slab_rows(Extents(options_.shape), {options_.first, options_.count},
                              options_.connectivity);
  }
};

class CostSlabQueueCall : public StructsOf<CostSlabQueueInputs, NoOptions, NoOutputs, NoResults> {
 public:
  Solver make_solver(Context&) override {
    return {CostSlabQueue(list_of<std::int64_t>("heights", inputs_.heights))};
  }
};

constexpr Maker kCostSlabMakers[] = {
    {&kBeginCostSlab, &make<BeginCostSlabCall>},
    {&kContinueCostSlab, &make<ContinueCostSlabCall>},
    {&kFinishCostSlab, &make<FinishCostSlabCall>},
    {&kCostSlabRows, &make<CostSlabRowsCall>},
    {&kCostSlabQueue, &make<CostSlabQueueCall>},
};

}  // namespace

std::span<const Maker> cost_slab_makers() { return kCostSlabMakers; }

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/slabs/slabs.hpp"

#include <utility>

#include "api/call/structs_of.hpp"

namespace thiessen {
namespace {

std::vector<std::byte> bytes_of(const char* name, const View<const std::uint8_t>& view) {
  return list_of<std::byte>(name, view);
}

/// The summaries that follow each other in one list of bytes.
template <class Summary>
std::vector<Summary> summaries_of(const SummariesInputs& inputs,
                                  Summary (*read)(std::span<const std::byte>)) {
  const std::vector<std::byte> bytes = bytes_of("summaries", inputs.summaries);
  std::span<const std::byte> rest = bytes;
  std::vector<Summary> summaries;
  for (const std::int64_t size : list_of<std::int64_t>("summary_sizes", inputs.summary_sizes)) {
    if (size < 0 || static_cast<std::size_t>(size) > rest.size())
      refuse("summary_sizes does not add up to the bytes of summaries");
    summaries.push_back(read(rest.first(static_cast<std::size_t>(size))));
    rest = rest.subspan(static_cast<std::size_t>(size));
  }
  if (!rest.empty()) refuse("summary_sizes does not add up to the bytes of summaries");
  return summaries;
}

/// The bytes of what each slab gets, one after the other.
template <class Found>
void pack(const std::vector<Found>& found, std::vector<std::byte>& bytes,
          std::vector<std::int64_t>& sizes) {
  bytes.clear();
  sizes.clear();
  for (const Found& each : found) {
    const std::vector<std::byte> own = slab_bytes(each);
    bytes.insert(bytes.end(), own.begin(), own.end());
    sizes.push_back(static_cast<std::int64_t>(own.size()));
  }
}

SlabPlace place_of(const SlabOptions& options) { return {Extents(options.shape), options.first}; }

class SummariseSlabCall : public StructsOf<SlabInputs, SlabOptions, NoOutputs, SummaryResults> {
 public:
  void run(Context& context) override {
    results_.summary =
        slab_bytes(summarise_slab(context, inputs_.sites, place_of(options_), options_));
  }
};

class JoinSlabsCall : public StructsOf<JoinSlabsInputs, NoOptions, NoOutputs, SummaryResults> {
 public:
  void run(Context&) override {
    results_.summary = slab_bytes(join_slabs(slab_summary(bytes_of("upper", inputs_.upper)),
                                             slab_summary(bytes_of("lower", inputs_.lower))));
  }
};

class CombineSlabsCall
    : public StructsOf<SummariesInputs, SlabOptions, NoOutputs, NeighboursResults> {
 public:
  void run(Context&) override {
    pack(combine_slabs(summaries_of(inputs_, &slab_summary), Extents(options_.shape), options_),
         results_.neighbours, results_.neighbour_sizes);
  }
};

class FinishSlabCall : public StructsOf<SlabInputs, SlabOptions, NearestSiteOutputs, NoResults> {
 public:
  void run(Context& context) override {
    finish_slab(context, inputs_.sites, place_of(options_), options_,
                slab_neighbours(bytes_of("neighbours", inputs_.neighbours)), outputs_,
                inputs_.domain);
  }
  ResultShape shape() const override {
    const Extents& extents = inputs_.sites.extents();
    return shape_of(options_, extents, extents.rank(),
                    label_type(inputs_.sites, Extents(options_.shape).count()));
  }
};

class VoronoiSlabCall
    : public StructsOf<VoronoiInputs, PointSlabOptions, NearestSiteOutputs, NoResults> {
 public:
  void run(Context& context) override {
    voronoi_slab(context, points(), {.extents = Extents(options_.shape)}, options_.first,
                 options_.count, options_, outputs_, inputs_.domain);
  }
  ResultShape shape() const override {
    check_extents("shape", Extents(options_.shape));
    std::vector<std::int64_t> sizes = options_.shape;
    sizes.front() = options_.count;
    return shape_of(options_, Extents(sizes), static_cast<int>(sizes.size()), label_type(points()));
  }

 private:
  PointList points() const {
    return {.coordinates = inputs_.points, .labels = inputs_.point_labels};
  }
};

class SummariseComponentsCall
    : public StructsOf<ComponentsInputs, ComponentsOptions, ComponentsOutputs, SummaryResults> {
 public:
  void run(Context& context) override {
    results_.summary =
        slab_bytes(summarise_components(context, inputs_.image, options_, outputs_.labels));
  }
  ResultShape shape() const override {
    const Extents& extents = inputs_.image.extents();
    return {.grid = {.extents = extents}, .labels = number_type(extents.count())};
  }
};

class CombineComponentsCall
    : public StructsOf<SummariesInputs, ComponentsRasterOptions, NoOutputs, NumbersResults> {
 public:
  void run(Context&) override {
    pack(combine_components(summaries_of(inputs_, &components_summary), Extents(options_.shape),
                            options_),
         results_.numbers, results_.number_sizes);
  }
};

class NumberComponentsCall
    : public StructsOf<NumbersInputs, NoOptions, ComponentsOutputs, ComponentsResults> {
 public:
  void run(Context&) override {
    const ComponentNumbers numbers = component_numbers(bytes_of("numbers", inputs_.numbers));
    number_components(numbers, outputs_.labels);
    results_.count = numbers.all;
  }
};

constexpr Maker kSlabMakers[] = {
    {&kSummariseSlab, &make<SummariseSlabCall>},
    {&kJoinSlabs, &make<JoinSlabsCall>},
    {&kCombineSlabs, &make<CombineSlabsCall>},
    {&kFinishSlab, &make<FinishSlabCall>},
    {&kVoronoiSlab, &make<VoronoiSlabCall>},
    {&kSummariseComponents, &make<SummariseComponentsCall>},
    {&kCombineComponents, &make<CombineComponentsCall>},
    {&kNumberComponents, &make<NumberComponentsCall>},
};

}  // namespace

std::span<const Maker> slab_makers() { return kSlabMakers; }

}  // namespace thiessen

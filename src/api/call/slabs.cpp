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

constexpr Maker kSlabMakers[] = {
    runs<SlabInputs, SlabOptions, NoOutputs, SummaryResults>(
        kSummariseSlab,
        [](Context& context, auto& own) {
          own.results.summary =
              slab_bytes(summarise_slab(context, own.in.sites, place_of(own.options), own.options));
        }),
    runs<JoinSlabsInputs, NoOptions, NoOutputs, SummaryResults>(
        kJoinSlabs,
        [](Context&, auto& own) {
          own.results.summary =
              slab_bytes(join_slabs(slab_summary(bytes_of("upper", own.in.upper)),
                                    slab_summary(bytes_of("lower", own.in.lower))));
        }),
    runs<SummariesInputs, SlabOptions, NoOutputs, NeighboursResults>(
        kCombineSlabs,
        [](Context&, auto& own) {
          pack(combine_slabs(summaries_of(own.in, &slab_summary), Extents(own.options.shape),
                             own.options),
               own.results.neighbours, own.results.neighbour_sizes);
        }),
    runs<SlabInputs, SlabOptions, NearestSiteOutputs, NoResults>(
        kFinishSlab,
        [](Context& context, auto& own) {
          finish_slab(context, own.in.sites, place_of(own.options), own.options,
                      slab_neighbours(bytes_of("neighbours", own.in.neighbours)), own.out,
                      own.in.domain);
        },
        [](const auto& own) {
          const Extents& extents = own.in.sites.extents();
          return shape_of(own.options, extents, extents.rank(),
                          label_type(own.in.sites, Extents(own.options.shape).count()));
        }),
    runs<VoronoiInputs, PointSlabOptions, NearestSiteOutputs, NoResults>(
        kVoronoiSlab,
        [](Context& context, auto& own) {
          voronoi_slab(context, points_of(own.in), {.extents = Extents(own.options.shape)},
                       own.options.first, own.options.count, own.options, own.out, own.in.domain);
        },
        [](const auto& own) {
          check_extents("shape", Extents(own.options.shape));
          std::vector<std::int64_t> sizes = own.options.shape;
          sizes.front() = own.options.count;
          return shape_of(own.options, Extents(sizes), static_cast<int>(sizes.size()),
                          label_type(points_of(own.in)));
        }),
    runs<ComponentsInputs, ComponentsOptions, ComponentsOutputs, SummaryResults>(
        kSummariseComponents,
        [](Context& context, auto& own) {
          own.results.summary =
              slab_bytes(summarise_components(context, own.in.image, own.options, own.out.labels));
        },
        [](const auto& own) -> ResultShape {
          const Extents& extents = own.in.image.extents();
          return {.grid = {.extents = extents}, .labels = number_type(extents.count())};
        }),
    runs<SummariesInputs, ComponentsRasterOptions, NoOutputs, NumbersResults>(
        kCombineComponents,
        [](Context&, auto& own) {
          pack(combine_components(summaries_of(own.in, &components_summary),
                                  Extents(own.options.shape), own.options),
               own.results.numbers, own.results.number_sizes);
        }),
    runs<NumbersInputs, NoOptions, ComponentsOutputs, ComponentsResults>(
        kNumberComponents,
        [](Context&, auto& own) {
          const ComponentNumbers numbers = component_numbers(bytes_of("numbers", own.in.numbers));
          number_components(numbers, own.out.labels);
          own.results.count = numbers.all;
        }),
};

}  // namespace

std::span<const Maker> slab_makers() { return kSlabMakers; }

}  // namespace thiessen

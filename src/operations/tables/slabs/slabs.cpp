// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/slabs/slabs.hpp"

#include "operations/checks/tables.hpp"
#include "operations/rows/operation.hpp"
#include "operations/rows/result_member.hpp"
#include "operations/tables/distances/nearest_site_fields.hpp"
#include "operations/tables/shared/join.hpp"

namespace thiessen {
namespace {

constexpr Input kSlabSites = {.name = "sites",
                              .help = "the slab's cells: neither zero, NaN nor nodata are sites",
                              .is_required = true};

constexpr Input kSummariseInputs[] = {input<&SlabInputs::sites>(kSlabSites)};

constexpr Input kFinishInputs[] = {
    input<&SlabInputs::sites>(kSlabSites),
    input<&SlabInputs::domain>(text::kDomain),
    input<&SlabInputs::neighbours>({.name = "neighbours",
                                    .help = "bytes of this slab by combine_slabs",
                                    .kind = InputKind::values,
                                    .is_required = true}),
};

constexpr Input kPointSlabInputs[] = {
    input<&VoronoiInputs::points>(text::kPoints),
    input<&VoronoiInputs::point_labels>(text::kPointLabels),
    input<&VoronoiInputs::weights>(text::kPointWeights),
    input<&VoronoiInputs::metrics>(text::kPointMetrics),
    input<&VoronoiInputs::domain>(text::kDomain),
};

constexpr Input kJoinInputs[] = {
    input<&JoinSlabsInputs::upper>({.name = "upper",
                                    .help = "summary of a slab, or of several",
                                    .kind = InputKind::values,
                                    .is_required = true}),
    input<&JoinSlabsInputs::lower>({.name = "lower",
                                    .help = "summary of the slabs below",
                                    .kind = InputKind::values,
                                    .is_required = true}),
};

constexpr Input kCombineInputs[] = {
    input<&SummariesInputs::summaries>({.name = "summaries",
                                        .help = "summaries of all slabs, one after the other",
                                        .kind = InputKind::values,
                                        .is_required = true}),
    input<&SummariesInputs::summary_sizes>({.name = "summary_sizes",
                                            .help = "bytes of each summary",
                                            .kind = InputKind::values,
                                            .is_required = true}),
};

constexpr Input kImageInputs[] = {
    input<&ComponentsInputs::image>(
        {.name = "image", .help = "the slab's cells", .is_required = true}),
};

constexpr Input kNumbersInputs[] = {
    input<&NumbersInputs::numbers>({.name = "numbers",
                                    .help = "bytes of this slab by combine_components",
                                    .kind = InputKind::values,
                                    .is_required = true}),
};

constexpr FieldText kRaster = {.name = "shape",
                               .help = "extents of the whole raster",
                               .group = "Slab",
                               .range = from_to(0, 1 << 30)};
constexpr FieldText kFirst = {
    .name = "first", .help = "first row or plane of the slab in the raster", .group = "Slab"};

constexpr Field kSlabOwnFields[] = {
    field<&SlabOptions::shape>(kRaster),
    field<&SlabOptions::first>(kFirst),
};
/// Sites of slabs have no weights, and summaries tell of no domain.
constexpr std::string_view kOfWeights[] = {"weighting"};
constexpr std::string_view kOfWeightsAndDomains[] = {"weighting", "nodata_label"};
constexpr auto kSlabFields =
    detail::join(kSlabOwnFields, detail::without(kNearestSiteFields, kOfWeights));
constexpr auto kCombineFields =
    detail::join(kSlabOwnFields, detail::without(kNearestSiteFields, kOfWeightsAndDomains));

constexpr Field kPointSlabOwnFields[] = {
    field<&PointSlabOptions::shape>(kRaster),
    field<&PointSlabOptions::first>(kFirst),
    field<&PointSlabOptions::count>(
        {.name = "count", .help = "number of rows or planes of the slab", .group = "Slab"}),
};
constexpr auto kPointSlabFields = detail::join(kPointSlabOwnFields, kNearestSiteFields);

constexpr Field kComponentsSlabFields[] = {
    field<&ComponentsOptions::connectivity>({.name = "connectivity",
                                             .help = "which cells belong together",
                                             .some_choices = text::kTouchingNames}),
    field<&ComponentsOptions::nodata>({.name = "nodata",
                                       .help = "cells of this value get the label -1",
                                       .if_missing = "no cell"}),
};

constexpr Field kComponentsRasterOwnFields[] = {
    field<&ComponentsRasterOptions::shape>(kRaster),
};
constexpr auto kComponentsRasterFields =
    detail::join(kComponentsRasterOwnFields, kComponentsSlabFields);

constexpr Output kSlabLabels[] = {
    output<&ComponentsOutputs::labels>({.name = "labels",
                                        .help = "number of each cell's component in the slab",
                                        .type = TypeRule::labels}),
};

constexpr Output kNumberedLabels[] = {
    output<&ComponentsOutputs::labels>(
        {.name = "labels",
         .help = "numbers in the slab, which become numbers in the raster",
         .type = TypeRule::labels,
         .is_read = true}),
};

constexpr Result kSummaryResults[] = {
    result<&SummaryResults::summary>(
        {.name = "summary", .help = "summary of the slab for the other slabs, as bytes"}),
};

constexpr Result kNeighboursResults[] = {
    result<&NeighboursResults::neighbours>(
        {.name = "neighbours", .help = "bytes that each slab needs of the other slabs"}),
    result<&NeighboursResults::neighbour_sizes>(
        {.name = "neighbour_sizes", .help = "bytes of each slab"}),
};

constexpr Result kNumbersResults[] = {
    result<&NumbersResults::numbers>(
        {.name = "numbers", .help = "numbers of the components of each slab, as bytes"}),
    result<&NumbersResults::number_sizes>({.name = "number_sizes", .help = "bytes of each slab"}),
};

constexpr Result kCountResults[] = {
    result<&ComponentsResults::count>(
        {.name = "count", .help = "number of components of the raster"}),
};

static_assert(detail::are_sound(kFinishInputs, kSlabFields, kNearestSiteOutputs));
static_assert(detail::are_sound(kPointSlabInputs, kPointSlabFields, kNearestSiteOutputs));
static_assert(detail::are_sound(kCombineInputs, kCombineFields, {}));
static_assert(detail::are_sound(kImageInputs, kComponentsSlabFields, kSlabLabels));
static_assert(detail::are_sound(kCombineInputs, kComponentsRasterFields, {}));

}  // namespace

constinit const Operation kSummariseSlab = {
    .name = "summarise_slab",
    .help = "summary of a slab of a raster, for the other slabs",
    .inputs = kSummariseInputs,
    .fields = kSlabFields,
    .results = kSummaryResults,
    .defaults = &defaults_of<SlabOptions>};

constinit const Operation kJoinSlabs = {
    .name = "join_slabs",
    .help = "summary of two slabs, or groups of them, side by side",
    .inputs = kJoinInputs,
    .results = kSummaryResults,
    .defaults = &defaults_of<NoOptions>};

constinit const Operation kCombineSlabs = {
    .name = "combine_slabs",
    .help = "for each slab, the bytes that it needs of the other slabs",
    .inputs = kCombineInputs,
    .fields = kCombineFields,
    .results = kNeighboursResults,
    .defaults = &defaults_of<SlabOptions>};

constinit const Operation kFinishSlab = {.name = "finish_slab",
                                         .help = "nearest site of every cell of a slab",
                                         .inputs = kFinishInputs,
                                         .fields = kSlabFields,
                                         .outputs = kNearestSiteOutputs,
                                         .defaults = &defaults_of<SlabOptions>};

constinit const Operation kVoronoiSlab = {.name = "voronoi_slab",
                                          .help = "nearest point of every cell of a slab of a grid",
                                          .inputs = kPointSlabInputs,
                                          .fields = kPointSlabFields,
                                          .outputs = kNearestSiteOutputs,
                                          .defaults = &defaults_of<PointSlabOptions>};

constinit const Operation kSummariseComponents = {
    .name = "summarise_components",
    .help = "numbers the components of a slab, and summarises them for the other slabs",
    .inputs = kImageInputs,
    .fields = kComponentsSlabFields,
    .outputs = kSlabLabels,
    .results = kSummaryResults,
    .defaults = &defaults_of<ComponentsOptions>};

constinit const Operation kCombineComponents = {
    .name = "combine_components",
    .help = "numbers that the components of each slab have in the raster",
    .inputs = kCombineInputs,
    .fields = kComponentsRasterFields,
    .results = kNumbersResults,
    .defaults = &defaults_of<ComponentsRasterOptions>};

constinit const Operation kNumberComponents = {
    .name = "number_components",
    .help = "turns numbers in a slab into numbers in the raster",
    .inputs = kNumbersInputs,
    .outputs = kNumberedLabels,
    .results = kCountResults,
    .defaults = &defaults_of<NoOptions>};

}  // namespace thiessen

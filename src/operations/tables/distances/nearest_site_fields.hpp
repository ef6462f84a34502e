// SPDX-License-Identifier: Apache-2.0
//
// The options of nearest_site(), which several operations have. For the tables alone: the templates
// take time to compile.
#pragma once

#include "operations/rows/member.hpp"
#include "operations/tables/distances/nearest_site.hpp"
#include "operations/tables/shared/options.hpp"

namespace thiessen {

namespace text {

inline constexpr std::string_view kStepsName[] = {"steps"};
inline constexpr std::string_view kMethodOfScans[] = {"raster-gpu"};
inline constexpr std::string_view kMethodOfCircles[] = {"circle-growing"};
inline constexpr std::string_view kMethodsOfSpreading[] = {"dilation", "expansion"};
inline constexpr std::string_view kMethodOfAllotment[] = {"brute-force"};
/// All from the first one on, in the order of Method.
inline constexpr auto kMethodsOfFlooding =
    std::span(kMethodNames).subspan(static_cast<std::size_t>(Method::jfa));
inline constexpr std::string_view kLiteralMethods[] = {"jfa-coeurjolly", "jfa-thrust"};
inline constexpr Condition kIfFlooding = {"method", kMethodsOfFlooding, "methods of jump flooding"};

}  // namespace text

/// The options that nearest_site() and voronoi() have in common, in the order of use.
inline constexpr Field kNearestSiteFields[] = {
    field<&NearestSiteOptions::spacing>(text::kSpacing),
    field<&NearestSiteOptions::metric>(
        {.name = "metric", .help = "how far apart two cells are", .group = "Distance"}),
    field<&NearestSiteOptions::metric_function>(
        {.name = "metric_function",
         .help = "a function of the difference of two places, instead of the metric",
         .group = "Distance",
         .if_missing = "the metric"}),
    field<&NearestSiteOptions::weighting>(text::kWeighting),
    field<&NearestSiteOptions::max_distance>(text::kMaxDistance),
    field<&NearestSiteOptions::periodic>(text::kPeriodic),
    field<&NearestSiteOptions::earth, &Earth::latitude>(text::kLatitude),
    field<&NearestSiteOptions::earth, &Earth::longitude>(text::kLongitude),
    field<&NearestSiteOptions::earth, &Earth::radius>(text::kEarthRadius),
    field<&NearestSiteOptions::earth, &Earth::flattening>(text::kFlattening),
    field<&NearestSiteOptions::nodata>({.name = "nodata",
                                        .help = "cells of this value lie outside of the domain",
                                        .group = "Sites",
                                        .if_missing = "no cell"}),
    field<&NearestSiteOptions::values>(text::kValues),
    field<&NearestSiteOptions::zero_is_site>(text::kZeroIsSite),
    field<&NearestSiteOptions::free_nodata>(
        {.name = "free_nodata",
         .help = "the nodata cells are the free ones, and all others are sites",
         .group = "Sites",
         .only_if = {"nodata"},
         .not_with = text::kValuesName}),
    field<&NearestSiteOptions::method>(
        {.name = "method", .help = "how the nearest site is found", .alias = "algorithm"}),
    field<&NearestSiteOptions::signed_distance>(
        {.name = "signed_distance",
         .help = "site cells get minus the distance to the nearest cell that is no site"}),
    field<&NearestSiteOptions::distance_to>(
        {.name = "distance_to", .help = "target of distance and squared"}),
    field<&NearestSiteOptions::k>(text::kNearestCount),
    field<&NearestSiteOptions::distinct_labels>(
        {.name = "distinct_labels",
         .help = "the k nearest labels, each by its nearest site",
         .only_if = {"k"}}),
    field<&NearestSiteOptions::ties_unreached>(
        {.name = "ties_unreached",
         .help = "cells at equal distance from several labels get the label of unreached cells"}),
    field<&NearestSiteOptions::distance_type>(text::kDistanceType),
    field<&NearestSiteOptions::unreached>(text::kUnreachedLabel),
    field<&NearestSiteOptions::nodata_label>({.name = "nodata_label",
                                              .help = "label of the cells outside of the domain",
                                              .group = "Output",
                                              .if_missing = "nodata; -1 where sites are numbered",
                                              .only_if = {"domain"}}),
    field<&NearestSiteOptions::strict>(text::kStrict),
    field<&NearestSiteOptions::flooding, &FloodingOptions::steps>(
        {.name = "steps",
         .help = "jump lengths of the passes",
         .group = "Jump flooding",
         .unit = "cells",
         .if_missing = "the method's own",
         .range = from_to(1, 1 << 30),
         .only_if = text::kIfFlooding}),
    field<&NearestSiteOptions::flooding, &FloodingOptions::step_rule>(
        {.name = "step_rule",
         .help = "rule by which steps become shorter",
         .group = "Jump flooding",
         .if_missing = "the method's own",
         .only_if = text::kIfFlooding,
         .not_with = text::kStepsName}),
    field<&NearestSiteOptions::flooding, &FloodingOptions::pattern>(
        {.name = "pattern",
         .help = "places that a cell reads in a pass",
         .group = "Jump flooding",
         .form = "square, circle:N or random-circle:N, N from 1 to 64",
         .if_missing = "the method's own",
         .only_if = text::kIfFlooding}),
    field<&NearestSiteOptions::flooding, &FloodingOptions::noise>(
        {.name = "noise",
         .help = "random sites for cells that hold none",
         .group = "Jump flooding",
         .if_missing = "the method's own",
         .only_if = text::kIfFlooding}),
    field<&NearestSiteOptions::flooding, &FloodingOptions::seed>(
        {.name = "seed",
         .help = "seed of the noise and of random circles",
         .group = "Jump flooding",
         .only_if = text::kIfFlooding}),
    field<&NearestSiteOptions::flooding, &FloodingOptions::literal>(
        {.name = "literal",
         .help = "empty cells measure as in the program of Coeurjolly",
         .group = "Jump flooding",
         .only_if = {"method", text::kLiteralMethods, "jfa-coeurjolly and jfa-thrust"}}),
    field<&NearestSiteOptions::flooding, &FloodingOptions::on_pass>(
        {.name = "on_pass",
         .help = "a function that is called after each pass",
         .group = "Jump flooding",
         .if_missing = "none",
         .only_if = text::kIfFlooding}),
    field<&NearestSiteOptions::raster, &RasterOptions::scan_sites>(
        {.name = "scan_sites",
         .help = "raster-gpu compares cells with all sites up to this number of sites",
         .group = "Raster methods",
         .if_missing = "-1: what was measured for the device",
         .range = at_least(-1),
         .only_if = {"method", text::kMethodOfScans}}),
    field<&NearestSiteOptions::raster, &RasterOptions::growth_step>(
        {.name = "growth_step",
         .help = "growth of circle-growing from round to round",
         .group = "Raster methods",
         .unit = "cells",
         .range = from_to(1, 1 << 30),
         .only_if = {"method", text::kMethodOfCircles}}),
    field<&NearestSiteOptions::raster, &RasterOptions::labels_carried>(
        {.name = "labels_carried",
         .help = "dilation and expansion settle no labels, as in the paper of Tu and Wang",
         .group = "Raster methods",
         .only_if = {"method", text::kMethodsOfSpreading, "methods dilation and expansion"}}),
    field<&NearestSiteOptions::raster, &RasterOptions::allotment>(
        {.name = "allotment",
         .help = "which cells a thread of brute-force takes on a GPU",
         .group = "Raster methods",
         .if_missing = "cyclic",
         .only_if = {"method", text::kMethodOfAllotment}}),
};

// Three members are structs with rows of their own.
static_assert(detail::count_members<NearestSiteOptions>() - 3 + detail::count_members<Earth>() +
                  detail::count_members<FloodingOptions>() +
                  detail::count_members<RasterOptions>() ==
              std::size(kNearestSiteFields));

}  // namespace thiessen

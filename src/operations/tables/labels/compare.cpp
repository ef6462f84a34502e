// SPDX-License-Identifier: Apache-2.0
#include "thiessen/compare.hpp"

#include "operations/checks/tables.hpp"
#include "operations/rows/operation.hpp"
#include "operations/rows/result_member.hpp"
#include "operations/tables/shared/options.hpp"

namespace thiessen {
namespace {

constexpr Input kCompareInputs[] = {
    input<&CompareInputs::labels_a>({.name = "labels_a", .help = "labels of the first result"}),
    input<&CompareInputs::labels_b>({.name = "labels_b", .help = "labels of the second result"}),
    input<&CompareInputs::site_index_a>(
        {.name = "site_index_a", .help = "site indices of the first result"}),
    input<&CompareInputs::site_index_b>(
        {.name = "site_index_b", .help = "site indices of the second result"}),
    input<&CompareInputs::distance_a>(
        {.name = "distance_a", .help = "distances of the first result"}),
    input<&CompareInputs::distance_b>(
        {.name = "distance_b", .help = "distances of the second result"}),
};

constexpr Field kCompareFields[] = {
    field<&CompareOptions::tolerance>(
        {.name = "tolerance",
         .help = "distances that differ by no more than this are equal",
         .unit = "spacing",
         .range = at_least(0)}),
    field<&CompareOptions::metric>(
        {.name = "metric",
         .help = "site indices are cells, and distances to them are computed by this metric",
         .if_missing = "the distances that are given"}),
    field<&CompareOptions::spacing>(text::kSpacing),
};

constexpr Result kCompareResults[] = {
    result<&Comparison::cells>({.name = "cells", .help = "number of cells"}),
    result<&Comparison::differing>(
        {.name = "differing", .help = "cells where any output differs; 0 for equal results"}),
    result<&Comparison::ties>(
        {.name = "ties", .help = "differing cells with another site at the same distance"}),
    result<&Comparison::mismatched>(
        {.name = "mismatched", .help = "cells that are unreached or nodata in one result only"}),
    result<&Comparison::labels_differing>(
        {.name = "labels_differing", .help = "cells where labels differ"}),
    result<&Comparison::site_index_differing>(
        {.name = "site_index_differing", .help = "cells where site indices differ"}),
    result<&Comparison::distance_differing>(
        {.name = "distance_differing", .help = "cells where distances differ"}),
    result<&Comparison::largest_excess>(
        {.name = "largest_excess",
         .help = "greatest distance of the second result minus the first"}),
    result<&Comparison::largest_relative_excess>(
        {.name = "largest_relative_excess",
         .help = "greatest excess over the distance of the first result"}),
    result<&Comparison::largest_shortfall>(
        {.name = "largest_shortfall",
         .help = "greatest distance of the first result minus the second"}),
    result<&Comparison::mean_excess>(
        {.name = "mean_excess", .help = "mean of the distance of the second minus the first"}),
    result<&Comparison::worst_cell>(
        {.name = "worst_cell", .help = "cell where distances are farthest apart; may be empty"}),
    result<&Comparison::first_cell>(
        {.name = "first_cell", .help = "first cell that differs; may be empty"}),
};

static_assert(detail::are_sound(kCompareInputs, kCompareFields, {}));
static_assert(detail::count_members<CompareInputs>() == std::size(kCompareInputs));
static_assert(detail::count_members<CompareOptions>() == std::size(kCompareFields));
static_assert(detail::count_members<Comparison>() == std::size(kCompareResults));

}  // namespace

constinit const Operation kCompare = {.name = "compare",
                                      .help = "how two results of one raster differ",
                                      .inputs = kCompareInputs,
                                      .fields = kCompareFields,
                                      .results = kCompareResults,
                                      .defaults = &defaults_of<CompareOptions>};

}  // namespace thiessen

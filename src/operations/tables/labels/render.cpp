// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/labels/render.hpp"

#include "operations/checks/tables.hpp"
#include "operations/rows/member.hpp"
#include "operations/rows/operation.hpp"
#include "operations/tables/shared/join.hpp"
#include "operations/tables/shared/options.hpp"

namespace thiessen {
namespace {

constexpr Input kRenderInputs[] = {
    input<&RenderInputs::labels>(
        {.name = "labels", .help = "labels, each with a colour of its own"}),
    input<&RenderInputs::distance>({.name = "distance", .help = "distances"}),
    input<&RenderInputs::sites>(
        {.name = "sites", .help = "cells that are neither zero nor NaN are marked"}),
};

constexpr std::string_view kHexadecimal = "six hexadecimal digits, such as ff8800 or #ff8800";

constexpr Field kRenderShapeFields[] = {
    field<&RenderShape::shape>(
        {.name = "shape",
         .help = "extents of a picture that the call makes: (y, x, channels)",
         .if_missing = "a pixel for each cell, 3 channels",
         .range = from_to(0, 1 << 30)}),
};

constexpr Field kRenderOptionFields[] = {
    field<&RenderOptions::mode>(
        {.name = "mode",
         .help = "quantity by which cells are coloured; without labels, distances",
         .group = "Look"}),
    field<&RenderOptions::edges>(
        {.name = "edges", .help = "lines between cells of different labels", .group = "Look"}),
    field<&RenderOptions::edge_colour>({.name = "edge_colour",
                                        .help = "colour of these lines",
                                        .group = "Look",
                                        .form = kHexadecimal,
                                        .if_missing = "darker than the cells"}),
    field<&RenderOptions::marks>(
        {.name = "marks",
         .help = "how sites are marked; an outline is the border of lines and areas",
         .group = "Look"}),
    field<&RenderOptions::contours>(
        {.name = "contours", .help = "lines of equal distance", .group = "Look"}),
    field<&RenderOptions::contour_interval>({.name = "contour_interval",
                                             .help = "distance from one of them to the next",
                                             .group = "Look",
                                             .if_missing = "an interval that makes five to twelve",
                                             .range = kPositive}),
    field<&RenderOptions::shade>(
        {.name = "shade",
         .help = "how much darker labels become towards the greatest distance",
         .group = "Look",
         .range = from_to(0, 1)}),
    field<&RenderOptions::ramp>({.name = "ramp", .help = "colours of distances", .group = "Look"}),
    field<&RenderOptions::ramp_scale>(
        {.name = "ramp_scale", .help = "how distances run along the ramp", .group = "Look"}),
    field<&RenderOptions::range>({.name = "range",
                                  .help = "distances at both ends of the ramp, rising",
                                  .group = "Look",
                                  .if_missing = "the least and the greatest finite distance",
                                  .range = kFinite}),
    field<&RenderOptions::label_nodata>({.name = "label_nodata",
                                         .help = "cells of this label are grey",
                                         .group = "Look",
                                         .if_missing = "no cell"}),
    field<&RenderOptions::site_nodata>({.name = "site_nodata",
                                        .help = "cells of this value in `sites` are no sites",
                                        .group = "Look",
                                        .if_missing = "no cell"}),
    field<&RenderOptions::unreached>(
        {.name = "unreached",
         .help = "cells of this label have the colour of the background",
         .group = "Look"}),
    field<&RenderOptions::background>({.name = "background",
                                       .help = "colour of unreached cells",
                                       .group = "Look",
                                       .form = kHexadecimal}),
    field<&RenderOptions::opacity>({.name = "opacity",
                                    .help = "how opaque coloured cells are",
                                    .group = "Look",
                                    .range = from_to(0, 1)}),
};
constexpr auto kRenderFields = detail::join(kRenderShapeFields, kRenderOptionFields);

constexpr Output kRenderOutputs[] = {
    output<&RenderOutputs::pixels>(
        {.name = "pixels",
         .help = "red, green and blue of each pixel, and opacity if there are four channels",
         .subject = Subject::none}),
};

static_assert(detail::are_sound(kRenderInputs, kRenderFields, kRenderOutputs));
static_assert(detail::count_members<RenderInputs>() == std::size(kRenderInputs));
static_assert(detail::count_members<RenderOptions>() == std::size(kRenderOptionFields));

}  // namespace

constinit const std::span<const Field> kRenderOptions = kRenderOptionFields;

constinit const Operation kRender = {.name = "render",
                                     .help = "paints labels, distances and sites",
                                     .inputs = kRenderInputs,
                                     .fields = kRenderFields,
                                     .outputs = kRenderOutputs,
                                     .defaults = &defaults_of<RenderShape>};

}  // namespace thiessen

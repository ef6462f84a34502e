// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/render.hpp"

#include "operations/checks.hpp"
#include "operations/member.hpp"
#include "operations/operation.hpp"
#include "operations/shared_options.hpp"

namespace thiessen {
namespace {

constexpr Input kRenderInputs[] = {
    input<&RenderInputs::labels>(
        {.name = "labels", .help = "labels, each with a colour of its own"}),
    input<&RenderInputs::distance>({.name = "distance", .help = "distances"}),
    input<&RenderInputs::sites>(
        {.name = "sites", .help = "cells that are neither zero nor NaN are marked"}),
};

constexpr std::string_view kHexadecimal = "six hexadecimal digits, such as ff8800";

constexpr Field kRenderFields[] = {
    field<&RenderShape::shape>(
        {.name = "shape",
         .help = "extents of a picture that the call makes: (y, x, channels)",
         .if_missing = "a pixel for each cell, 3 channels",
         .range = from_to(0, 1 << 30)}),
    field<&RenderOptions::mode>({.name = "mode", .help = "what cells are coloured by"}),
    field<&RenderOptions::edges>(
        {.name = "edges", .help = "lines between cells of different labels"}),
    field<&RenderOptions::edge_colour>({.name = "edge_colour",
                                        .help = "colour of these lines",
                                        .form = kHexadecimal,
                                        .if_missing = "darker than the cells"}),
    field<&RenderOptions::marks>({.name = "marks", .help = "how sites are marked"}),
    field<&RenderOptions::contours>({.name = "contours", .help = "lines of equal distance"}),
    field<&RenderOptions::contour_interval>({.name = "contour_interval",
                                             .help = "distance from one of them to the next",
                                             .if_missing = "an interval that makes five to twelve",
                                             .range = kPositive}),
    field<&RenderOptions::shade>(
        {.name = "shade",
         .help = "how much darker labels become towards the greatest distance",
         .range = from_to(0, 1)}),
    field<&RenderOptions::ramp>({.name = "ramp", .help = "colours of distances"}),
    field<&RenderOptions::scale>({.name = "scale", .help = "how distances run along the ramp"}),
    field<&RenderOptions::range>({.name = "range",
                                  .help = "distances at both ends of the ramp, rising",
                                  .if_missing = "the least and the greatest finite distance",
                                  .range = kFinite}),
    field<&RenderOptions::label_nodata>(
        {.name = "label_nodata", .help = "cells of this label are grey", .if_missing = "no cell"}),
    field<&RenderOptions::site_nodata>({.name = "site_nodata",
                                        .help = "cells of this value in `sites` are no sites",
                                        .if_missing = "no cell"}),
    field<&RenderOptions::unreached>(
        {.name = "unreached", .help = "cells of this label have the colour of the background"}),
    field<&RenderOptions::background>(
        {.name = "background", .help = "colour of unreached cells", .form = kHexadecimal}),
    field<&RenderOptions::opacity>(
        {.name = "opacity", .help = "how opaque coloured cells are", .range = from_to(0, 1)}),
};

constexpr Output kRenderOutputs[] = {
    output<&RenderOutputs::pixels>(
        {.name = "pixels",
         .help = "red, green and blue of each pixel, and opacity if there are four channels",
         .subject = Subject::none}),
};

static_assert(detail::are_sound(kRenderInputs, kRenderFields, kRenderOutputs));
static_assert(detail::count_members<RenderInputs>() == std::size(kRenderInputs));
static_assert(detail::count_members<RenderOptions>() + 1 == std::size(kRenderFields));

}  // namespace

constinit const Operation kRender = {.name = "render",
                                     .help = "paints labels, distances and sites",
                                     .inputs = kRenderInputs,
                                     .fields = kRenderFields,
                                     .outputs = kRenderOutputs,
                                     .defaults = &defaults_of<RenderShape>};

}  // namespace thiessen

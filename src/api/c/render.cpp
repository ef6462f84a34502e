// SPDX-License-Identifier: Apache-2.0
#include "thiessen/render.hpp"

#include <string>

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"

namespace {

using thiessen::refuse;
using thiessen::c::at_boundary;
using thiessen::c::read_struct;
using thiessen::c::required;
using thiessen::c::to_enum;
using thiessen::c::to_flag;
using thiessen::c::to_typed_view;
using thiessen::c::to_value;
using thiessen::c::to_view;
using thiessen::c::write_struct;

static_assert(static_cast<std::int32_t>(thiessen::RenderMode::distance) == THIESSEN_BY_DISTANCE);
static_assert(static_cast<std::int32_t>(thiessen::Ramp::cividis) == THIESSEN_CIVIDIS);
static_assert(static_cast<std::int32_t>(thiessen::RampScale::log) == THIESSEN_LOG);
static_assert(static_cast<std::int32_t>(thiessen::Marks::outline) == THIESSEN_OUTLINE);

constexpr std::int32_t kWhite = 0xffffff;

thiessen_render_options render_defaults() {
  thiessen_render_options options{};
  options.size = sizeof options;
  options.marks = THIESSEN_SOLID;
  options.edges = 1;
  options.edge_colour = THIESSEN_DARKER;
  options.background = kWhite;
  options.shade = thiessen::RenderOptions{}.shade;
  options.opacity = 1;
  return options;
}

thiessen::Colour to_colour(const std::string& name, thiessen_colour colour) {
  if (colour < 0 || colour > kWhite)
    refuse(name + " = " + std::to_string(colour) + "; must be 0 to 0xFFFFFF");
  const auto part = [colour](int shift) { return static_cast<std::uint8_t>(colour >> shift); };
  return {.red = part(16), .green = part(8), .blue = part(0)};
}

thiessen::RenderOptions to_options(const thiessen_render_options* given) {
  const auto options = read_struct("options", given, render_defaults());
  thiessen::RenderOptions cpp{.mode = to_enum("mode", options.mode, thiessen::RenderMode::distance),
                              .edges = to_flag("edges", options.edges),
                              .marks = to_enum("marks", options.marks, thiessen::Marks::outline),
                              .contours = to_flag("contours", options.contours),
                              .shade = options.shade,
                              .ramp = to_enum("ramp", options.ramp, thiessen::Ramp::cividis),
                              .scale = to_enum("scale", options.scale, thiessen::RampScale::log),
                              .label_nodata = to_value("label_nodata", options.label_nodata),
                              .site_nodata = to_value("site_nodata", options.site_nodata),
                              .background = to_colour("background", options.background),
                              .opacity = options.opacity};
  if (options.edge_colour != THIESSEN_DARKER)
    cpp.edge_colour = to_colour("edge_colour", options.edge_colour);
  if (options.contour_interval != 0) cpp.contour_interval = options.contour_interval;
  if (options.range != nullptr) cpp.range = {options.range[0], options.range[1]};
  if (const auto label = to_value("unreached", options.unreached)) cpp.unreached = *label;
  return cpp;
}

thiessen::RenderInputs to_inputs(const thiessen_render_inputs* given) {
  const auto inputs = read_struct("inputs", &required("inputs", given), {});
  return {.labels = to_view("labels", inputs.labels),
          .distance = to_view("distance", inputs.distance),
          .sites = to_view("sites", inputs.sites)};
}

}  // namespace

thiessen_status thiessen_render_options_init(thiessen_render_options* options, size_t size) {
  return at_boundary([&] { write_struct("options", options, size, render_defaults()); });
}

thiessen_status thiessen_render(thiessen_context* context, const thiessen_render_inputs* inputs,
                                const thiessen_render_options* options,
                                const thiessen_array* pixels) {
  return at_boundary([&] {
    thiessen::render(required("context", context).context, to_inputs(inputs), to_options(options),
                     to_typed_view<std::uint8_t>("pixels", required("pixels", pixels)));
  });
}

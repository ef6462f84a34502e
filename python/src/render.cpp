// SPDX-License-Identifier: Apache-2.0
#include "thiessen/render.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>

#include <array>
#include <optional>

#include "array.hpp"
#include "calls.hpp"
#include "module.hpp"
#include "options.hpp"

namespace thiessen::python {
namespace {

/// The options of a call, and how it runs.
struct RenderCall : CallOptions, RenderOptions {};

/// `layers` are by name: labels, distance, sites.
void render_picture(const nb::dict& layers, nb::handle pixels, const RenderCall& options) {
  const NamedArrays arrays = NamedArrays::readable(layers, {"labels", "distance", "sites"});
  const Array output = Array::writable("out", pixels);
  const RenderInputs inputs{.labels = arrays.view("labels"),
                            .distance = arrays.view("distance"),
                            .sites = arrays.view("sites")};
  const View<std::uint8_t> picture = output.view_of<std::uint8_t>("out");
  call(options, false, [&](Context& context) { render(context, inputs, options, picture); });
}

using Rgb = std::array<std::uint8_t, 3>;

Rgb to_rgb(const Colour& colour) { return {colour.red, colour.green, colour.blue}; }
Colour to_colour(const Rgb& rgb) { return {rgb[0], rgb[1], rgb[2]}; }

void bind_options(nb::module_& module) {
  using Options = RenderCall;
  nb::class_<Options, CallOptions> bound(module, "RenderOptions");
  bound.def(nb::init<>())
      .def_rw("edges", &Options::edges)
      .def_rw("contours", &Options::contours)
      .def_rw("contour_interval", &Options::contour_interval)
      .def_rw("shade", &Options::shade)
      .def_rw("opacity", &Options::opacity)
      .def_rw("range", &Options::range)
      .def_prop_rw(
          "edge_colour",
          [](const Options& options) {
            return options.edge_colour ? std::optional(to_rgb(*options.edge_colour)) : std::nullopt;
          },
          [](Options& options, const Rgb& rgb) { options.edge_colour = to_colour(rgb); })
      .def_prop_rw(
          "background", [](const Options& options) { return to_rgb(options.background); },
          [](Options& options, const Rgb& rgb) { options.background = to_colour(rgb); });
  bind_choice(bound, "mode", &Options::mode, kRenderModeNames);
  bind_choice(bound, "marks", &Options::marks, kMarksNames);
  bind_choice(bound, "ramp", &Options::ramp, kRampNames);
  bind_choice(bound, "ramp_scale", &Options::scale, kRampScaleNames);
  bind_label(bound, "label_nodata", &Options::label_nodata);
  bind_label(bound, "site_nodata", &Options::site_nodata);
  bind_label(bound, "unreached", &Options::unreached);
}

}  // namespace

void bind_render(nb::module_& module) {
  bind_options(module);
  module.def("render", &render_picture, nb::arg("layers"), nb::arg("pixels"), nb::arg("options"),
             "Calls the C++ function render() on host buffers.");
}

}  // namespace thiessen::python

// SPDX-License-Identifier: Apache-2.0
#include "thiessen/render.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <initializer_list>
#include <string_view>
#include <utility>

#include "array.hpp"
#include "calls.hpp"
#include "module.hpp"
#include "thiessen/error.hpp"
#include "values.hpp"

namespace thiessen::python {
namespace {

using Rgb = std::array<std::uint8_t, 3>;

template <class Choice>
Choice to_choice(const char* name, std::string_view value,
                 std::initializer_list<std::pair<std::string_view, Choice>> choices) {
  std::string known;
  for (const auto& [word, choice] : choices) {
    if (word == value) return choice;
    known += (known.empty() ? "'" : ", '") + std::string(word) + "'";
  }
  throw Error(ErrorCode::invalid_argument,
              std::string(name) + " = '" + std::string(value) + "'; must be one of " + known);
}

Colour to_colour(const Rgb& rgb) { return {rgb[0], rgb[1], rgb[2]}; }

void render_picture(nb::handle labels, nb::handle distance, nb::handle sites, nb::handle pixels,
                    std::string_view mode, bool edges, const std::optional<Rgb>& edge_colour,
                    std::string_view marks, bool contours, std::optional<double> contour_interval,
                    double shade, std::string_view ramp, std::string_view ramp_scale,
                    std::optional<std::array<double, 2>> range, nb::handle nodata,
                    nb::handle sites_nodata, nb::handle unreached, const Rgb& background,
                    int threads) {
  RenderOptions options{
      .mode = to_choice<RenderMode>(
          "mode", mode, {{"cells", RenderMode::cells}, {"distance", RenderMode::distance}}),
      .edges = edges,
      .marks = to_choice<Marks>(
          "marks", marks,
          {{"none", Marks::none}, {"solid", Marks::solid}, {"outline", Marks::outline}}),
      .contours = contours,
      .contour_interval = contour_interval,
      .shade = shade,
      .ramp = to_choice<Ramp>(
          "ramp", ramp,
          {{"dusk", Ramp::dusk}, {"ember", Ramp::ember}, {"ice", Ramp::ice}, {"grey", Ramp::grey}}),
      .scale = to_choice<RampScale>(
          "ramp_scale", ramp_scale,
          {{"linear", RampScale::linear}, {"sqrt", RampScale::sqrt}, {"log", RampScale::log}}),
      .range = range,
      .nodata = to_optional_label("nodata", nodata),
      .sites_nodata = to_optional_label("sites_nodata", sites_nodata),
      .unreached = to_label("unreached", unreached),
      .background = to_colour(background)};
  if (edge_colour) options.edge_colour = to_colour(*edge_colour);
  const Array input_labels = Array::readable("labels", labels);
  const Array input_distance = Array::readable("distance", distance);
  const Array input_sites = Array::readable("sites", sites);
  const Array output = Array::writable("out", pixels);
  const RenderInputs inputs{.labels = input_labels.const_view(),
                            .distance = input_distance.const_view(),
                            .sites = input_sites.const_view()};
  const View<std::uint8_t> picture = output.view_of<std::uint8_t>("out");
  call({"cpu", threads, nb::none()}, false,
       [&](Context& context) { render(context, inputs, options, picture); });
}

}  // namespace

void bind_render(nb::module_& module) {
  module.def("render", &render_picture, nb::arg("labels").none(), nb::arg("distance").none(),
             nb::arg("sites").none(), nb::arg("pixels"), nb::arg("mode"), nb::arg("edges"),
             nb::arg("edge_colour").none(), nb::arg("marks"), nb::arg("contours"),
             nb::arg("contour_interval").none(), nb::arg("shade"), nb::arg("ramp"),
             nb::arg("ramp_scale"), nb::arg("range").none(), nb::arg("nodata").none(),
             nb::arg("sites_nodata").none(), nb::arg("unreached"), nb::arg("background"),
             nb::arg("threads"), "Calls the C++ function render() on host buffers.");
}

}  // namespace thiessen::python

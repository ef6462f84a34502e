// SPDX-License-Identifier: Apache-2.0
//
// What a build without Cairo and Pango does instead.
#include "maps/drawing/drawing.hpp"
#include "thiessen/error.hpp"

namespace thiessen::maps {

bool has_drawings() noexcept { return false; }

Raster read_png_colours(const std::string&) { return {}; }

Size size_of(const std::string&, const TextStyle&) { return {}; }

struct Drawing::State {};

Drawing::Drawing(io::OutputFile&, DrawingFormat, const Size&, const std::string&) {
  throw Error(ErrorCode::unsupported, "this build has no Cairo, which draws maps");
}

Drawing::~Drawing() = default;
void Drawing::picture(const Box&, const View<const std::uint8_t>&) {}
void Drawing::image(const Box&, const View<const std::uint8_t>&) {}
void Drawing::fill(const Box&, const Colour&) {}
void Drawing::frame(const Box&, double, const Colour&) {}
void Drawing::line(const std::vector<Point>&, double, const Colour&, double) {}
void Drawing::clip(const std::optional<Box>&) {}
void Drawing::polygon(const std::vector<Point>&, const Colour&) {}
void Drawing::ramp(const Box&, const std::vector<Colour>&) {}
void Drawing::text(const Point&, const std::string&, const TextStyle&) {}
void Drawing::finish() {}

}  // namespace thiessen::maps

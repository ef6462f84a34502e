// SPDX-License-Identifier: Apache-2.0
//
// Drawings of lines, texts and pictures, as PNG, SVG or PDF: Cairo, with Pango for texts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/files/output_file.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/render.hpp"
#include "thiessen/view.hpp"

namespace thiessen::maps {

/// What the bytes of a drawing are. A unit of it is a pixel; 96 of them are an inch of paper.
enum class DrawingFormat { png, svg, pdf };

struct Point {
  double x = 0;
  double y = 0;
};

struct Size {
  double width = 0;
  double height = 0;
};

struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;

  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

struct TextStyle {
  double size = 12;  ///< of the font
  bool bold = false;
  double width = 0;      ///< lines break before it; 0: one line
  bool shorten = false;  ///< what is wider than `width` ends in an ellipsis instead
  bool halo = false;     ///< white around the letters, for a picture beneath
  double turn = 0;       ///< radians, clockwise, around the middle
};

/// Whether this build has drawings.
bool has_drawings() noexcept;

/// The longest side of a picture or, in pixels, of a drawing.
inline constexpr std::int64_t kLongestSide = 32767;

/// A PNG of any kind as u8 (y, x, 4): red, green, blue and opacity. Throws Error{io} naming the
/// file.
Raster read_png_colours(const std::string& path);

/// The size of a text that is not turned.
Size size_of(const std::string& text, const TextStyle& style);

/// A drawing on white paper, written to a file when it is finished. All throw Error: io,
/// out_of_memory; unsupported in a build without Cairo.
class Drawing {
 public:
  /// `title` is what a PDF tells of itself.
  Drawing(io::OutputFile& file, DrawingFormat format, const Size& size, const std::string& title);
  ~Drawing();
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;

  /// A picture of u8 (y, x, 4), red, green, blue and opacity, over the box. Its pixels are not
  /// smoothed where the box is larger.
  void picture(const Box& box, const View<const std::uint8_t>& pixels);

  /// The same for a photograph: smoothed.
  void image(const Box& box, const View<const std::uint8_t>& pixels);

  void fill(const Box& box, const Colour& colour);
  void frame(const Box& box, double width, const Colour& colour);
  void line(const std::vector<Point>& points, double width, const Colour& colour,
            double opacity = 1);

  /// Nothing is drawn beyond this box from now on; empty: all of the page again.
  void clip(const std::optional<Box>& box);

  void polygon(const std::vector<Point>& corners, const Colour& colour);

  /// Colours from the left to the right, over the box.
  void ramp(const Box& box, const std::vector<Colour>& colours);

  /// A text whose upper left corner is at `corner`, before it is turned.
  void text(const Point& corner, const std::string& text, const TextStyle& style);

  /// Writes all of it; nothing may be drawn after that.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace thiessen::maps

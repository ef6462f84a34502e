// SPDX-License-Identifier: Apache-2.0
#include "maps/drawing/drawing.hpp"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <pango/pangocairo.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <utility>

#include "io/files/io_error.hpp"
#include "thiessen/error.hpp"
#include "thiessen/version.hpp"

namespace thiessen::maps {

/// Gives back what Cairo and Pango have made.
struct FreeDrawn {
  void operator()(cairo_surface_t* surface) const noexcept { cairo_surface_destroy(surface); }
  void operator()(cairo_t* cairo) const noexcept { cairo_destroy(cairo); }
  void operator()(cairo_pattern_t* pattern) const noexcept { cairo_pattern_destroy(pattern); }
  void operator()(PangoContext* context) const noexcept { g_object_unref(context); }
  void operator()(PangoLayout* layout) const noexcept { g_object_unref(layout); }
  void operator()(PangoFontDescription* font) const noexcept { pango_font_description_free(font); }
  void operator()(cairo_font_options_t* options) const noexcept {
    cairo_font_options_destroy(options);
  }
};
template <class T>
using Owned = std::unique_ptr<T, FreeDrawn>;

namespace {

constexpr double kPointsPerUnit = 72.0 / 96;
constexpr Colour kTextColour{28, 30, 36};

/// Letters have the same widths on every kind of surface.
Owned<PangoContext> make_text_context() {
  Owned<PangoContext> context(pango_font_map_create_context(pango_cairo_font_map_get_default()));
  const Owned<cairo_font_options_t> options(cairo_font_options_create());
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options(context.get(), options.get());
  pango_cairo_context_set_resolution(context.get(), 72);  // a point of a font is a unit
  pango_context_set_round_glyph_positions(context.get(), 0);
  return context;
}

Owned<PangoLayout> make_layout(const std::string& text, const TextStyle& style) {
  static const Owned<PangoContext> kContext = make_text_context();
  Owned<PangoLayout> layout(pango_layout_new(kContext.get()));
  const Owned<PangoFontDescription> font(pango_font_description_from_string("Sans"));
  pango_font_description_set_absolute_size(font.get(), style.size * PANGO_SCALE);
  if (style.bold) pango_font_description_set_weight(font.get(), PANGO_WEIGHT_BOLD);
  pango_layout_set_font_description(layout.get(), font.get());
  pango_layout_set_text(layout.get(), text.data(), static_cast<int>(text.size()));
  if (style.width > 0) {
    pango_layout_set_width(layout.get(), static_cast<int>(std::ceil(style.width * PANGO_SCALE)));
    if (style.shorten)
      pango_layout_set_ellipsize(layout.get(), PANGO_ELLIPSIZE_END);
    else
      pango_layout_set_wrap(layout.get(), PANGO_WRAP_WORD_CHAR);
  }
  return layout;
}

Size size_of(PangoLayout* layout) {
  int width = 0;
  int height = 0;
  pango_layout_get_size(layout, &width, &height);
  return {static_cast<double>(width) / PANGO_SCALE, static_cast<double>(height) / PANGO_SCALE};
}

void check(cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return;
  throw Error(status == CAIRO_STATUS_NO_MEMORY ? ErrorCode::out_of_memory : ErrorCode::io,
              std::string("the map cannot be drawn: ") + cairo_status_to_string(status));
}

/// A picture in the form of Cairo: a word a pixel, colours multiplied by the opacity.
Owned<cairo_surface_t> to_surface(const View<const std::uint8_t>& pixels) {
  const auto height = static_cast<int>(pixels.extent(0));
  const auto width = static_cast<int>(pixels.extent(1));
  Owned<cairo_surface_t> surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height));
  check(cairo_surface_status(surface.get()));
  unsigned char* const words = cairo_image_surface_get_data(surface.get());
  const std::ptrdiff_t row_bytes = cairo_image_surface_get_stride(surface.get());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const std::uint8_t* const pixel = &pixels(y, x, 0);
      const std::uint32_t opacity = pixel[3];
      const auto part = [&](int channel) { return (pixel[channel] * opacity + 127) / 255; };
      const std::uint32_t word = opacity << 24 | part(0) << 16 | part(1) << 8 | part(2);
      std::memcpy(words + y * row_bytes + std::ptrdiff_t{4} * x, &word, sizeof word);
    }
  }
  cairo_surface_mark_dirty(surface.get());
  return surface;
}

/// The inverse.
Raster to_raster(cairo_surface_t* surface, int height, int width) {
  Raster pixels = Raster::of<std::uint8_t>({height, width, 4});
  const unsigned char* const words = cairo_image_surface_get_data(surface);
  const std::ptrdiff_t row_bytes = cairo_image_surface_get_stride(surface);
  std::uint8_t* pixel = pixels.view<std::uint8_t>().data();
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x, pixel += 4) {
      std::uint32_t word = 0;
      std::memcpy(&word, words + y * row_bytes + std::ptrdiff_t{4} * x, sizeof word);
      const std::uint32_t opacity = word >> 24;
      const auto part = [&](int shift) {
        const std::uint32_t colour = word >> shift & 0xff;
        return static_cast<std::uint8_t>(opacity == 0 ? 0 : std::min(colour * 255 / opacity, 255U));
      };
      pixel[0] = part(16);
      pixel[1] = part(8);
      pixel[2] = part(0);
      pixel[3] = static_cast<std::uint8_t>(opacity);
    }
  }
  return pixels;
}

}  // namespace

bool has_drawings() noexcept { return true; }

Raster read_png_colours(const std::string& path) {
  const Owned<cairo_surface_t> image(cairo_image_surface_create_from_png(path.c_str()));
  const cairo_status_t status = cairo_surface_status(image.get());
  if (status != CAIRO_STATUS_SUCCESS)
    io::fail(path, std::string("is no PNG that Cairo reads: ") + cairo_status_to_string(status));
  const int height = cairo_image_surface_get_height(image.get());
  const int width = cairo_image_surface_get_width(image.get());
  // Drawn into the one form of pixels, as those of a file may be RGB, grey or deeper.
  const Owned<cairo_surface_t> words(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height));
  check(cairo_surface_status(words.get()));
  const Owned<cairo_t> cairo(cairo_create(words.get()));
  cairo_set_source_surface(cairo.get(), image.get(), 0, 0);
  cairo_paint(cairo.get());
  cairo_surface_flush(words.get());
  return to_raster(words.get(), height, width);
}

Size size_of(const std::string& text, const TextStyle& style) {
  return size_of(make_layout(text, style).get());
}

struct Drawing::State {
  State(io::OutputFile& output, DrawingFormat kind, const Size& size, const std::string& title)
      : file(output), format(kind), surface(make_surface(size, title)) {
    check(cairo_surface_status(surface.get()));
    cairo.reset(cairo_create(surface.get()));
    if (format == DrawingFormat::pdf) cairo_scale(cairo.get(), kPointsPerUnit, kPointsPerUnit);
    cairo_set_line_join(cairo.get(), CAIRO_LINE_JOIN_ROUND);
  }

  cairo_surface_t* make_surface(const Size& size, const std::string& title) {
    if (format == DrawingFormat::png)
      return cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(size.width),
                                        static_cast<int>(size.height));
    if (format == DrawingFormat::svg) {
      cairo_surface_t* const svg =
          cairo_svg_surface_create_for_stream(on_write, this, size.width, size.height);
      cairo_svg_surface_set_document_unit(svg, CAIRO_SVG_UNIT_PX);
      return svg;
    }
    cairo_surface_t* const pdf = cairo_pdf_surface_create_for_stream(
        on_write, this, size.width * kPointsPerUnit, size.height * kPointsPerUnit);
    cairo_pdf_surface_set_metadata(pdf, CAIRO_PDF_METADATA_TITLE, title.c_str());
    cairo_pdf_surface_set_metadata(pdf, CAIRO_PDF_METADATA_CREATOR,
                                   ("thiessen " + std::string(version())).c_str());
    return pdf;
  }

  /// Keeps the exception, which must not pass through Cairo.
  static cairo_status_t on_write(void* self, const unsigned char* bytes, unsigned int count) {
    auto* const state = static_cast<State*>(self);
    try {
      state->file.write(bytes, count);
      return CAIRO_STATUS_SUCCESS;
    } catch (...) {
      state->failure = std::current_exception();
      return CAIRO_STATUS_WRITE_ERROR;
    }
  }

  void set(const Colour& colour, double opacity = 1) const {
    cairo_set_source_rgba(cairo.get(), colour.red / 255.0, colour.green / 255.0,
                          colour.blue / 255.0, opacity);
  }

  void path(const std::vector<Point>& points) const {
    cairo_new_path(cairo.get());  // a text leaves a point
    for (const Point& point : points) cairo_line_to(cairo.get(), point.x, point.y);
  }

  void rectangle(const Box& box) const {
    cairo_new_path(cairo.get());
    cairo_rectangle(cairo.get(), box.x, box.y, box.width, box.height);
  }

  void picture(const Box& box, const View<const std::uint8_t>& pixels,
               cairo_filter_t filter) const {
    const Owned<cairo_surface_t> image = to_surface(pixels);
    cairo_save(cairo.get());
    rectangle(box);
    cairo_clip(cairo.get());
    cairo_translate(cairo.get(), box.x, box.y);
    cairo_scale(cairo.get(), box.width / static_cast<double>(pixels.extent(1)),
                box.height / static_cast<double>(pixels.extent(0)));
    cairo_set_source_surface(cairo.get(), image.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cairo.get()), filter);
    cairo_pattern_set_extend(cairo_get_source(cairo.get()), CAIRO_EXTEND_PAD);
    cairo_paint(cairo.get());
    cairo_restore(cairo.get());
  }

  io::OutputFile& file;
  DrawingFormat format;
  std::exception_ptr failure;
  Owned<cairo_surface_t> surface;
  Owned<cairo_t> cairo;
};

Drawing::Drawing(io::OutputFile& file, DrawingFormat format, const Size& size,
                 const std::string& title)
    : state_(std::make_unique<State>(file, format, size, title)) {
  fill({0, 0, size.width, size.height}, {255, 255, 255});
}

Drawing::~Drawing() = default;

void Drawing::picture(const Box& box, const View<const std::uint8_t>& pixels) {
  state_->picture(box, pixels, CAIRO_FILTER_NEAREST);
}

void Drawing::image(const Box& box, const View<const std::uint8_t>& pixels) {
  state_->picture(box, pixels, CAIRO_FILTER_GOOD);
}

void Drawing::fill(const Box& box, const Colour& colour) {
  state_->set(colour);
  state_->rectangle(box);
  cairo_fill(state_->cairo.get());
}

void Drawing::frame(const Box& box, double width, const Colour& colour) {
  state_->set(colour);
  state_->rectangle(box);
  cairo_set_line_width(state_->cairo.get(), width);
  cairo_stroke(state_->cairo.get());
}

void Drawing::clip(const std::optional<Box>& box) {
  cairo_reset_clip(state_->cairo.get());
  if (!box) return;
  state_->rectangle(*box);
  cairo_clip(state_->cairo.get());
}

void Drawing::line(const std::vector<Point>& points, double width, const Colour& colour,
                   double opacity) {
  state_->set(colour, opacity);
  state_->path(points);
  cairo_set_line_width(state_->cairo.get(), width);
  cairo_stroke(state_->cairo.get());
}

void Drawing::polygon(const std::vector<Point>& corners, const Colour& colour) {
  state_->set(colour);
  state_->path(corners);
  cairo_fill(state_->cairo.get());
}

void Drawing::ramp(const Box& box, const std::vector<Colour>& colours) {
  const Owned<cairo_pattern_t> ramp(cairo_pattern_create_linear(box.x, 0, box.right(), 0));
  for (std::size_t i = 0; i < colours.size(); ++i)
    cairo_pattern_add_color_stop_rgb(
        ramp.get(), static_cast<double>(i) / static_cast<double>(colours.size() - 1),
        colours[i].red / 255.0, colours[i].green / 255.0, colours[i].blue / 255.0);
  cairo_set_source(state_->cairo.get(), ramp.get());
  state_->rectangle(box);
  cairo_fill(state_->cairo.get());
}

void Drawing::text(const Point& corner, const std::string& text, const TextStyle& style) {
  cairo_t* const cairo = state_->cairo.get();
  const Owned<PangoLayout> layout = make_layout(text, style);
  const Size size = size_of(layout.get());
  cairo_save(cairo);
  cairo_translate(cairo, corner.x + size.width / 2, corner.y + size.height / 2);
  cairo_rotate(cairo, style.turn);
  cairo_move_to(cairo, -size.width / 2, -size.height / 2);
  if (style.halo) {
    pango_cairo_layout_path(cairo, layout.get());
    cairo_set_source_rgba(cairo, 1, 1, 1, 0.85);
    cairo_set_line_width(cairo, 0.28 * style.size);
    cairo_stroke(cairo);
    cairo_move_to(cairo, -size.width / 2, -size.height / 2);
  }
  state_->set(kTextColour);
  pango_cairo_show_layout(cairo, layout.get());
  cairo_restore(cairo);
}

void Drawing::finish() {
  check(cairo_status(state_->cairo.get()));
  cairo_status_t written = CAIRO_STATUS_SUCCESS;
  if (state_->format == DrawingFormat::png)
    written =
        cairo_surface_write_to_png_stream(state_->surface.get(), State::on_write, state_.get());
  cairo_surface_finish(state_->surface.get());
  if (state_->failure) std::rethrow_exception(std::exchange(state_->failure, nullptr));
  check(written);
  check(cairo_surface_status(state_->surface.get()));
}

}  // namespace thiessen::maps

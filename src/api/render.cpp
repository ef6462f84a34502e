// SPDX-License-Identifier: Apache-2.0
#include "thiessen/render.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include "api/guarded.hpp"
#include "core/cell_class.hpp"
#include "core/context_state.hpp"
#include "core/element_visit.hpp"
#include "core/problem.hpp"
#include "core/rng.hpp"
#include "thiessen/error.hpp"

namespace thiessen {
namespace {

using Colour = std::array<std::uint8_t, 3>;

constexpr Colour kWhite{255, 255, 255};
constexpr Colour kBlack{0, 0, 0};
constexpr Colour kGrey{160, 160, 160};

Colour scale(const Colour& colour, double factor) {
  Colour scaled;
  for (std::size_t i = 0; i < 3; ++i)
    scaled[i] = static_cast<std::uint8_t>(std::lround(colour[i] * factor));
  return scaled;
}

/// Hue, lightness and saturation from the bits of a label, by the same generator as everything
/// random.
Colour colour_of(std::uint64_t bits) {
  const std::uint64_t draw = splitmix64(0, bits);
  const double hue = static_cast<double>(draw >> 40) / static_cast<double>(1 << 24) * 6;
  const double lightness = 0.55 + 0.3 * static_cast<double>(draw >> 20 & 0xff) / 255;
  const double chroma =
      (0.4 + 0.5 * static_cast<double>(draw & 0xff) / 255) * (1 - std::fabs(2 * lightness - 1));
  const double second = chroma * (1 - std::fabs(std::fmod(hue, 2.0) - 1));
  const double base = lightness - chroma / 2;
  const std::array<std::array<double, 3>, 6> sextants{{{chroma, second, 0},
                                                       {second, chroma, 0},
                                                       {0, chroma, second},
                                                       {0, second, chroma},
                                                       {second, 0, chroma},
                                                       {chroma, 0, second}}};
  const auto& parts = sextants[std::min<std::size_t>(5, static_cast<std::size_t>(hue))];
  Colour colour;
  for (std::size_t i = 0; i < 3; ++i)
    colour[i] = static_cast<std::uint8_t>(std::lround(255 * (parts[i] + base)));
  return colour;
}

std::uint64_t label_bits(const View<const void>& labels, std::int64_t y, std::int64_t x) {
  return visit_element_width(labels.element_type(), [&]<class T>(std::type_identity<T>) {
    T bits;
    std::memcpy(&bits, address_of(labels, {0, y, x}), sizeof bits);
    return static_cast<std::uint64_t>(bits);
  });
}

double distance_at(const View<const void>& distance, std::int64_t y, std::int64_t x) {
  if (distance.element_type() == ElementType::f64) {
    double value;
    std::memcpy(&value, address_of(distance, {0, y, x}), sizeof value);
    return value;
  }
  float value;
  std::memcpy(&value, address_of(distance, {0, y, x}), sizeof value);
  return value;
}

bool is_site(const View<const void>& sites, std::int64_t y, std::int64_t x) {
  std::uint8_t cell_class = kFreeCell;
  classify({.type = sites.element_type()}, address_of(sites, {0, y, x}), 1, &cell_class);
  return cell_class == kSiteCell;
}

class Painter {
 public:
  Painter(const RenderInputs& inputs, const View<std::uint8_t>& pixels)
      : inputs_{with_three_axes(inputs.labels), with_three_axes(inputs.distance),
                with_three_axes(inputs.sites)},
        height_(pixels.extent(0)),
        width_(pixels.extent(1)) {}

  /// Finds the farthest distance, which is painted darkest.
  void measure(Progress& progress) {
    for (std::int64_t y = 0; y < height_; ++y) {
      for (std::int64_t x = 0; inputs_.distance && x < width_; ++x) {
        const double distance = std::fabs(distance_at(inputs_.distance, y, x));
        if (std::isfinite(distance)) farthest_ = std::max(farthest_, distance);
      }
      progress.advance(1);
    }
  }

  Colour paint(std::int64_t y, std::int64_t x) {
    if (inputs_.sites && is_site(inputs_.sites, y, x)) return kBlack;
    double shade = 1;
    if (inputs_.distance) {
      const double distance = distance_at(inputs_.distance, y, x);
      if (std::isnan(distance)) return kGrey;
      if (std::isinf(distance)) return kWhite;
      shade = 1 - 0.45 * std::sqrt(std::fabs(distance) / farthest_);
    }
    if (!inputs_.labels) return scale(kWhite, shade);
    return paint_label(y, x, shade);
  }

 private:
  Colour paint_label(std::int64_t y, std::int64_t x, double shade) {
    const std::uint64_t label = label_bits(inputs_.labels, y, x);
    if (label == 0) return kWhite;
    if (label != painted_) {
      painted_ = label;
      colour_ = colour_of(label);
    }
    const bool edge = (y + 1 < height_ && label_bits(inputs_.labels, y + 1, x) != label) ||
                      (x + 1 < width_ && label_bits(inputs_.labels, y, x + 1) != label);
    return scale(colour_, edge ? 0.5 * shade : shade);
  }

  RenderInputs inputs_;
  std::int64_t height_;
  std::int64_t width_;
  double farthest_ = 1e-300;  // all distances 0: no division by 0, no shade
  std::uint64_t painted_ = 0;
  Colour colour_ = kWhite;
};

void check(const RenderInputs& inputs, const View<std::uint8_t>& pixels) {
  const auto refuse = [](const std::string& message) {
    throw Error(ErrorCode::invalid_argument, message);
  };
  check_cells("pixels", pixels);
  check_apart("pixels", pixels);
  if (pixels.rank() != 3 || pixels.extent(2) != 3) refuse("pixels must have the extents (y, x, 3)");
  const auto check_input = [&](const char* name, const View<const void>& view) {
    if (!view) return;
    check_aligned_cells(name, view);
    check_no_overlap("pixels", pixels, name, view);
    if (view.extents() != Extents{pixels.extent(0), pixels.extent(1)})
      refuse(std::string(name) + " must be 2-D with the extents of the pixels");
  };
  check_input("labels", inputs.labels);
  check_input("distance", inputs.distance);
  check_input("sites", inputs.sites);
  if (inputs.distance && inputs.distance.element_type() != ElementType::f32 &&
      inputs.distance.element_type() != ElementType::f64)
    refuse("distance is " + std::string(name_of(inputs.distance.element_type())) +
           "; must be f32 or f64");
}

void paint(Progress& progress, const RenderInputs& inputs, const View<std::uint8_t>& pixels) {
  progress.begin(2 * pixels.extent(0));
  Painter painter(inputs, pixels);
  painter.measure(progress);
  for (std::int64_t y = 0; y < pixels.extent(0); ++y) {
    for (std::int64_t x = 0; x < pixels.extent(1); ++x) {
      const Colour colour = painter.paint(y, x);
      for (std::size_t i = 0; i < 3; ++i) pixels(y, x, i) = colour[i];
    }
    progress.advance(1);
  }
}

}  // namespace

void render(Context& context, const RenderInputs& inputs, View<std::uint8_t> pixels) {
  ContextState& state = context.state();
  guarded(state, [&] {
    check(inputs, pixels);
    paint(state.progress, inputs, pixels);
  });
}

}  // namespace thiessen

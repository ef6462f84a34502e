// SPDX-License-Identifier: Apache-2.0
//
// Colours in linear light, where they can be averaged. Nothing here calls the mathematical library,
// whose last bits differ between machines.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "thiessen/render.hpp"

namespace thiessen {

/// A colour in linear light, 16 bits a channel, multiplied by its opacity.
struct LinearColour {
  std::uint16_t red = 0;
  std::uint16_t green = 0;
  std::uint16_t blue = 0;
  std::uint16_t opacity = 65535;
};

inline constexpr LinearColour kTransparent{.red = 0, .green = 0, .blue = 0, .opacity = 0};

LinearColour to_linear_colour(const Colour& colour);

/// The byte of sRGB that shows so much light; to_linear_colour() of it returns to the same byte.
std::uint8_t to_byte(std::uint32_t light);

/// The colour with this lightness (0 to 1), chroma and hue (in turns); if sRGB does not have it,
/// the one with the greatest chroma that sRGB has.
LinearColour from_oklch(double lightness, double chroma, double hue);

/// Colours of labels.
class Palette {
 public:
  /// The palette that all pictures share.
  static const Palette& shared();

  /// Two walks in irrational steps, one over the hue and one over lightness and chroma. They are
  /// chosen so that numbers up to six hundred apart never coincide in both.
  const LinearColour& of(std::uint64_t number) const {
    const std::uint64_t hue = number * 0x9e3779b97f4a7c15u >> 56;   // golden ratio - 1
    const std::uint64_t tone = number * 0x57cb923a29c77800u >> 60;  // 0.34295
    return colours_[hue * kTones + tone];
  }

 private:
  Palette();

  static constexpr std::size_t kHues = 256;
  static constexpr std::size_t kTones = 16;

  std::vector<LinearColour> colours_;
};

inline constexpr std::size_t kRampColours = 1024;
std::vector<LinearColour> make_ramp(Ramp ramp);

/// Logarithm to base 2 of a finite x > 0, within 1e-7.
double log2_of(double x);

}  // namespace thiessen

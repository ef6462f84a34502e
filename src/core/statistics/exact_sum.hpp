// SPDX-License-Identifier: Apache-2.0
//
// Sums of floating-point numbers without rounding: a fixed-point number with a bit for every power
// of two that the numbers can have, after Kulisch's long accumulator. A sum is rounded once, when
// it is read, so it does not depend on the order of what was added, and what was added can be taken
// away again.
//
// The number lies in words of 64 bits, the lowest first, in two's complement; bit 0 stands for
// 2^lowest.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/base/host_device.hpp"
#include "core/base/int128.hpp"

namespace thiessen {

/// A number as mantissa·2^exponent.
struct BinaryParts {
  std::int64_t mantissa = 0;
  int exponent = 0;
};

/// What the bits of a float type are.
template <class T>
struct FloatBits {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>);
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr int kMantissa = sizeof(T) == 4 ? 23 : 52;    ///< bits, without the hidden one
  static constexpr int kSpecial = sizeof(T) == 4 ? 255 : 2047;  ///< exponent of NaN and infinity
  static constexpr int kBias = kSpecial / 2 + kMantissa;
  /// Every finite number is a multiple of 2^kLowest and less than 2^kHighest.
  static constexpr int kLowest = 1 - kBias;
  static constexpr int kHighest = kSpecial - kBias + kMantissa;

  THIESSEN_HD static Bits of(T value) {
    Bits bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  THIESSEN_HD static int exponent(Bits bits) {
    return static_cast<int>(bits >> kMantissa & static_cast<Bits>(kSpecial));
  }
};

/// The parts of a finite number. Numbers of one exponent, and subnormal ones, have the same
/// exponent here.
template <class T>
THIESSEN_HD BinaryParts parts_of(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    using Float = FloatBits<T>;
    const auto bits = Float::of(value);
    const int exponent = Float::exponent(bits);
    auto mantissa =
        static_cast<std::int64_t>(bits & ((typename Float::Bits{1} << Float::kMantissa) - 1));
    if (exponent != 0) mantissa |= std::int64_t{1} << Float::kMantissa;
    return {value < 0 ? -mantissa : mantissa, (exponent == 0 ? 1 : exponent) - Float::kBias};
  } else {
    return {static_cast<std::int64_t>(value), 0};
  }
}

/// Adds value·2^shift to a sum of `count` words that can hold the result; |value| < 2^127.
THIESSEN_HD inline void add_to_words(std::uint64_t* words, int count, Int128 value, int shift) {
  const bool negative = value < 0;
  const UInt128 magnitude = negative ? -static_cast<UInt128>(value) : static_cast<UInt128>(value);
  if (magnitude == 0) return;
  const int bits = shift % 64;
  const std::uint64_t low = static_cast<std::uint64_t>(magnitude);
  const std::uint64_t high = static_cast<std::uint64_t>(magnitude >> 64);
  const std::uint64_t parts[3] = {low << bits, bits == 0 ? high : low >> (64 - bits) | high << bits,
                                  bits == 0 ? 0 : high >> (64 - bits)};
  std::uint64_t carry = 0;
  for (int i = 0, word = shift / 64; word < count && (i < 3 || carry != 0); ++i, ++word) {
    const std::uint64_t part = i < 3 ? parts[i] : 0;
    const UInt128 sum = negative ? static_cast<UInt128>(words[word]) - part - carry
                                 : static_cast<UInt128>(words[word]) + part + carry;
    words[word] = static_cast<std::uint64_t>(sum);
    carry = static_cast<std::uint64_t>(sum >> 64) & 1;
  }
}

/// Adds one sum to another.
THIESSEN_HD inline void add_words(std::uint64_t* words, const std::uint64_t* others, int count) {
  UInt128 carry = 0;
  for (int word = 0; word < count; ++word) {
    carry += static_cast<UInt128>(words[word]) + others[word];
    words[word] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
}

/// A number as mantissa·2^exponent, with the mantissa 0 or of 2^52 to 2^53 in magnitude.
struct ScaledNumber {
  double mantissa = 0;
  int exponent = 0;
};

/// A sum rounded to 53 bits, half to even, whatever its magnitude.
inline ScaledNumber round_words(const std::uint64_t* words, int count, int lowest) {
  const bool negative = count > 0 && words[count - 1] >> 63 != 0;
  // The highest word of the magnitude that is not zero, the one before it, and whether there is
  // anything below them.
  std::uint64_t top = 0;
  std::uint64_t next = 0;
  bool below = false;
  int place = 0;
  std::uint64_t former = 0;
  bool below_former = false;
  bool carry = negative;
  for (int i = 0; i < count; ++i) {
    std::uint64_t word = words[i];
    if (negative) {
      word = ~word + (carry ? 1 : 0);
      carry = carry && word == 0;
    }
    if (word != 0) {
      top = word;
      next = former;
      below = below_former;
      place = i;
    }
    below_former = below_former || former != 0;
    former = word;
  }
  if (top == 0) return {};
  const int zeros = __builtin_clzll(top);
  const UInt128 both = (static_cast<UInt128>(top) << 64 | next) << zeros;
  const auto bits = static_cast<std::uint64_t>(both >> 64);
  const bool sticky = static_cast<std::uint64_t>(both) != 0 || below;
  std::uint64_t mantissa = bits >> 11;
  const std::uint64_t rest = bits & 0x7FF;
  if (rest > 0x400 || (rest == 0x400 && (sticky || (mantissa & 1) != 0))) ++mantissa;
  const auto rounded = static_cast<double>(mantissa);
  return {negative ? -rounded : rounded, lowest + 64 * place + 11 - zeros};
}

/// The double nearest to a number; infinite beyond the greatest.
inline double to_double(const ScaledNumber& number) {
  return std::ldexp(number.mantissa, number.exponent);
}

/// The quotient of two numbers, neither of which needs to be a double; NaN for a zero below.
inline double ratio(const ScaledNumber& above, const ScaledNumber& below) {
  if (below.mantissa == 0) return std::nan("");
  return std::ldexp(above.mantissa / below.mantissa, above.exponent - below.exponent);
}

/// The sum of up to 2^63 numbers of a float type, or of their products with integers below 2^31.
template <class T>
class ExactSum {
 public:
  static constexpr int kLowest = FloatBits<T>::kLowest;
  static constexpr int kWords = (FloatBits<T>::kHighest - kLowest + 63 + 31 + 1 + 63) / 64;

  THIESSEN_HD void add(T value, std::int64_t factor = 1) {
    const BinaryParts parts = parts_of(value);
    add_to_words(words_, kWords, static_cast<Int128>(parts.mantissa) * factor,
                 parts.exponent - kLowest);
  }
  THIESSEN_HD void subtract(T value, std::int64_t factor = 1) { add(value, -factor); }
  THIESSEN_HD void add(const ExactSum& other) { add_words(words_, other.words_, kWords); }

  ScaledNumber rounded() const { return round_words(words_, kWords, kLowest); }
  double value() const { return to_double(rounded()); }

  bool operator==(const ExactSum&) const = default;

 private:
  std::uint64_t words_[kWords] = {};
};

}  // namespace thiessen

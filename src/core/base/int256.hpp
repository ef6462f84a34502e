// SPDX-License-Identifier: Apache-2.0
//
// Integers of 256 bits: products of integers of 128 bits, and their sums.
#pragma once

#include "core/base/host_device.hpp"
#include "core/base/int128.hpp"

namespace thiessen {

/// An integer of 256 bits.
struct UInt256 {
  UInt128 high = 0;
  UInt128 low = 0;

  friend THIESSEN_HD bool operator==(const UInt256& a, const UInt256& b) {
    return a.high == b.high && a.low == b.low;
  }
  friend THIESSEN_HD bool operator<(const UInt256& a, const UInt256& b) {
    return a.high < b.high || (a.high == b.high && a.low < b.low);
  }
};

THIESSEN_HD inline UInt256 product(UInt128 a, UInt128 b) {
  constexpr int kHalf = 64;
  constexpr UInt128 kMask = (UInt128{1} << kHalf) - 1;
  const UInt128 low = (a & kMask) * (b & kMask);
  const UInt128 cross = (a >> kHalf) * (b & kMask) + (low >> kHalf);
  const UInt128 other = (a & kMask) * (b >> kHalf) + (cross & kMask);
  return {(a >> kHalf) * (b >> kHalf) + (cross >> kHalf) + (other >> kHalf),
          (other << kHalf) | (low & kMask)};
}

/// 4·a, for a < 2^254.
THIESSEN_HD inline UInt256 four_times(const UInt256& a) {
  constexpr int kRest = 126;
  return {(a.high << 2) | (a.low >> kRest), a.low << 2};
}

/// An integer of 256 bits with a sign, in two's complement.
class Int256 {
 public:
  /// a·b; neither is -2^127.
  static Int256 product_of(Int128 a, Int128 b) {
    const UInt256 size =
        product(static_cast<UInt128>(a < 0 ? -a : a), static_cast<UInt128>(b < 0 ? -b : b));
    const Int256 positive(size);
    return (a < 0) == (b < 0) ? positive : -positive;
  }

  friend Int256 operator+(const Int256& a, const Int256& b) {
    const UInt128 low = a.bits_.low + b.bits_.low;
    return Int256({a.bits_.high + b.bits_.high + (low < a.bits_.low ? 1 : 0), low});
  }
  friend Int256 operator-(const Int256& a, const Int256& b) { return a + -b; }
  Int256 operator-() const {
    const UInt128 low = ~bits_.low + 1;
    return Int256({~bits_.high + (low == 0 ? 1 : 0), low});
  }
  friend bool operator==(const Int256& a, const Int256& b) { return a.bits_ == b.bits_; }

  /// -1, 0 or 1.
  int sign() const {
    if (is_negative()) return -1;
    return bits_ == UInt256{} ? 0 : 1;
  }

  /// With a relative error below 2^-51.
  explicit operator double() const {
    constexpr double kHigh = 0x1p128;
    const UInt256 size = is_negative() ? (-*this).bits_ : bits_;
    const double result = static_cast<double>(size.high) * kHigh + static_cast<double>(size.low);
    return is_negative() ? -result : result;
  }

 private:
  explicit Int256(const UInt256& bits) : bits_(bits) {}
  bool is_negative() const { return static_cast<Int128>(bits_.high) < 0; }

  UInt256 bits_;
};

}  // namespace thiessen

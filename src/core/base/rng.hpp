// SPDX-License-Identifier: Apache-2.0
//
// The one generator of random numbers: counter-based, so that draw i costs the same and has the
// same bits on every thread and device. SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast
// splittable pseudorandom number generators" (2014).
#pragma once

#include <bit>
#include <cstdint>

#include "core/base/host_device.hpp"

namespace thiessen {

/// Draw number `index` of the stream `seed`.
THIESSEN_HD constexpr std::uint64_t splitmix64(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// A permutation of 0..count-1 chosen by a seed, evaluated at any index without memory: a Feistel
/// network on the smallest even number of bits that holds the range, repeated until the result is
/// in the range.
class Permutation {
 public:
  constexpr Permutation(std::uint64_t count, std::uint64_t seed)
      : count_(count),
        seed_(seed),
        half_bits_((static_cast<int>(std::bit_width(count > 1 ? count - 1 : 1)) + 1) / 2),
        mask_((std::uint64_t{1} << half_bits_) - 1) {}

  /// Image of `index`, which must be less than the count.
  constexpr std::uint64_t operator()(std::uint64_t index) const {
    do {
      index = encrypt(index);
    } while (index >= count_);
    return index;
  }

  /// The index whose image this is.
  constexpr std::uint64_t inverse(std::uint64_t image) const {
    do {
      image = decrypt(image);
    } while (image >= count_);
    return image;
  }

 private:
  static constexpr std::uint64_t kRounds = 6;

  constexpr std::uint64_t encrypt(std::uint64_t value) const {
    std::uint64_t left = value >> half_bits_;
    std::uint64_t right = value & mask_;
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      const std::uint64_t mixed = left ^ mask_of(round, right);
      left = right;
      right = mixed;
    }
    return (left << half_bits_) | right;
  }

  constexpr std::uint64_t decrypt(std::uint64_t value) const {
    std::uint64_t left = value >> half_bits_;
    std::uint64_t right = value & mask_;
    for (std::uint64_t round = kRounds; round-- > 0;) {
      const std::uint64_t mixed = right ^ mask_of(round, left);
      right = left;
      left = mixed;
    }
    return (left << half_bits_) | right;
  }

  constexpr std::uint64_t mask_of(std::uint64_t round, std::uint64_t half) const {
    return splitmix64(seed_ ^ (round << 56), half) & mask_;
  }

  std::uint64_t count_;
  std::uint64_t seed_;
  int half_bits_;
  std::uint64_t mask_;
};

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
// Floats that are never more, or never less, than the exact number: bounds for integers, where one
// instruction does what takes several in 64 bits, and for doubles. On the host a bound may be a
// little wider.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/host_device.hpp"
#include "core/base/int128.hpp"

namespace thiessen::cuda {
inline namespace device {

inline constexpr float kFloatBeyondAll = std::numeric_limits<float>::infinity();

namespace detail {

/// The next float on the way to another one.
THIESSEN_HD inline float step_to(float own, float end) { return nextafterf(own, end); }

}  // namespace detail

THIESSEN_HD inline float float_down(std::int32_t number) {
#ifdef __CUDA_ARCH__
  return __int2float_rd(number);
#else
  return detail::step_to(static_cast<float>(number), -kFloatBeyondAll);
#endif
}
THIESSEN_HD inline float float_up(std::int32_t number) {
#ifdef __CUDA_ARCH__
  return __int2float_ru(number);
#else
  return detail::step_to(static_cast<float>(number), kFloatBeyondAll);
#endif
}
THIESSEN_HD inline float float_down(std::int64_t number) {
#ifdef __CUDA_ARCH__
  return __ll2float_rd(number);
#else
  return detail::step_to(static_cast<float>(number), -kFloatBeyondAll);
#endif
}
THIESSEN_HD inline float float_up(std::int64_t number) {
#ifdef __CUDA_ARCH__
  return __ll2float_ru(number);
#else
  return detail::step_to(static_cast<float>(number), kFloatBeyondAll);
#endif
}
THIESSEN_HD inline float float_down(Int128 number) {
  return detail::step_to(static_cast<float>(static_cast<double>(number)), -kFloatBeyondAll);
}
THIESSEN_HD inline float float_up(Int128 number) {
  return detail::step_to(static_cast<float>(static_cast<double>(number)), kFloatBeyondAll);
}

THIESSEN_HD inline float float_down(double number) {
#ifdef __CUDA_ARCH__
  return __double2float_rd(number);
#else
  return detail::step_to(static_cast<float>(number), -kFloatBeyondAll);
#endif
}
THIESSEN_HD inline float float_up(double number) {
#ifdef __CUDA_ARCH__
  return __double2float_ru(number);
#else
  return detail::step_to(static_cast<float>(number), kFloatBeyondAll);
#endif
}

THIESSEN_HD inline float sum_down(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fadd_rd(a, b);
#else
  return detail::step_to(a + b, -kFloatBeyondAll);
#endif
}
THIESSEN_HD inline float sum_up(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fadd_ru(a, b);
#else
  return detail::step_to(a + b, kFloatBeyondAll);
#endif
}
THIESSEN_HD inline float product_down(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fmul_rd(a, b);
#else
  return detail::step_to(a * b, -kFloatBeyondAll);
#endif
}
THIESSEN_HD inline float product_up(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fmul_ru(a, b);
#else
  return detail::step_to(a * b, kFloatBeyondAll);
#endif
}

THIESSEN_HD inline float root_down(float a) {
#ifdef __CUDA_ARCH__
  return __fsqrt_rd(a);
#else
  return a > 0 ? detail::step_to(sqrtf(a), 0) : 0;
#endif
}
THIESSEN_HD inline float root_up(float a) {
#ifdef __CUDA_ARCH__
  return __fsqrt_ru(a);
#else
  return detail::step_to(sqrtf(a), kFloatBeyondAll);
#endif
}

}  // namespace device
}  // namespace thiessen::cuda

// SPDX-License-Identifier: Apache-2.0
//
// Accesses that are volatile, which the compiler reports apart from others if it is told to:
// kernels use them for what other threads may change at the same time, and they race with nobody.

#define IGNORE(bytes)                        \
  void __tsan_volatile_read##bytes(void*) {} \
  void __tsan_volatile_write##bytes(void*) {}

extern "C" {
IGNORE(1)
IGNORE(2)
IGNORE(4)
IGNORE(8)
IGNORE(16)
}

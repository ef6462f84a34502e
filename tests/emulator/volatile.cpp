// SPDX-License-Identifier: Apache-2.0
//
// Volatile accesses, which the compiler can report apart from others: kernels use them for values
// that other threads may change at the same time, so they are no races.

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

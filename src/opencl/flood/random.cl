// SPDX-License-Identifier: Apache-2.0
//
// Random numbers as in core/base/rng.hpp, and the draws of core/problem/flooding.hpp: the same bits as on every
// other backend. Devices without 64-bit integers (embedded profile) have none.
#if !defined(__EMBEDDED_PROFILE__) || defined(cles_khr_int64)

// Draw number `index` of the stream `seed`.
ulong splitmix64(ulong seed, ulong index) {
  ulong z = seed + (index + 1) * 0x9E3779B97F4A7C15UL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9UL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBUL;
  return z ^ (z >> 31);
}

// The rank, among `sites` (> 0), of the site that noise puts into a cell.
ulong noise_rank(ulong seed, ulong cell, ulong sites) {
  return mul_hi(splitmix64(seed ^ 0x6E6F697365000000UL, cell), sites);
}

#endif

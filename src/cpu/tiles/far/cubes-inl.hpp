// SPDX-License-Identifier: Apache-2.0
//
// Finds the winners of a leaf in 3-D cube by cube: 4 x 4 x 4 cells. The corners of a leaf are 16
// cells apart along x, so if sites lie close together, far more of them survive in a leaf than in
// its cubes.
//
// A vector holds some rows of a plane of a cube. leaf-inl.hpp describes the keys.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_FAR_CUBES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_FAR_CUBES_INL
#undef THIESSEN_CPU_TILES_FAR_CUBES_INL
#else
#define THIESSEN_CPU_TILES_FAR_CUBES_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdlib>

#include "cpu/tiles/far/leaf-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::int64_t kCube = 4;  ///< cells along each axis
inline constexpr int kPlaneVectors = static_cast<int>(kCube * kCube / kLanes);
/// Planes that are worked on together: as many as there are registers for.
inline constexpr int kPlanesAtOnce = std::min(4, 8 / kPlaneVectors);
inline constexpr int kVectorsAtOnce = kPlanesAtOnce * kPlaneVectors;

/// The winners of the cells of a leaf, row by row.
struct CubeWinners {
  alignas(64) std::int32_t payload[kLeafCells];  ///< payload of the winner
  alignas(64) std::int32_t exact[kLeafCells];
};

/// Column and row of the cells of vector `v` of a plane.
HWY_INLINE V32 cube_columns() { return hn::And(iota(0), all(3)); }
HWY_INLINE V32 cube_rows(int v) { return hn::ShiftRight<2>(iota(std::int64_t{v} * kLanes)); }

/// Puts vector `v` of plane `z` of cube `cube` into the rows of a leaf.
HWY_INLINE void put_in_rows(V32 value, std::int64_t cube, std::int64_t z, std::int64_t v,
                            std::int32_t* to) {
  const hn::CappedTag<std::int32_t, 4> d;
  alignas(64) std::int32_t lanes[kLanes];
  hn::Store(value, D32(), lanes);
  for (std::int64_t i = 0; i < kLanes / kCube; ++i) {
    const std::int64_t row = z * kCube + v * (kLanes / kCube) + i;
    hn::Store(hn::Load(d, lanes + i * kCube), d, to + row * kLeafWidth + cube * kCube);
  }
}

/// Words of the cells of a vector of a plane.
HWY_INLINE V32 cells_of_plane(const LeafFrame& frame, int v) {
  const auto& weight = frame.pyramid->weight;
  const V32 x = hn::Mul(cube_columns(), all(weight[2]));
  const V32 y = hn::ShiftLeft<16>(hn::Mul(cube_rows(v), all(weight[1])));
  return word(hn::Add(halves(hn::Or(x, y)), halves(all(frame.origin[0]))));
}
HWY_INLINE V32 cells_at_depth(const LeafFrame& frame, std::int64_t z) {
  return all(add_halves(frame.origin[1], to_word(z * frame.pyramid->weight[0], 0)));
}

/// S from a site to the cells of a vector.
template <Metric kMetric>
HWY_INLINE V32 distances_in_cube(const LeafFrame& frame, V32 at, V32 at_z, std::int64_t z, int v) {
  return hn::Add(distance<kMetric>(at, cells_of_plane(frame, v)),
                 distance<kMetric>(at_z, cells_at_depth(frame, z)));
}

/// Finds the least keys of kPlanesAtOnce planes from plane `z` on.
HWY_INLINE void least_keys_in_cube_affine(std::int64_t count, const FarMemory& memory,
                                          std::int64_t z, V32* key) {
  const auto plane = static_cast<std::int32_t>(z);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int32_t across = memory.slope[1][i];
    const std::int32_t step = memory.slope[0][i] + 3 * across;
    const V32 row = hn::Add(all(memory.base[i] + plane * step),
                            hn::Mul(all(memory.slope[2][i]), cube_columns()));
    const V32 steps = all(step);
#pragma GCC unroll 4
    for (int v = 0; v < kPlaneVectors; ++v) {
      V32 k = hn::Add(row, hn::Mul(all(across), cube_rows(v)));
#pragma GCC unroll 4
      for (int p = 0; p < kPlanesAtOnce; ++p) {
        key[p * kPlaneVectors + v] = hn::Min(key[p * kPlaneVectors + v], k);
        k = hn::Add(k, steps);
      }
    }
  }
}

HWY_INLINE void least_keys_in_cube_manhattan(const LeafFrame& frame, std::int64_t count,
                                             const FarMemory& memory, std::int64_t z, V32* key) {
  const auto& weight = frame.pyramid->weight;
  const V32 columns = hn::Mul(cube_columns(), all(weight[2]));
  for (std::int64_t i = 0; i < count; ++i) {
    const V32 x = hn::Abs(hn::Sub(all(memory.slope[2][i]), columns));
#pragma GCC unroll 4
    for (int v = 0; v < kPlaneVectors; ++v) {
      const V32 rows = hn::Mul(cube_rows(v), all(weight[1]));
      const V32 y = hn::Abs(hn::Sub(all(memory.slope[1][i]), rows));
      const V32 k = hn::Add(hn::ShiftLeftSame(hn::Add(x, y), frame.rank_bits),
                            all(static_cast<std::int32_t>(i)));
#pragma GCC unroll 4
      for (int p = 0; p < kPlanesAtOnce; ++p) {
        const auto depth = static_cast<std::int32_t>(z + p) * weight[0];
        const std::int32_t below = std::abs(memory.slope[0][i] - depth) << frame.rank_bits;
        V32& least = key[p * kPlaneVectors + v];
        least = hn::Min(least, hn::Add(k, all(below)));
      }
    }
  }
}

/// Finds the winners of a cube by keys; they fit.
template <Metric kMetric>
void find_in_cube(const LeafFrame& frame, const SiteList& sites, std::int64_t cube,
                  FarMemory& memory, CubeWinners& winners) {
  if constexpr (kMetric == Metric::euclidean)
    make_slopes<3>(frame, sites, memory);
  else
    make_coordinates<3>(frame, sites, memory);
  for (std::int64_t z = 0; z < kCube; z += kPlanesAtOnce) {
    V32 key[kVectorsAtOnce];
#pragma GCC unroll 8
    for (V32& least : key) least = all(INT32_MAX);
    if constexpr (kMetric == Metric::euclidean)
      least_keys_in_cube_affine(sites.count, memory, z, key);
    else
      least_keys_in_cube_manhattan(frame, sites.count, memory, z, key);
    for (int p = 0; p < kPlanesAtOnce; ++p)
      for (int v = 0; v < kPlaneVectors; ++v) {
        const V32 least = key[p * kPlaneVectors + v];
        const V32 rank = hn::And(least, all((1 << frame.rank_bits) - 1));
        put_in_rows(hn::GatherIndex(D32(), sites.payload, rank), cube, z + p, v, winners.payload);
        if (!frame.wants_exact) continue;
        V32 s = hn::ShiftRightSame(least, frame.rank_bits);
        if constexpr (kMetric == Metric::euclidean)
          s = hn::Add(s, distances_in_cube<kMetric>(frame, all(frame.reference[0]),
                                                    all(frame.reference[1]), z + p, v));
        put_in_rows(s, cube, z + p, v, winners.exact);
      }
  }
}

/// Finds the winners of a cube among any number of sites at any distance.
template <Metric kMetric>
void find_wide_in_cube(const LeafFrame& frame, const SiteList& sites, std::int64_t cube,
                       CubeWinners& winners) {
  for (std::int64_t z = 0; z < kCube; ++z)
    for (int v = 0; v < kPlaneVectors; ++v) {
      V32 best = all(INT32_MAX);
      V32 payload = all(sites.payload[0]);
      for (std::int64_t i = 0; i < sites.count; ++i) {
        const V32 s =
            distances_in_cube<kMetric>(frame, all(sites.at[0][i]), all(sites.at[1][i]), z, v);
        payload = hn::IfThenElse(hn::Lt(s, best), all(sites.payload[i]), payload);
        best = hn::Min(s, best);
      }
      put_in_rows(payload, cube, z, v, winners.payload);
      put_in_rows(best, cube, z, v, winners.exact);
    }
}

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif

// SPDX-License-Identifier: Apache-2.0
//
// The faces of a slab that lies on the device. Faces, neighbours and maps of core/slabs/slab.hpp
// have addresses in its memory here.
#pragma once

#include <cstdint>

#include "core/slabs/slab.hpp"
#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda::slabs {

/// Which faces are wanted, and the bytes of the labels of their sites; 0: without labels.
struct WantedFaces {
  std::int32_t label = 0;
  bool others = false;
  bool boundary = false;
};

/// Memory for faces. Those of sites are always there.
SlabFaces allocate_faces(const Problem& problem, const WantedFaces& wanted, Scratch::Frame& device);

/// Fills the faces of a slab. `job` is that of the slab alone; its labels are taken if the faces
/// have any.
void find_faces(const CudaSession& session, const Problem& problem, const Slab& slab,
                const Job& job, const SlabFaces& faces);

/// Makes a face that has no cells yet.
void clear_face(const CudaSession& session, std::int64_t columns, const Face& face);

/// What is added to the cells of a face when another one takes them.
struct Moved {
  std::int64_t rows = 0;
  std::int64_t numbers = 0;  ///< to labels, which are the numbers of the sites
  std::int32_t label = 0;    ///< bytes of a label; 0: without labels
};

/// Takes the columns that `to` lacks from another face, as nearest_face() does.
void fill_face(const CudaSession& session, std::int64_t columns, const Face& to, const Face& from,
               const Moved& moved);

/// A face of boundaries, with the coordinate of its row; kNoSite: there is no such row yet.
struct BoundaryFace {
  Face face;
  std::int32_t row = kNoSite;
};

/// The same of boundaries. `to` has a row.
void fill_changes(const CudaSession& session, std::int64_t columns, ElementType type,
                  const BoundaryFace& to, const BoundaryFace& from, std::int64_t rows);

/// For each column of a slab the nearest cell beyond it, on one side, with another value than that
/// of the slab's first or last row, counted in rows from its first row on; or kNoSite. `job` is
/// that of the slab alone, `row` the coordinate of the row beside it. Null if nothing lies there.
const std::int32_t* find_other_values(const CudaSession& session, const Problem& problem,
                                      const Slab& slab, End end, const Job& job,
                                      Scratch::Frame& device);

/// Adds to the numbers of sites, the labels of a job.
void add_to_numbers(const CudaSession& session, const Cells<const std::byte>& numbers,
                    std::int64_t count, std::int64_t before);

}  // namespace thiessen::cuda::slabs

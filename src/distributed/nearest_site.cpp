// SPDX-License-Identifier: Apache-2.0
//
// Slabs of many ranks. Each rank needs the faces of all ranks above it and of all below, combined:
// two prefix scans, by doubling (W. D. Hillis, G. L. Steele, "Data Parallel Algorithms", 1986). In
// the round with distance d = 1, 2, 4, … a rank hands on what it knows of itself and of the d - 1
// ranks before it.
//
// On a periodic first axis the ranks are a ring. A face that has gone past its end is that of
// images, one period away; images of more than one period count for nothing. Faces overlap after a
// full round, which does no harm: combining takes the nearest, however often it comes.
#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "core/base/refuse.hpp"
#include "core/slabs/slab_faces.hpp"
#include "thiessen/error.hpp"
#include "thiessen/slabs/communicator.hpp"

namespace thiessen {
namespace {

/// Calls step() in all ranks, and throws in all if it throws in one.
template <class Step>
void in_all_ranks(Communicator& communicator, const Step& step) {
  std::exception_ptr failure;
  try {
    step();
  } catch (...) {
    failure = std::current_exception();
  }
  const std::int64_t failed = communicator.sum_of_all(failure ? 1 : 0);
  if (failure) std::rethrow_exception(failure);
  if (failed > 0)
    throw Error(ErrorCode::cancelled,
                std::to_string(failed) + " of the other ranks failed, so this one has no result");
}

void check_places(Communicator& communicator, const SlabPlace& place, std::int64_t rows) {
  const std::int64_t before = communicator.sum_before(rows);
  const std::int64_t all = communicator.sum_of_all(rows);
  in_all_ranks(communicator, [&] {
    if (place.raster.rank() == 0 || all != place.raster[0])
      refuse("the slabs of all ranks have " + std::to_string(all) +
             " rows or planes; must be those of the raster");
    if (before != place.first)
      refuse("slab begins at " + std::to_string(place.first) + "; must begin at " +
             std::to_string(before) + ", where those of the ranks before it end");
  });
}

/// Takes out what lies more than one period beyond the raster.
void forget_far_images(SlabFace& face, std::int64_t length) {
  const auto is_far = [length](std::int32_t coordinate) {
    return coordinate < -length || coordinate >= 2 * length;
  };
  if (face.row != SlabFace::kNone && is_far(face.row)) {
    face = without_cells(face);
    return;
  }
  for (auto* const coordinates : {&face.site, &face.other, &face.change})
    std::replace_if(coordinates->begin(), coordinates->end(), is_far, SlabFace::kNone);
}

/// The faces of all ranks on one side, combined: those before this one if `way` is 1, those behind
/// it if it is -1.
SlabFace scan(Communicator& communicator, const SlabFace& own, int way, std::int64_t length,
              bool is_periodic) {
  const int size = communicator.size();
  const auto on_ring = [&](int rank) {
    if (rank >= 0 && rank < size) return rank;
    return is_periodic ? (rank + size) % size : -1;
  };
  SlabFace found = without_cells(own);
  SlabFace known = own;  // and what is found
  const int needed = is_periodic ? size : size - 1;
  for (int distance = 1; distance - 1 < needed; distance *= 2) {
    const int source = communicator.rank() - way * distance;
    const int from = on_ring(source);
    const std::vector<std::byte> bytes = communicator.exchange(
        on_ring(communicator.rank() + way * distance), slab_bytes(known), from);
    if (from < 0) continue;
    SlabFace face = slab_face(bytes);
    check_face(face, own);
    if (source != from) face = moved(std::move(face), -way * length);
    if (is_periodic) forget_far_images(face, length);
    found = nearest_face(std::move(found), face);
    known = nearest_face(std::move(known), face);
  }
  return found;
}

}  // namespace

SlabNeighbours combine_slabs(Communicator& communicator, const SlabSummary& own,
                             const Extents& raster, const NearestSiteOptions& options) {
  SlabNeighbours neighbours;
  neighbours.sites_before = communicator.sum_before(own.sites);
  SlabFace first = own.first;
  SlabFace last = own.last;
  add_to_numbers(first, neighbours.sites_before);
  add_to_numbers(last, neighbours.sites_before);
  const bool is_periodic = !options.periodic.empty() && options.periodic[0];
  neighbours.above = scan(communicator, last, 1, raster[0], is_periodic);
  neighbours.below = scan(communicator, first, -1, raster[0], is_periodic);
  return neighbours;
}

// NOLINTNEXTLINE(readability-function-size): each argument is one of the caller's
void nearest_site(Communicator& communicator, Context& context, View<const void> slab,
                  const SlabPlace& place, const NearestSiteOptions& options,
                  const NearestSiteOutputs& out, View<const void> domain) {
  check_places(communicator, place, slab.rank() > 0 ? slab.extent(0) : 0);
  SlabSummary own;
  in_all_ranks(communicator, [&] { own = summarise_slab(context, slab, place, options); });
  const SlabNeighbours neighbours = combine_slabs(communicator, own, place.raster, options);
  finish_slab(context, slab, place, options, neighbours, out, domain);
}

}  // namespace thiessen

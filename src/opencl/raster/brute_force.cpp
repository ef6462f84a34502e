// SPDX-License-Identifier: Apache-2.0
//
// Drives brute_force.cl: decides which sites a launch takes, and how many. PieceSearch does the
// pieces of the raster and the winners.
#include "opencl/raster/brute_force.hpp"

#include <algorithm>
#include <limits>

#include "core/search/site_cells.hpp"
#include "opencl/raster/piece_search.hpp"

namespace thiessen::opencl {
namespace {

constexpr std::int64_t kTile = 256;  ///< sites in local memory
constexpr std::size_t kLocalBytes = 3 * sizeof(std::int64_t) * kTile;
constexpr std::size_t kGroup = 256;  ///< work items of a group, at most

/// Sites in the order of their index.
template <class Scalar>
struct SiteList {
  std::int64_t count = 0;
  const Scalar* places = nullptr;       ///< z, y, x for each
  const std::int64_t* index = nullptr;  ///< null: their places in this list
};

template <class Scalar>
Scalar* put(Scalar* next, const Axes& place) {
  for (const std::int64_t coordinate : place) *next++ = static_cast<Scalar>(coordinate);
  return next;
}

template <class Scalar>
SiteList<Scalar> list_sites(const ContextState& state, Scratch::Frame& scratch,
                            const Problem& problem, const ProblemViews& views) {
  if (problem.point_sites) {
    const PointSites& points = views.points;
    auto* const places = scratch.array<Scalar>(kAxes * points.count);
    Scalar* next = places;
    for (std::int64_t i = 0; i < points.count; ++i) next = put(next, points.at[i]);
    return {points.count, places, nullptr};
  }
  Scalar* places = nullptr;
  Scalar* next = nullptr;
  std::int64_t* index = nullptr;
  std::int64_t* next_index = nullptr;
  const std::int64_t count = list_site_cells(
      problem, views.sites, state.progress,
      [&](std::int64_t most) {
        places = next = scratch.array<Scalar>(kAxes * most);
        index = next_index = scratch.array<std::int64_t>(most);
      },
      [&](const Axes& cell) {
        next = put(next, cell);
        *next_index++ = to_index(problem.extent, cell);
      });
  return {count, places, index};
}

template <class Scalar>
class BruteForce : private PieceSearch<Scalar> {
 public:
  BruteForce(ContextState& state, const Problem& problem, const ProblemViews& views, Write write)
      : PieceSearch<Scalar>(state, problem, views, write, Pace(std::int64_t{1} << 28)),
        sites_(list(state, this->scratch_, problem, views)) {}

  void run() {
    if (sites_.count > 0) start();
    this->run_pieces("brute force", sites_.index);
  }

 private:
  using typename PieceSearch<Scalar>::Slot;

  static SiteList<Scalar> list(ContextState& state, Scratch::Frame& scratch, const Problem& problem,
                               const ProblemViews& views) {
    const PhaseTimer phase(state, "list of sites");
    return list_sites<Scalar>(state, scratch, problem, views);
  }

  /// Builds the kernel, takes the memory, and brings the sites to the device.
  void start() {
    const OpenclSession& session = this->session_;
    const std::int64_t lanes = lanes_of<Scalar>(session.device().capabilities());
    Definitions definitions = measure_definitions<Scalar>(this->problem_, lanes);
    definitions.emplace_back("TILE", std::to_string(kTile));
    kernel_ = find_kernel(this->state_, "brute_force", definitions, "search");
    group_ = group_size(session, kernel_, kGroup);
    const std::size_t site_bytes = static_cast<std::size_t>(kAxes * sites_.count) * sizeof(Scalar);
    list_ = this->memory_.allocate(site_bytes, "the sites");
    this->allocate_slots(lanes);
    checked("sites to the device", [&] {
      session.queue().enqueueWriteBuffer(list_, CL_TRUE, 0, site_bytes, sites_.places);
    });
  }

  /// The parts of a piece's search are sites.
  std::int64_t parts_of(const Piece& /*piece*/) const override { return sites_.count; }

  std::int64_t parts_at_once(const Piece& piece) const override {
    // With few cells most of a device is idle.
    constexpr std::int64_t kFewCells = std::int64_t{1} << 16;
    return std::max(this->pace_.units() / std::max(piece.cells(), kFewCells), kTile);
  }

  void launch(Slot& slot, std::int64_t begin, std::int64_t end) override {
    const Piece& piece = slot.piece;
    const Problem& problem = this->problem_;
    const auto scalar = [](auto value) { return static_cast<Scalar>(value); };
    const auto integer = [](std::int64_t value) { return static_cast<cl_int>(value); };
    const auto& factor = problem.weights.factor;
    const std::int64_t items = this->items(piece);
    set_arguments(kernel_, list_, scalar(begin), scalar(end), slot.least, slot.nearest,
                  integer(piece.row / problem.extent[1]), integer(piece.row % problem.extent[1]),
                  integer(piece.x), integer(piece.rows), integer(items), integer(problem.extent[1]),
                  integer(problem.extent[2] - 1),
                  cl_int{problem.raster.allotment == Allotment::contiguous},
                  cl_int{problem.fraction_bits}, scalar(factor[0]), scalar(factor[1]),
                  scalar(factor[2]), period_of<Scalar>(problem, 0), period_of<Scalar>(problem, 1),
                  period_of<Scalar>(problem, 2));
    launch_grid_stride(this->session_, kernel_, piece.rows * items, group_, slot.launch);
  }

  const SiteList<Scalar> sites_;
  std::size_t group_ = 1;
  cl::Kernel kernel_;
  cl::Buffer list_;
};

}  // namespace

void compare_with_all(ContextState& state, const Problem& problem, const ProblemViews& views,
                      Write write) {
  const std::int64_t most = problem.point_sites ? views.points.count : problem.cells();
  if (is_narrow(problem) && most <= std::numeric_limits<std::int32_t>::max())
    BruteForce<std::int32_t>(state, problem, views, write).run();
  else
    BruteForce<std::int64_t>(state, problem, views, write).run();
}

Support supports_brute_force(const Capabilities& capabilities, const Problem& problem) {
  if (Support scan = supports_scan(problem); !scan) return scan;
  if (Support integers = supports_exact_distances(capabilities, problem); !integers)
    return integers;
  if (capabilities.local_memory < kLocalBytes)
    return {"work groups of the device share " + std::to_string(capabilities.local_memory) +
            " bytes; " + std::to_string(kLocalBytes) + " are needed"};
  return {};
}

Support supports_brute_force(const ContextState& state, const Problem& problem) {
  return supports_brute_force(session_of(state).device().capabilities(), problem);
}

void run_brute_force(ContextState& state, const Problem& problem, const ProblemViews& views) {
  make_maps(state, problem, views, problem.cells(), compare_with_all);
}

}  // namespace thiessen::opencl

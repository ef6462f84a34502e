// SPDX-License-Identifier: Apache-2.0
//
// Drives expansion.cl: sends bits of rows to the device; a launch takes some cells of a piece.
// PieceSearch does the pieces of the raster and the winners.
#include "opencl/raster/expansion.hpp"

#include <array>
#include <cstddef>
#include <limits>

#include "opencl/raster/piece_search.hpp"
#include "opencl/sites/row_table.hpp"

namespace thiessen::opencl {
namespace {

constexpr std::size_t kGroup = 64;  ///< work items of a group, at most

/// The struct Expansion of expansion.cl.
template <class Scalar>
struct Constants {
  std::array<Scalar, kAxes> factor;
  Scalar limit;
  std::array<cl_int, kAxes> extent;
  cl_int unused;
};
/// Whether its members lie where the kernels look for them.
template <class Scalar>
constexpr bool matches_kernel() {
  constexpr std::size_t kScalar = sizeof(Scalar);
  using Own = Constants<Scalar>;
  return offsetof(Own, factor) == 0 && offsetof(Own, limit) == 3 * kScalar &&
         offsetof(Own, extent) == 4 * kScalar && sizeof(Own) == 4 * kScalar + 16;
}
static_assert(matches_kernel<std::int32_t>() && matches_kernel<std::int64_t>());

template <class Scalar>
class CellExpansion : private PieceSearch<Scalar> {
 public:
  CellExpansion(ContextState& state, const Problem& problem, const ProblemViews& views, Write write)
      : PieceSearch<Scalar>(state, problem, views, write, Pace(std::int64_t{1} << 14)),
        rows_(this->scratch_, problem.extent) {
    const PhaseTimer phase(state, "bits of the sites");
    has_sites_ = rows_.read(state, problem, views.sites);
  }

  void run() {
    if (has_sites_) start();
    this->run_pieces("expansion", nullptr);
  }

 private:
  using typename PieceSearch<Scalar>::Slot;

  void start() {
    const OpenclSession& session = this->session_;
    kernel_ = find_kernel(this->state_, "expansion",
                          measure_definitions<Scalar>(this->problem_, kLanes), "expand");
    group_ = group_size(session, kernel_, kGroup);
    constants_ = put(&make_constants(), 1, "the constants");
    words_ = put(rows_.words(), rows_.count(), "bits of rows");
    before_ = put(rows_.before(), rows_.count(), "sites before words");
    after_ = put(rows_.after(), rows_.count(), "sites behind words");
    this->allocate_slots(1);
  }

  const Constants<Scalar>& make_constants() {
    const Problem& problem = this->problem_;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      values_.factor[axis] = static_cast<Scalar>(problem.weights.factor[axis]);
      values_.extent[axis] = static_cast<cl_int>(problem.extent[axis]);
    }
    values_.limit = static_cast<Scalar>(problem.limit);
    return values_;
  }

  template <class T>
  cl::Buffer put(const T* values, std::int64_t count, const char* purpose) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    cl::Buffer buffer = this->memory_.allocate(bytes, purpose);
    checked(purpose,
            [&] { this->session_.queue().enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, values); });
    return buffer;
  }

  /// The parts of a piece's search are cells.
  std::int64_t parts_of(const Piece& piece) const override { return piece.cells(); }
  std::int64_t parts_at_once(const Piece& /*piece*/) const override { return this->pace_.units(); }

  void launch(Slot& slot, std::int64_t begin, std::int64_t end) override {
    const Piece& piece = slot.piece;
    const auto first = static_cast<Scalar>(piece.row * this->problem_.extent[2] + piece.x);
    set_arguments(kernel_, constants_, words_, before_, after_, first, static_cast<cl_int>(begin),
                  static_cast<cl_int>(end), slot.least, slot.nearest);
    launch_grid_stride(this->session_, kernel_, end - begin, group_, slot.launch);
  }

  static constexpr std::int64_t kLanes = 4;  ///< lanes of vectors; the kernel uses none

  RowTable rows_;
  bool has_sites_ = false;
  Constants<Scalar> values_{};
  std::size_t group_ = 1;
  cl::Kernel kernel_;
  cl::Buffer constants_;
  cl::Buffer words_;
  cl::Buffer before_;
  cl::Buffer after_;
};

}  // namespace

void expand_cells(ContextState& state, const Problem& problem, const ProblemViews& views,
                  Write write) {
  if (is_narrow(problem) && problem.cells() <= std::numeric_limits<std::int32_t>::max())
    CellExpansion<std::int32_t>(state, problem, views, write).run();
  else
    CellExpansion<std::int64_t>(state, problem, views, write).run();
}

Support supports_expansion(const Capabilities& capabilities, const Problem& problem) {
  if (Support labels = supports_settled_labels(problem); !labels) return labels;
  if (Support expansion = thiessen::supports_expansion(problem); !expansion) return expansion;
  return supports_exact_distances(capabilities, problem);
}

Support supports_expansion(const ContextState& state, const Problem& problem) {
  return supports_expansion(session_of(state).device().capabilities(), problem);
}

void run_expansion(ContextState& state, const Problem& problem, const ProblemViews& views) {
  make_maps(state, problem, views, problem.cells(), expand_cells);
}

}  // namespace thiessen::opencl

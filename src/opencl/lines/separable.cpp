// SPDX-License-Identifier: Apache-2.0
//
// Drives separable.cl: sends bits of the sites to the device, which finds the winner of each cell
// by one pass an axis. The codes of the winning sites come back, piece by piece; the host computes
// S from them, and the ResultWriter writes the outputs, on all threads of the Context, while the
// next piece is on its way.
//
// A launch does some of the lines, so that it is short (Pace). A unit of its work is a cell of
// these lines, whatever it does with it.
#include "opencl/lines/separable.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "opencl/device/cell_codes.hpp"
#include "opencl/device/integers.hpp"
#include "opencl/device/pieces.hpp"
#include "opencl/device/session.hpp"
#include "opencl/lines/winners.hpp"
#include "opencl/sites/row_table.hpp"
#include "threads/parallel.hpp"
#include "threads/rows.hpp"

namespace thiessen::opencl {
namespace {

constexpr std::size_t kGroup = 128;  ///< work items of a group, at most
constexpr std::int64_t kLanes = 4;   ///< lanes of vectors; the kernels use none

/// The struct Lines of separable.cl.
template <class Scalar>
struct Lines {
  cl_ulong outer_step;
  cl_ulong step;
  cl_ulong first_outer;
  Scalar factor;
  cl_int length;
  cl_int period;
  cl_int first_x;
  cl_int end_x;
};
/// Whether its members lie where the kernels look for them.
template <class Scalar>
constexpr bool matches_kernel() {
  constexpr std::size_t kEnd = 24 + sizeof(Scalar);
  using Own = Lines<Scalar>;
  return offsetof(Own, step) == 8 && offsetof(Own, first_outer) == 16 &&
         offsetof(Own, factor) == 24 && offsetof(Own, length) == kEnd &&
         offsetof(Own, period) == kEnd + 4 && offsetof(Own, first_x) == kEnd + 8 &&
         offsetof(Own, end_x) == kEnd + 12 && sizeof(Own) == (kEnd + 16 + 7) / 8 * 8;
}
static_assert(matches_kernel<std::int32_t>() && matches_kernel<std::int64_t>());

/// A part of the columns of a raster, and of what they stand side by side in: rows, or planes.
struct Part {
  std::int64_t x = 0;
  std::int64_t width = 0;
  std::int64_t outer = 0;
  std::int64_t count = 0;
};

template <class Scalar, class State>
class Separable {
 public:
  Separable(ContextState& state, const Problem& problem, const ProblemViews& views, Write write)
      : state_(state),
        session_(session_of(state)),
        problem_(problem),
        views_(views),
        winner_writer_(problem, views, write),
        scratch_(state.scratch),
        memory_(session_.memory),
        pieces_(problem.extent, state.limits.cells_per_piece),
        pace_(state.limits.first_launch_cells) {}

  void run() {
    RowTable table(scratch_, problem_.extent);
    {
      const PhaseTimer phase(state_, "bits of the sites");
      has_sites_ = table.read(state_, problem_, views_.sites);
    }
    state_.progress.advance(problem_.cells());
    const QueueGuard guard(session_);
    if (has_sites_) {
      allocate_memory();
      look_along_rows(table);
      for (const std::size_t axis : {std::size_t{1}, std::size_t{0}})
        if (has_pass(axis)) settle(axis);
    }
    write_pieces();
  }

 private:
  using Winners = WinnerWriter<State>;

  /// A piece of the results on its way.
  struct Slot {
    Piece piece;
    cl::Buffer sites;
    State* host_sites = nullptr;
    cl::Event done;  ///< when they are on the host
  };

  /// In 2-D there are no lines along z.
  bool has_pass(std::size_t axis) const { return axis == 1 || problem_.rank == 3; }
  std::size_t last_axis() const { return problem_.rank == 2 ? 1 : 0; }
  std::int64_t width() const { return problem_.extent[2]; }
  std::int64_t rows() const { return problem_.extent[0] * problem_.extent[1]; }
  std::int64_t plane() const { return problem_.extent[1] * width(); }
  Scalar factor(std::size_t axis) const {
    return static_cast<Scalar>(problem_.weights.factor[axis]);
  }
  cl_int period(std::size_t axis) const {
    return problem_.period[axis] == kNoPeriod ? 0 : static_cast<cl_int>(problem_.extent[axis]);
  }

  template <class T>
  cl::Buffer allocate(const char* purpose) {
    return memory_.allocate(static_cast<std::size_t>(problem_.cells()) * sizeof(T), purpose);
  }

  cl::Kernel find(const char* name) const {
    constexpr bool kWide = sizeof(Scalar) == 8;
    Definitions definitions = measure_definitions<Scalar>(problem_, kLanes);
    definitions.emplace_back("STATE", sizeof(State) == 8 ? "ulong" : "uint");
    definitions.emplace_back("NO_SITE", kWide ? "(1L<<62)" : "(1<<30)");
    return find_kernel(state_, "separable", definitions, name);
  }

  void allocate_memory() {
    base_ = allocate<Scalar>("distances along axes");
    code_ = allocate<State>("sites of rows");
    winner_ = allocate<cl_int>("winners of lines");
    if (problem_.rank == 2) return;
    next_base_ = allocate<Scalar>("distances in planes");
    next_code_ = allocate<State>("sites of planes");
  }

  /// Puts a kernel on the queue for `width` columns, `cells` of each, `count` times.
  cl::Event launch(const cl::Kernel& kernel, std::int64_t width, std::int64_t cells,
                   std::int64_t count) const {
    const auto size = [](std::int64_t number) { return static_cast<std::size_t>(number); };
    const std::size_t group = group_size(session_, kernel, kGroup);
    const std::size_t columns = std::min(group, std::bit_ceil(size(width)));
    const std::size_t deep = std::max<std::size_t>(group / columns, 1);
    const auto whole = [](std::size_t all, std::size_t part) {
      return (all + part - 1) / part * part;
    };
    cl::Event event;
    session_.queue().enqueueNDRangeKernel(
        kernel, cl::NullRange,
        cl::NDRange(whole(size(width), columns), whole(size(cells), deep), size(count)),
        cl::NDRange(columns, deep, 1), nullptr, &event);
    return event;
  }

  /// Calls launch_part(part), which returns the event of its launch, for parts of so many rows or
  /// planes that hold `length` cells of each column.
  template <class LaunchPart>
  void launch_parts(std::int64_t count, std::int64_t length, const LaunchPart& launch_part) {
    for (std::int64_t outer = 0, x = 0; outer < count;) {
      state_.progress.check();
      const std::int64_t columns = std::max<std::int64_t>(pace_.units() / length, 1);
      Part part{x, std::min(columns, width() - x), outer, 1};
      if (x == 0 && part.width == width()) part.count = std::min(columns / width(), count - outer);
      const cl::Event event = launch_part(part);
      x = part.x + part.width;
      if (x == width()) {
        x = 0;
        outer += part.count;
      }
      if (part.width == width() && part.count == count) return;
      event.wait();
      pace_.learn(event);
    }
  }

  template <class T>
  cl::Buffer put(const T* values, std::int64_t count, const char* purpose) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    cl::Buffer buffer = memory_.allocate(bytes, purpose);
    checked(purpose,
            [&] { session_.queue().enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, values); });
    return buffer;
  }

  void look_along_rows(const RowTable& table) {
    cl::Kernel kernel = find("look_along_rows");
    cl::Buffer words;
    cl::Buffer before;
    cl::Buffer after;
    {
      const PhaseTimer phase(state_, "copy to device");
      words = put(table.words(), table.count(), "bits of rows");
      before = put(table.before(), table.count(), "sites before words");
      after = put(table.after(), table.count(), "sites behind words");
    }
    const PhaseTimer phase(state_, "rows");
    checked("rows", [&] {
      launch_parts(rows(), 1, [&](const Part& part) {
        set_arguments(kernel, words, before, after, static_cast<cl_ulong>(part.outer),
                      static_cast<cl_uint>(part.count), static_cast<cl_int>(part.x),
                      static_cast<cl_int>(part.x + part.width), static_cast<cl_int>(width()),
                      period(2), factor(2), base_, code_);
        return launch(kernel, part.width, part.count, 1);
      });
      session_.queue().finish();
    });
    state_.progress.advance(problem_.cells());
  }

  /// The lines of a part along an axis.
  Lines<Scalar> lines(std::size_t axis, const Part& part) const {
    Lines<Scalar> all{};
    all.outer_step = static_cast<cl_ulong>(axis == 1 ? plane() : width());
    all.step = static_cast<cl_ulong>(axis == 1 ? width() : plane());
    all.first_outer = static_cast<cl_ulong>(part.outer);
    all.factor = factor(axis);
    all.length = static_cast<cl_int>(problem_.extent[axis]);
    all.period = period(axis);
    all.first_x = static_cast<cl_int>(part.x);
    all.end_x = static_cast<cl_int>(part.x + part.width);
    return all;
  }

  /// Finds the winners of all cells along an axis, and unless it is the last one their sites.
  void settle(std::size_t axis) {
    cl::Kernel kernel = find("settle");
    cl::Kernel combine = find("combine_axes");
    const PhaseTimer phase(state_, axis == 1 ? "columns" : "planes");
    const std::int64_t length = problem_.extent[axis];
    const std::int64_t outers = problem_.extent[1 - axis];
    checked("passes along lines", [&] {
      settle_cells(kernel, axis, 0, std::min<std::int64_t>(length, 2));
      const auto last = static_cast<std::uint64_t>(length - 1);
      for (auto gap = static_cast<std::int64_t>(std::bit_ceil(last) / 2); gap > 0; gap /= 2)
        settle_cells(kernel, axis, gap, (length - 2 + gap) / (2 * gap));
      if (axis != last_axis())
        launch_parts(outers, length, [&](const Part& part) {
          set_arguments(combine, lines(axis, part), static_cast<cl_uint>(length), shift(axis),
                        base_, code_, winner_, next_base_, next_code_);
          return launch(combine, part.width, length, part.count);
        });
      session_.queue().finish();
    });
    if (axis != last_axis()) {
      std::swap(base_, next_base_);
      std::swap(code_, next_code_);
    }
    state_.progress.advance(problem_.cells());
  }

  void settle_cells(cl::Kernel& kernel, std::size_t axis, std::int64_t gap, std::int64_t cells) {
    if (cells == 0) return;
    launch_parts(problem_.extent[1 - axis], problem_.extent[axis], [&](const Part& part) {
      set_arguments(kernel, lines(axis, part), static_cast<cl_int>(gap),
                    static_cast<cl_uint>(cells), base_, winner_);
      return launch(kernel, part.width, cells, part.count);
    });
  }

  /// Where the coordinate of an axis begins in codes.
  cl_int shift(std::size_t axis) const {
    const CellCodes codes(problem_.extent);
    return axis == 1 ? codes.x_bits : codes.x_bits + codes.y_bits;
  }

  /// Writes the results. While the host writes a piece, the next one is on its way.
  void write_pieces() {
    if (has_sites_) {
      kernel_ = find("finish");
      allocate_slots();
    }
    const PhaseTimer phase(state_, "copy to host");
    const std::int64_t count = pieces_.count();
    for (std::int64_t i = 0; i <= count; ++i) {
      if (i < count) {
        slot_of(i).piece = pieces_[i];
        if (has_sites_) checked("results of a piece", [&] { read(slot_of(i)); });
      }
      if (i > 0) write(slot_of(i - 1));
    }
  }

  Slot& slot_of(std::int64_t piece) { return slots_[static_cast<std::size_t>(piece % 2)]; }

  void allocate_slots() {
    const std::int64_t room = pieces_[0].cells();
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      slots_[i].sites =
          memory_.allocate(static_cast<std::size_t>(room) * sizeof(State), "sites of a piece");
      slots_[i].host_sites = session_.pinned.array<State>(i, room, "sites of a piece on the host");
    }
  }

  void read(Slot& slot) {
    const Piece& piece = slot.piece;
    const std::size_t axis = last_axis();
    const Part part{piece.x, piece.width, 0, 1};
    set_arguments(kernel_, lines(axis, part), static_cast<cl_ulong>(piece.row),
                  static_cast<cl_uint>(piece.rows),
                  static_cast<cl_uint>(axis == 1 ? 1 : problem_.extent[1]),
                  static_cast<cl_int>(width()), shift(axis), code_, winner_, slot.sites);
    launch(kernel_, piece.width, piece.rows, 1);
    session_.queue().enqueueReadBuffer(slot.sites, CL_FALSE, 0,
                                       static_cast<std::size_t>(piece.cells()) * sizeof(State),
                                       slot.host_sites, nullptr, &slot.done);
    session_.queue().flush();
  }

  void write(const Slot& slot) {
    if (has_sites_) checked("results of a piece", [&] { slot.done.wait(); });
    const Piece& piece = slot.piece;
    const std::int64_t chunks = parts(piece.width, kChunk);
    const auto write_chunk = [&](std::int64_t row, std::int64_t x) {
      const Chunk chunk{(piece.row + row) / problem_.extent[1],
                        (piece.row + row) % problem_.extent[1], piece.x + x,
                        std::min(kChunk, piece.width - x)};
      const State* sites = has_sites_ ? slot.host_sites + row * piece.width + x : nullptr;
      winner_writer_.write(chunk, sites);
    };
    parallel_for(state_, piece.rows * chunks, rows_per_task(std::min(piece.width, kChunk)), 0,
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t i = begin; i < end; ++i)
                     write_chunk(i / chunks, i % chunks * kChunk);
                 });
    state_.progress.advance(piece.cells());
  }

  ContextState& state_;
  OpenclSession& session_;
  const Problem& problem_;
  const ProblemViews& views_;
  const Winners winner_writer_;
  Scratch::Frame scratch_;
  DeviceMemory::Frame memory_;
  const Pieces pieces_;
  Pace pace_;
  bool has_sites_ = false;
  cl::Buffer base_;    ///< S of the sites in code_, along the axes so far
  cl::Buffer code_;    ///< the best sites along the axes so far
  cl::Buffer winner_;  ///< for each cell the position on its line of the one with the best site
  cl::Buffer next_base_;
  cl::Buffer next_code_;
  cl::Kernel kernel_;
  std::array<Slot, 2> slots_;
};

template <class Scalar>
void run_with(ContextState& state, const Problem& problem, const ProblemViews& views, Write write) {
  if (has_long_codes(problem))
    Separable<Scalar, cl_ulong>(state, problem, views, write).run();
  else
    Separable<Scalar, cl_uint>(state, problem, views, write).run();
}

}  // namespace

bool has_long_codes(const Problem& problem) {
  const Axes& extent = problem.extent;
  return CellCodes(extent).code({extent[0] - 1, extent[1] - 1, extent[2] - 1}) >= kNone<cl_uint>;
}

std::int64_t separable_units(const Problem& problem) {
  return (problem.rank + 2) * problem.cells();
}

void run_separable(ContextState& state, const Problem& problem, const ProblemViews& views,
                   Write write) {
  if (is_narrow(problem))
    run_with<std::int32_t>(state, problem, views, write);
  else
    run_with<std::int64_t>(state, problem, views, write);
}

}  // namespace thiessen::opencl

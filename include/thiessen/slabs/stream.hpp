// SPDX-License-Identifier: Apache-2.0
//
// Rasters that are larger than memory: a call whose inputs come by rows and whose outputs go by
// rows, with the bits of one call.
//
//     NearestSiteStream call{.sites = &source, .options = options};
//     call.outputs = {{"labels", &labels}, {"distance", &distance}};
//     stream(context, call, plan_stream(context, call, {.memory = 2 << 30}));
//
// A source gives rows of a raster and a sink takes them, from and to whatever holds them: a file,
// a store of chunks, an array. A plan says how many rows are in memory at once: all of them, if
// the memory allows it, and then any method will do. Sources are read and sinks are written on
// threads of the stream's own while it computes. Ranks of one Communicator share the rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thiessen/context.hpp"
#include "thiessen/cost_distance.hpp"
#include "thiessen/error.hpp"
#include "thiessen/export.hpp"
#include "thiessen/grid.hpp"
#include "thiessen/nearest_site.hpp"
#include "thiessen/slabs/communicator.hpp"
#include "thiessen/slabs/cost_slabs.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// Gives rows (2-D) or planes (3-D) of a raster. One thread of the stream makes all calls, except
/// calls to the first three functions. An exception of a function ends the stream, and leaves it.
class THIESSEN_API RowSource {
 public:
  virtual ~RowSource() = default;

  virtual ElementType element_type() const = 0;
  virtual const Extents& extents() const = 0;  ///< of the whole raster
  /// Whether rows can be read only in order, or are cheap only in order. Cost distance then keeps a
  /// copy.
  virtual bool is_in_order() const { return false; }

  /// These rows in memory, contiguous. Empty: they lie nowhere in memory, so that read() is called.
  virtual View<const void> memory(const SlabRows& /*rows*/) { return {}; }
  /// Reads rows into contiguous cells. A source that is read in order may begin again at row 0.
  virtual void read(const SlabRows& rows, std::byte* cells) = 0;
  /// The last call of the thread that reads: it closes open files. Reading may begin again.
  virtual void close() {}
};

/// Takes the rows of an output in their order, from the first row of the rank on. One thread of the
/// stream makes all calls, except calls to the first two functions.
class THIESSEN_API RowSink {
 public:
  virtual ~RowSink() = default;

  virtual ElementType element_type() const = 0;
  /// Memory of the sink for these rows, into which they are computed. Empty: it has none.
  virtual View<void> memory(const SlabRows& /*rows*/) { return {}; }

  /// Takes rows: a view with the output's axes, where the axis of the rows has the extent
  /// `rows.count`.
  virtual void write(const SlabRows& rows, const View<const void>& cells) = 0;
  /// After the last rows.
  virtual void finish() {}
  /// Called instead of finish(), after an error.
  virtual void abandon() noexcept {}
};

/// An output of a call, by the name that it has in NearestSiteOutputs or CostDistanceOutputs.
struct StreamedOutput {
  std::string_view name;
  RowSink* sink = nullptr;
};

/// A call of nearest_site(), or of voronoi() if `sites` is null. Everything that it points to must
/// outlive the stream.
struct NearestSiteStream {
  RowSource* sites = nullptr;
  PointList points = {};
  Grid grid = {};               ///< of points
  RowSource* domain = nullptr;  ///< u8 or bool, as in nearest_site(); null: all cells
  NearestSiteOptions options = {};
  std::vector<StreamedOutput> outputs = {};

  /// Called with computed rows before they are written: with the cells of the sites (empty for
  /// points) and the outputs, which it may change.
  std::function<void(const SlabRows& rows, const View<const void>& sites,
                     const NearestSiteOutputs& out)>
      on_rows = {};
};

/// A call of cost_distance(). Everything that it points to must outlive the stream.
struct CostDistanceStream {
  RowSource* map = nullptr;
  EdgeWeight edge_weight = EdgeWeight::cost;
  RowSource* sites = nullptr;
  PointList points = {};  ///< if `sites` is null
  RowSource* initial_cost = nullptr;
  View<const void> initial_cost_of_points = {};
  CostDistanceOptions options = {};
  std::vector<StreamedOutput> outputs = {};

  /// Called with computed rows before they are written: with the outputs, which it may change. No
  /// source is being read meanwhile, so it may read one itself.
  std::function<void(const SlabRows& rows, const CostDistanceOutputs& out)> on_rows = {};
};

/// The limits of a stream.
struct StreamLimits {
  /// Bytes that the stream may take; 0: half of the available memory of the machine.
  std::int64_t memory = 0;
  /// Rows or planes of a slab, whatever the memory is; 0: as many as the memory allows.
  std::int64_t rows = 0;
  /// Rows that lie together in files. Slabs have a multiple of them, where the memory allows one.
  std::int64_t block = 256;
  /// Bytes of `memory` that the process takes in any case: code, libraries and their caches.
  std::int64_t of_process = std::int64_t{192} << 20;
  /// The reason why the caller needs all rows in memory, if it does.
  std::optional<BrokenRule> why_at_once = std::nullopt;
  /// The folder of the file of cost distance; empty: the system's folder for temporary files.
  std::string folder = {};
  /// Ranks that share the rows, including this one; null: there is only one.
  Communicator* communicator = nullptr;
};

/// The plan of a stream.
struct StreamPlan {
  bool is_at_once = true;    ///< by one call with all rows in memory
  std::int64_t rows = 0;     ///< of a slab, but for the last one
  std::int64_t slabs = 1;    ///< of this rank
  std::int64_t held = 1;     ///< slabs of cost distance that are in memory at once
  double bytes = 0;          ///< that it takes, at most
  double bytes_at_once = 0;  ///< that one call would take
  double bytes_least = 0;    ///< that slabs would take at least, where the memory is too little
  std::int64_t memory = 0;   ///< that it may take
  std::vector<SlabRows> parts = {};  ///< the rows of all ranks
  SlabRows part = {};                ///< the rows of this rank
  /// The reason why it cannot be done in slabs, if so.
  std::optional<BrokenRule> why_at_once = std::nullopt;
  std::string folder = {};  ///< as in StreamLimits
  Communicator* communicator = nullptr;

  SlabRows slab(std::int64_t number) const;
};

/// Receives the progress of a stream. All functions are called on the caller's thread.
struct StreamEvents {
  /// The call is valid, and the work begins. Ranks may meet in it.
  std::function<void()> on_begin = {};
  /// A stage begins, and takes the progress of the call from one fraction to another: "read",
  /// "summarise", "costs", "sites", "hops", "compute", "write" or "finish".
  std::function<void(std::string_view stage, double begin, double end)> on_stage = {};
};

/// The figures of a finished stream.
struct StreamReport {
  double processor_seconds = 0;              ///< without waits for other ranks
  std::array<std::int64_t, 3> visits{};      ///< of slabs of cost distance, in each stage
  std::int64_t ignored_sites = 0;            ///< as in CostDistanceReport
  std::vector<std::int64_t> active_cells{};  ///< likewise
};

/// The reason why a call cannot be done in slabs, if so: "method = jfa; slabs have exact only".
THIESSEN_API std::optional<BrokenRule> why_at_once(const Context& context,
                                                   const NearestSiteStream& call);
THIESSEN_API std::optional<BrokenRule> why_at_once(const Context& context,
                                                   const CostDistanceStream& call);

/// Chooses how a call is done within the limits. If it fits, it is done at once, else in as few
/// slabs as fit. If it cannot be done in slabs and `limits.memory` is 0, it is done at once, too.
///
/// Time O(1), except for the lists of points. Throws Error: invalid_argument for limits that are
/// too small, and for given rows, memory or ranks if slabs are not possible.
THIESSEN_API StreamPlan plan_stream(const Context& context, const NearestSiteStream& call,
                                    const StreamLimits& limits = {});
THIESSEN_API StreamPlan plan_stream(const Context& context, const CostDistanceStream& call,
                                    const StreamLimits& limits = {});

/// Computes a call by a plan of plan_stream(): what the one call would write, bit for bit. The
/// context has the warnings of the one call, except that slabs of cost distance give no warnings of
/// points at the same place.
///
/// In slabs, sites are read twice: each slab is summarised, then finished
/// (thiessen/slabs/slabs.hpp). Cost distance reads its inputs once or twice, and keeps the known
/// state of all cells in a file without a name in StreamPlan::folder: 20 to 40 bytes a cell
/// (thiessen/slabs/cost_slabs.hpp).
///
/// Cost: O(cells), and the time of sources and sinks where that is longer. Throws Error, and the
/// exceptions of sources, sinks and events.
THIESSEN_API StreamReport stream(Context& context, const NearestSiteStream& call,
                                 const StreamPlan& plan, const StreamEvents& events = {});
THIESSEN_API StreamReport stream(Context& context, const CostDistanceStream& call,
                                 const StreamPlan& plan, const StreamEvents& events = {});

/// The scratch memory of one call, in bytes for each cell of a raster with `axes` axes, besides
/// inputs, outputs and the numbers of boolean sites (docs/time-and-memory.md).
THIESSEN_API std::size_t scratch_per_cell(const NearestSiteOptions& options, int axes);
THIESSEN_API std::size_t scratch_per_cell(const CostDistanceOptions& options, int axes);

/// The bytes of memory that the machine has available without swapping, or -1 if it does not say.
THIESSEN_API std::int64_t available_memory();

/// The parts of this number of ranks, in their order, with about as many rows each. They begin at
/// blocks of files, if there are enough blocks.
THIESSEN_API std::vector<SlabRows> parts_of(const Extents& extents, int ranks);

}  // namespace thiessen

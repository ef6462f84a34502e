// SPDX-License-Identifier: Apache-2.0
//
// Rasters that are larger than memory: a call that reads its inputs and writes its outputs row by
// row. The bits are the same as of one call with the whole raster in memory.
//
//     NearestSiteStream call{.sites = &source, .options = options};
//     call.outputs = {{"labels", &labels}, {"distance", &distance}};
//     stream(context, call, plan_stream(context, call, {.memory = 2 << 30}));
//
// A source provides rows of a raster, and a sink receives rows. The rows may lie in a file, in a
// store of chunks or in an array. A plan says how many rows are in memory at once. If all rows fit
// into memory, the plan takes all of them, and then any method can be used. Threads of the stream
// read the sources and write the sinks while the stream computes. Ranks of one Communicator share
// the rows.
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

/// Provides rows (2-D) or planes (3-D) of a raster. One thread of the stream makes all calls,
/// except calls of the first three functions. If a function throws, stream() ends and throws this
/// exception.
class THIESSEN_API RowSource {
 public:
  virtual ~RowSource() = default;

  virtual ElementType element_type() const = 0;
  virtual const Extents& extents() const = 0;  ///< of the whole raster
  /// Whether rows can be read only in order, or are expensive to read out of order. Cost distance
  /// then keeps a copy of the rows.
  virtual bool is_in_order() const { return false; }

  /// Returns these rows if they lie in memory, without gaps. If it returns an empty view, read() is
  /// called.
  virtual View<const void> memory(const SlabRows& /*rows*/) { return {}; }
  /// Reads rows into contiguous cells. Even if a source is read in order, reading may begin again
  /// at row 0.
  virtual void read(const SlabRows& rows, std::byte* cells) = 0;
  /// The last call of the thread that reads, so that the source can close its files. Reading may
  /// begin again after this call.
  virtual void close() {}
};

/// Receives the rows of an output in order, from the first row of the rank on. One thread of the
/// stream makes all calls, except calls of the first two functions.
class THIESSEN_API RowSink {
 public:
  virtual ~RowSink() = default;

  virtual ElementType element_type() const = 0;
  /// Returns memory of the sink for these rows, so that they are computed in place. Empty: the sink
  /// has no such memory.
  virtual View<void> memory(const SlabRows& /*rows*/) { return {}; }

  /// Receives rows. `cells` has the axes of the output, and the axis of the rows has the extent
  /// `rows.count`.
  virtual void write(const SlabRows& rows, const View<const void>& cells) = 0;
  /// Called after the last rows.
  virtual void finish() {}
  /// Called instead of finish(), after an error.
  virtual void abandon() noexcept {}
};

/// An output of a call. Its name is the name in NearestSiteOutputs or CostDistanceOutputs.
struct StreamedOutput {
  std::string_view name;
  RowSink* sink = nullptr;
};

/// A call of nearest_site(), or of voronoi() if `sites` is null. Everything that it points to must
/// outlive the stream.
struct NearestSiteStream {
  RowSource* sites = nullptr;
  PointList points = {};
  Grid grid = {};               ///< for `points`
  RowSource* domain = nullptr;  ///< u8 or bool, as in nearest_site(); null: all cells
  NearestSiteOptions options = {};
  std::vector<StreamedOutput> outputs = {};

  /// Called after rows are computed and before they are written. It receives the cells of the sites
  /// (empty for points) and the outputs. It may change the outputs.
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

  /// Called after rows are computed and before they are written. It receives the outputs, and may
  /// change them. No source is read during this call, so it may read a source itself.
  std::function<void(const SlabRows& rows, const CostDistanceOutputs& out)> on_rows = {};
};

/// The limits of a stream.
struct StreamLimits {
  /// Bytes that the stream may take; 0: half of the available memory of the machine.
  std::int64_t memory = 0;
  /// Rows or planes of a slab, regardless of the memory; 0: as many as the memory allows.
  std::int64_t rows = 0;
  /// Number of rows that lie together in files. If the memory allows it, the rows of a slab are a
  /// multiple of this number.
  std::int64_t block = 256;
  /// The part of `memory`, in bytes, that the process always takes: code, libraries and their
  /// caches.
  std::int64_t of_process = std::int64_t{192} << 20;
  /// The reason why the caller needs all rows in memory; nothing if slabs will do.
  std::optional<BrokenRule> why_at_once = std::nullopt;
  /// The folder for the temporary file of cost distance; empty: the system's folder for temporary
  /// files.
  std::string folder = {};
  /// Ranks that share the rows, including this one; null: there is only one.
  Communicator* communicator = nullptr;
};

/// The plan of a stream.
struct StreamPlan {
  bool is_at_once = true;    ///< one call with all rows in memory
  std::int64_t rows = 0;     ///< rows of a slab; the last slab may have fewer
  std::int64_t slabs = 1;    ///< number of slabs of this rank
  std::int64_t held = 1;     ///< number of slabs of cost distance that are in memory at once
  double bytes = 0;          ///< bytes that the stream takes at most
  double bytes_at_once = 0;  ///< bytes that one call would take
  double bytes_least = 0;    ///< if slabs do not fit: bytes that slabs would take at least
  std::int64_t memory = 0;   ///< bytes that the stream may take
  std::vector<SlabRows> parts = {};  ///< the rows of all ranks
  SlabRows part = {};                ///< the rows of this rank
  /// The reason why the call cannot be done in slabs; nothing if it can.
  std::optional<BrokenRule> why_at_once = std::nullopt;
  std::string folder = {};  ///< as in StreamLimits
  Communicator* communicator = nullptr;

  SlabRows slab(std::int64_t number) const;
};

/// Receives the progress of a stream. All functions are called on the caller's thread.
struct StreamEvents {
  /// Called when the call has been found valid, before the work begins. Ranks may wait for each
  /// other in this function.
  std::function<void()> on_begin = {};
  /// Called when a stage begins. The stage takes the progress of the call from the fraction `begin`
  /// to the fraction `end`. Its name is "read", "summarise", "costs", "sites", "hops", "compute",
  /// "write" or "finish".
  std::function<void(std::string_view stage, double begin, double end)> on_stage = {};
};

/// The figures of a finished stream.
struct StreamReport {
  double processor_seconds = 0;              ///< not counting waits for other ranks
  std::array<std::int64_t, 3> visits{};      ///< visits to slabs in each stage of cost distance
  std::int64_t ignored_sites = 0;            ///< as in CostDistanceReport
  std::vector<std::int64_t> active_cells{};  ///< as in CostDistanceReport
};

/// The reason why a call cannot be done in slabs, such as "method = jfa; slabs have exact only", or
/// nothing if it can.
THIESSEN_API std::optional<BrokenRule> why_at_once(const Context& context,
                                                   const NearestSiteStream& call);
THIESSEN_API std::optional<BrokenRule> why_at_once(const Context& context,
                                                   const CostDistanceStream& call);

/// Chooses how a call is done within the limits. If the whole call fits into memory, it is done at
/// once. Otherwise it is done in as few slabs as fit. If slabs are not possible and `limits.memory`
/// is 0, the call is done at once, too.
///
/// Time: O(1), and the time to go through a list of points. Throws Error: invalid_argument if the
/// limits are too small, or if the limits give rows, memory or ranks although slabs are not
/// possible.
THIESSEN_API StreamPlan plan_stream(const Context& context, const NearestSiteStream& call,
                                    const StreamLimits& limits = {});
THIESSEN_API StreamPlan plan_stream(const Context& context, const CostDistanceStream& call,
                                    const StreamLimits& limits = {});

/// Computes a call by a plan of plan_stream(). The outputs are the outputs of the one call, bit for
/// bit. The Context then has the warnings of the one call, with one exception: slabs of cost
/// distance give no warnings of points at the same place.
///
/// In slabs, sites are read twice, because each slab is summarised and later finished
/// (thiessen/slabs/slabs.hpp). Cost distance reads its inputs once or twice. It keeps the known
/// state of all cells, 20 to 40 bytes a cell, in a file without a name in StreamPlan::folder
/// (thiessen/slabs/cost_slabs.hpp).
///
/// Time: O(cells), or the time of the sources and sinks if this is longer. Throws Error, and the
/// exceptions of sources, sinks and events.
THIESSEN_API StreamReport stream(Context& context, const NearestSiteStream& call,
                                 const StreamPlan& plan, const StreamEvents& events = {});
THIESSEN_API StreamReport stream(Context& context, const CostDistanceStream& call,
                                 const StreamPlan& plan, const StreamEvents& events = {});

/// The scratch memory of one call, in bytes for each cell of a raster with `axes` axes. Inputs,
/// outputs and the numbers of boolean sites are not counted (docs/time-and-memory.md).
THIESSEN_API std::size_t scratch_per_cell(const NearestSiteOptions& options, int axes);
THIESSEN_API std::size_t scratch_per_cell(const CostDistanceOptions& options, int axes);

/// The bytes of memory that are available on the machine without swapping, or -1 if unknown.
THIESSEN_API std::int64_t available_memory();

/// The rows of each of `ranks` ranks, in order. All ranks have about the same number of rows. Parts
/// begin at blocks of files, if there are enough blocks.
THIESSEN_API std::vector<SlabRows> parts_of(const Extents& extents, int ranks);

}  // namespace thiessen

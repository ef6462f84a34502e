// SPDX-License-Identifier: Apache-2.0
//
// A call, normalised once: the form that backends and the oracle see.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/context_state.hpp"
#include "core/base/int128.hpp"
#include "core/base/label_bits.hpp"
#include "core/order/form.hpp"
#include "core/order/torus.hpp"
#include "core/order/weights.hpp"
#include "core/problem/cell_class.hpp"
#include "core/problem/flooding.hpp"
#include "core/problem/points.hpp"
#include "thiessen/choices/weighting.hpp"
#include "thiessen/nearest_site.hpp"
#include "thiessen/papers.hpp"

namespace thiessen {

/// Longest axis: coordinates and their differences stay within 32 bits.
inline constexpr std::int64_t kMaxExtent = std::int64_t{1} << 30;
/// Longest periodic axis: its images stay within them too.
inline constexpr std::int64_t kMaxPeriod = std::int64_t{1} << 29;

/// Checks that `extents` are 2-D or 3-D, with axes of at most 2^30 cells and at most 2^60 in all.
/// Throws Error{invalid_argument} naming `name`.
void check_extents(const char* name, const Extents& extents);

/// Checks that a slab lies in a raster, and has its other axes.
void check_slab(const Extents& slab, const Extents& raster, std::int64_t first);

/// The same as check_extents() of a batch of rasters, whose first axis counts them.
void check_batch_extents(const Extents& extents);

/// Memory that a call can reach: that of the host, and that which the session of a Context does.
class ReachableMemory {
 public:
  ReachableMemory() = default;
  explicit ReachableMemory(const ContextState& state) : state_(&state) {}

  /// Checks that a view lies there. Throws Error{invalid_argument} naming the space and the device
  /// of the context; `verb` follows `name` in the message.
  void check(const char* name, const View<const void>& view, const char* verb = "lies") const;

 private:
  const ContextState* state_ = nullptr;
};

/// Checks that a function gets cells that it can reach: 2-D or 3-D, axes of at most 2^30 cells, at
/// most 2^60 in all, not null. Throws Error{invalid_argument} naming `name`.
void check_cells(const char* name, const View<const void>& view,
                 const ReachableMemory& reachable = {});

/// Checks that no stride leads out of the address space. Throws Error{invalid_argument} naming
/// `name`, like the next two functions.
void check_strides(const char* name, const View<const void>& view);

/// Checks that no two cells of a view that passed check_strides() share a byte: every stride must
/// step over all that the smaller ones cover.
void check_no_self_overlap(const char* name, const View<const void>& view);

/// Checks that the address ranges of two views have no byte in common.
void check_no_overlap(const char* a_name, const View<const void>& a, const char* b_name,
                      const View<const void>& b);

/// Does check_cells(), and checks that elements are aligned, for functions that access them singly.
void check_aligned_cells(const char* name, const View<const void>& view,
                         const ReachableMemory& reachable = {});

/// How weights of sites make keys of S (core/order/key_order.hpp).
struct Keys {
  Weighting weighting = Weighting::none;  ///< power if sites have metrics
  bool has_metrics = false;               ///< of the sites, which then measure S: dᵀMd
  bool limits_distance = false;           ///< max_distance limits √S, as there are no weights
  /// 1 in √S, in the unit in which weights are integers (power: in its square). `unit` is its
  /// length.
  Int128 factor = 1;
  Unit unit;
};

/// Weights by site index, as integers and as the caller gave them. Null: there are none.
struct SiteWeights {
  const Int128* exact = nullptr;
  const Form* form = nullptr;  ///< the metrics of the sites, besides; null: there are none
  const double* typed = nullptr;
  std::int64_t count = 0;  ///< of sites that have one
  Int128 greatest = 0;     ///< no absolute value of `exact` is greater
};

/// Sites are ordered by (S, site index), lexicographically, or by (key, site index) if they have
/// weights. S as in Weights.
struct Problem {
  int rank = 2;          ///< axes of the caller's raster: 2 or 3
  Axes extent{1, 0, 0};  ///< of the whole raster, (z, y, x)
  /// Site index of the first cell: not 0 where the raster is a slab of a larger one, and outputs
  /// other than this index know nothing of that one.
  std::int64_t first_site = 0;
  std::int64_t layers = 1;   ///< number of 2-D rasters of a batch that are done at once
                             ///< (Method::takes_batch)
  bool point_sites = false;  ///< sites are a list of points, and a site index is a place in it
  int fraction_bits = 0;     ///< coordinates count in units of 2^-fraction_bits of a cell
  std::int64_t margin = 0;   ///< how many cells beyond the grid points in device memory may lie
  Axes period{kNoPeriod, kNoPeriod, kNoPeriod};  ///< the extent on a periodic axis, in these units
  Metric metric = Metric::euclidean;
  Weights weights;
  Keys keys;
  std::array<double, kAxes> spacing{1, 1, 1};
  bool wide = false;     ///< S needs 128 bits
  bool limited = false;  ///< there is a max distance
  Int128 limit = 0;      ///< greatest S in range, if sites have no weights
  SiteRule rule;
  LabelBits unreached;
  LabelBits nodata_label;  ///< for cells outside of ProblemViews::domain
  bool signed_distance = false;
  DistanceTo distance_to = DistanceTo::sites;
  std::optional<Flooding> flooding;  ///< if the method is in that family
  RasterOptions raster;              ///< scan_sites is -1 for the device's own value
  /// If not null, it returns S: a double, in units of the spacing.
  const MetricFunction* metric_function = nullptr;
  const Earth* earth = nullptr;     ///< if not null, S is in metres, a double of whole micrometres
  double max_distance = 0;          ///< `limit` for an S that is a double, and for keys
  bool wants_other_labels = false;  ///< outputs of another label are wanted
  std::int64_t k = 0;               ///< if not 0, outputs have an axis of the k nearest in front
  bool distinct_labels = false;     ///< these are of k labels
  bool counts_ties = false;         ///< for the output `ties`, or for ties_unreached
  bool ties_unreached = false;      ///< tied cells have the label of unreached ones

  std::int64_t cells() const { return extent[0] * extent[1] * extent[2]; }
  /// Whether outputs are wanted that need more than the nearest site: of another label, of the k
  /// nearest, ties.
  bool wants_extra_outputs() const { return wants_other_labels || k > 0 || counts_ties; }
  bool has_weights() const { return keys.weighting != Weighting::none; }
  bool has_period() const {
    return std::ranges::any_of(period, [](std::int64_t each) { return each != kNoPeriod; });
  }
  /// The place of the centre of a cell, in the units of S.
  Axes centre(const Axes& cell) const {
    return {cell[0] << fraction_bits, cell[1] << fraction_bits, cell[2] << fraction_bits};
  }
  /// The axis along which slabs lie: the first one of the caller's raster.
  int first_axis() const { return kAxes - rank; }
};

/// Blocks of the raster whose outputs are written already.
struct Solved {
  const std::uint8_t* blocks = nullptr;  ///< not 0 if its outputs are written
  Axes size{};                           ///< of a block
  Axes count{};                          ///< number of blocks along each axis

  bool is_all() const {
    const auto all = static_cast<std::size_t>(count[0] * count[1] * count[2]);
    return std::memchr(blocks, 0, all) == nullptr;
  }
  /// The blocks that a row goes through.
  const std::uint8_t* row(std::int64_t z, std::int64_t y) const {
    return blocks + (z / size[0] * count[1] + y / size[1]) * count[2];
  }
  /// Whether `cells` (> 0) cells from (z, y, x) on are all in such blocks.
  bool covers(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t cells) const {
    const std::int64_t first = x / size[2];
    const std::int64_t last = (x + cells - 1) / size[2];
    return std::memchr(row(z, y) + first, 0, static_cast<std::size_t>(last - first + 1)) == nullptr;
  }
};

/// Inputs and outputs with the axes (z, y, x), after the components of the offset; (layer, y, x) if
/// Problem::layers is not 1.
struct ProblemViews {
  View<const void> sites;
  /// The labels of the sites: their own values, the numbers of boolean sites, or the labels of
  /// points, which have one axis. If the session makes labels (Session::makes_labels), it is empty
  /// for numbers; else it is contiguous.
  View<const void> labels;
  PointSites points;             ///< instead of `sites`
  SiteWeights weights;           ///< of points, or of the cells that are sites
  View<const void> coordinates;  ///< of `points`, if they are in device memory
  View<const void> domain;       ///< its cells that hold 0 become nodata; empty: there are none
  NearestSiteOutputs out;
  const Solved* solved = nullptr;  ///< blocks that must not be written again
};

/// Checks everything that a caller can get wrong, and normalises it.
/// Throws Error{invalid_argument} naming the argument, its value and the rule.
Problem make_problem(View<const void> sites, const NearestSiteOptions& options,
                     const NearestSiteOutputs& out, const ReachableMemory& reachable = {},
                     const View<const void>& domain = {}, const View<const void>& weights = {});

/// The same for a batch, whose first axis counts the rasters; returns the problem of each raster.
Problem make_batch_problem(View<const void> sites, const NearestSiteOptions& options,
                           const NearestSiteOutputs& out, const ReachableMemory& reachable = {},
                           const View<const void>& domain = {},
                           const View<const void>& weights = {});

/// The same for a slab of a raster with the extents `raster`; returns the problem of that raster.
Problem make_slab_problem(View<const void> sites, const Extents& raster, std::int64_t first,
                          const NearestSiteOptions& options, const NearestSiteOutputs& out,
                          const ReachableMemory& reachable = {},
                          const View<const void>& domain = {});

/// The same for points that are snapped but not wrapped yet, or still in device memory. `cells` are
/// the extents of outputs and domain, if they are not those of the grid but of a slab of it.
Problem make_problem(const PointList& list, const PointSites& points, const Grid& grid,
                     const NearestSiteOptions& options, const NearestSiteOutputs& out,
                     const ReachableMemory& reachable = {}, const View<const void>& domain = {},
                     const std::optional<Extents>& cells = std::nullopt);

/// The same views with three axes, behind that of Problem::k if it is not 0.
ProblemViews make_views(View<const void> sites, const NearestSiteOutputs& out,
                        const View<const void>& domain = {}, std::int64_t k = 0);
NearestSiteOutputs with_three_axes(const NearestSiteOutputs& out, std::int64_t k = 0);

/// Whether some output tells which site is nearest, not only how far away it is.
bool wants_sites(const NearestSiteOutputs& out);

/// Whether some output tells how far the nearest site is.
bool wants_distances(const NearestSiteOutputs& out);

/// Whether outputs are wanted besides the ones of these names.
bool wants_besides(const NearestSiteOutputs& out, std::initializer_list<std::string_view> names);

/// Whether some output tells of sites of another label.
bool wants_other_labels(const NearestSiteOutputs& out);

/// The output that has the type of labels: `labels`, or `other_labels` where only that is wanted.
template <class Outputs>
const View<void>& label_output(const Outputs& out) {
  return out.labels ? out.labels : out.other_labels;
}

/// Treats a raster with axes of one cell as one with fewer axes: a column becomes a row, a volume
/// of one layer a plane, so that no tile is thin along an axis. A raster on the Earth keeps its
/// axes, and so does one if outputs by axis (offset, direction) are wanted. Weights and site
/// indices are those of the whole raster as before.
void drop_thin_axes(Problem& problem, ProblemViews& views);

/// `count` rows or planes of outputs with three axes from `begin` on, along one of them. Where they
/// are beyond the outputs, nobody may write.
NearestSiteOutputs rows_of(const NearestSiteOutputs& out, int axis, std::int64_t begin,
                           std::int64_t count);

/// The same of an input with three axes.
View<const void> rows_of(const View<const void>& view, int axis, std::int64_t begin,
                         std::int64_t count);

/// The views of one of the k nearest.
ProblemViews views_of_rank(const ProblemViews& views, std::int64_t rank);

/// What sites have besides their places, for messages: "weights are given, which only … takes".
const char* weights_are_given(const Problem& problem);

/// What Problem::wants_extra_outputs() found, for messages: "outputs of another label are".
const char* name_of_extra_output(const Problem& problem);

/// One raster of a batch; of outputs also one of the k nearest.
View<const void> raster_of(const View<const void>& sites, std::int64_t raster);
NearestSiteOutputs raster_of(const NearestSiteOutputs& out, std::int64_t raster);

}  // namespace thiessen

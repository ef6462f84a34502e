// SPDX-License-Identifier: Apache-2.0
//
// For each chunk of winners: first drops those beyond the limit and marks nodata cells, then writes
// the outputs one after the other. Neighbours mostly share their winner, so the last result is
// remembered.
#include "core/search/result_writer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include "core/order/compass.hpp"
#include "core/search/special_values.hpp"
#include "core/search/written_key.hpp"

namespace thiessen {
namespace {

/// Fills the cells of `chunk` in `view` with value(i).
template <class T, class Value>
void fill(const View<void>& view, const Chunk& chunk, Value&& value) {
  ChunkBuffer buffer;
  const CellWriter<T> cells(address_of(view, {chunk.z, chunk.y, chunk.x}), view.stride(2), buffer);
  T* out = cells.begin();
  for (std::int64_t i = 0; i < chunk.count; ++i) out[i] = value(i);
  cells.flush(chunk.count);
}

/// Remembers the last site and its result: neighbours mostly share their winner.
template <class T, class Make>
class LastSite {
 public:
  explicit LastSite(Make make) : make_(make) {}

  const T& operator()(std::int64_t site) {
    if (site != site_) {
      site_ = site;
      value_ = make_(site);
    }
    return value_;
  }

 private:
  Make make_;
  std::int64_t site_ = std::numeric_limits<std::int64_t>::min();
  T value_{};
};

template <class T, class Make>
LastSite<T, Make> last_site(Make make) {
  return LastSite<T, Make>(make);
}

/// The cells of sites. Neighbours mostly have their sites in one row; then only the first one takes
/// divisions.
class SiteCells {
 public:
  explicit SiteCells(const Axes& extent) : extent_(extent) {}

  const Axes& operator()(std::int64_t site) {
    if (site < row_ || site >= row_ + extent_[2]) {
      cell_ = to_cell(extent_, site);
      row_ = site - cell_[2];
    }
    cell_[2] = site - row_;
    return cell_;
  }

 private:
  Axes extent_;
  Axes cell_{};
  std::int64_t row_ = std::numeric_limits<std::int64_t>::min();
};

/// Offsets along one axis from the cells `from`, `from` + `step`, … to the coordinates `to`.
void write_offsets(std::span<const std::int32_t> to, std::int64_t from, std::int64_t step,
                   std::int64_t period, std::int32_t* out) {
  if (period != kNoPeriod) {
    for (const std::int32_t coordinate : to) {
      *out++ = static_cast<std::int32_t>(shortest_offset(from, coordinate, period));
      from += step;
    }
    return;
  }
  // Modulo 2^32: the output's type keeps no more, and vectors have such integers.
  auto here = static_cast<std::uint32_t>(from);
  for (std::size_t i = 0; i < to.size(); ++i, here += static_cast<std::uint32_t>(step))
    out[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(to[i]) - here);
}

/// Writes `value` where there is no site.
void mark_unreached(std::span<const std::int64_t> site, std::int32_t value, std::int32_t* out) {
  std::int64_t signs = 0;
  for (const std::int64_t each : site) signs |= each;
  if (signs >= 0) return;
  for (std::size_t i = 0; i < site.size(); ++i)
    if (site[i] < 0) out[i] = value;
}

/// Whether it is all of the raster in C order without gaps.
bool is_linear(const Problem& problem, const Slab& slab, const View<const void>& labels) {
  return is_packed(labels) && slab.count == whole_raster(problem).count;
}

/// With a metric of the user, the distance is S.
template <class Scalar>
double distance_of(const Problem& problem, Scalar exact) {
  if constexpr (std::is_same_v<Scalar, double>) return exact;
  return to_distance(problem.weights, problem.metric, exact);
}

/// The key of a site as written.
template <class Scalar>
double key_of(const Problem& problem, const ProblemViews& views, std::int64_t site, Scalar exact) {
  return written_key(problem.keys, exact, distance_of(problem, exact), views.weights.exact[site],
                     views.weights.typed[site]);
}

template <class Scalar>
Scalar limit_of(const Problem& problem) {
  if constexpr (std::is_same_v<Scalar, double>) return problem.max_distance;
  return static_cast<Scalar>(problem.limit);
}

/// Calls visit(first, last) for the runs of cells of a chunk whose blocks are still to be written.
template <class Visit>
void for_each_open_run(const Solved& solved, const Chunk& chunk, Visit&& visit) {
  const std::uint8_t* blocks = solved.row(chunk.z, chunk.y);
  const std::int64_t width = solved.size[2];
  const std::int64_t end = chunk.x + chunk.count;
  for (std::int64_t x = chunk.x; x < end;) {
    const std::int64_t first = x;
    const bool open = blocks[x / width] == 0;
    while (x < end && (blocks[x / width] == 0) == open) x = std::min(end, (x / width + 1) * width);
    if (open) visit(first, x);
  }
}

}  // namespace

template <class Scalar>
ResultWriter<Scalar>::ResultWriter(const Problem& problem, const Slab& slab,
                                   const ProblemViews& views, Write write)
    : problem_(problem),
      slab_(slab),
      views_(views),
      write_(write),
      sites_(views.sites),
      images_{problem.metric, problem.weights.factor, problem.period},
      linear_(problem.point_sites || is_linear(problem, slab, views.labels)) {}

template <class Scalar>
void ResultWriter<Scalar>::write(const Chunk& chunk, Winners<Scalar>& winners) const {
  if (views_.solved == nullptr) return write_all(chunk, winners);
  const std::int64_t end = chunk.x + chunk.count;
  for_each_open_run(*views_.solved, chunk, [&](std::int64_t first, std::int64_t last) {
    if (first == chunk.x && last == end) return write_all(chunk, winners);
    Winners<Scalar> some;
    std::copy(winners.site.begin() + (first - chunk.x), winners.site.begin() + (last - chunk.x),
              some.site.begin());
    std::copy(winners.exact.begin() + (first - chunk.x), winners.exact.begin() + (last - chunk.x),
              some.exact.begin());
    write_all({chunk.z, chunk.y, first, last - first}, some);
  });
}

template <class Scalar>
void ResultWriter<Scalar>::write_all(const Chunk& chunk, Winners<Scalar>& winners) const {
  mark_special(chunk, winners);
  if (write_ == Write::inside) return write_inside(chunk, winners);
  if (write_ != Write::all_but_distances) {
    if (views_.out.distance) write_distance(chunk, winners);
    if (views_.out.weighted_distance) write_weighted_distance(chunk, winners);
    if (views_.out.squared) write_squared(chunk, winners);
  }
  if (write_ == Write::distances) return;
  if (views_.out.labels) write_labels(chunk, winners);
  if (views_.out.site_index) write_site_index(chunk, winners);
  if (views_.out.offset) write_offset(chunk, winners);
  if (views_.out.direction) write_direction(chunk, winners);
}

template <class Scalar>
void ResultWriter<Scalar>::write_inside(const Chunk& chunk, const Winners<Scalar>& winners) const {
  const View<void>& view = views_.out.distance;
  std::byte* cell = address_of(view, {chunk.z, chunk.y, chunk.x});
  const bool is_double = view.element_type() == ElementType::f64;
  for (std::int64_t i = 0; i < chunk.count; ++i, cell += view.stride(2)) {
    const auto at = static_cast<std::size_t>(i);
    const bool reached = winners.site[at] >= 0;
    if (reached && winners.exact[at] == 0) continue;
    const double inside = reached ? -distance_of(problem_, winners.exact[at])
                                  : -std::numeric_limits<double>::infinity();
    if (is_double) {
      std::memcpy(cell, &inside, sizeof inside);
    } else {
      const auto rounded = static_cast<float>(inside);
      std::memcpy(cell, &rounded, sizeof rounded);
    }
  }
}

template <class Scalar>
void ResultWriter<Scalar>::mark_special(const Chunk& chunk, Winners<Scalar>& winners) const {
  const auto count = static_cast<std::size_t>(chunk.count);
  if (problem_.limited && problem_.has_weights()) {
    const auto limited = [&](std::size_t i) {
      return problem_.keys.limits_distance
                 ? distance_of(problem_, winners.exact[i])
                 : key_of(problem_, views_, winners.site[i], winners.exact[i]);
    };
    for (std::size_t i = 0; i < count; ++i)
      if (winners.site[i] >= 0 && limited(i) > problem_.max_distance) winners.site[i] = kUnreached;
  } else if (problem_.limited) {
    const auto limit = limit_of<Scalar>(problem_);
    for (std::size_t i = 0; i < count; ++i)
      if (winners.exact[i] > limit) winners.site[i] = kUnreached;
  }
  // In the complement nodata cells are sites, and keep the results of the first run.
  if (!problem_.rule.nodata || problem_.rule.complement) return;
  ChunkBuffer buffer;
  std::array<std::uint8_t, kChunk> classes;
  classify(problem_.rule, sites_.read(chunk.z, chunk.y, chunk.x, chunk.count, buffer), chunk.count,
           classes.data());
  for (std::size_t i = 0; i < count; ++i)
    if (classes[i] == kNodataCell) winners.site[i] = kNodata;
}

/// The label of a site anywhere in the whole raster: in the slab, or in the data of its neighbours.
template <class Scalar>
template <class T>
T ResultWriter<Scalar>::load_label(std::int64_t site) const {
  T label;
  const LabelBits* special = site == kUnreached ? &problem_.unreached
                             : site == kNodata  ? &*problem_.rule.nodata
                                                : nullptr;
  if (special != nullptr) {
    std::memcpy(&label, special->bytes.data(), sizeof label);
    return label;
  }
  Axes cell = to_cell(problem_.extent, site);
  const auto first_axis = static_cast<std::size_t>(problem_.first_axis());
  auto& along = cell[first_axis];
  if (along < slab_.first || along >= slab_.first + slab_.count) {
    const std::int64_t column = site % slab_columns(problem_);
    const bool is_above =
        slab_.above.coordinate != nullptr &&
        unwrap(slab_.above.coordinate[column], problem_.period[first_axis]) == along;
    const Neighbours& neighbours = is_above ? slab_.above : slab_.below;
    std::memcpy(&label, neighbours.labels + column * std::int64_t{sizeof(T)}, sizeof label);
    return label;
  }
  along -= slab_.first;
  std::memcpy(&label, address_of(views_.labels, cell), sizeof label);
  return label;
}

template <class Scalar>
void ResultWriter<Scalar>::write_labels(const Chunk& chunk, const Winners<Scalar>& winners) const {
  visit_element_width(views_.out.labels.element_type(), [&]<class T>(std::type_identity<T>) {
    auto label_of = last_site<T>([this](std::int64_t site) {
      if (!linear_ || site < 0) return load_label<T>(site);
      T label;
      std::memcpy(&label, views_.labels.bytes() + site * std::int64_t{sizeof(T)}, sizeof label);
      return label;
    });
    fill<T>(views_.out.labels, chunk,
            [&](std::int64_t i) { return label_of(winners.site[static_cast<std::size_t>(i)]); });
  });
}

template <class Scalar>
void ResultWriter<Scalar>::write_site_index(const Chunk& chunk,
                                            const Winners<Scalar>& winners) const {
  fill<std::int64_t>(views_.out.site_index, chunk, [&](std::int64_t i) {
    const std::int64_t site = winners.site[static_cast<std::size_t>(i)];
    return site < 0 ? site : problem_.first_site + site;
  });
}

/// Writes value(site, S) of the winners into an output of distances.
template <class Scalar>
template <class Value>
void ResultWriter<Scalar>::write_lengths(const View<void>& out, const Chunk& chunk,
                                         const Winners<Scalar>& winners, Value&& value) const {
  const auto length = [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    if (winners.site[at] >= 0) return value(winners.site[at], winners.exact[at]);
    return winners.site[at] == kUnreached ? kUnreachedDistance : kNodataDistance;
  };
  if (out.element_type() == ElementType::f64)
    fill<double>(out, chunk, length);
  else
    fill<float>(out, chunk, [&](std::int64_t i) { return static_cast<float>(length(i)); });
}

template <class Scalar>
void ResultWriter<Scalar>::write_distance(const Chunk& chunk,
                                          const Winners<Scalar>& winners) const {
  write_lengths(views_.out.distance, chunk, winners,
                [&](std::int64_t, Scalar exact) { return distance_of(problem_, exact); });
}

template <class Scalar>
void ResultWriter<Scalar>::write_weighted_distance(const Chunk& chunk,
                                                   const Winners<Scalar>& winners) const {
  write_lengths(views_.out.weighted_distance, chunk, winners, [&](std::int64_t site, Scalar exact) {
    return key_of(problem_, views_, site, exact);
  });
}

template <class Scalar>
void ResultWriter<Scalar>::write_squared(const Chunk& chunk, const Winners<Scalar>& winners) const {
  fill<std::int64_t>(views_.out.squared, chunk, [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    return winners.site[at] >= 0 ? static_cast<std::int64_t>(winners.exact[at]) : winners.site[at];
  });
}

template <class Scalar>
Axes ResultWriter<Scalar>::site_at(std::int64_t site) const {
  return problem_.point_sites ? views_.points.at[site] : to_cell(problem_.extent, site);
}

template <class Scalar>
Axes ResultWriter<Scalar>::whole_cell(const Chunk& chunk) const {
  Axes cell{chunk.z, chunk.y, chunk.x};
  cell[static_cast<std::size_t>(problem_.first_axis())] += slab_.first;
  return cell;
}

template <class Scalar>
void ResultWriter<Scalar>::write_offset(const Chunk& chunk, const Winners<Scalar>& winners) const {
  const Axes cell = whole_cell(chunk);
  const View<std::int32_t>& offset = views_.out.offset;
  const auto count = static_cast<std::size_t>(chunk.count);
  ChunkCells sites = cells_of_sites(winners.site, chunk.count);
  const bool are_images = images_.are_hidden();
  if (are_images) move_to_images(cell, chunk.count, sites);
  for (auto axis = static_cast<std::size_t>(problem_.first_axis()); axis < kAxes; ++axis) {
    std::byte* const component =
        offset.bytes() + (static_cast<int>(axis) - problem_.first_axis()) * offset.stride(0) +
        chunk.z * offset.stride(1) + chunk.y * offset.stride(2) + chunk.x * offset.stride(3);
    ChunkBuffer buffer;
    const CellWriter<std::int32_t> cells(component, offset.stride(3), buffer);
    write_offsets(std::span(sites[axis]).first(count), cell[axis], axis == 2 ? 1 : 0,
                  are_images ? kNoPeriod : problem_.period[axis], cells.begin());
    mark_unreached(std::span(winners.site).first(count), kNoOffset, cells.begin());
    cells.flush(chunk.count);
  }
}

/// The coordinates of the sites of a chunk; anything for a cell without a site.
template <class Scalar>
auto ResultWriter<Scalar>::cells_of_sites(const std::array<std::int64_t, kChunk>& site,
                                          std::int64_t count) const -> ChunkCells {
  ChunkCells cells;
  SiteCells site_cells(problem_.extent);
  std::int64_t last = kUnreached;
  Axes at{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    if (site[i] != last && site[i] >= 0)
      at = problem_.point_sites ? views_.points.at[site[i]] : site_cells(site[i]);
    last = site[i];
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      cells[axis][i] = static_cast<std::int32_t>(at[axis]);
  }
  return cells;
}

/// Replaces each site by the image that counts, which may lie beyond the raster.
template <class Scalar>
void ResultWriter<Scalar>::move_to_images(const Axes& first, std::int64_t count,
                                          ChunkCells& sites) const {
  Axes from = first;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i, ++from[2]) {
    const Axes way = images_.way(from, {sites[0][i], sites[1][i], sites[2][i]});
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      sites[axis][i] = static_cast<std::int32_t>(from[axis] + way[axis]);
  }
}

template <class Scalar>
void ResultWriter<Scalar>::write_direction(const Chunk& chunk,
                                           const Winners<Scalar>& winners) const {
  const Axes cell = whole_cell(chunk);
  const Compass compass(problem_.spacing[1], problem_.spacing[2]);
  const Axes from = problem_.centre(cell);
  auto target_of = last_site<Axes>([this](std::int64_t site) { return site_at(site); });
  fill<float>(views_.out.direction, chunk, [&](std::int64_t i) {
    const std::int64_t site = winners.site[static_cast<std::size_t>(i)];
    if (site < 0) return kNoDirection;
    const std::int64_t x = from[2] + (i << problem_.fraction_bits);
    return compass.direction(images_.way({from[0], from[1], x}, target_of(site)));
  });
}

template class ResultWriter<std::int64_t>;
template class ResultWriter<Int128>;
template class ResultWriter<double>;

}  // namespace thiessen

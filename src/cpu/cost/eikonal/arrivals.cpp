// SPDX-License-Identifier: Apache-2.0
//
// Each cell once, as soon as its earlier neighbours are done. A byte of each cell has bits for
// these, and they are taken away one by one. Cells that are ready wait in a list of their tile, so
// that cells which are done after each other lie close together.
#include "cpu/cost/eikonal/arrivals.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/scratch.hpp"
#include "cpu/cost/eikonal/tile_front.hpp"

namespace thiessen::cpu::eikonal {
namespace {

using thiessen::eikonal::Arrival;
using thiessen::eikonal::Arrivals;

/// Bits of the faces of a cell: those of Sides; and of a cell whose answer was known.
using Faces = std::uint8_t;
constexpr Faces kKnown = 1U << (2 * kAxes);

constexpr Faces face_bit(std::size_t axis, bool is_above) {
  return static_cast<Faces>(side_bit(axis, is_above));
}

/// From an element to the next one along an axis, in C order.
std::int64_t stride_of(const Axes& extent, std::size_t axis) {
  return axis == 2 ? 1 : axis == 1 ? extent[2] : extent[1] * extent[2];
}

/// A tile of cells that wait: its first cell, and its place among the tiles.
struct ReadyTile {
  std::int64_t first = 0;
  std::int64_t number = 0;
};

/// Lists of cells that are ready, one for each tile. A cell is there once.
template <int kRank>
class ReadyTiles {
 public:
  /// A cell by its place in a tile: z, y and x, one behind the other.
  using Place = std::uint16_t;

  ReadyTiles(const Axes& extent, Scratch::Frame& scratch) : extent_(extent) {
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      tiles_[axis] = (extent[axis] + size_of(axis) - 1) / size_of(axis);
    const std::int64_t tiles = tiles_[0] * tiles_[1] * tiles_[2];
    places_ = scratch.array<Place>(tiles * kCells);
    ends_.assign(static_cast<std::size_t>(tiles), 0);
    is_waiting_.assign(static_cast<std::size_t>(tiles), 0);
  }

  void add(const Axes& cell) {
    Axes tile{};
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      tile[axis] = cell[axis] / size_of(axis);
      place += cell[axis] % size_of(axis) << shift_of(axis);
    }
    add(to_index(tiles_, tile), static_cast<Place>(place));
  }

  /// Adds the neighbour of a cell of a tile.
  void add_neighbour(const ReadyTile& tile, Place place, std::size_t axis, bool is_above) {
    const int last = (1 << kBits[axis]) - 1;
    const int at = place >> shift_of(axis) & last;
    const int step = 1 << shift_of(axis);
    if (at != (is_above ? last : 0))
      return add(tile.number, static_cast<Place>(place + (is_above ? step : -step)));
    const std::int64_t stride = stride_of(tiles_, axis);
    const int across = last * step;
    add(tile.number + (is_above ? stride : -stride),
        static_cast<Place>(place + (is_above ? -across : across)));
  }

  /// Calls visit(tile, place, index) for all cells, also those that are added meanwhile.
  template <class Visit>
  void run(const Visit& visit) {
    std::vector<std::int64_t> done(ends_.size(), 0);
    std::size_t turn = 0;
    while (turn < waiting_.size()) {
      const std::int64_t number = waiting_[turn++];
      const auto at = static_cast<std::size_t>(number);
      const Axes place = to_cell(tiles_, number);
      const ReadyTile tile{
          to_index(extent_, {place[0] * size_of(0), place[1] * size_of(1), place[2] * size_of(2)}),
          number};
      for (; done[at] < ends_[at]; ++done[at]) {
        const Place cell = places_[number * kCells + done[at]];
        visit(tile, cell, tile.first + offset_of(cell));
      }
      is_waiting_[at] = 0;
    }
  }

 private:
  /// The size of a tile along each axis is a power of two.
  static constexpr std::array<int, kAxes> kBits =
      kRank == 2 ? std::array<int, kAxes>{0, 6, 6} : std::array<int, kAxes>{4, 5, 5};
  static constexpr std::int64_t kCells = std::int64_t{1} << (kBits[0] + kBits[1] + kBits[2]);
  static constexpr std::int64_t size_of(std::size_t axis) { return std::int64_t{1} << kBits[axis]; }
  static constexpr int shift_of(std::size_t axis) {
    return axis == 2 ? 0 : axis == 1 ? kBits[2] : kBits[2] + kBits[1];
  }

  std::int64_t offset_of(Place place) const {
    const std::int64_t x = place & (size_of(2) - 1);
    const std::int64_t y = place >> shift_of(1) & (size_of(1) - 1);
    const std::int64_t z = place >> shift_of(0);
    return (z * extent_[1] + y) * extent_[2] + x;
  }

  void add(std::int64_t tile, Place place) {
    const auto at = static_cast<std::size_t>(tile);
    places_[tile * kCells + ends_[at]++] = place;
    if (is_waiting_[at] != 0) return;
    is_waiting_[at] = 1;
    waiting_.push_back(tile);
  }

  Axes extent_;
  Axes tiles_{};
  Place* places_ = nullptr;
  std::vector<std::int64_t> ends_;  ///< of the lists
  std::vector<std::uint8_t> is_waiting_;
  std::vector<std::int64_t> waiting_;
};

template <int kRank, bool kHasSites>
class ArrivalSearch {
 public:
  ArrivalSearch(ContextState& state, const Ground& ground, const CostSites<double>& sites,
                const double* order, const Answers& answers, std::uint8_t* link)
      : state_(state),
        ground_(ground),
        sites_(sites),
        order_(order),
        answers_(answers),
        link_(link),
        scratch_(state.scratch),
        earlier_(scratch_.array<Faces>(ground.cells())),
        open_(padded(ground.cells())),
        ready_(ground.extent, scratch_) {
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) inverse_[axis] = 1 / ground.spacing[axis];
  }

  void run() {
    find_earlier();
    start();
    ready_.run(
        [&](const ReadyTile& tile, Place place, std::int64_t cell) { finish(tile, place, cell); });
    if (link_ != nullptr) link_known();
  }

 private:
  static constexpr std::size_t kFirst = kAxes - kRank;
  using Place = typename ReadyTiles<kRank>::Place;

  /// Zeros with a plane of zeros before and behind: neighbours outside of the raster wait for
  /// nobody.
  Faces* padded(std::int64_t cells) {
    const std::int64_t room = stride(kFirst);
    auto* const first = scratch_.array<Faces>(cells + 2 * room);
    std::fill_n(first, cells + 2 * room, Faces{0});
    return first + room;
  }

  std::int64_t stride(std::size_t axis) const { return stride_of(ground_.extent, axis); }
  bool is_known(std::int64_t cell) const { return (open_[cell] & kKnown) != 0; }

  template <class Visit>
  void for_each_cell(const Visit& visit) const {
    std::int64_t cell = 0;
    for (std::int64_t z = 0; z < ground_.extent[0]; ++z)
      for (std::int64_t y = 0; y < ground_.extent[1]; ++y)
        for (std::int64_t x = 0; x < ground_.extent[2]; ++x) visit(Axes{z, y, x}, cell++);
  }

  /// Calls visit(axis, is_above, neighbour) for the neighbours of a cell across faces.
  template <class Visit>
  void for_each_neighbour(const Axes& at, std::int64_t cell, const Visit& visit) const {
    for (std::size_t axis = kFirst; axis < kAxes; ++axis) {
      if (at[axis] > 0) visit(axis, false, cell - stride(axis));
      if (at[axis] + 1 < ground_.extent[axis]) visit(axis, true, cell + stride(axis));
    }
  }

  /// Finds which neighbours of each cell are earlier, row by row.
  void find_earlier() {
    std::int64_t row = 0;
    for (std::int64_t z = 0; z < ground_.extent[0]; ++z)
      for (std::int64_t y = 0; y < ground_.extent[1]; ++y, row += ground_.extent[2]) {
        const std::int64_t width = ground_.extent[2];
        const double* const own = order_ + row;
        Faces* const faces = earlier_ + row;
        std::fill_n(faces, width, Faces{0});
        const auto look = [&](std::size_t axis, bool is_above, std::int64_t begin,
                              std::int64_t end) {
          const Faces bit = face_bit(axis, is_above);
          const double* const other = own + (is_above ? stride(axis) : -stride(axis));
          if (is_above)
            for (std::int64_t x = begin; x < end; ++x)
              faces[x] |= other[x] < own[x] ? bit : Faces{0};
          else
            for (std::int64_t x = begin; x < end; ++x)
              faces[x] |= other[x] <= own[x] ? bit : Faces{0};
        };
        look(2, false, 1, width);
        look(2, true, 0, width - 1);
        if (y > 0) look(1, false, 0, width);
        if (y + 1 < ground_.extent[1]) look(1, true, 0, width);
        if (z > 0) look(0, false, 0, width);
        if (z + 1 < ground_.extent[0]) look(0, true, 0, width);
        for (std::int64_t x = 0; x < width; ++x) settle(row + x);
      }
  }

  /// A cell whose start the order has kept is known; all others are not.
  void settle(std::int64_t cell) {
    const double own = order_[cell];
    if (!(own < kInfinity)) earlier_[cell] = 0;
    open_[cell] = earlier_[cell];
    if (own < kInfinity && answers_.cost[cell] == own)
      open_[cell] = kKnown;
    else
      forget(cell);
  }

  void forget(std::int64_t cell) {
    answers_.cost[cell] = kInfinity;
    if constexpr (kHasSites) answers_.rank[cell] = kNoRank;
    if (link_ != nullptr) link_[cell] = kNoLink;
  }

  /// Behind a known cell, only a known cell counts.
  void start() {
    for_each_cell([&](const Axes& at, std::int64_t cell) {
      if (!is_known(cell)) return;
      for_each_neighbour(at, cell, [&](std::size_t axis, bool is_above, std::int64_t other) {
        if (!is_known(other)) earlier_[cell] &= static_cast<Faces>(~face_bit(axis, is_above));
      });
      ready_.add(at);
    });
  }

  /// Answers a cell, and tells its neighbours.
  void finish(const ReadyTile& tile, Place place, std::int64_t cell) {
    if (!is_known(cell)) answer(cell);
    constexpr std::int64_t kCellsPerReport = 1 << 16;
    if (++done_ % kCellsPerReport == 0) state_.progress.advance(kCellsPerReport);
    for (std::size_t axis = kFirst; axis < kAxes; ++axis)
      for (const bool is_above : {false, true}) {
        Faces& open = open_[cell + (is_above ? stride(axis) : -stride(axis))];
        const Faces bit = face_bit(axis, !is_above);
        if ((open & bit) == 0) continue;
        open &= static_cast<Faces>(~bit);
        if (open == 0) ready_.add_neighbour(tile, place, axis, is_above);
      }
  }

  void answer(std::int64_t cell) {
    Arrivals arrivals;
    for (std::size_t axis = kFirst; axis < kAxes; ++axis)
      if ((earlier_[cell] & (face_bit(axis, false) | face_bit(axis, true))) != 0)
        arrivals.add(arrival_along(cell, axis));
    const double own = ground_.cost_of(cell);
    const double cost = answers_.cost[cell] = arrivals.solve(own);
    if constexpr (kHasSites) choose_site(cell, own, cost, arrivals);
  }

  Arrival arrival_along(std::int64_t cell, std::size_t axis) const {
    const std::int64_t step = stride(axis);
    const Faces faces = earlier_[cell];
    const double* const cost = answers_.cost;
    bool is_above = (faces & face_bit(axis, false)) == 0;
    if (!is_above && (faces & face_bit(axis, true)) != 0)
      is_above = cost[cell + step] < cost[cell - step];
    const std::int64_t way = is_above ? step : -step;
    Arrival arrival{.from = cell + way, .axis = axis, .is_above = is_above};
    const double near = cost[arrival.from];
    arrival.v = near;
    arrival.scale = inverse_[axis];
    const bool has_behind = (earlier_[arrival.from] & face_bit(axis, is_above)) != 0;
    if (!has_behind || !(cost[arrival.from + way] <= near)) return arrival;
    arrival.v = near + (near - cost[arrival.from + way]) / 3;
    arrival.scale = 1.5 * inverse_[axis];
    return arrival;
  }

  /// The site of the neighbour whose front, if it went straight on to the cell as a plane, would be
  /// the first.
  void choose_site(std::int64_t cell, double own, double cost, const Arrivals& arrivals) {
    const Rank* const rank = answers_.rank;
    std::size_t best = 0;
    double least = 0;
    bool is_one_site = true;
    const auto count = static_cast<std::size_t>(arrivals.count);
    for (std::size_t i = 0; i < count; ++i) {
      const Arrival& arrival = arrivals.at[i];
      const double straight = straight_on(arrival, own);
      is_one_site = is_one_site && rank[arrival.from] == rank[arrivals.at[0].from];
      const auto order = [&](const Arrival& of) { return std::pair(rank[of.from], of.axis); };
      if (i == 0 || straight < least ||
          (straight == least && order(arrival) < order(arrivals.at[best]))) {
        best = i;
        least = straight;
      }
    }
    const Arrival& from = arrivals.at[best];
    answers_.rank[cell] = rank[from.from];
    if (link_ != nullptr)
      link_[cell] = static_cast<std::uint8_t>(side_of(from.axis, from.is_above));
    float* const direction = direction_of(cell);
    std::copy_n(direction_of(from.from), kRank, direction);
    if (!is_one_site || !(own > 0)) return;
    std::fill_n(direction, kRank, 0.0F);
    for (std::size_t i = 0; i < count; ++i) {
      const Arrival& arrival = arrivals.at[i];
      const auto part = static_cast<float>((cost - arrival.v) * arrival.scale / own);
      direction[arrival.axis - kFirst] = arrival.is_above ? -part : part;
    }
  }

  float* direction_of(std::int64_t cell) const { return answers_.direction + cell * kRank; }

  double straight_on(const Arrival& arrival, double own) const {
    const float* const front = direction_of(arrival.from);
    const float part = front[arrival.axis - kFirst];
    double along = arrival.is_above ? -part : part;
    if (std::all_of(front, front + kRank, [](float each) { return each == 0; })) along = 1;
    return answers_.cost[arrival.from] +
           (own + ground_.cost_of(arrival.from)) / 2 * ground_.spacing[arrival.axis] * along;
  }

  /// The way from a known cell leads to the earliest neighbour of its site.
  void link_known() {
    for_each_cell([&](const Axes& at, std::int64_t cell) {
      if (!is_known(cell)) return;
      link_[cell] = kNoLink;
      if (sites_.cell[answers_.rank[cell]] == cell) return;
      const auto turn = [&](std::int64_t of) {
        return std::tuple(answers_.rank[of] != answers_.rank[cell], order_[of], of);
      };
      auto least = std::tuple(true, order_[cell], cell);
      for_each_neighbour(at, cell, [&](std::size_t axis, bool is_above, std::int64_t other) {
        if (std::pair(order_[other], other) >= std::pair(order_[cell], cell)) return;
        if (turn(other) >= least) return;
        least = turn(other);
        link_[cell] = static_cast<std::uint8_t>(side_of(axis, is_above));
      });
    });
  }

  ContextState& state_;
  const Ground& ground_;
  const CostSites<double>& sites_;
  const double* order_;
  const Answers& answers_;
  std::uint8_t* link_;
  Scratch::Frame scratch_;
  Faces* earlier_;  ///< of each cell: its neighbours that are earlier
  Faces* open_;     ///< of each cell: those of them that are not done; kKnown
  ReadyTiles<kRank> ready_;
  std::array<double, kAxes> inverse_{};
  std::int64_t done_ = 0;
};

}  // namespace

void find_arrivals(ContextState& state, const Ground& ground, const CostSites<double>& sites,
                   const double* order, const Answers& answers, std::uint8_t* link) {
  const auto run = [&]<int kRank>(std::integral_constant<int, kRank>) {
    if (answers.rank != nullptr)
      ArrivalSearch<kRank, true>(state, ground, sites, order, answers, link).run();
    else
      ArrivalSearch<kRank, false>(state, ground, sites, order, answers, nullptr).run();
  };
  if (ground.rank == 2)
    run(std::integral_constant<int, 2>());
  else
    run(std::integral_constant<int, 3>());
}

}  // namespace thiessen::cpu::eikonal

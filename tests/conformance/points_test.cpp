// SPDX-License-Identifier: Apache-2.0
//
// Compares point lists, by every exact method of every device, with their oracle, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/rng.hpp"
#include "core/order/compass.hpp"
#include "oracle/point_oracle.hpp"
#include "support/support_table.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using oracle::Point;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// How the coordinates of a list lie.
enum class Places { centres, halves, quarters, fractions };

/// Where the points lie in the grid, and their order. The order of the list decides ties, not that
/// of their cells.
enum class Pattern {
  random,
  backwards,  ///< from the last cell to the first
  lattice,    ///< random places on every fourth cell of each axis: many cells are as near to two
  crowd,      ///< every second cell of one corner, backwards
};

struct Setting {
  std::string name;
  Extents extents;
  std::int64_t count;
  Places places = Places::fractions;
  double margin = 0;  ///< cells by which points may lie outside
  std::vector<double> spacing = {};
  std::vector<bool> periodic = {};
  double max_distance = kInfinite;
  Pattern pattern = Pattern::random;
};

std::ostream& operator<<(std::ostream& out, const Setting& setting) { return out << setting.name; }

double round_to(Places places, double coordinate) {
  switch (places) {
    case Places::centres:
      return std::floor(coordinate);
    case Places::halves:
      return std::floor(coordinate * 2) / 2;
    case Places::quarters:
      return std::floor(coordinate * 4) / 4;
    case Places::fractions:
      break;
  }
  return coordinate;
}

void arrange(Pattern pattern, std::vector<Point>& points) {
  if (pattern == Pattern::lattice)
    for (Point& point : points)
      for (double& coordinate : point) coordinate = std::floor(coordinate / 4) * 4;
  if (pattern == Pattern::crowd)
    for (std::size_t i = 0; i < points.size(); ++i) {
      points[i][1] = static_cast<double>(i / 32);
      points[i][2] = static_cast<double>(i % 32 * 2 + i / 32 % 2);
    }
  if (pattern == Pattern::backwards) std::sort(points.begin(), points.end());
  if (pattern == Pattern::backwards || pattern == Pattern::crowd)
    std::reverse(points.begin(), points.end());
}

std::vector<Point> make_points(const Setting& setting) {
  const Axes extent = to_axes(setting.extents);
  std::vector<Point> points;
  std::uint64_t draw = 0;
  const auto random = [&] {
    return std::ldexp(static_cast<double>(splitmix64(7, draw++) >> 11), -53);
  };
  for (std::int64_t i = 0; i < setting.count; ++i) {
    Point point{};
    for (auto axis = static_cast<std::size_t>(kAxes - setting.extents.rank()); axis < kAxes; ++axis)
      point[axis] = round_to(
          setting.places,
          random() * (static_cast<double>(extent[axis]) + 2 * setting.margin) - setting.margin);
    points.push_back(point);
  }
  // Some places twice and more.
  for (std::size_t i = 0; i + 3 < points.size(); i += 5) points[i + 3] = points[i];
  arrange(setting.pattern, points);
  return points;
}

std::vector<Setting> settings() {
  const std::vector<bool> x{false, true};
  const std::vector<bool> y{true, false};
  const std::vector<bool> xy{true, true};
  return {
      {"none", {9, 11}, 0},
      {"one", {9, 11}, 1},
      {"one_outside", {9, 11}, 1, Places::fractions, 1000},
      {"centres", {23, 31}, 25, Places::centres},
      {"centres_dense", {23, 31}, 2000, Places::centres},
      {"centres_sparse", {141, 133}, 70, Places::centres},
      {"centres_spacing", {80, 90}, 200, Places::centres, 0, {1, 3}},
      {"centres_limited", {90, 80}, 40, Places::centres, 0, {}, {}, 6.5},
      {"centres_outside", {30, 31}, 40, Places::centres, 9},
      {"centres_long", {2, 2300}, 40, Places::centres},
      {"centres_backwards",
       {70, 90},
       300,
       Places::centres,
       0,
       {},
       {},
       kInfinite,
       Pattern::backwards},
      {"centres_lattice", {75, 90}, 350, Places::centres, 0, {}, {}, kInfinite, Pattern::lattice},
      {"centres_crowd", {80, 110}, 1000, Places::centres, 0, {}, {}, kInfinite, Pattern::crowd},
      {"halves", {24, 30}, 40, Places::halves, 2},
      {"quarters_dense", {17, 19}, 900, Places::quarters, 1},
      {"fractions", {40, 37}, 60, Places::fractions, 5},
      {"fractions_dense", {21, 22}, 3000, Places::fractions, 1},
      {"outside", {20, 21}, 30, Places::fractions, 200},
      {"far", {12, 13}, 12, Places::fractions, 2e9},
      {"long", {3, 2100}, 50, Places::halves},
      {"tall", {1100, 2}, 50, Places::fractions},
      {"cell", {1, 1}, 6, Places::quarters},
      {"spacing", {30, 31}, 40, Places::halves, 2, {2, 3}},
      {"spacing_decimals", {30, 31}, 40, Places::fractions, 2, {0.325, 1.5}},
      {"spacing_rounded",
       {14, 15},
       20,
       Places::fractions,
       2,
       {3.141592653589793, 2.718281828459045}},
      {"limited", {30, 31}, 20, Places::halves, 4, {}, {}, 2.5},
      {"limited_to_places", {12, 13}, 40, Places::quarters, 1, {}, {}, 0},
      {"periodic_x", {14, 15}, 9, Places::halves, 30, {}, x},
      {"periodic_y", {14, 15}, 9, Places::fractions, 30, {2, 1}, y},
      {"periodic_xy", {13, 16}, 3, Places::centres, 40, {}, xy},
      {"periodic_xy_dense", {9, 8}, 200, Places::quarters, 5, {}, xy},
      {"periodic_one", {8, 8}, 1, Places::centres, 0, {}, xy},
      {"periodic_cell", {1, 1}, 3, Places::quarters, 3, {}, xy},
      {"volume", {9, 10, 11}, 40, Places::halves, 2},
      {"volume_centres", {18, 21, 37}, 90, Places::centres},
      {"volume_lattice",
       {18, 21, 37},
       200,
       Places::centres,
       0,
       {},
       {},
       kInfinite,
       Pattern::lattice},
      {"volume_fractions", {7, 8, 9}, 90, Places::fractions, 3, {3, 1, 2}},
      {"volume_periodic", {6, 7, 8}, 12, Places::quarters, 20, {}, {true, false, true}},
      {"volume_torus", {5, 6, 4}, 5, Places::centres, 20, {1, 2, 1}, {true, true, true}},
  };
}

template <class T>
std::vector<T> cells(const Extents& extents, int components = 1) {
  return std::vector<T>(static_cast<std::size_t>(extents.count() * components), T{77});
}

class PointSitesOf : public ::testing::TestWithParam<std::tuple<Setting, Metric>> {
 protected:
  const Setting& setting() const { return std::get<0>(GetParam()); }
  int rank() const { return setting().extents.rank(); }

  /// As the caller has them: only the axes of the grid.
  std::vector<double> coordinates() const {
    std::vector<double> list;
    for (const Point& point : points_)
      for (int axis = 0; axis < rank(); ++axis)
        list.push_back(point[static_cast<std::size_t>(kAxes - rank() + axis)]);
    return list;
  }

  NearestSiteOptions options(Method method) const {
    NearestSiteOptions options;
    options.method = method;
    options.metric = std::get<1>(GetParam());
    options.periodic = setting().periodic;
    options.max_distance = setting().max_distance;
    return options;
  }

  bool has_offset() const { return setting().places == Places::centres || points_.empty(); }

  std::vector<Point> points_ = make_points(setting());
  Grid grid_{.extents = setting().extents, .spacing = setting().spacing};
};

/// The offset from a cell to a site in units of 2^-16, to the image that counts: among the point
/// and its copies one period before and behind it, the first of those that are nearest.
Axes way_of(const Setting& setting, Metric metric, const Point& point, std::int64_t cell) {
  const Axes extent = to_axes(setting.extents);
  const Axes at = to_cell(extent, cell);
  const auto missing = static_cast<std::size_t>(kAxes - setting.extents.rank());
  std::array<std::vector<std::int64_t>, kAxes> ways{{{0}, {0}, {0}}};
  for (std::size_t axis = missing; axis < kAxes; ++axis) {
    const std::int64_t period = extent[axis] * 65536;
    const std::int64_t place = std::llrint(point[axis] * 65536);
    ways[axis] = {place - at[axis] * 65536};
    if (setting.periodic.empty() || !setting.periodic[axis - missing]) continue;
    const std::int64_t way = (place % period + period) % period - at[axis] * 65536;
    ways[axis] = {way - period, way, way + period};
  }
  const auto length = [&](const Axes& way) {
    double sum = 0, most = 0;
    for (std::size_t axis = missing; axis < kAxes; ++axis) {
      const double spacing = setting.spacing.empty() ? 1 : setting.spacing[axis - missing];
      const double part = std::abs(static_cast<double>(way[axis])) * spacing;
      sum += metric == Metric::euclidean ? part * part : part;
      most = std::max(most, part);
    }
    return metric == Metric::chessboard ? most : sum;
  };
  Axes best{ways[0][0], ways[1][0], ways[2][0]};
  for (const std::int64_t z : ways[0])
    for (const std::int64_t y : ways[1])
      for (const std::int64_t x : ways[2])
        if (length({z, y, x}) < length(best)) best = {z, y, x};
  return best;
}

struct Way {
  std::string device;
  Method method;
  int threads;
  bool exact = true;
};

/// Whether the pinned table refuses a call with points. Points far away are as a wide spacing.
bool is_pinned_refusal(std::string_view device, const PointList& sites, const Grid& grid,
                       const NearestSiteOptions& options, const NearestSiteOutputs& out) {
  constexpr double kFar = 1e6;
  std::vector<std::string> used = {"points"};
  const View<const void>& list = sites.coordinates;
  const std::span coordinates(reinterpret_cast<const double*>(list.bytes()),
                              static_cast<std::size_t>(list.extents().count()));
  if (testing::is_wide(grid.spacing) ||
      std::ranges::any_of(coordinates, [](double each) { return std::abs(each) > kFar; }))
    used.emplace_back("wide_spacing");
  return testing::is_pinned_refusal(device, grid.extents.rank(), options, out, used);
}

/// The ways of the exact methods, or of all.
std::vector<Way> all_ways(bool approximate = false) {
  std::vector<Way> ways;
  for (const DeviceInfo& device : devices())
    for (const MethodInfo& method : device.methods)
      if (device.available && (method.exact || approximate))
        for (const int threads : {1, 2})
          if (threads == 1 || device.name == "cpu")  // threads are the CPU's
            ways.push_back({device.name, method.method, threads, method.exact});
  return ways;
}

TEST_P(PointSitesOf, EqualTheOracle) {
  const oracle::Result truth = oracle::nearest_point(points_, grid_, options(Method::exact));
  const std::vector<double> list = coordinates();
  const PointList sites{
      View<const double>(list.data(), {static_cast<std::int64_t>(points_.size()), rank()})};
  for (const auto& [device, method, threads, exact] : all_ways()) {
    SCOPED_TRACE(device + " " + std::string(thiessen::name_of(method)) + ", threads " +
                 std::to_string(threads));
    Context context({.device = device, .threads = threads});
    auto labels = cells<std::int32_t>(grid_.extents);
    auto site_index = cells<std::int64_t>(grid_.extents);
    auto distance = cells<double>(grid_.extents);
    auto rounded = cells<float>(grid_.extents);
    auto direction = cells<float>(grid_.extents);
    NearestSiteOutputs out{.labels = View<std::int32_t>(labels.data(), grid_.extents),
                           .site_index = View<std::int64_t>(site_index.data(), grid_.extents),
                           .distance = View<double>(distance.data(), grid_.extents)};
    if (rank() == 2) out.direction = View<float>(direction.data(), grid_.extents);
    try {
      voronoi(context, sites, grid_, options(method), out);
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::unsupported) << error.what();
      const bool takes_points =
          method == Method::exact || method == Method::brute_force || method == Method::raster_gpu;
      ASSERT_FALSE(device == "cpu" && takes_points) << error.what();
      ASSERT_TRUE(is_pinned_refusal(device, sites, grid_, options(method), out)) << error.what();
      continue;
    }
    voronoi(context, sites, grid_, options(method),
            {.distance = View<float>(rounded.data(), grid_.extents)});
    ASSERT_EQ(site_index, truth.site);
    ASSERT_EQ(std::memcmp(distance.data(), truth.distance.data(), distance.size() * 8), 0);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      ASSERT_EQ(labels[i], truth.site[i] < 0 ? 0 : truth.site[i] + 1) << i;
      ASSERT_EQ(rounded[i], static_cast<float>(truth.distance[i])) << i;
      if (rank() != 2 || truth.site[i] < 0) continue;
      const Axes way =
          way_of(setting(), std::get<1>(GetParam()),
                 points_[static_cast<std::size_t>(truth.site[i])], static_cast<std::int64_t>(i));
      const double high = grid_.spacing.empty() ? 1 : grid_.spacing[0];
      const double wide = grid_.spacing.empty() ? 1 : grid_.spacing[1];
      const double longest = std::max(high, wide);
      ASSERT_EQ(direction[i], static_cast<float>(
                                  compass_degrees(static_cast<double>(way[2]) * (wide / longest),
                                                  static_cast<double>(-way[1]) * (high / longest))))
          << i;
    }
  }
}

/// Which cells of the grid lie in the domain.
enum class Domain { all, none, stripes, random };

/// Its cells, in C order.
std::vector<bool> make_domain(Domain kind, const Extents& extents) {
  const Axes extent = to_axes(extents);
  std::vector<bool> domain;
  for (std::int64_t i = 0; i < extents.count(); ++i) {
    const Axes cell = to_cell(extent, i);
    const bool stripe = (cell[0] + cell[1] + cell[2] / 3) % 3 != 0;
    const bool draw = splitmix64(11, static_cast<std::uint64_t>(i)) % 2 == 0;
    domain.push_back(kind == Domain::all || (kind == Domain::stripes && stripe) ||
                     (kind == Domain::random && draw));
  }
  return domain;
}

/// A domain in the forms that callers use: i16 with gaps between its cells, or u8 without.
class DomainCells {
 public:
  DomainCells(const std::vector<bool>& domain, const Extents& extents, bool gaps) {
    const std::size_t step = gaps ? 3 : 1;
    for (std::size_t i = 0; i < domain.size(); ++i) {
      bytes_.resize(bytes_.size() + step, 1);
      wide_.resize(wide_.size() + step, 1);
      bytes_[i * step] = domain[i] ? 255 : 0;
      wide_[i * step] = domain[i] ? std::int16_t{256} : std::int16_t{0};
    }
    view_ = View<const std::uint8_t>(bytes_.data(), extents);
    if (!gaps) return;
    auto strides = View<const void>::c_strides(ElementType::i16, extents);
    for (std::int64_t& stride : strides) stride *= static_cast<std::int64_t>(step);
    view_ = View<const void>(wide_.data(), ElementType::i16, extents, strides);
  }

  const View<const void>& view() const { return view_; }

 private:
  std::vector<std::uint8_t> bytes_;
  std::vector<std::int16_t> wide_;
  View<const void> view_;
};

/// All outputs that points between cells allow.
struct Found {
  std::vector<std::int32_t> labels;
  std::vector<std::int64_t> site_index;
  std::vector<double> distance;
  std::vector<float> rounded, direction;
};

/// False if the method does not take these points.
bool find(Context& context, const PointList& sites, const Grid& grid,
          const NearestSiteOptions& options, Found& found, const View<const void>& domain = {}) {
  const Extents& extents = grid.extents;
  found = {cells<std::int32_t>(extents), cells<std::int64_t>(extents), cells<double>(extents),
           cells<float>(extents), cells<float>(extents)};
  NearestSiteOutputs out{.labels = View<std::int32_t>(found.labels.data(), extents),
                         .site_index = View<std::int64_t>(found.site_index.data(), extents),
                         .distance = View<double>(found.distance.data(), extents)};
  if (extents.rank() == 2) out.direction = View<float>(found.direction.data(), extents);
  try {
    voronoi(context, sites, grid, options, out, domain);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported) << error.what();
    EXPECT_TRUE(is_pinned_refusal(context.device(), sites, grid, options, out)) << error.what();
    return false;
  }
  voronoi(context, sites, grid, options, {.distance = View<float>(found.rounded.data(), extents)},
          domain);
  return true;
}

template <class T>
void expect_same_bits(const std::vector<T>& found, const std::vector<T>& wanted) {
  EXPECT_EQ(std::memcmp(found.data(), wanted.data(), wanted.size() * sizeof(T)), 0);
}

/// The answer without a domain, with that of nodata cells outside of it.
Found masked(Found found, const std::vector<bool>& domain, bool flat) {
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (domain[i]) continue;
    found.labels[i] = -7;
    found.site_index[i] = -2;
    found.distance[i] = std::numeric_limits<double>::quiet_NaN();
    found.rounded[i] = std::numeric_limits<float>::quiet_NaN();
    if (flat) found.direction[i] = std::numeric_limits<float>::quiet_NaN();
  }
  return found;
}

TEST_P(PointSitesOf, KeepToADomain) {
  const auto turn = setting().name.size() + static_cast<std::size_t>(std::get<1>(GetParam()));
  const std::vector<bool> domain = make_domain(static_cast<Domain>(turn % 4), grid_.extents);
  const DomainCells given(domain, grid_.extents, turn % 3 == 0);
  const std::vector<double> list = coordinates();
  const PointList sites{
      View<const double>(list.data(), {static_cast<std::int64_t>(points_.size()), rank()})};
  const oracle::Result truth =
      oracle::nearest_point(points_, grid_, options(Method::exact), given.view());
  for (const auto& [device, method, threads, exact] : all_ways(true)) {
    SCOPED_TRACE(device + " " + std::string(thiessen::name_of(method)) + ", threads " +
                 std::to_string(threads));
    Context context({.device = device, .threads = threads});
    NearestSiteOptions asked = options(method);
    Found whole;
    if (!find(context, sites, grid_, asked, whole)) continue;
    asked.nodata_label = std::int64_t{-7};
    Found found;
    ASSERT_TRUE(find(context, sites, grid_, asked, found, given.view()));
    const Found wanted = masked(whole, domain, rank() == 2);
    ASSERT_EQ(found.labels, wanted.labels);
    ASSERT_EQ(found.site_index, wanted.site_index);
    expect_same_bits(found.distance, wanted.distance);
    expect_same_bits(found.rounded, wanted.rounded);
    expect_same_bits(found.direction, wanted.direction);
    if (!exact) continue;
    ASSERT_EQ(found.site_index, truth.site);
    expect_same_bits(found.distance, truth.distance);
  }
}

TEST_P(PointSitesOf, OnCentresHaveOffsets) {
  const oracle::Result truth = oracle::nearest_point(points_, grid_, options(Method::exact));
  const std::vector<double> list = coordinates();
  const PointList sites{
      View<const double>(list.data(), {static_cast<std::int64_t>(points_.size()), rank()})};
  auto offset = cells<std::int32_t>(grid_.extents, rank());
  std::vector<std::int64_t> sizes{rank()};
  for (int axis = 0; axis < rank(); ++axis) sizes.push_back(grid_.extents[axis]);
  Context context;
  const NearestSiteOutputs out{.offset = View<std::int32_t>(offset.data(), Extents(sizes))};
  if (!has_offset()) {
    EXPECT_THROW(voronoi(context, sites, grid_, options(Method::exact), out), Error);
    return;
  }
  const std::vector<bool> domain = make_domain(Domain::stripes, grid_.extents);
  const DomainCells given(domain, grid_.extents, false);
  voronoi(context, sites, grid_, options(Method::exact), out, given.view());
  for (std::size_t i = 0; i < truth.site.size(); ++i)
    for (int axis = 0; axis < rank(); ++axis) {
      const std::int32_t found = offset[static_cast<std::size_t>(axis) * truth.site.size() + i];
      const auto own = static_cast<std::size_t>(kAxes - rank() + axis);
      ASSERT_EQ(found, truth.site[i] < 0 || !domain[i]
                           ? std::numeric_limits<std::int32_t>::min()
                           : way_of(setting(), std::get<1>(GetParam()),
                                    points_[static_cast<std::size_t>(truth.site[i])],
                                    static_cast<std::int64_t>(i))[own] /
                                 65536);
    }
}

std::string name_of(const ::testing::TestParamInfo<PointSitesOf::ParamType>& test) {
  constexpr const char* kMetrics[] = {"euclidean", "manhattan", "chessboard"};
  return std::get<0>(test.param).name + "_" +
         kMetrics[static_cast<std::size_t>(std::get<1>(test.param))];
}

INSTANTIATE_TEST_SUITE_P(Lists, PointSitesOf,
                         ::testing::Combine(::testing::ValuesIn(settings()),
                                            ::testing::Values(Metric::euclidean, Metric::manhattan,
                                                              Metric::chessboard)),
                         name_of);

}  // namespace
}  // namespace thiessen

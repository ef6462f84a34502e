// SPDX-License-Identifier: Apache-2.0
//
// A picture is painted on a canvas of at least as many units as there are pixels, row by row, and
// the units of a pixel are averaged. Where the raster is not much larger than the picture its cells
// are the units; where it is smaller several units show one cell; where it is far larger a unit
// shows the cell in its middle. Lines and marks start from seeds, units of the canvas that are
// found some rows ahead of those that are painted.
#include "thiessen/render.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "api/guarded.hpp"
#include "api/render/brush.hpp"
#include "api/render/colour.hpp"
#include "core/cell_class.hpp"
#include "core/context_state.hpp"
#include "core/element_visit.hpp"
#include "core/numbers.hpp"
#include "core/problem.hpp"
#include "thiessen/error.hpp"

namespace thiessen {
namespace {

constexpr Colour kGrey{160, 160, 160};
constexpr Colour kInk{18, 20, 26};
constexpr Light kWhiteLight{65535, 65535, 65535};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kNotANumber = 0x7ff8000000000000u;

/// From cells to units of the canvas to pixels along one axis.
struct CanvasAxis {
  CanvasAxis(std::int64_t cell_count, std::int64_t pixel_count, double thickness)
      : cells(cell_count), pixels(pixel_count) {
    const auto most = static_cast<std::int64_t>(std::max(2.0, 32 / thickness));
    size = std::max(pixels, cells <= pixels * most ? cells : pixels * most);
    marks = std::min(cells, size);
    scale = static_cast<double>(pixels) / static_cast<double>(size);
  }

  std::int64_t cell_of(std::int64_t unit) const {
    return size == cells ? unit : (2 * unit + 1) * cells / (2 * size);
  }
  /// Of all cells that a unit shows, or of all units that show a cell, one is enough for a mark.
  std::int64_t mark_of(std::int64_t unit) const { return size == marks ? unit : cell_of(unit); }
  std::int64_t middle_of_mark(std::int64_t mark) const {
    return size == marks ? mark : (2 * mark + 1) * size / (2 * marks);
  }
  std::int64_t first_cell_of_mark(std::int64_t mark) const {
    return marks == cells ? mark : mark * cells / marks;
  }
  std::int64_t first_unit(std::int64_t pixel) const { return pixel * size / pixels; }
  std::int64_t end_unit(std::int64_t pixel) const {
    return ((pixel + 1) * size + pixels - 1) / pixels;
  }
  /// Share of a unit that lies in a pixel, in 256ths.
  std::uint64_t share(std::int64_t unit, std::int64_t pixel) const {
    const std::int64_t begin = std::max(unit * pixels, pixel * size);
    const std::int64_t end = std::min((unit + 1) * pixels, (pixel + 1) * size);
    return static_cast<std::uint64_t>((end - begin) * 256 / pixels);
  }

  std::int64_t cells;
  std::int64_t pixels;
  std::int64_t size;   // units of the canvas
  std::int64_t marks;  // cells, or units where they are fewer
  double scale;        // pixels in a unit
};

/// The number by which a label is coloured: the same for a whole number of any type.
template <class T>
std::uint64_t number_of(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    const double real = value;
    if (real != real) return kNotANumber;
    if (real == std::floor(real) && std::fabs(real) < 0x1p63)
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(real));
    return std::bit_cast<std::uint64_t>(real);
  } else {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }
}

std::uint64_t number_of(const LabelValue& value, ElementType type, const char* argument) {
  const LabelBits bits = to_label_bits(value, type, argument);
  return visit_element_type(type, [&]<class T>(std::type_identity<T>) {
    T element;
    std::memcpy(&element, bits.bytes.data(), sizeof element);
    return number_of(element);
  });
}

/// Cells columns[0], columns[1] … of one row of a view with three axes.
template <class Take>
void read_row(const View<const void>& view, std::int64_t y,
              const std::vector<std::int64_t>& columns, const Take& take) {
  const std::byte* row = address_of(view, {0, y, 0});
  const std::int64_t stride = view.stride(2);
  visit_element_type(view.element_type(), [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      T value;
      std::memcpy(&value, row + columns[i] * stride, sizeof value);
      take(i, value);
    }
  });
}

/// Least and greatest of the finite distances, or of none.
struct DistanceRange {
  double least = kInfinity;
  double greatest = -kInfinity;

  void add(double distance) {
    if (!(std::fabs(distance) < kInfinity)) return;
    least = std::min(least, distance);
    greatest = std::max(greatest, distance);
  }
  void add(const DistanceRange& other) {
    add(other.least);
    add(other.greatest);
  }
};

/// 1, 2 or 5 times a power of ten: the least by which `span` is divided into at most 12 parts.
double nice_interval(double span) {
  if (!(span > 1e-300)) return 1;
  const double least = std::min(span, 1e300) / 12;
  double power = 1;
  while (power > least) power /= 10;
  while (power * 10 <= least) power *= 10;
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

/// What all rows of a picture share.
struct Scene {
  RenderInputs inputs;  // with three axes
  RenderOptions options;
  CanvasAxis y;
  CanvasAxis x;
  std::vector<std::int64_t> columns = {};  // cell of each column of the canvas
  SiteRule site_rule = {};
  std::uint64_t unreached = 0;
  std::uint64_t nodata = kNotANumber;
  bool by_label = false;
  DistanceRange range = {};
  double interval = 1;
  double log_range = 1;
  const Palette& palette = Palette::shared();
  std::vector<Light> ramp = {};
  Light background = {}, grey = {}, ink = {};
  Brush contour = {}, edge = {}, outline = {}, halo = {}, disc = {};
  int reach = 0;
};

/// Seeds of one row of the canvas.
struct SeedRow {
  std::vector<std::int32_t> contours, edges, outlines, points;
  std::vector<std::array<std::int32_t, 2>> solid;  // begin and end of stretches

  void clear() {
    for (auto* seeds : {&contours, &edges, &outlines, &points}) seeds->clear();
    solid.clear();
  }
};

std::vector<std::int64_t> all_columns(std::int64_t count) {
  std::vector<std::int64_t> columns(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = static_cast<std::int64_t>(i);
  return columns;
}

/// Which units hold sites, in rows of marks that are read when they are asked for.
class SiteRows {
 public:
  explicit SiteRows(const Scene& scene) : scene_(scene) {}

  bool is_site(std::int64_t y, std::int64_t x) {
    return row(y)[static_cast<std::size_t>(x)] == kSiteCell;
  }

  /// Whether none of the eight around it is one.
  bool is_single(std::int64_t y, std::int64_t x) {
    for (std::int64_t v = std::max<std::int64_t>(y - 1, 0);
         v <= std::min(y + 1, scene_.y.marks - 1); ++v)
      for (std::int64_t u = std::max<std::int64_t>(x - 1, 0);
           u <= std::min(x + 1, scene_.x.marks - 1); ++u)
        if ((v != y || u != x) && is_site(v, u)) return false;
    return true;
  }

  const std::vector<std::uint8_t>& row(std::int64_t y) {
    const auto slot = static_cast<std::size_t>(y % kKept);
    if (kept_[slot] != y) read(y, rows_[slot]);
    kept_[slot] = y;
    return rows_[slot];
  }

 private:
  static constexpr std::int64_t kKept = 4;

  void read(std::int64_t y, std::vector<std::uint8_t>& marks) {
    marks.assign(static_cast<std::size_t>(scene_.x.marks), kFreeCell);
    const std::int64_t end = scene_.y.first_cell_of_mark(y + 1);
    for (std::int64_t cell = scene_.y.first_cell_of_mark(y); cell < end; ++cell) {
      classify_row(cell);
      if (scene_.x.marks == scene_.x.cells && end - scene_.y.first_cell_of_mark(y) == 1) {
        marks.swap(classes_);
        return;
      }
      gather(marks);
    }
  }

  void classify_row(std::int64_t y) {
    const View<const void>& sites = scene_.inputs.sites;
    const SiteRule& rule = scene_.site_rule;
    classes_.resize(static_cast<std::size_t>(scene_.x.cells));
    if (sites.stride(2) == static_cast<std::int64_t>(size_of(sites.element_type())))
      return classify(rule, address_of(sites, {0, y, 0}), scene_.x.cells, classes_.data());
    for (std::int64_t x = 0; x < scene_.x.cells; ++x)
      classify(rule, address_of(sites, {0, y, x}), 1, &classes_[static_cast<std::size_t>(x)]);
  }

  void gather(std::vector<std::uint8_t>& marks) const {
    for (std::int64_t x = 0; x < scene_.x.marks; ++x) {
      const auto begin = classes_.begin() + scene_.x.first_cell_of_mark(x);
      const auto end = classes_.begin() + scene_.x.first_cell_of_mark(x + 1);
      if (std::find(begin, end, kSiteCell) != end) marks[static_cast<std::size_t>(x)] = kSiteCell;
    }
  }

  const Scene& scene_;
  std::array<std::int64_t, kKept> kept_{-1, -1, -1, -1};
  std::array<std::vector<std::uint8_t>, kKept> rows_;
  std::vector<std::uint8_t> classes_;
};

void read_numbers(const Scene& scene, std::int64_t y, std::vector<std::uint64_t>& numbers) {
  numbers.resize(scene.columns.size());
  const View<const void>& labels = scene.inputs.labels;
  const bool boolean = labels.element_type() == ElementType::boolean;
  read_row(labels, scene.y.cell_of(y), scene.columns, [&]<class T>(std::size_t i, T value) {
    numbers[i] = boolean ? (value != 0 ? 1 : 0) : number_of(value);
  });
}

void read_distances(const Scene& scene, std::int64_t y, std::vector<double>& distances) {
  distances.resize(scene.columns.size());
  read_row(scene.inputs.distance, scene.y.cell_of(y), scene.columns,
           [&]<class T>(std::size_t i, T value) { distances[i] = static_cast<double>(value); });
}

/// Finds the seeds of one row after the other.
class Seeder {
 public:
  explicit Seeder(const Scene& scene) : scene_(scene), sites_(scene) {}

  void find(std::int64_t y, SeedRow& seeds) {
    seeds.clear();
    const std::int64_t below = std::min(y + 1, scene_.y.size - 1);
    if (scene_.inputs.labels && scene_.options.edges) find_edges(y, below, seeds.edges);
    if (scene_.inputs.distance && scene_.options.contours) find_contours(y, below, seeds.contours);
    if (scene_.inputs.sites && scene_.options.marks != Marks::none) find_sites(y, seeds);
    read_ = below;
  }

 private:
  void find_edges(std::int64_t y, std::int64_t below, std::vector<std::int32_t>& seeds) {
    if (read_ != y) read_numbers(scene_, y, next_numbers_);
    numbers_.swap(next_numbers_);
    read_numbers(scene_, below, next_numbers_);
    const std::size_t last = numbers_.size() - 1;
    for (std::size_t x = 0; x <= last; ++x)
      if (numbers_[x] != next_numbers_[x] || numbers_[x] != numbers_[std::min(x + 1, last)])
        seeds.push_back(static_cast<std::int32_t>(x));
  }

  void find_contours(std::int64_t y, std::int64_t below, std::vector<std::int32_t>& seeds) {
    if (read_ != y) read_levels(y);
    levels_.swap(next_levels_);
    read_levels(below);
    // Infinity and NaN have the level NaN, which differs in no way that counts.
    const auto differ = [](double a, double b) { return a < b || a > b; };
    const std::size_t last = levels_.size() - 1;
    for (std::size_t x = 0; x <= last; ++x)
      if (differ(levels_[x], next_levels_[x]) || differ(levels_[x], levels_[std::min(x + 1, last)]))
        seeds.push_back(static_cast<std::int32_t>(x));
  }

  void read_levels(std::int64_t y) {
    read_distances(scene_, y, next_levels_);
    for (double& level : next_levels_)
      level = std::fabs(level) < kInfinity ? std::floor(level / scene_.interval)
                                           : std::numeric_limits<double>::quiet_NaN();
  }

  void find_sites(std::int64_t y, SeedRow& seeds) {
    const std::int64_t mark_y = scene_.y.mark_of(y);
    const std::vector<std::uint8_t>& row = sites_.row(mark_y);
    for (std::int64_t x = 0; x < scene_.x.size; ++x) {
      const std::int64_t mark_x = scene_.x.mark_of(x);
      if (row[static_cast<std::size_t>(mark_x)] != kSiteCell) continue;
      const auto column = static_cast<std::int32_t>(x);
      if (sites_.is_single(mark_y, mark_x)) {
        if (y == scene_.y.middle_of_mark(mark_y) && x == scene_.x.middle_of_mark(mark_x))
          seeds.points.push_back(column);
        continue;
      }
      if (is_border(y, x)) seeds.outlines.push_back(column);
      if (scene_.options.marks == Marks::solid) add_solid(column, seeds);
    }
  }

  bool is_border(std::int64_t y, std::int64_t x) {
    for (const auto& [v, u] : {std::array{y - 1, x}, {y + 1, x}, {y, x - 1}, {y, x + 1}})
      if (v >= 0 && u >= 0 && v < scene_.y.size && u < scene_.x.size &&
          !sites_.is_site(scene_.y.mark_of(v), scene_.x.mark_of(u)))
        return true;
    return false;
  }

  static void add_solid(std::int32_t column, SeedRow& seeds) {
    if (!seeds.solid.empty() && seeds.solid.back()[1] == column)
      ++seeds.solid.back()[1];
    else
      seeds.solid.push_back({column, column + 1});
  }

  const Scene& scene_;
  SiteRows sites_;
  std::int64_t read_ = -1;  // row that next_numbers_ and next_levels_ are of
  std::vector<std::uint64_t> numbers_, next_numbers_;
  std::vector<double> levels_, next_levels_;
};

void blend(Light& under, const Light& over, int coverage) {
  const auto mix = [&](std::uint16_t& from, std::uint16_t to) {
    from = static_cast<std::uint16_t>(from + (to - from) * coverage / 255);
  };
  mix(under.red, over.red);
  mix(under.green, over.green);
  mix(under.blue, over.blue);
}

/// A channel times factor / 65536.
Light scaled(const Light& light, std::uint32_t factor) {
  const auto scale = [&](std::uint16_t channel) {
    return static_cast<std::uint16_t>(channel * factor >> 16);
  };
  return {scale(light.red), scale(light.green), scale(light.blue)};
}

/// Paints rows of the canvas, from top to bottom.
class Painter {
 public:
  explicit Painter(const Scene& scene)
      : scene_(scene),
        seeder_(scene),
        seeds_(static_cast<std::size_t>(2 * scene.reach + 1)),
        row_(scene.columns.size()),
        covered_(scene.columns.size() + 2 * padding()) {}

  const std::vector<Light>& paint(std::int64_t y) {
    if (painted_ == y) return row_;
    seed_until(y);
    paint_cells(y);
    put(y, scene_.contour, &SeedRow::contours, [&](Light& light, int coverage) {
      constexpr std::uint16_t kDark = 13000;
      const bool dark = !scene_.by_label && light.green < kDark;
      blend(light, dark ? kWhiteLight : scene_.ink, dark ? coverage / 3 : coverage);
    });
    put(y, scene_.edge, &SeedRow::edges,
        [&](Light& light, int coverage) { blend(light, edge_over(light), coverage); });
    for (const auto& [begin, end] : at(y).solid)
      std::fill(row_.begin() + begin, row_.begin() + end, scene_.ink);
    const auto ink = [&](Light& light, int coverage) { blend(light, scene_.ink, coverage); };
    put(y, scene_.outline, &SeedRow::outlines, ink);
    put(y, scene_.halo, &SeedRow::points,
        [&](Light& light, int coverage) { blend(light, kWhiteLight, coverage); });
    put(y, scene_.disc, &SeedRow::points, ink);
    painted_ = y;
    return row_;
  }

 private:
  std::size_t padding() const {
    int most = 0;
    for (const Brush* brush :
         {&scene_.contour, &scene_.edge, &scene_.outline, &scene_.halo, &scene_.disc})
      most = std::max(most, brush->reach_x());
    return static_cast<std::size_t>(most);
  }

  SeedRow& at(std::int64_t y) {
    return seeds_[static_cast<std::size_t>(y % static_cast<std::int64_t>(seeds_.size()))];
  }

  void seed_until(std::int64_t y) {
    const std::int64_t end = std::min(y + scene_.reach + 1, scene_.y.size);
    seeded_ = std::max(seeded_, std::max<std::int64_t>(y - scene_.reach, 0));
    for (; seeded_ < end; ++seeded_) seeder_.find(seeded_, at(seeded_));
  }

  void paint_cells(std::int64_t y) {
    if (scene_.inputs.labels) read_numbers(scene_, y, numbers_);
    if (scene_.inputs.distance) read_distances(scene_, y, distances_);
    if (!scene_.inputs.labels && !scene_.inputs.distance)
      return std::fill(row_.begin(), row_.end(), scene_.background);
    if (scene_.by_label)
      paint_labels();
    else
      paint_distances();
    if (scene_.inputs.labels) paint_special_labels();
    if (scene_.inputs.distance) paint_special_distances();
  }

  void paint_labels() {
    for (std::size_t x = 0; x < row_.size(); ++x) row_[x] = scene_.palette.of(numbers_[x]);
    const double darker = scene_.options.shade;
    const double greatest = std::max(scene_.range.greatest, -scene_.range.least);
    if (!scene_.inputs.distance || darker == 0 || !(greatest > 0)) return;
    for (std::size_t x = 0; x < row_.size(); ++x) {
      const double distance = std::fabs(distances_[x]);
      if (!(distance < kInfinity)) continue;
      const double share = std::min(distance / greatest, 1.0);
      const double factor = 1 - darker * std::sqrt(share);
      // A factor of sRGB is about its square in linear light.
      row_[x] = scaled(row_[x], static_cast<std::uint32_t>(65536 * factor * factor));
    }
  }

  void paint_distances() {
    constexpr double kLast = kRampColours - 1;
    // Halves, so that the difference of two finite numbers is finite.
    const double least = scene_.range.least / 2;
    const double span = scene_.range.greatest / 2 - least;
    for (std::size_t x = 0; x < row_.size(); ++x) {
      if (!(std::fabs(distances_[x]) < kInfinity)) continue;
      const double share = span > 0 ? std::clamp((distances_[x] / 2 - least) / span, 0.0, 1.0) : 0;
      row_[x] = scene_.ramp[static_cast<std::size_t>(std::floor(along_ramp(share) * kLast + 0.5))];
    }
  }

  double along_ramp(double share) const {
    constexpr double kSteepness = 99;
    switch (scene_.options.scale) {
      case RampScale::sqrt:
        return std::sqrt(share);
      case RampScale::log:
        return std::min(log2_of(1 + kSteepness * share) / log2_of(1 + kSteepness), 1.0);
      case RampScale::linear:
        break;
    }
    return share;
  }

  void paint_special_labels() {
    for (std::size_t x = 0; x < row_.size(); ++x) {
      if (numbers_[x] == scene_.unreached && scene_.by_label) row_[x] = scene_.background;
      if (numbers_[x] == scene_.nodata || numbers_[x] == kNotANumber) row_[x] = scene_.grey;
    }
  }

  void paint_special_distances() {
    for (std::size_t x = 0; x < row_.size(); ++x) {
      if (std::fabs(distances_[x]) < kInfinity) continue;
      row_[x] = distances_[x] != distances_[x] ? scene_.grey : scene_.background;
    }
  }

  Light edge_over(const Light& light) const {
    constexpr std::uint32_t kDarker = 65536 / 6;
    return scene_.options.edge_colour ? to_light(*scene_.options.edge_colour)
                                      : scaled(light, kDarker);
  }

  /// Puts a brush on seeds of the rows around y, and `paint` on what it covers.
  template <class Paint>
  void put(std::int64_t y, const Brush& brush, std::vector<std::int32_t> SeedRow::*seeds,
           const Paint& paint) {
    std::uint8_t* covered = covered_.data() + padding();
    bool any = false;
    const std::int64_t first = std::max<std::int64_t>(y - brush.reach_y(), 0);
    const std::int64_t last = std::min(y + brush.reach_y(), scene_.y.size - 1);
    for (std::int64_t row = first; row <= last; ++row) {
      const std::vector<std::int32_t>& columns = at(row).*seeds;
      brush.put(static_cast<int>(row - y), columns, covered);
      any = any || !columns.empty();
    }
    if (!any) return;
    for (std::size_t x = 0; x < row_.size(); ++x)
      if (covered[x] != 0) paint(row_[x], covered[x]);
    std::fill(covered_.begin(), covered_.end(), std::uint8_t{0});
  }

  const Scene& scene_;
  Seeder seeder_;
  std::vector<SeedRow> seeds_;  // of the rows in reach, row y at y modulo their number
  std::int64_t seeded_ = 0;
  std::int64_t painted_ = -1;
  std::vector<std::uint64_t> numbers_;
  std::vector<double> distances_;
  std::vector<Light> row_;
  std::vector<std::uint8_t> covered_;
};

/// Averages rows of the canvas into rows of pixels.
class Averager {
 public:
  explicit Averager(const Scene& scene)
      : scene_(scene), sums_(static_cast<std::size_t>(scene.x.pixels) * 3) {
    if (is_plain()) return;
    for (std::int64_t x = 0; x < scene.x.pixels; ++x) {
      const std::int64_t begin = scene.x.first_unit(x);
      const std::int64_t end = scene.x.end_unit(x);
      Stretch stretch{begin, end, scene.x.share(begin, x), 0, 0};
      if (end - begin > 1) stretch.last = scene.x.share(end - 1, x);
      stretch.width =
          stretch.first + stretch.last +
          kWhole * static_cast<std::uint64_t>(std::max<std::int64_t>(end - begin - 2, 0));
      stretches_.push_back(stretch);
    }
  }

  void paint_row(Painter& painter, const View<std::uint8_t>& pixels, std::int64_t y) {
    if (is_plain()) return copy_row(painter.paint(y), pixels, y);
    std::fill(sums_.begin(), sums_.end(), std::uint64_t{0});
    std::uint64_t height = 0;
    for (std::int64_t unit = scene_.y.first_unit(y); unit < scene_.y.end_unit(y); ++unit) {
      const std::uint64_t share = scene_.y.share(unit, y);
      add(painter.paint(unit), share);
      height += share;
    }
    write_row(pixels, y, height);
  }

 private:
  static constexpr std::uint64_t kWhole = 256;

  /// Units of one pixel, and how much of the first and the last lies in it.
  struct Stretch {
    std::int64_t begin, end;
    std::uint64_t first, last, width;
  };

  bool is_plain() const {
    return scene_.x.size == scene_.x.pixels && scene_.y.size == scene_.y.pixels;
  }

  static void put(const View<std::uint8_t>& pixels, std::uint8_t* pixel, std::uint32_t red,
                  std::uint32_t green, std::uint32_t blue) {
    pixel[0] = to_byte(red);
    pixel[pixels.stride(2)] = to_byte(green);
    pixel[2 * pixels.stride(2)] = to_byte(blue);
  }

  static void copy_row(const std::vector<Light>& row, const View<std::uint8_t>& pixels,
                       std::int64_t y) {
    std::uint8_t* pixel = &pixels(y, 0, 0);
    for (const Light& light : row) {
      put(pixels, pixel, light.red, light.green, light.blue);
      pixel += pixels.stride(1);
    }
  }

  void write_row(const View<std::uint8_t>& pixels, std::int64_t y, std::uint64_t height) const {
    std::uint8_t* pixel = &pixels(y, 0, 0);
    const std::uint64_t* sum = sums_.data();
    for (const Stretch& stretch : stretches_) {
      const std::uint64_t area = height * stretch.width;
      const auto mean = [&](std::uint64_t value) {
        return static_cast<std::uint32_t>((value + area / 2) / area);
      };
      put(pixels, pixel, mean(sum[0]), mean(sum[1]), mean(sum[2]));
      pixel += pixels.stride(1);
      sum += 3;
    }
  }

  void add(const std::vector<Light>& row, std::uint64_t height) {
    std::uint64_t* sum = sums_.data();
    for (const Stretch& stretch : stretches_) {
      std::array<std::uint64_t, 3> inner{};
      for (std::int64_t unit = stretch.begin + 1; unit < stretch.end - 1; ++unit)
        gather(row, unit, 1, inner);
      for (std::uint64_t& channel : inner) channel *= kWhole;
      gather(row, stretch.begin, stretch.first, inner);
      gather(row, stretch.end - 1, stretch.last, inner);
      for (const std::uint64_t channel : inner) *sum++ += height * channel;
    }
  }

  static void gather(const std::vector<Light>& row, std::int64_t unit, std::uint64_t share,
                     std::array<std::uint64_t, 3>& sum) {
    const Light& light = row[static_cast<std::size_t>(unit)];
    sum[0] += share * light.red;
    sum[1] += share * light.green;
    sum[2] += share * light.blue;
  }

  const Scene& scene_;
  std::vector<Stretch> stretches_;  // of each column of pixels
  std::vector<std::uint64_t> sums_;
};

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorCode::invalid_argument, message);
}

void check_options(const RenderInputs& inputs, const RenderOptions& options) {
  if (options.contour_interval &&
      !(*options.contour_interval > 0 && std::isfinite(*options.contour_interval)))
    refuse("contour_interval = " + shortest_decimal(*options.contour_interval) +
           "; must be finite and > 0");
  if (!(options.shade >= 0 && options.shade <= 1))
    refuse("shade = " + shortest_decimal(options.shade) + "; must be from 0 to 1");
  if (options.range) {
    const auto& [least, greatest] = *options.range;
    if (!std::isfinite(least) || !std::isfinite(greatest) || !(least < greatest))
      refuse("range = " + shortest_decimal(least) + "," + shortest_decimal(greatest) +
             "; must be two finite distances, the smaller one first");
  }
  if (!inputs.distance && options.mode == RenderMode::distance)
    refuse("distance is missing; the mode is to colour by it");
  if (!inputs.distance && options.contours)
    refuse("distance is missing; contours are lines of equal distance");
}

void check(const RenderInputs& inputs, const RenderOptions& options,
           const View<std::uint8_t>& pixels) {
  if (pixels.rank() != 3 || pixels.extent(2) != 3) refuse("pixels must have the extents (y, x, 3)");
  check_aligned_cells("pixels", pixels);
  check_apart("pixels", pixels);
  const Extents* extents = nullptr;
  const auto check_input = [&](const char* name, const View<const void>& view) {
    if (!view) return;
    check_aligned_cells(name, view);
    check_no_overlap("pixels", pixels, name, view);
    if (view.rank() != 2) refuse(std::string(name) + " must be 2-D");
    if (extents != nullptr && view.extents() != *extents)
      refuse(std::string(name) + " must have the extents of the other inputs");
    if (view.extents().count() == 0 && pixels.extents().count() > 0)
      refuse(std::string(name) + " has no cells; there is nothing to paint");
    extents = &view.extents();
  };
  check_input("labels", inputs.labels);
  check_input("distance", inputs.distance);
  check_input("sites", inputs.sites);
  if (extents == nullptr) refuse("labels, distance and sites are missing; must be one at least");
  if (inputs.distance && inputs.distance.element_type() != ElementType::f32 &&
      inputs.distance.element_type() != ElementType::f64)
    refuse("distance is " + std::string(name_of(inputs.distance.element_type())) +
           "; must be f32 or f64");
  check_options(inputs, options);
}

/// Thickness of lines in pixels, as it suits the size of the picture.
double thickness_of(const View<std::uint8_t>& pixels) {
  const double area = static_cast<double>(pixels.extent(0)) * static_cast<double>(pixels.extent(1));
  return std::max(1.0, std::sqrt(area) / 1000);
}

Scene make_scene(const RenderInputs& inputs, const RenderOptions& options,
                 const View<std::uint8_t>& pixels) {
  const View<const void>& any = inputs.labels     ? inputs.labels
                                : inputs.distance ? inputs.distance
                                                  : inputs.sites;
  const double thickness = thickness_of(pixels);
  Scene scene{.inputs = {with_three_axes(inputs.labels), with_three_axes(inputs.distance),
                         with_three_axes(inputs.sites)},
              .options = options,
              .y = CanvasAxis(any.extent(0), pixels.extent(0), thickness),
              .x = CanvasAxis(any.extent(1), pixels.extent(1), thickness)};
  scene.columns = all_columns(scene.x.size);
  for (std::int64_t& column : scene.columns) column = scene.x.cell_of(column);
  scene.by_label = inputs.labels && options.mode == RenderMode::cells;
  if (inputs.labels) {
    const ElementType type = inputs.labels.element_type();
    scene.unreached = number_of(options.unreached, type, "unreached");
    if (options.nodata) scene.nodata = number_of(*options.nodata, type, "nodata");
  }
  if (inputs.sites) {
    scene.site_rule.type = inputs.sites.element_type();
    if (options.sites_nodata)
      scene.site_rule.nodata =
          to_label_bits(*options.sites_nodata, scene.site_rule.type, "sites_nodata");
  }
  if (inputs.distance && !scene.by_label) scene.ramp = make_ramp(options.ramp);
  scene.background = to_light(options.background);
  scene.grey = to_light(kGrey);
  scene.ink = to_light(kInk);
  return scene;
}

void measure_distances(ContextState& state, Scene& scene) {
  if (!scene.inputs.distance) return;
  const std::vector<std::int64_t> columns = all_columns(scene.x.cells);
  std::vector<DistanceRange> found(static_cast<std::size_t>(state.threads));
  constexpr std::int64_t kRows = 64;
  state.session->for_pieces(
      state, scene.y.cells, kRows, [&](std::int64_t begin, std::int64_t end, int worker) {
        DistanceRange range;
        for (std::int64_t y = begin; y < end; ++y)
          read_row(scene.inputs.distance, y, columns,
                   [&]<class T>(std::size_t, T value) { range.add(static_cast<double>(value)); });
        found[static_cast<std::size_t>(worker)].add(range);
      });
  for (const DistanceRange& range : found) scene.range.add(range);
  if (scene.options.range) scene.range = {(*scene.options.range)[0], (*scene.options.range)[1]};
  scene.interval = scene.options.contour_interval.value_or(
      nice_interval(scene.range.greatest - scene.range.least));
}

/// Mean length in pixels between edges along a row, and mean distance between single sites: from
/// some of the rows, evenly spread.
struct Density {
  double edges = kInfinity;
  double points = kInfinity;
};

Density measure_density(Progress& progress, const Scene& scene) {
  constexpr std::int64_t kRows = 512;
  std::int64_t edges = 0;
  std::int64_t points = 0;
  const std::int64_t rows = std::min(kRows, scene.y.size);
  Seeder seeder(scene);
  SeedRow seeds;
  for (std::int64_t i = 0; i < rows; ++i) {
    progress.check();
    seeder.find(i * scene.y.size / rows, seeds);
    edges += static_cast<std::int64_t>(seeds.edges.size());
    points += static_cast<std::int64_t>(seeds.points.size());
  }
  // Edges across and along the row are as many, in the mean.
  const double height = static_cast<double>(rows) * scene.y.scale;
  const auto width = static_cast<double>(scene.x.pixels);
  Density density;
  if (edges > 0) density.edges = 2 * width * static_cast<double>(rows) / static_cast<double>(edges);
  if (points > 0) density.points = std::sqrt(width * height / static_cast<double>(points));
  return density;
}

void choose_brushes(Scene& scene, double thickness, const Density& density) {
  const auto brush = [&](double width, double strength = 1) {
    Brush made(width, scene.y.scale, scene.x.scale, strength);
    scene.reach = std::max(scene.reach, made.reach_y());
    return made;
  };
  const double edge = std::min(1.2 * thickness, 0.1 * density.edges);
  const double cell =
      std::min(static_cast<double>(scene.y.pixels) / static_cast<double>(scene.y.cells),
               static_cast<double>(scene.x.pixels) / static_cast<double>(scene.x.cells));
  const double least_disc = cell > 1 ? std::min(0.3 * cell, 20 * thickness) : 0;
  const double disc = std::max(std::min(5 * thickness, 0.18 * density.points), least_disc);
  scene.contour = brush(0.9 * thickness, 0.6);
  scene.edge = brush(edge);
  scene.outline = brush(1.6 * edge);
  scene.halo = brush(1.5 * disc, 0.9);
  scene.disc = brush(disc);
}

void paint(ContextState& state, const RenderInputs& inputs, const RenderOptions& options,
           const View<std::uint8_t>& pixels) {
  if (pixels.extents().count() == 0) return;
  Scene scene = make_scene(inputs, options, pixels);
  state.progress.begin((inputs.distance ? scene.y.cells : 0) + scene.y.pixels);
  measure_distances(state, scene);
  choose_brushes(scene, thickness_of(pixels), measure_density(state.progress, scene));
  // Each piece finds the seeds above its first row once more.
  const auto repeated = static_cast<std::int64_t>(8 * scene.reach * scene.y.scale);
  const std::int64_t grain = std::max<std::int64_t>(repeated, 32);
  state.session->for_pieces(state, scene.y.pixels, grain,
                            [&](std::int64_t begin, std::int64_t end, int) {
                              Painter painter(scene);
                              Averager averager(scene);
                              for (std::int64_t y = begin; y < end; ++y) {
                                state.progress.check();
                                averager.paint_row(painter, pixels, y);
                              }
                            });
}

}  // namespace

void render(Context& context, const RenderInputs& inputs, const RenderOptions& options,
            View<std::uint8_t> pixels) {
  ContextState& state = context.state();
  guarded(state, [&] {
    check(inputs, options, pixels);
    try {
      paint(state, inputs, options, pixels);
    } catch (const std::bad_alloc&) {
      throw Error(ErrorCode::out_of_memory, "no memory for some rows of the picture");
    }
  });
}

void render(Context& context, const RenderInputs& inputs, View<std::uint8_t> pixels) {
  render(context, inputs, {}, pixels);
}

}  // namespace thiessen

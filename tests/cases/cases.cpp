// SPDX-License-Identifier: Apache-2.0
#include "cases/cases.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <limits>
#include <ostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/base/label_bits.hpp"
#include "core/base/rng.hpp"
#include "core/problem/problem.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::cases {
namespace {

constexpr std::uint64_t kSeed = 20;

/// Distance of a cell from the middle of the raster, in cells.
double from_middle(const Axes& extent, const Axes& cell) {
  double sum = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const double delta =
        static_cast<double>(cell[axis]) - static_cast<double>(extent[axis] - 1) / 2;
    sum += delta * delta;
  }
  return std::sqrt(sum);
}

bool is_corner(const Axes& extent, const Axes& cell) {
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (cell[axis] != 0 && cell[axis] != extent[axis] - 1) return false;
  return true;
}

bool is_land(const Axes& cell) {
  const auto [z, y, x] = cell;
  const auto wave = [](std::int64_t at, double length, double shift) {
    return std::sin(static_cast<double>(at) / length + shift);
  };
  return wave(x, 4, wave(y, 3, 0)) + wave(y, 5, 2 * wave(x, 7, 1)) + wave(z, 2, 0) > 0.2;
}

bool is_coast(const Axes& cell) {
  if (!is_land(cell)) return false;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    for (const std::int64_t step : {-1, 1}) {
      Axes beside = cell;
      beside[axis] += step;
      if (!is_land(beside)) return true;
    }
  return false;
}

bool is_in_tube(const Axes& extent, const Axes& cell) {
  const double along = 6 * static_cast<double>(cell[2]) / static_cast<double>(extent[2]);
  const auto from_line = [&](std::size_t axis, double part) {
    const double middle = static_cast<double>(extent[axis] - 1) / 2;
    return static_cast<double>(cell[axis]) - middle * (1 + part);
  };
  return std::hypot(from_line(0, 0.7 * std::cos(along)), from_line(1, 0.7 * std::sin(along))) < 1.5;
}

/// The patterns that are defined cell by cell.
bool in_pattern(const Case& item, const Axes& extent, const Axes& cell, std::int64_t index) {
  const auto [z, y, x] = cell;
  const std::int64_t amount = item.amount;
  switch (item.pattern) {
    case Pattern::all:
      return true;
    case Pattern::one:
      return index == amount;
    case Pattern::lattice:
      return z % amount == 0 && y % amount == 0 && x % amount == 0;
    case Pattern::checkerboard:
      return (z / amount + y / amount + x / amount) % 2 == 0;
    case Pattern::row:
      return (item.extents.rank() == 2 ? y : z) == amount;
    case Pattern::column:
      return x == amount;
    case Pattern::diagonal:
      return x == y && (item.extents.rank() == 2 || y == z);
    case Pattern::circle:
      return std::fabs(from_middle(extent, cell) - static_cast<double>(amount)) <= 0.5;
    case Pattern::corners:
      return is_corner(extent, cell);
    case Pattern::land:
      return is_land(cell) != (amount == 1);
    case Pattern::coast:
      return is_coast(cell) != (amount == 1);
    case Pattern::tube:
      return is_in_tube(extent, cell) != (amount == 1);
    case Pattern::none:
    case Pattern::random:
    case Pattern::blobs:
      break;
  }
  return false;
}

void add_blob(const Axes& extent, const Axes& middle, std::int64_t radius,
              std::vector<bool>& chosen) {
  const auto clamp = [](std::int64_t value, std::int64_t size) {
    return std::min(std::max<std::int64_t>(value, 0), size);
  };
  Axes from;
  Axes to;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    from[axis] = clamp(middle[axis] - radius, extent[axis]);
    to[axis] = clamp(middle[axis] + radius + 1, extent[axis]);
  }
  for (std::int64_t z = from[0]; z < to[0]; ++z)
    for (std::int64_t y = from[1]; y < to[1]; ++y)
      for (std::int64_t x = from[2]; x < to[2]; ++x) {
        const std::int64_t dz = z - middle[0];
        const std::int64_t dy = y - middle[1];
        const std::int64_t dx = x - middle[2];
        if (dz * dz + dy * dy + dx * dx <= radius * radius)
          chosen[static_cast<std::size_t>(to_index(extent, {z, y, x}))] = true;
      }
}

std::vector<bool> choose_cells(const Case& item, const Axes& extent, std::int64_t cells) {
  std::vector<bool> chosen(static_cast<std::size_t>(cells));
  for (std::int64_t i = 0; i < cells; ++i)
    chosen[static_cast<std::size_t>(i)] = in_pattern(item, extent, to_cell(extent, i), i);
  const Permutation permutation(static_cast<std::uint64_t>(cells), kSeed);
  const bool blobs = item.pattern == Pattern::blobs;
  if (!blobs && item.pattern != Pattern::random) return chosen;
  for (std::int64_t i = 0; i < std::min(item.amount, cells); ++i) {
    const std::uint64_t index = permutation(static_cast<std::uint64_t>(i));
    if (blobs)
      add_blob(extent, to_cell(extent, static_cast<std::int64_t>(index)), 1 + i % 4, chosen);
    else
      chosen[index] = true;
  }
  return chosen;
}

template <class T>
void fill(const Case& item, Raster& raster, const std::vector<bool>& chosen) {
  T* values = reinterpret_cast<T*>(raster.bytes());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    values[i] = chosen[i] ? static_cast<T>(1 + i * 7 % 100) : T{0};
    if (item.type == ElementType::boolean) values[i] = chosen[i] ? 1 : 0;
    if constexpr (std::is_floating_point_v<T>) {
      if (chosen[i] && i % 3 == 0) values[i] = -values[i] / 3;
      if (!chosen[i] && i % 5 == 0) values[i] = std::numeric_limits<T>::quiet_NaN();
      if (!chosen[i] && i % 5 == 1) values[i] = -T{0};
    } else if constexpr (std::is_signed_v<T>) {
      if (chosen[i] && i % 3 == 0) values[i] = static_cast<T>(-values[i]);
    }
  }
  if (!item.options.nodata) return;
  const LabelBits nodata = to_label_bits(*item.options.nodata, item.type, "nodata");
  const Permutation permutation(chosen.size(), kSeed + 1);
  for (std::int64_t i = 0; i < item.nodata_cells; ++i)
    std::memcpy(values + permutation(static_cast<std::uint64_t>(i)), nodata.bytes.data(),
                sizeof(T));
}

std::string to_text(const Extents& extents) {
  std::string text;
  for (int axis = 0; axis < extents.rank(); ++axis)
    text += (axis > 0 ? "x" : "") + std::to_string(extents[axis]);
  return text;
}

/// sites.tab: its name and its text.
constexpr std::pair<std::string_view, std::string_view> kFiles[] = {
#include "site_files.inc"
};

constexpr std::pair<std::string_view, Pattern> kKinds[] = {
    {"none", Pattern::none},
    {"all", Pattern::all},
    {"one", Pattern::one},
    {"lattice", Pattern::lattice},
    {"checkerboard", Pattern::checkerboard},
    {"row", Pattern::row},
    {"column", Pattern::column},
    {"diagonal", Pattern::diagonal},
    {"circle", Pattern::circle},
    {"corners", Pattern::corners},
    {"land", Pattern::land},
    {"coast", Pattern::coast},
    {"tube", Pattern::tube},
    {"blobs", Pattern::blobs},
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream rest(text);
  for (std::string part; std::getline(rest, part, separator);) parts.push_back(part);
  return parts;
}

/// A case of sites.tab.
Case read_case(const std::string& size, const std::string& kind) {
  std::vector<std::int64_t> extents;
  for (const std::string& extent : split(size, 'x'))
    extents.insert(extents.begin(), std::stoll(extent));
  Case item{.name = "sites_", .extents = Extents(extents)};
  if (std::isdigit(static_cast<unsigned char>(kind[0])) != 0) {
    const std::vector<std::string> parts = split(kind, '/');
    item.amount = std::stoll(parts[0]);
    if (parts.size() > 1)
      item.amount =
          std::min<std::int64_t>(item.amount, item.extents.count() / std::stoll(parts[1]));
    item.name += std::to_string(item.amount);
  } else {
    const std::vector<std::string> parts = split(kind, '-');
    const auto* const found = std::ranges::find(kKinds, std::string_view(parts[0]),
                                                &std::pair<std::string_view, Pattern>::first);
    if (found == std::end(kKinds)) throw std::invalid_argument(kind);
    item.pattern = found->second;
    if (parts.size() > 1) item.amount = parts[1] == "complement" ? 1 : std::stoll(parts[1]);
    item.name += kind;
  }
  item.name += "_" + to_text(item.extents);
  return item;
}

/// Builds the table: a few families, each crossed with the metrics.
class Table {
 public:
  std::vector<Case> cases;

  void add(Case item) {
    const std::string name = item.name;
    for (const std::string_view metric : kMetricNames) {
      item.options.metric = *find_metric(metric);
      item.name = name + "_" + std::string(metric);
      if (has(item)) cases.push_back(item);
    }
  }

  /// Whether any method has the metric of a case.
  static bool has(const Case& item) {
    const NearestSiteOptions& options = item.options;
    if (options.metric <= Metric::chessboard) return true;
    if (is_on_earth(options.metric)) return false;  // tests/property/earth_test.cpp has these
    const bool is_mask = options.metric > Metric::octagonal;
    return item.extents.rank() == 2 && options.spacing.empty() &&
           options.distance_to == DistanceTo::sites && !(is_mask && !options.periodic.empty());
  }

  /// Those of sites.tab.
  void add_sites() {
    std::set<std::string> names;
    std::istringstream rows{std::string(kFiles[0].second)};
    for (std::string row; std::getline(rows, row);) {
      std::istringstream words(row);
      std::string suite;
      std::string sizes;
      std::string kinds;
      if (!(words >> suite >> sizes >> kinds) || suite != "conformance") continue;
      for (const std::string& size : split(sizes, ','))
        for (const std::string& kind : split(kinds, ',')) {
          const Case item = read_case(size, kind);
          if (names.insert(item.name).second) add(item);
        }
    }
  }

  void add_spacings() {
    const std::vector<std::vector<double>> spacings = {
        {2, 2},         {1, 3},
        {3, 1},         {0.5, 0.25},
        {0.1, 0.3},     {1e-3, 1e3},
        {30, 29.9},     {1.0 / 3, 1},
        {0.325, 1.5},   {3.141592653589793, 2.718281828459045},
        {1, 1 + 1e-13}, {12345678.9, 98765432.1},
        {1, 1.41421356}};
    for (std::size_t i = 0; i < spacings.size(); ++i)
      for (const Pattern pattern : {Pattern::random, Pattern::lattice, Pattern::circle}) {
        const std::int64_t amount = pattern == Pattern::random ? 25 : 6;
        const std::string name =
            "spacing" + std::to_string(i) + "_" + std::to_string(static_cast<int>(pattern));
        add({.name = name + "_2d",
             .extents = {21, 26},
             .pattern = pattern,
             .amount = amount,
             .options = {.spacing = spacings[i]}});
        add({.name = name + "_3d",
             .extents = {7, 9, 11},
             .pattern = pattern,
             .amount = pattern == Pattern::circle ? 4 : amount,
             .options = {.spacing = {spacings[i][1], spacings[i][0], spacings[i][1]}}});
      }
    // S beyond 62 bits for every metric; weights that must be approximated.
    for (const Extents& size : {Extents{23, 31}, Extents{7, 9, 8}})
      for (const Pattern pattern : {Pattern::random, Pattern::lattice}) {
        const std::int64_t amount = pattern == Pattern::random ? 40 : 4;
        const std::string name = to_text(size) + "_" + std::to_string(static_cast<int>(pattern));
        std::vector<double> rounded = {98765.432109876543, 0.012345678901234567};
        if (size.rank() == 3) rounded.push_back(7.6543210987654321);
        add({.name = "spacing_wide_" + name,
             .extents = size,
             .pattern = pattern,
             .amount = amount,
             .options = {.spacing = wide_spacing(size)}});
        add({.name = "spacing_rounded_" + name,
             .extents = size,
             .pattern = pattern,
             .amount = amount,
             .options = {.spacing = rounded}});
      }
    // Chessboard distance in 3-D decides some rows only by a search through the planes' columns.
    for (const std::int64_t amount : {3, 8, 20, 50, 150})
      for (const std::vector<double>& spacing :
           {std::vector<double>{}, {2, 1, 1}, {3, 1, 2}, {1, 2, 1}, {5, 2, 3}})
        add({.name = "ties_3d_n" + std::to_string(amount) + "_" + std::to_string(spacing.size()) +
                     (spacing.empty() ? "" : "_" + std::to_string(static_cast<int>(spacing[0]))),
             .extents = {11, 13, 12},
             .amount = amount,
             .options = {.spacing = spacing}});
    add({.name = "spacing_anisotropic_3d",
         .extents = {9, 14, 15},
         .pattern = Pattern::random,
         .amount = 40,
         .options = {.spacing = {1.5, 0.325, 0.325}}});
    add({.name = "spacing_three_3d",
         .extents = {11, 12, 13},
         .pattern = Pattern::lattice,
         .amount = 5,
         .options = {.spacing = {2, 3, 5}}});
  }

  void add_types() {
    for (const ElementType type :
         {ElementType::boolean, ElementType::u8, ElementType::i8, ElementType::u16,
          ElementType::i16, ElementType::u32, ElementType::i32, ElementType::u64, ElementType::i64,
          ElementType::f32, ElementType::f64}) {
      const std::string name = "type_" + std::string(name_of(type));
      add({.name = name, .extents = {19, 23}, .amount = 30, .type = type});
      add({.name = name + "_3d", .extents = {5, 6, 7}, .amount = 12, .type = type});
      if (type == ElementType::boolean) continue;
      add({.name = name + "_nodata",
           .extents = {19, 23},
           .amount = 30,
           .type = type,
           .options = {.nodata = std::int64_t{113}, .unreached = std::int64_t{7}},
           .nodata_cells = 60});
      add({.name = name + "_nodata_zero",
           .extents = {19, 23},
           .amount = 30,
           .type = type,
           .options = {.max_distance = 2.5, .nodata = std::int64_t{0}}});
    }
    for (const ElementType type : {ElementType::u8, ElementType::i64, ElementType::f32})
      for (const bool signed_distance : {false, true}) {
        const std::string name =
            "selection_" + std::string(name_of(type)) + (signed_distance ? "_signed" : "");
        NearestSiteOptions options;
        options.signed_distance = signed_distance;
        options.values = {std::int64_t{1}, std::int64_t{64}, std::int64_t{29}};
        add({.name = name + "_values",
             .extents = {19, 23},
             .amount = 300,
             .type = type,
             .options = options});
        options.values.clear();
        options.zero_is_site = true;
        options.nodata = std::int64_t{0};
        add({.name = name + "_all",
             .extents = {19, 23},
             .amount = 300,
             .type = type,
             .options = options});
        options.zero_is_site = false;
        options.free_nodata = true;
        add({.name = name + "_others",
             .extents = {19, 23},
             .amount = 30,
             .type = type,
             .options = options});
        options.nodata = std::int64_t{29};
        add({.name = name + "_others_dense",
             .extents = {19, 23},
             .amount = 300,
             .type = type,
             .options = options});
      }
    NearestSiteOptions of_booleans;
    of_booleans.values = {std::int64_t{0}};
    add_boolean("selection_bool_false", of_booleans);
    of_booleans.values = {std::int64_t{1}, std::int64_t{1}};
    add_boolean("selection_bool_true", of_booleans);
    of_booleans.values = {std::int64_t{1}, std::int64_t{0}};
    add_boolean("selection_bool_both", of_booleans);
    of_booleans.values.clear();
    of_booleans.zero_is_site = true;
    add_boolean("selection_bool_all", of_booleans);
    add({.name = "nodata_nan",
         .extents = {17, 18},
         .amount = 20,
         .type = ElementType::f32,
         .options = {.nodata = std::numeric_limits<double>::quiet_NaN()}});
    add({.name = "nodata_nan_free",
         .extents = {17, 18},
         .amount = 20,
         .type = ElementType::f32,
         .options = {.free_nodata = true, .nodata = std::numeric_limits<double>::quiet_NaN()}});
  }

  void add_boolean(const std::string& name, NearestSiteOptions options) {
    for (const bool signed_distance : {false, true}) {
      options.signed_distance = signed_distance;
      add({.name = name + (signed_distance ? "_signed" : ""),
           .extents = {19, 23},
           .amount = 330,
           .type = ElementType::boolean,
           .options = options});
    }
  }

  void add_distances() {
    for (const double limit : {0.0, 0.99, 1.0, std::sqrt(2.0), 1.5, 3.0, 5.0, 1e9})
      for (const Extents& size : {Extents{22, 27}, Extents{6, 10, 12}})
        add({.name = "limit" + std::to_string(limit) + "_" + to_text(size),
             .extents = size,
             .amount = 12,
             .options = {.spacing = size.rank() == 2 ? std::vector<double>{}
                                                     : std::vector<double>{1.5, 1, 1},
                         .max_distance = limit}});
    for (const Pattern pattern : {Pattern::none, Pattern::all, Pattern::blobs,
                                  Pattern::checkerboard, Pattern::random, Pattern::row})
      for (const Extents& size : {Extents{23, 26}, Extents{7, 10, 12}, Extents{3, 1030}})
        for (const bool limited : {false, true})
          for (const bool nodata : {false, true}) {
            const std::string name = std::to_string(static_cast<int>(pattern)) + "_" +
                                     to_text(size) + (limited ? "_limited" : "") +
                                     (nodata ? "_nodata" : "");
            Case item{.name = "signed" + name,
                      .extents = size,
                      .pattern = pattern,
                      .amount = pattern == Pattern::random ? 300 : 4,
                      .nodata_cells = nodata ? 20 : 0};
            if (limited) item.options.max_distance = 2;
            if (nodata) item.options.nodata = std::int64_t{113};
            if (size.rank() == 3) item.options.spacing = {2, 1, 3};
            item.options.signed_distance = true;
            add(item);
            item.name = "boundary" + name;
            item.options.signed_distance = false;
            item.options.distance_to = DistanceTo::boundary;
            add(item);
          }
  }

  /// Every choice of periodic axes: odd and even extents, images that tie, axes of one cell.
  void add_periodic() {
    struct Item {
      Pattern pattern;
      std::int64_t amount;
      bool areas;  ///< also signed and to the boundary
    };
    for (const Extents& size : {Extents{14, 17}, Extents{1, 9}, Extents{8, 1}, Extents{1, 1},
                                Extents{2, 1030}, Extents{5, 6, 8}, Extents{2, 7, 3}})
      for (const Item& item : {Item{Pattern::one, 0, false}, Item{Pattern::random, 3, false},
                               Item{Pattern::lattice, 4, false}, Item{Pattern::random, 30, true},
                               Item{Pattern::blobs, 2, true}})
        for (int axes = 1; axes < 1 << size.rank(); ++axes) {
          Case example{.name = "", .extents = size, .pattern = item.pattern};
          example.amount = std::min(item.amount, size.count());
          for (int axis = 0; axis < size.rank(); ++axis)
            example.options.periodic.push_back((axes >> axis) % 2 == 1);
          const std::string name = "periodic" + std::to_string(axes) + "_" + to_text(size) + "_" +
                                   std::to_string(static_cast<int>(item.pattern)) + "_" +
                                   std::to_string(item.amount);
          example.name = name;
          add(example);
          if (!item.areas) continue;
          example.options.spacing.assign(static_cast<std::size_t>(size.rank()), 1.5);
          example.options.spacing[0] = 2;
          example.options.max_distance = 6;
          example.options.signed_distance = true;
          example.name = name + "_signed";
          add(example);
          example.options.signed_distance = false;
          example.options.distance_to = DistanceTo::boundary;
          example.options.max_distance = std::numeric_limits<double>::infinity();
          example.name = name + "_boundary";
          add(example);
        }
    for (const Extents& size : {Extents{9, 11}, Extents{4, 5, 6}})
      add({.name = "periodic_wide_" + to_text(size),
           .extents = size,
           .amount = 9,
           .options = {
               .spacing = wide_spacing(size),
               .periodic = std::vector<bool>(static_cast<std::size_t>(size.rank()), true)}});
  }

  /// Areas of types other than i32: the inside of a site, and the boundary of a label.
  void add_areas_of_other_types() {
    for (const ElementType type : {ElementType::boolean, ElementType::u8, ElementType::f32})
      for (const Extents& size : {Extents{23, 24}, Extents{7, 9, 10}}) {
        Case item{.name = "signed_" + std::string(name_of(type)) + "_" + to_text(size),
                  .extents = size,
                  .pattern = Pattern::blobs,
                  .amount = 4,
                  .type = type};
        item.options.signed_distance = true;
        add(item);
        item.name = "boundary_" + std::string(name_of(type)) + "_" + to_text(size);
        item.options.signed_distance = false;
        item.options.distance_to = DistanceTo::boundary;
        add(item);
        item.name += "_wide";
        item.options.spacing = wide_spacing(size);
        add(item);
      }
  }

  /// A spacing whose weights (3·10^17 or 9·10^17 : 1) need 128 bits by every metric.
  static std::vector<double> wide_spacing(const Extents& extents) {
    if (extents.rank() == 2) return {3.0000000000000004, 1e-17};
    return {9.000000000000002, 1e-17, 3e-17};
  }
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const Case& item) { return out << item.name; }

Raster make_sites(const Case& item) {
  Raster raster(item.type, item.extents);
  const std::vector<bool> chosen = choose_cells(item, to_axes(item.extents), item.extents.count());
  visit_element_type(item.type,
                     [&]<class T>(std::type_identity<T>) { fill<T>(item, raster, chosen); });
  return raster;
}

const std::vector<Case>& small_cases() {
  static const std::vector<Case> cases = [] {
    Table table;
    table.add_sites();
    table.add_spacings();
    table.add_types();
    table.add_distances();
    table.add_periodic();
    table.add_areas_of_other_types();
    return table.cases;
  }();
  return cases;
}

const std::vector<Case>& small_cases_by_axes() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> some = small_cases();
    std::erase_if(some, [](const Case& item) { return item.options.metric > Metric::chessboard; });
    return some;
  }();
  return cases;
}

}  // namespace thiessen::cases

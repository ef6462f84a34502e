// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "core/base/rng.hpp"
#include "io/raster/formats/npy.hpp"

namespace thiessen::ablation {
namespace {

using Cell = std::array<std::int64_t, 3>;  // z, y, x

/// The extents of a raster; 1 along an axis that it lacks.
Cell size_of(const Extents& extents) {
  return {extents.rank() == 3 ? extents[0] : 1, extents[extents.rank() - 2],
          extents[extents.rank() - 1]};
}

/// A mask in the making.
class Scene {
 public:
  explicit Scene(const Extents& extents)
      : size_(size_of(extents)),
        first_axis_(extents.rank() == 3 ? 0 : 1),
        sites_(std::make_shared<Raster>(Raster::of<std::int32_t>(extents))),
        cells_(sites_->view<std::int32_t>().data()) {
    std::fill_n(cells_, count(), 0);
  }

  const Cell& size() const { return size_; }
  std::size_t first_axis() const { return first_axis_; }
  std::int64_t count() const { return size_[0] * size_[1] * size_[2]; }
  std::int64_t longest() const { return *std::max_element(size_.begin(), size_.end()); }

  double draw() {
    constexpr double kUnit = 1.0 / (1ULL << 53);
    return static_cast<double>(splitmix64(1, draws_++) >> 11) * kUnit;
  }
  /// A cell of a raster, or 0 along an axis that it lacks.
  Cell draw_cell() {
    Cell cell{};
    for (std::size_t axis = first_axis_; axis < cell.size(); ++axis)
      cell[axis] = static_cast<std::int64_t>(draw() * static_cast<double>(size_[axis]));
    return cell;
  }

  void mark(const Cell& cell) {
    for (std::size_t axis = 0; axis < cell.size(); ++axis)
      if (cell[axis] < 0 || cell[axis] >= size_[axis]) return;
    cells_[(cell[0] * size_[1] + cell[1]) * size_[2] + cell[2]] = 1;
  }

  /// Marks the cells of which is_site(cell) is true.
  template <class IsSite>
  void mark_where(const IsSite& is_site) {
    std::int32_t* at = cells_;
    for (std::int64_t z = 0; z < size_[0]; ++z)
      for (std::int64_t y = 0; y < size_[1]; ++y)
        for (std::int64_t x = 0; x < size_[2]; ++x, ++at) *at = is_site(Cell{z, y, x}) ? 1 : 0;
  }

  Sites number() {
    std::int32_t sites = 0;
    std::for_each(cells_, cells_ + count(), [&](std::int32_t& cell) {
      if (cell != 0) cell = ++sites;
    });
    return sites_;
  }

 private:
  Cell size_;
  std::size_t first_axis_;
  Sites sites_;
  std::int32_t* cells_;
  std::uint64_t draws_ = 0;
};

/// Straight lines from anywhere to anywhere.
void mark_lines(Scene& scene) {
  constexpr int kLines = 32;
  for (int i = 0; i < kLines; ++i) {
    const Cell first = scene.draw_cell();
    const Cell last = scene.draw_cell();
    const std::int64_t steps = 2 * scene.longest();
    for (std::int64_t step = 0; step <= steps; ++step) {
      Cell cell;
      for (std::size_t axis = 0; axis < cell.size(); ++axis)
        cell[axis] = first[axis] + (2 * (last[axis] - first[axis]) * step + steps) / (2 * steps);
      scene.mark(cell);
    }
  }
}

/// A circle (sphere) of a cell's thickness: far inside, many sites are almost equally near.
void mark_circle(Scene& scene) {
  constexpr double kRadius = 0.43;
  const Cell& size = scene.size();
  const double radius =
      kRadius * static_cast<double>(*std::min_element(
                    size.begin() + static_cast<std::ptrdiff_t>(scene.first_axis()), size.end()));
  scene.mark_where([&](const Cell& cell) {
    double square = 0;
    for (std::size_t axis = scene.first_axis(); axis < cell.size(); ++axis) {
      const double apart = static_cast<double>(cell[axis]) - static_cast<double>(size[axis]) / 2;
      square += apart * apart;
    }
    return std::abs(std::sqrt(square) - radius) <= 0.5;
  });
}

/// Discs (balls) of radius 1 to 4.
void mark_blobs(Scene& scene) {
  constexpr std::int64_t kCellsPerBlob = 1000;
  constexpr std::int64_t kGreatest = 4;
  const std::int64_t depth = scene.first_axis() == 0 ? kGreatest : 0;
  for (std::int64_t i = 0; i < std::max<std::int64_t>(1, scene.count() / kCellsPerBlob); ++i) {
    const Cell middle = scene.draw_cell();
    const auto radius = 1 + static_cast<std::int64_t>(scene.draw() * kGreatest);
    for (std::int64_t z = -depth; z <= depth; ++z)
      for (std::int64_t y = -kGreatest; y <= kGreatest; ++y)
        for (std::int64_t x = -kGreatest; x <= kGreatest; ++x)
          if (z * z + y * y + x * x <= radius * radius)
            scene.mark({middle[0] + z, middle[1] + y, middle[2] + x});
  }
}

void mark_squares(Scene& scene, std::int64_t side) {
  scene.mark_where([side](const Cell& cell) {
    return (cell[0] / side + cell[1] / side + cell[2] / side) % 2 == 1;
  });
}

void mark_diagonal(Scene& scene) {
  for (std::int64_t i = 0; i < scene.longest(); ++i)
    scene.mark({scene.first_axis() == 0 ? i : 0, i, i});
}

/// Half of the cells of a corner, an eighth of the raster along each axis.
void mark_dense_corner(Scene& scene) {
  constexpr std::int64_t kPart = 8;
  scene.mark_where([&](const Cell& cell) {
    for (std::size_t axis = scene.first_axis(); axis < cell.size(); ++axis)
      if (cell[axis] >= scene.size()[axis] / kPart) return false;
    return scene.draw() < 0.5;
  });
}

}  // namespace

Sites make_dots(const Extents& extents, std::int64_t count) {
  Context context({.device = "cpu", .threads = 1});
  auto sites = std::make_shared<Raster>(Raster::of<std::int32_t>(extents));
  random_sites(context, sites->view(), count, 1);
  return sites;
}

Sites make_scene(const Extents& extents, const std::string& name) {
  constexpr std::int64_t kSquare = 40;
  Scene scene(extents);
  if (name == "lines") mark_lines(scene);
  if (name == "circle") mark_circle(scene);
  if (name == "blobs") mark_blobs(scene);
  if (name == "checkerboard") mark_squares(scene, kSquare);
  if (name == "one site") scene.mark({0, 0, 0});
  if (name == "half plane")
    scene.mark_where([&](const Cell& cell) { return cell[2] < scene.size()[2] / 2; });
  if (name == "diagonal") mark_diagonal(scene);
  if (name == "every other cell") mark_squares(scene, 1);
  if (name == "dense corner") mark_dense_corner(scene);
  return scene.number();
}

Array<float> make_corridor(const Extents& extents, std::int64_t width, float wall) {
  Array<float> map(extents);
  for (std::int64_t y = 0; y < extents[0]; ++y) {
    const bool is_wall = y % (width + 1) == width;
    const std::int64_t gap = y / (width + 1) % 2 == 0 ? extents[1] - width : 0;
    for (std::int64_t x = 0; x < extents[1]; ++x)
      map(y, x) = is_wall && (x < gap || x >= gap + width) ? wall : 1.0F;
  }
  return map;
}

Extents extents_of_shape(const std::filesystem::path& file) {
  constexpr std::int64_t kBits = 8;
  io::InputFile input(file);
  const Extents bytes = io::read_npy_layout(input).extents;
  return bytes.rank() == 2 ? Extents{bytes[0], kBits * bytes[1]}
                           : Extents{bytes[0], bytes[1], kBits * bytes[2]};
}

Sites read_shape(const std::filesystem::path& file, std::int64_t times) {
  constexpr std::int64_t kBits = 8;
  const Extents of_file = extents_of_shape(file);
  io::InputFile input(file);
  const Raster packed = io::read_npy(input);
  const auto* bytes = packed.view<std::uint8_t>().data();
  const Extents extents = of_file.rank() == 2
                              ? Extents{times * of_file[0], times * of_file[1]}
                              : Extents{times * of_file[0], times * of_file[1], times * of_file[2]};
  Scene scene(extents);
  const Cell original = size_of(of_file);
  const auto mirrored = [&](const Cell& cell, std::size_t axis) {
    const std::int64_t size = original[axis];
    const std::int64_t at = cell[axis] % size;
    return cell[axis] / size % 2 == 0 ? at : size - 1 - at;
  };
  scene.mark_where([&](const Cell& cell) {
    const std::int64_t at =
        (mirrored(cell, 0) * original[1] + mirrored(cell, 1)) * original[2] + mirrored(cell, 2);
    return (bytes[at / kBits] >> at % kBits & 1) != 0;
  });
  return scene.number();
}

}  // namespace thiessen::ablation

// SPDX-License-Identifier: Apache-2.0
//
// Which time zone's principal city is nearest? Reads zone1970.tab of the time zone database, puts
// its cities on a world grid in an equal-area projection, and writes sites, labels and distances.
//
//   world_time_zones zone1970.tab OUTPUT_FOLDER
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "files.hpp"
#include "thiessen/thiessen.hpp"

namespace {

struct City {
  double latitude;
  double longitude;
};

/// An ISO 6709 angle: ±DDMM, ±DDDMM, ±DDMMSS or ±DDDMMSS, with this many digits for the degrees.
double parse_angle(const std::string& text, std::size_t degree_digits) {
  const double degrees = std::stod(text.substr(1, degree_digits));
  const double minutes = std::stod(text.substr(1 + degree_digits, 2));
  const std::string rest = text.substr(3 + degree_digits);
  const double seconds = rest.empty() ? 0 : std::stod(rest);
  return (text[0] == '-' ? -1 : 1) * (degrees + minutes / 60 + seconds / 3600);
}

std::vector<City> read_cities(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path.string() + ": cannot be read");
  std::vector<City> cities;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream columns(line);
    std::string countries;
    std::string position;
    columns >> countries >> position;
    const std::size_t split = position.find_first_of("+-", 1);
    cities.push_back(
        {parse_angle(position.substr(0, split), 2), parse_angle(position.substr(split), 3)});
  }
  return cities;
}

/// The world in Behrmann's cylindrical equal-area projection on a sphere, in square cells.
class WorldGrid {
 public:
  static constexpr double kCell = 10'000;  // metres

  thiessen::Extents extents() const { return {count(2 * kHalfHeight), count(2 * kHalfWidth)}; }

  std::int64_t row(const City& city) const {
    return cell(kHalfHeight - kRadius * std::sin(radians(city.latitude)) / kScale, extents()[0]);
  }
  std::int64_t column(const City& city) const {
    return cell(kHalfWidth + kRadius * radians(city.longitude) * kScale, extents()[1]);
  }

 private:
  static constexpr double kRadius = 6'371'007;               // metres, of equal area
  static constexpr double kScale = std::numbers::sqrt3 / 2;  // cosine of 30°
  static constexpr double kHalfWidth = std::numbers::pi * kRadius * kScale;
  static constexpr double kHalfHeight = kRadius / kScale;

  static double radians(double degrees) { return degrees * std::numbers::pi / 180; }
  static std::int64_t count(double metres) { return static_cast<std::int64_t>(metres / kCell) + 1; }
  static std::int64_t cell(double metres, std::int64_t size) {
    return std::min(static_cast<std::int64_t>(metres / kCell), size - 1);
  }
};

thiessen::Raster place(const std::vector<City>& cities, const WorldGrid& grid) {
  auto sites = thiessen::Raster::of<std::uint16_t>(grid.extents());
  std::fill_n(sites.bytes(), sites.size_bytes(), std::byte{0});
  const auto cells = sites.view<std::uint16_t>();
  std::uint16_t label = 0;
  for (const City& city : cities) {
    ++label;
    std::uint16_t& cell = cells(grid.row(city), grid.column(city));
    if (cell == 0) cell = label;  // two cities in one cell: the first keeps it
  }
  return sites;
}

void run(const std::filesystem::path& table, const std::filesystem::path& folder) {
  const std::vector<City> cities = read_cities(table);
  const thiessen::Raster sites = place(cities, WorldGrid{});
  const thiessen::NearestSite nearest = thiessen::nearest_site(
      sites.view(), {.spacing = {WorldGrid::kCell, WorldGrid::kCell}});  // distances in metres
  const thiessen::Context& context = thiessen::default_context();
  double milliseconds = 0;
  for (const thiessen::Phase& phase : context.phases()) milliseconds += phase.milliseconds;
  std::printf("%zu cities, %lld x %lld cells of 10 km: %.1f ms on %d threads\n", cities.size(),
              static_cast<long long>(sites.extents()[1]),
              static_cast<long long>(sites.extents()[0]), milliseconds, context.threads());

  files::write_npy(folder / "time-zone-sites.npy", "<u2", sites.view<std::uint16_t>());
  files::write_npy(folder / "time-zone-labels.npy", "<u2", nearest.labels.view<std::uint16_t>());
  files::write_npy(folder / "time-zone-distance.npy", "<f4", nearest.distance.view<float>());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: world_time_zones zone1970.tab OUTPUT_FOLDER\n", stderr);
    return 2;
  }
  try {
    std::filesystem::create_directories(argv[2]);
    run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "world_time_zones: %s\n", error.what());
    return 1;
  }
}

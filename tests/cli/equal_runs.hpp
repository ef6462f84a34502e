// SPDX-License-Identifier: Apache-2.0
//
// Runs whose files are compared with those of another run.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

class EqualRunsTest : public CommandTest {
 protected:
  /// Sites of u16 with nodata cells of 9.
  static Raster draw(const Extents& extents, std::int64_t count) {
    Raster numbers = Raster::of<std::int32_t>(extents);
    Context context;
    random_sites(context, numbers.view(), count, 5);
    Raster sites = Raster::of<std::uint16_t>(extents);
    for (std::int64_t i = 0; i < extents.count(); ++i) {
      const std::int32_t number = numbers.view<std::int32_t>().data()[i];
      sites.view<std::uint16_t>().data()[i] =
          static_cast<std::uint16_t>(number == 0 ? (i % 37 == 0 ? 9 : 0) : 10 + number % 500);
    }
    return sites;
  }

  /// Areas of u8 that reach far, with nodata cells of 9.
  static Raster draw_areas(const Extents& extents) {
    Raster areas = Raster::of<std::uint8_t>(extents);
    for (std::int64_t i = 0; i < extents.count(); ++i) {
      const std::int64_t x = i % 170, y = i / 170;
      const auto value = static_cast<std::uint8_t>((x / 9 * 7 + y / 6 * 5 + (x + y) / 40) % 3);
      areas.view<std::uint8_t>().data()[i] = i % 89 == 0 ? std::uint8_t{9} : value;
    }
    return areas;
  }

  /// `command` with the name of a run where it has @.
  static std::string named(std::string command, const std::string& run) {
    for (std::size_t at = 0; (at = command.find('@', at)) != std::string::npos;)
      command.replace(at, 1, run);
    return command;
  }

  /// A layer of one line.
  void write_line(const std::string& name) const {
    write_bytes(name,
                R"({"type":"FeatureCollection","features":[{"type":"Feature","properties":{},)"
                R"("geometry":{"type":"LineString","coordinates":[[3,2],[19,44],[8,21]]}}]})");
  }

  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }

  /// Compares the files of two runs.
  void expect_same(const std::vector<std::string>& files, const std::string& one,
                   const std::string& other) const {
    for (const std::string& file : files)
      EXPECT_EQ(read_bytes(one + file) == read_bytes(other + file), true) << file;
  }

  /// Runs `command`, in which @ stands for the run, at once and in slabs of so many rows.
  void expect_equal(const std::string& command, const std::vector<std::string>& files,
                    const std::string& rows) {
    SCOPED_TRACE(command + " --slab-rows " + rows);
    succeed(named(command, "once") + " --overwrite -q");
    succeed(named(command, "slabs") + " --overwrite -q --slab-rows " + rows);
    expect_same(files, "once", "slabs");
  }
};

}  // namespace thiessen::cli

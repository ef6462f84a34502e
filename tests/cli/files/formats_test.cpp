// SPDX-License-Identifier: Apache-2.0
//
// Formats that GDAL writes, other than GeoTIFF: they hold what NPY holds, at once and in slabs. And
// the standard streams as files.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/coordinate_systems.hpp"
#include "cli/equal_runs.hpp"
#include "io/raster/raster_file.hpp"
#include "thiessen/element_visit.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

namespace fs = std::filesystem;

std::vector<double> values_of(const Raster& raster) {
  std::vector<double> values;
  values.reserve(raster.size_bytes());
  visit_element_type(raster.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto* const cells = reinterpret_cast<const T*>(raster.bytes());
    for (std::int64_t i = 0; i < raster.extents().count(); ++i)
      values.push_back(static_cast<double>(cells[i]));
  });
  return values;
}

class FormatsTest : public EqualRunsTest {
 protected:
  void SetUp() override {
    if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
    write("sites.npy", draw({300, 170}, 60));
    write("volume.npy", draw({7, 40, 31}, 50));
    write_world();
  }

  /// The same sites as a GeoTIFF in the world, with 9 as nodata.
  void write_world() const {
    io::OutputFile file(path("world.tif"), false);
    const Georeference georeference{.transform = {500000, 10, 0, 4000, 0, -10}, .crs = kUtm};
    const Raster sites = draw({300, 170}, 60);
    io::write_raster(file, sites.view(), {.georeference = georeference, .nodata = std::int64_t{9}});
    file.commit();
  }

  nlohmann::json info_of(const std::string& name) const {
    return nlohmann::json::parse(run("info --json " + name).out);
  }

  /// The values of two files are the same, whatever their types.
  void expect_same_values(const std::string& actual, const std::string& expected) const {
    const Raster ours = read(actual);
    const Raster theirs = read(expected);
    EXPECT_EQ(ours.extents(), theirs.extents()) << actual;
    const std::vector<double> a = values_of(ours);
    const std::vector<double> b = values_of(theirs);
    EXPECT_EQ(a.size(), b.size());
    const bool is_same = std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
      return x == y || (x != x && y != y);
    });
    EXPECT_TRUE(is_same) << actual << " is not " << expected;
  }

  void expect_refused(const std::string& arguments, const std::string& words) const {
    SCOPED_TRACE(arguments);
    const std::vector<std::string> before = names();
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2);
    expect_one_line_of_complaint(outcome);
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    EXPECT_EQ(names(), before);
  }

  /// Puts arrays of Zarr into a group.
  void write_group(const std::string& name, const std::vector<std::string>& arrays) const {
    fs::create_directory(path(name));
    write_bytes(name + "/.zgroup", R"({"zarr_format": 2})");
    for (const std::string& array : arrays)
      fs::rename(path(array + ".zarr") / array, path(name) / array);
  }
};

TEST_F(FormatsTest, ZarrHoldsTheSameAtOnceAndInSlabs) {
  const std::string command = "voronoi --sites world.tif --labels l@ --distance d@ --offset o@ ";
  succeed(named(command, ".npy"));
  for (const char* rows : {"", "--slab-rows 77", "--slab-rows 256"}) {
    SCOPED_TRACE(rows);
    succeed(named(command, ".zarr") + "--overwrite -q " + rows);
    for (const char* file : {"l", "d", "o"})
      expect_same_values(std::string(file) + ".zarr", std::string(file) + ".npy");
  }
  succeed("voronoi --sites world.tif --labels l.tif");
  const nlohmann::json zarr = info_of("l.zarr");
  const nlohmann::json tiff = info_of("l.tif");
  EXPECT_EQ(zarr["format"], "Zarr");
  for (const char* key : {"extents", "type", "nodata", "transform"})
    EXPECT_EQ(zarr[key], tiff[key]) << key;
  EXPECT_NE(zarr["crs"].dump().find("32631"), std::string::npos) << zarr["crs"];
  EXPECT_TRUE(fs::exists(path("l.zarr/l/.zarray")));
  EXPECT_NE(read_bytes("l.zarr/l/.zattrs").find("_ARRAY_DIMENSIONS"), std::string::npos);
}

TEST_F(FormatsTest, ZarrHoldsVolumes) {
  const std::string command = "voronoi --sites volume.npy --labels l@ --distance d@ --offset o@ ";
  succeed(named(command, ".npy"));
  for (const char* rows : {"", "--slab-rows 3"}) {
    SCOPED_TRACE(rows);
    succeed(named(command, ".zarr") + "--overwrite -q " + rows);
    for (const char* file : {"l", "d"})
      expect_same_values(std::string(file) + ".zarr", std::string(file) + ".npy");
  }
  expect_refused("info o.zarr", "has 4 axes of Zarr");
  expect_refused("info o.zarr --band 2", "has 4 axes of Zarr");
}

TEST_F(FormatsTest, ZarrIsRead) {
  for (const char* name : {"sites", "volume"}) {
    SCOPED_TRACE(name);
    const std::string file = name;
    write(file + ".zarr", read(file + ".npy"));
    const std::string command = " --labels @l.npy --distance @d.npy";
    succeed("voronoi --sites " + file + ".npy --labels " + file + "l.npy -q");
    expect_equal("voronoi --sites " + file + ".zarr" + command, {"l.npy", "d.npy"}, "3");
    expect_same_values("oncel.npy", file + "l.npy");
  }
  succeed("cost --cost sites.zarr --map-nodata 9 --sites sites.zarr --values 12 --labels c.zarr");
  succeed("cost --cost sites.npy --map-nodata 9 --sites sites.npy --values 12 --labels c.npy");
  expect_same_values("c.zarr", "c.npy");
  succeed("proximity sites.zarr p.zarr -q");
  succeed("proximity sites.npy p.npy -q");
  expect_same_values("p.zarr", "p.npy");
}

TEST_F(FormatsTest, ArraysAreChosenInGroups) {
  write("a.zarr", read("sites.npy"));
  write("b.zarr", read("volume.npy"));
  write_group("g.zarr", {"a", "b"});
  expect_same_values("g.zarr/a", "sites.npy");
  expect_same_values("g.zarr/b", "volume.npy");
  expect_refused("voronoi --sites g.zarr --labels l.npy", "g.zarr/a g.zarr/b");
  write_group("none.zarr", {});
  expect_refused("info none.zarr", "without an array of two or three axes");
  expect_refused("voronoi --sites none.zarr --labels l.npy", "none.zarr");
  expect_refused("voronoi --sites g.zarr/a --labels g.zarr --overwrite", "g.zarr: ");
  fs::create_directory(path("third.zarr"));
  write_bytes("third.zarr/zarr.json", R"({"zarr_format": 3, "node_type": "array"})");
  expect_refused("voronoi --sites third.zarr --labels l.npy", "third.zarr: ");
  // A file could lead anywhere.
  write_bytes("file.zarr", R"({"refs": {".zarray": "x"}})");
  expect_refused("voronoi --sites file.zarr --labels l.npy", "file.zarr: ");
}

TEST_F(FormatsTest, DamagedZarrIsAnError) {
  write("a.zarr", read("sites.npy"));
  const std::string chunk = "a.zarr/a/1.0";
  write_bytes(chunk, read_bytes(chunk).substr(0, 40));
  expect_refused("voronoi --sites a.zarr --labels l.npy", "a.zarr: cannot be read");
  write_bytes("a.zarr/a/.zarray", "{}");
  expect_refused("voronoi --sites a.zarr --labels l.npy", "a.zarr: ");
  write_bytes("a.zarr/a/.zarray",
              R"({"chunks":[4096000000,4096000000],"compressor":null,"dtype":"<f8","fill_value":0,)"
              R"("filters":null,"order":"C","shape":[1000000000,1000000000],"zarr_format":2})");
  EXPECT_NE(run("voronoi --sites a.zarr --labels l.npy").exit_code, 0);
  EXPECT_FALSE(fs::exists(path("l.npy")));
}

TEST_F(FormatsTest, OnlyZarrIsReplacedByZarr) {
  const std::string command = "voronoi --sites sites.npy --labels l.zarr";
  succeed(command);
  write_bytes("l.zarr/old", "");
  expect_refused(command + " --co COMPRESS=NO", "l.zarr: ");
  EXPECT_EQ(run(command).exit_code, 1);
  EXPECT_TRUE(fs::exists(path("l.zarr/old")));
  succeed(command + " --overwrite");
  EXPECT_FALSE(fs::exists(path("l.zarr/old")));
  fs::create_directory(path("mine.zarr"));
  write_bytes("mine.zarr/kept", "");
  EXPECT_EQ(run("voronoi --sites sites.npy --labels mine.zarr --overwrite").exit_code, 1);
  EXPECT_TRUE(fs::exists(path("mine.zarr/kept")));
  write_bytes("was_a_file.zarr", "");
  succeed("voronoi --sites sites.npy --labels was_a_file.zarr --overwrite");
  expect_same_values("was_a_file.zarr", "l.zarr");
}

TEST_F(FormatsTest, NothingIsLeftOfAFailure) {
  const std::vector<std::string> before = names();
  const auto expect_nothing = [&](const std::string& file, std::uint64_t bytes) {
    SCOPED_TRACE(file + " on a disk with room for " + std::to_string(bytes));
    const Outcome outcome =
        run("voronoi --sites sites.npy --labels " + file, {.file_size_limit = bytes});
    EXPECT_GT(outcome.exit_code, 0);
    expect_one_line_of_complaint(outcome);
    EXPECT_EQ(names(), before);
  };
  for (const char* file : {"l.zarr", "l.nc", "l.asc", "l.img", "l.tif --of COG"})
    expect_nothing(file, 1000);
  // HDF5 knows that a file could not be closed.
  for (const std::uint64_t bytes : {4000U, 7000U}) expect_nothing("l.nc", bytes);
}

TEST_F(FormatsTest, NothingIsLeftOfAKilledRunAfterTheNextOne) {
  const std::vector<std::string> before = names();
  const std::string command =
      "voronoi --random 200000 --size 1500x1500 --method brute-force --labels l.zarr";
  const auto has_begun = [&](pid_t) { return names().size() > before.size(); };
  const Outcome stopped =
      run(command, {.interruption = Interruption{.signal = SIGTERM, .ready = has_begun}});
  EXPECT_EQ(stopped.exit_code, 130);
  EXPECT_EQ(names(), before);
  const Outcome killed =
      run(command, {.interruption = Interruption{.signal = SIGKILL, .ready = has_begun}});
  EXPECT_EQ(killed.signal, SIGKILL);
  succeed("voronoi --random 5 --size 8x6 --labels next.npy");
  fs::remove(path("next.npy"));
  EXPECT_EQ(names(), before);
}

TEST_F(FormatsTest, FormatsOfGdalHoldTheSame) {
  const std::string command = "voronoi --sites world.tif --labels l@ --distance d@ ";
  succeed(named(command, ".npy"));
  for (const char* suffix : {".nc", ".asc", ".gpkg", ".img"}) {
    SCOPED_TRACE(suffix);
    succeed(named(command, suffix));
    for (const char* file : {"l", "d"})
      expect_same_values(file + std::string(suffix), std::string(file) + ".npy");
    EXPECT_EQ(info_of("l" + std::string(suffix))["transform"], info_of("world.tif")["transform"]);
  }
  succeed(named(command, ".nc") + "--overwrite -q --slab-rows 77");
  for (const char* file : {"l", "d"})
    expect_same_values(file + std::string(".nc"), std::string(file) + ".npy");
  succeed("voronoi --sites world.tif --labels e.img --of ENVI --distance e.npy");
  EXPECT_EQ(info_of("e.img")["format"], "ENVI");
  succeed("proximity world.tif p.bil -of EHdr -q");
  succeed("proximity world.tif p.npy -q");
  expect_same_values("p.bil", "p.npy");
  succeed("cost --cost world.tif --sites world.tif --values 12 --labels c.nc --distance c.npy");
  EXPECT_EQ(info_of("c.nc")["format"], "netCDF");
}

TEST_F(FormatsTest, FilesBesideAnOutputAreItsOwn) {
  succeed("voronoi --sites world.tif --labels l.asc");
  EXPECT_TRUE(fs::exists(path("l.prj")));
  fs::remove(path("l.asc"));
  write_bytes("l.prj", "of another file");
  EXPECT_EQ(run("voronoi --sites world.tif --labels l.asc").exit_code, 1);
  EXPECT_EQ(read_bytes("l.prj"), "of another file");
  EXPECT_FALSE(fs::exists(path("l.asc")));
}

TEST_F(FormatsTest, WhatAFormatCannotHoldIsRefused) {
  const std::string voronoi = "voronoi --sites world.tif --overwrite ";
  expect_refused(voronoi + "--site-index i.asc", "i.asc: cannot be written");
  expect_refused(voronoi + "--site-index i.gpkg", "i.gpkg: cannot be written");
  expect_refused(voronoi + "--distance d.asc --distance-type f64", "reads back different values");
  expect_refused(voronoi + "--labels l.jp2 --of JP2OpenJPEG", "l.jp2: ");
  expect_refused(voronoi + "--labels l.x --of Nothing", "'Nothing', which this GDAL does not do");
  expect_refused(voronoi + "--labels l.x", "names no format");
  expect_refused(voronoi + "--labels l.nc --co NOTHING=1", "NOTHING");
  expect_refused(voronoi + "--labels l.zarr --co FORMAT=ZARR_V3", "options of Zarr are");
  expect_refused(voronoi + "--labels l.zarr --co COMPRESS=NOTHING", "l.zarr: ");
  expect_refused(voronoi + "--labels l.png --of netCDF", "fits the suffix of no output");
  expect_refused("proximity world.tif p.tif -of netCDF", "names another format");
  expect_refused("voronoi --sites volume.npy --labels l.nc", "cannot hold planes as netCDF");
  expect_refused("voronoi --sites world.tif --labels no/l.nc", "no/l.nc: cannot be created");
  if (::geteuid() == 0) return;
  fs::create_directory(path("closed"));
  fs::permissions(path("closed"), fs::perms::owner_read | fs::perms::owner_exec);
  expect_refused("voronoi --sites world.tif --labels closed/l.nc", "cannot be created");
}

/// Runs a command by a line of the shell, in which "$@" stands for it.
class StreamsTest : public EqualRunsTest {
 protected:
  void SetUp() override { write("sites.npy", draw({60, 50}, 20)); }

  Outcome run_in_shell(const std::string& line, const std::string& arguments) const {
    return run(arguments, {.launcher = {"/bin/sh", "-c", line, "sh"}});
  }

  void expect_refused(const std::string& arguments, const std::string& words) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    expect_one_line_of_complaint(outcome);
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  }
};

TEST_F(StreamsTest, StandardInputIsAFile) {
  succeed("voronoi --sites sites.npy --labels l.npy");
  for (const char* line : {"cat sites.npy | \"$@\"", "\"$@\" < sites.npy"}) {
    SCOPED_TRACE(line);
    const Outcome outcome = run_in_shell(line, "voronoi --sites - --labels s.npy --overwrite");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(read_bytes("s.npy") == read_bytes("l.npy"), true);
  }
  write_bytes("points.csv", "x,y\n3,4\n30,20\n");
  succeed("voronoi --sites points.csv --size 50x60 --labels l.npy --overwrite");
  for (const char* line : {"cat points.csv | \"$@\"", "\"$@\" < points.csv"}) {
    SCOPED_TRACE(line);
    const Outcome outcome = run_in_shell(
        line, "voronoi --sites - --format csv --size 50x60 --labels s.npy --overwrite");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(read_bytes("s.npy") == read_bytes("l.npy"), true);
  }
}

TEST_F(StreamsTest, StandardOutputIsAFile) {
  succeed("voronoi --sites sites.npy --labels l.npy --distance d.npy");
  const Outcome labels = run("voronoi --sites sites.npy --labels - --distance d2.npy");
  EXPECT_EQ(labels.exit_code, 0) << labels.err;
  EXPECT_EQ(labels.out == read_bytes("l.npy"), true);
  EXPECT_EQ(run("voronoi --sites sites.npy --distance - --slab-rows 16").out == read_bytes("d.npy"),
            true);
  succeed("voronoi --sites sites.npy --labels l.png");
  EXPECT_EQ(run("voronoi --sites sites.npy --labels - --of PNG").out == read_bytes("l.png"), true);
  succeed("proximity sites.npy p.npy");
  const Outcome filter = run_in_shell("\"$@\" < sites.npy > out.npy", "proximity - -");
  EXPECT_EQ(filter.exit_code, 0) << filter.err;
  EXPECT_EQ(read_bytes("out.npy") == read_bytes("p.npy"), true);
}

TEST_F(StreamsTest, EachStreamHasOneUse) {
  expect_refused("voronoi --sites sites.npy --labels - --json", "--json: ");
  expect_refused("voronoi --sites sites.npy --labels - --distance -", "for two outputs");
  expect_refused("cost --cost - --sites - --labels l.npy", "-: standard input");
  const Outcome full = run("voronoi --sites sites.npy --labels -", {.output = "/dev/full"});
  EXPECT_EQ(full.exit_code, 1);
  expect_one_line_of_complaint(full);
}

}  // namespace
}  // namespace thiessen::cli

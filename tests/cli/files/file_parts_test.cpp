// SPDX-License-Identifier: Apache-2.0
//
// FILE|layer=NAME and FILE|band=N: which part of an input a word of the command line speaks of.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "io/raster/raster_file.hpp"

namespace thiessen::cli {
namespace {

constexpr int kPartRefused = 2;
constexpr const char* kSmallGrid = " --bounds 0,0,5,3 --cell-size 1 --overwrite --quiet ";

class FilePartsTest : public CommandTest {
 protected:
  void SetUp() override {
    if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
    if (std::system("command -v ogr2ogr gdal_merge.py > /dev/null") != 0)
      GTEST_SKIP() << "there are no programs of GDAL";
    add_layer("sites", R"({"name":"Mill"})", R"("Point","coordinates":[0.5,1.5])");
    add_layer("river", R"({"cost":4})", R"("LineString","coordinates":[[2.5,0],[2.5,3]])");
    add_layer("area", "{}", R"("Polygon","coordinates":[[[0,0],[3,0],[3,3],[0,3],[0,0]]])");
    write("one.npy", raster_of<float>({3, 5}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
    // Band 1 is 1 everywhere, band 2 is 0 in the last two columns.
    succeed("voronoi --sites all.gpkg|layer=sites --labels a.tif" + std::string(kSmallGrid));
    succeed("voronoi --sites all.gpkg|layer=sites --labels b.tif --max-distance 2" +
            std::string(kSmallGrid));
    shell("gdal_merge.py -q -separate -o two.tif a.tif b.tif");
  }

  void shell(const std::string& command) const {
    const std::string words = "cd " + path("").string() + " && " + command;
    ASSERT_EQ(std::system(words.c_str()), 0) << words;
  }

  /// Adds a layer of one feature to all.gpkg.
  void add_layer(const std::string& name, const std::string& properties,
                 const std::string& geometry) const {
    write_bytes(name + ".geojson",
                R"({"type":"FeatureCollection","crs":{"type":"name","properties":)"
                R"({"name":"urn:ogc:def:crs:EPSG::32631"}},"features":[{"type":"Feature",)"
                R"("properties":)" +
                    properties + R"(,"geometry":{"type":)" + geometry + "}}]}");
    shell("ogr2ogr -update -append all.gpkg " + name + ".geojson -nln " + name);
  }

  void expect_refused(const std::string& arguments, const std::vector<std::string>& words) const {
    const Outcome outcome = run(arguments);
    expect_one_line_of_complaint(outcome);
    EXPECT_EQ(outcome.exit_code, kPartRefused) << arguments;
    for (const std::string& word : words)
      EXPECT_NE(outcome.err.find(word), std::string::npos) << arguments << "\n" << outcome.err;
  }

  std::vector<float> row(const std::string& name) const {
    const Raster found = read(name);
    const float* const cells = found.view<float>().data() + 5;
    return {cells, cells + 5};
  }
};

/// Every input of every command takes the layer in its own name, in either spelling.
TEST_F(FilePartsTest, LayersOfOnePackage) {
  const std::string cost =
      "cost --sites all.gpkg|layername=sites --distance d.npy" + std::string(kSmallGrid);
  succeed(cost + "--stiffness one.npy --barriers all.gpkg|layer=river");
  EXPECT_EQ(row("d.npy")[1], 1);
  EXPECT_FALSE(std::isfinite(row("d.npy")[3]));
  succeed(cost + "--cost one.npy --cost-of all.gpkg|layer=river:cost");
  EXPECT_EQ(row("d.npy")[3], 1 + 2.5 + 2.5);
  succeed(cost + "--cost one.npy --speed-of all.gpkg|layername=river:cost");
  EXPECT_EQ(row("d.npy")[3], 1 + 0.625 + 0.625);
  succeed(cost +
          "--cost one.npy --mask all.gpkg|layer=area --paths-from all.gpkg|layer=sites "
          "--paths p.geojson");
  EXPECT_TRUE(std::isnan(row("d.npy")[3]));
  succeed("voronoi --sites all.gpkg --layer sites --mask all.gpkg|layer=area --labels l.npy" +
          std::string(kSmallGrid));
  succeed("proximity all.gpkg|layer=sites d.tif" + std::string(kSmallGrid));
  EXPECT_EQ(read("d.tif").view<float>()(1, 3), 3);
  succeed(
      "render --labels two.tif|band=2 --sites all.gpkg|layer=sites --names all.gpkg|layer=sites "
      "--legend auto --output p.svg");
  const std::string river = run("info all.gpkg|layer=river --json").out;
  EXPECT_NE(river.find("Line String"), std::string::npos) << river;
  EXPECT_EQ(river.find("Polygon"), std::string::npos) << river;
}

TEST_F(FilePartsTest, BandsOfOneRaster) {
  const std::string sites = "voronoi --sites all.gpkg|layer=sites --quiet --overwrite ";
  succeed(sites + "--like-grid two.tif --mask two.tif|band=2 --distance d.npy");
  EXPECT_EQ(row("d.npy")[2], 2);
  EXPECT_TRUE(std::isnan(row("d.npy")[3]));
  succeed(sites + "--like two.tif|band=2 --distance d.npy --sum-of two.tif|band=2 --table t.csv");
  EXPECT_NE(read_bytes("t.csv").find("two_band2_sum"), std::string::npos);
  succeed("cost --cost two.tif|band=1 --sites two.tif|band=2 --distance d.npy --overwrite");
  EXPECT_EQ(row("d.npy")[4], 2);
  succeed("proximity two.tif|band=2 p.tif");
  EXPECT_EQ(read("p.tif").view<float>()(1, 4), 2);
  EXPECT_EQ(run("compare two.tif|band=1 two.tif|band=2").exit_code, 1);
  EXPECT_EQ(run("compare two.tif|band=1 a.tif").exit_code, 0);
  EXPECT_NE(run("info two.tif|band=2 --json").out.find("\"distinct\""), std::string::npos);
}

/// A file with several parts says how to name one, whatever flag speaks of it.
TEST_F(FilePartsTest, MessagesNameTheParts) {
  const std::string cost = "cost --sites all.gpkg|layer=sites --distance d.npy" +
                           std::string(kSmallGrid) + "--cost one.npy ";
  const std::vector<std::string> layers = {
      "all.gpkg: has 3 layers; choose one with "
      "FILE|layer=NAME: sites, river, area"};
  for (const std::string flag :
       {"--barriers all.gpkg", "--walls all.gpkg", "--cost-of all.gpkg:cost",
        "--speed-of all.gpkg:cost", "--mask all.gpkg", "--paths p.csv --paths-from all.gpkg"})
    expect_refused(cost + flag, layers);
  const std::vector<std::string> bands = {"two.tif: has 2 bands; choose one with FILE|band=N"};
  for (const std::string flag : {"--mask two.tif", "--initial-cost two.tif"})
    expect_refused(cost + flag, bands);
  expect_refused("cost --sites all.gpkg|layer=sites --distance d.npy --cost two.tif", bands);
  expect_refused("cost --sites all.gpkg|layer=sites --distance d.npy --elevation two.tif", bands);
  expect_refused(
      "voronoi --sites all.gpkg|layer=sites --like-grid two.tif --table t.csv --sum-of two.tif",
      bands);
}

TEST_F(FilePartsTest, WhatIsNoPartIsRefused) {
  const auto sites = [](const std::string& name) {
    return "voronoi --sites " + name + " --labels l.npy" + kSmallGrid;
  };
  expect_refused(sites("all.gpkg|layers=sites"), {"'layers=sites'", "FILE|layer=NAME", "band=N"});
  expect_refused(sites("all.gpkg|sites"), {"'sites'", "FILE|layer=NAME"});
  expect_refused(sites("all.gpkg|layer="), {"names no layer"});
  expect_refused(sites("all.gpkg|layer=sites|layer=area"), {"names two layers"});
  expect_refused(sites("all.gpkg|layer=lakes"), {"no layer 'lakes'", "sites, river, area"});
  expect_refused(sites("all.gpkg|layer=sites|band=1"), {"all.gpkg: is a vector file", "band 1"});
  expect_refused(sites("all.gpkg|layer=sites") + "--layer area", {"'sites'", "'area'"});
  expect_refused("info all.gpkg|layer=lakes", {"no layer 'lakes'", "sites, river, area"});
  expect_refused("info two.tif|band=3", {"has 2 bands, and no band 3"});
  expect_refused("info two.tif|band=zwei", {"'zwei'", "whole number from 1 on"});
  expect_refused("info two.tif|layer=a", {"two.tif: is a raster, which has no layer 'a'"});
  expect_refused("info none.tif|band=1", {"none.tif: cannot be opened"});
  expect_refused("proximity two.tif|band=1 p.tif -b 2", {"two.tif", "band 1", "band 2"});
  write_bytes("s.csv", "x,y\n1,1\n");
  expect_refused("voronoi --sites s.csv|layer=a --size 5x5 --labels l.npy",
                 {"s.csv: is a table of text, which has no layer 'a'"});
}

/// A file of the whole name comes first, and parts of such a file can be named.
TEST_F(FilePartsTest, NamesWithABar) {
  write("whole.npy", raster_of<std::uint8_t>({1, 2}, {0, 7}));
  std::filesystem::rename(path("whole.npy"), path("two.tif|band=2"));
  for (const std::string name : {"two.tif|band=2", "two.tif|band=2|band=1"}) {
    succeed("voronoi --overwrite --labels l.npy --sites " + name);
    EXPECT_EQ(read("l.npy").extents(), (Extents{1, 2})) << name;
  }
}

/// The file behind a part is an input like any other.
TEST_F(FilePartsTest, OutputsDoNotReplaceTheirFiles) {
  expect_refused("voronoi --sites two.tif|band=2 --labels two.tif --overwrite",
                 {"two.tif: is the input two.tif"});
  expect_refused(
      "cost --sites two.tif|band=2 --cost-of all.gpkg|layer=river:cost --distance all.gpkg "
      "--overwrite",
      {"all.gpkg: is the input all.gpkg"});
}

}  // namespace
}  // namespace thiessen::cli

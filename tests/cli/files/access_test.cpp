// SPDX-License-Identifier: Apache-2.0
//
// Files from strangers and in stores, and what files say about themselves.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/command.hpp"
#include "io/raster/raster_file.hpp"

namespace thiessen::cli {
namespace {

/// Serves the files of a folder by HTTP, in a process of its own.
class FileServer {
 public:
  /// The port is 0 if there is no Python.
  explicit FileServer(const std::string& folder) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return;
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::execlp("python3", "python3", THIESSEN_SOURCES "/tests/cli/files/file_server.py",
               folder.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    std::FILE* const words = ::fdopen(ends[0], "r");
    if (std::fscanf(words, "%d", &port_) != 1) port_ = 0;
    std::fclose(words);
  }
  ~FileServer() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  FileServer(const FileServer&) = delete;
  FileServer& operator=(const FileServer&) = delete;

  int port() const { return port_; }

 private:
  pid_t process_ = -1;
  int port_ = 0;
};

class AccessTest : public CommandTest {
 protected:
  void SetUp() override {
    if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
    write("plain.tif", raster_of<std::uint8_t>({2, 3}, {1, 0, 0, 0, 0, 0}));
  }

  void expect_complaint(const std::string& arguments, std::initializer_list<std::string> words) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    expect_one_line_of_complaint(outcome);
    for (const std::string& word : words)
      EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
  }
};

TEST_F(AccessTest, ASystemFileIsNotCopiedOut) {
  const std::string raw =
      R"(<VRTDataset rasterXSize="3" rasterYSize="2"><VRTRasterBand dataType="Byte" band="1" )"
      R"(subClass="VRTRawRasterBand"><SourceFilename relativeToVRT="0">/etc/passwd</SourceFilename>)"
      R"(<PixelOffset>1</PixelOffset><LineOffset>3</LineOffset></VRTRasterBand></VRTDataset>)";
  for (const std::string name : {"a.tif", "a.png", "a.vrt"}) {
    write_bytes(name, raw);
    for (const std::string command : {"voronoi --labels o.tif --sites ", "proximity -o o.tif ",
                                      "cost --distance o.tif --random 1 --cost ", "info ",
                                      "render -o o.png --labels ", "compare plain.tif "})
      expect_complaint(command + name, {name, "--driver"});
  }
  const std::vector<std::string> all = names();
  EXPECT_EQ(std::find(all.begin(), all.end(), "o.tif"), all.end());
}

TEST_F(AccessTest, TheNetworkIsAskedOnlyIfAllowed) {
  const std::string url = "/vsicurl/http://127.0.0.1:9/a.tif";
  expect_complaint("voronoi --labels o.tif --sites " + url, {"network", "--allow-remote"});
  const Outcome outcome = run("info --allow-remote " + url);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err.find("--allow-remote"), std::string::npos) << outcome.err;
  expect_complaint("info --driver WMS plain.tif", {"WMS", "--allow-remote"});
}

TEST_F(AccessTest, InputsInStoresAreRead) {
  std::filesystem::create_directory(path("bucket"));
  write("bucket/a.tif", raster_of<std::uint8_t>({2, 3}, {1, 0, 0, 0, 0, 7}));
  const FileServer server(path(".").string());
  if (server.port() == 0) GTEST_SKIP() << "there is no python3";
  const std::string address = "127.0.0.1:" + std::to_string(server.port());
  const Settings settings{.environment = {{"AWS_S3_ENDPOINT", address},
                                          {"AWS_NO_SIGN_REQUEST", "YES"},
                                          {"AWS_HTTPS", "NO"},
                                          {"AWS_VIRTUAL_HOSTING", "FALSE"},
                                          {"NO_PROXY", "127.0.0.1"},
                                          {"no_proxy", "127.0.0.1"}}};
  for (const std::string& name :
       {std::string("/vsis3/bucket/a.tif"), "/vsicurl/http://" + address + "/bucket/a.tif"}) {
    const Outcome outcome = run("compare --allow-remote bucket/a.tif " + name, settings);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }
}

TEST_F(AccessTest, OutputsInStoresAreRefused) {
  for (const std::string name :
       {"/vsis3/bucket/a.tif", "/vsigs/bucket/a.csv", "/vsimem/a.npy", "/vsizip/a.zip/a.png"}) {
    const std::string rule = name + ": an output is written to a local file; copy it there\n";
    for (const std::string command :
         {"voronoi --sites plain.tif --labels ", "voronoi --sites plain.tif --table ",
          "voronoi --sites plain.tif --method jfa --labels o.tif --frames ", "proximity plain.tif ",
          "render --labels plain.tif -o "}) {
      const Outcome outcome = run(command + name + " --allow-remote");
      EXPECT_EQ(outcome.exit_code, 2) << command;
      EXPECT_EQ(outcome.err, "thiessen: " + rule) << command;
    }
  }
  EXPECT_EQ(names(), std::vector<std::string>{"plain.tif"});
}

TEST_F(AccessTest, FormatAndDriverOpenOtherNames) {
  write_bytes("plain", read_bytes("plain.tif"));
  write_bytes("plain.foo", read_bytes("plain.tif"));
  expect_complaint("voronoi --labels o.tif --sites plain", {"suffix", "--driver 'GTiff'"});
  succeed("voronoi --labels a.tif --sites plain --format tif");
  succeed("voronoi --labels b.tif --sites plain.foo --driver GTiff");
  succeed("proximity plain c.tif -q --input-format .tif");
}

TEST_F(AccessTest, ControlCharactersAreNotPrinted) {
  const std::string name = "a\x1b]0;b\x07";
  write_bytes("n.geojson", R"({"type":"FeatureCollection","name":"a\u001b]0;b\u0007\u009b",)"
                           R"("features":[{"type":"Feature","properties":{"x\u001b[1m":1},)"
                           R"("geometry":{"type":"Point","coordinates":[1,2]}}]})");
  const Outcome outcome = run("info n.geojson");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("a?]0;b??"), std::string::npos) << outcome.out;
  for (const char c : outcome.out) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= ' ');
  EXPECT_EQ(outcome.out.find("\xc2\x9b"), std::string::npos);
}

TEST_F(AccessTest, ColoursAreSitesOnlyIfAskedFor) {
  Raster colours = Raster::of<std::uint8_t>({1, 3, 3});
  std::fill_n(colours.bytes(), colours.size_bytes(), std::byte{0});
  colours.view<std::uint8_t>()(0, 1, 0) = 1;
  colours.view<std::uint8_t>()(0, 2, 2) = 3;
  write("c.png", colours);
  write("c.ppm", colours);
  for (const std::string name : {"c.png", "c.ppm"}) {
    const std::string sites = "voronoi --overwrite --labels l.npy --sites " + name;
    expect_complaint(sites, {name, "has 3 bands, red, green and blue", "--band rgb"});
    succeed(sites + " --band rgb");
    EXPECT_EQ(read("l.npy").view<std::uint32_t>()(0, 0), 0x010000U);
    succeed(sites + " --band 3");
    EXPECT_EQ(read("l.npy").view<std::uint8_t>()(0, 0), 3);
    expect_complaint(sites + " --band 4", {"has 3 bands, and no band 4"});
    const Outcome info = run("info --json " + name);
    EXPECT_EQ(nlohmann::json::parse(info.out)["bands"], 3);
    expect_complaint("proximity -o o.tif " + name + " --band rgbx", {"rgbx"});
  }
}

/// A TIFF of one page of 3 x 1 cells with a description, as ImageJ writes it.
std::string imagej_tiff() {
  const std::string description = "ImageJ=1.53t\nunit=micron\n";
  std::string bytes = "II";
  const auto put = [&bytes](std::uint32_t value, int count) {
    for (int byte = 0; byte < count; ++byte) bytes += static_cast<char>(value >> 8 * byte);
  };
  struct Entry {
    std::uint32_t tag, type, count, value;
  };
  constexpr std::uint32_t kRational = 8 + 3, kText = kRational + 8;
  const auto length = static_cast<std::uint32_t>(description.size() + 1);
  const Entry entries[] = {{256, 3, 1, 3}, {257, 3, 1, 1},         {258, 3, 1, 8},
                           {259, 3, 1, 1}, {262, 3, 1, 1},         {270, 2, length, kText},
                           {273, 4, 1, 8}, {277, 3, 1, 1},         {278, 3, 1, 1},
                           {279, 4, 1, 3}, {282, 5, 1, kRational}, {283, 5, 1, kRational},
                           {296, 3, 1, 1}};
  put(42, 2);
  put(kText + length, 4);
  bytes += std::string("\1\0\0", 3);
  put(4, 4);
  put(1, 4);
  bytes += description + '\0';
  put(static_cast<std::uint32_t>(std::size(entries)), 2);
  for (const Entry& entry : entries) {
    put(entry.tag, 2);
    put(entry.type, 2);
    put(entry.count, 4);
    put(entry.value, 4);
  }
  put(0, 4);
  return bytes;
}

TEST_F(AccessTest, VoxelsOfAMicroscopeAreTheSpacing) {
  write_bytes("m.tif", imagej_tiff());
  const std::string distances = "voronoi --sites m.tif --overwrite --json --distance ";
  const Outcome outcome = run(distances + "d.npy");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err,
            "thiessen: m.tif: its cells are 0.25 x 0.25 \u00B5m by its ImageJ description; "
            "--spacing says otherwise\n");
  const nlohmann::json report = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(report["unit"], "\u00B5m");
  EXPECT_EQ(report["spacing"], (std::vector<double>{0.25, 0.25}));
  EXPECT_EQ(read("d.npy").view<float>()(0, 2), 0.5F);
  EXPECT_EQ(run(distances + "d.npy -q").err, "");
  const Outcome given = run(distances + "d.npy --spacing 1,1");
  EXPECT_EQ(given.err, "");
  EXPECT_FALSE(nlohmann::json::parse(given.out).contains("unit"));
  EXPECT_EQ(read("d.npy").view<float>()(0, 2), 2.0F);
  EXPECT_EQ(nlohmann::json::parse(run("info --json m.tif").out)["unit"], "\u00B5m");
  const Outcome geo = run("proximity m.tif p.npy -distunits GEO");
  EXPECT_NE(geo.err.find("0.25 x 0.25 \u00B5m"), std::string::npos) << geo.err;
  EXPECT_EQ(read("p.npy").view<float>()(0, 2), 0.5F);
  EXPECT_EQ(run("proximity m.tif q.npy").err, "");
  EXPECT_EQ(read("q.npy").view<float>()(0, 2), 2.0F);
  write_bytes("p.csv", "0,0\n");
  EXPECT_EQ(run("voronoi --sites p.csv --like m.tif --overwrite --distance d.npy").exit_code, 0);
  EXPECT_EQ(read("d.npy").view<float>()(0, 2), 0.5F);
  EXPECT_EQ(run("cost --cost m.tif --sites p.csv --overwrite --distance d.npy").err,
            "thiessen: m.tif: its cells are 0.25 x 0.25 \u00B5m by its ImageJ description; "
            "--spacing says otherwise\n");
}

}  // namespace
}  // namespace thiessen::cli

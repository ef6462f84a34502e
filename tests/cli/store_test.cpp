// SPDX-License-Identifier: Apache-2.0
//
// Outputs in a store of objects: object_store.py stands for one.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "io/raster/raster_file.hpp"

namespace thiessen::cli {
namespace {

namespace fs = std::filesystem;

/// The stand-in for a store, in a process of its own.
class ObjectStore {
 public:
  /// Serves a folder. is_there() is false if there is no Python.
  explicit ObjectStore(const fs::path& folder) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return;
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::execlp("python3", "python3", THIESSEN_SOURCES "/tests/cli/object_store.py", folder.c_str(),
               nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    std::FILE* const words = ::fdopen(ends[0], "r");
    if (std::fscanf(words, "%d", &port_) != 1) port_ = 0;
    std::fclose(words);
  }
  ~ObjectStore() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  ObjectStore(const ObjectStore&) = delete;
  ObjectStore& operator=(const ObjectStore&) = delete;

  bool is_there() const { return port_ > 0; }
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  pid_t process_ = -1;
  int port_ = 0;
};

class StoreTest : public CommandTest {
 protected:
  void SetUp() override {
    if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
    fs::create_directory(path("store"));
    fs::create_directory(path("staging"));
    store_.emplace(path("store"));
    if (!store_->is_there()) GTEST_SKIP() << "there is no python3";
    write("sites.npy", raster_of<std::uint8_t>({3, 4}, {0, 0, 7, 0, 0, 0, 0, 0, 5, 0, 0, 0}));
    write_bytes("points.geojson", R"({"type":"FeatureCollection","crs":)" + crs() +
                                      R"(,"features":[)" + feature("Alder", "1.5,0.5") + "," +
                                      feature("Birch", "3.5,3.5") + "]}");
  }

  static std::string crs() {
    return R"({"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::32631"}})";
  }
  static std::string feature(const std::string& name, const std::string& place) {
    return R"({"type":"Feature","properties":{"name":")" + name +
           R"("},"geometry":{"type":"Point","coordinates":[)" + place + "]}}";
  }

  Settings settings() const {
    const std::string store = store_->address();
    return {.environment = {{"AWS_S3_ENDPOINT", store},
                            {"AWS_NO_SIGN_REQUEST", "YES"},
                            {"AWS_HTTPS", "NO"},
                            {"AWS_VIRTUAL_HOSTING", "FALSE"},
                            {"VSIS3_CHUNK_SIZE", "1"},
                            {"CPL_GS_ENDPOINT", "http://" + store + "/"},
                            {"GS_NO_SIGN_REQUEST", "YES"},
                            {"OSS_ENDPOINT", store},
                            {"OSS_HTTPS", "NO"},
                            {"OSS_VIRTUAL_HOSTING", "FALSE"},
                            {"OSS_ACCESS_KEY_ID", "a"},
                            {"OSS_SECRET_ACCESS_KEY", "a"},
                            {"NO_PROXY", "127.0.0.1"},
                            {"no_proxy", "127.0.0.1"},
                            {"TMPDIR", path("staging").string()}}};
  }

  Outcome run_there(const std::string& arguments) const { return run(arguments, settings()); }

  void succeed_there(const std::string& arguments) const {
    const Outcome outcome = run_there(arguments + " --allow-remote");
    EXPECT_EQ(outcome.exit_code, 0) << arguments;
    EXPECT_EQ(outcome.err, "") << arguments;
    expect_nothing_staged();
  }

  void expect_refused(const std::string& arguments, const std::string& words) const {
    const Outcome outcome = run_there(arguments);
    EXPECT_TRUE(outcome.exit_code == 1 || outcome.exit_code == 2) << arguments;
    expect_one_line_of_complaint(outcome);
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    expect_nothing_staged();
  }

  void expect_nothing_staged() const { EXPECT_TRUE(fs::is_empty(path("staging"))); }

  /// The names of the objects of a bucket.
  std::set<std::string> objects(const std::string& bucket) const {
    std::set<std::string> names;
    const fs::path folder = path("store") / bucket;
    if (!fs::exists(folder)) return names;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file()) names.insert(entry.path().lexically_relative(folder).string());
    return names;
  }

  /// What was asked of the store, without looks.
  std::vector<std::string> changes() const {
    std::vector<std::string> lines;
    for (const std::string& line : lines_of(read_bytes("store/requests")))
      if (!line.starts_with("GET") && !line.starts_with("HEAD")) lines.push_back(line);
    return lines;
  }

  void hold() const { write_bytes("store/hold", ""); }

 private:
  std::optional<ObjectStore> store_;
};

constexpr const char* kPlace = " --bounds 0,0,4,4 --cell-size 1";

TEST_F(StoreTest, EveryKindOfOutputIsUploadedAsItIsWritten) {
  const std::string command =
      "voronoi --sites points.geojson --label-field name" + std::string(kPlace);
  const std::vector<std::pair<std::string, std::string>> files = {
      {"--labels", "l.tif"},    {"--distance", "d.npy"},       {"--picture", "p.png"},
      {"--direction", "a.img"}, {"--polygons", "r.shp"},       {"--edges", "e.geojson"},
      {"--table", "t.csv"},     {"--contours-to", "c.geojson"}};
  std::string here = command, there = command;
  fs::create_directory(path("here"));
  for (const auto& [flag, name] : files) {
    here += " " + flag + " here/" + name;
    there += " " + flag + " /vsis3/open/there/" + name;
  }
  succeed(here);
  succeed_there(there);
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(path("here"))) {
    const std::string name = entry.path().filename().string();
    names.insert("there/" + name);
    EXPECT_EQ(read_bytes("here/" + name), read_bytes("store/open/there/" + name)) << name;
  }
  EXPECT_EQ(objects("open"), names);
  for (const char* const beside : {"l.tif.aux.xml", "r.dbf", "r.shx", "r.prj"})
    EXPECT_TRUE(names.contains(std::string("there/") + beside)) << beside;
}

TEST_F(StoreTest, PathsPicturesMapsAndWorldFilesAreUploaded) {
  succeed("voronoi --sites points.geojson --labels l.tif" + std::string(kPlace));
  succeed_there("render --labels l.tif -o /vsis3/open/p.png --world-file");
  succeed_there("render --labels l.tif -o /vsis3/open/page.html");
  write_bytes("start.csv", "x,y\n3,2\n");
  succeed_there(
      "cost --map uniform --sites sites.npy --paths-from start.csv --paths /vsis3/open/paths.csv");
  EXPECT_EQ(objects("open"), (std::set<std::string>{"p.png", "p.pgw", "page.html", "paths.csv"}));
}

/// What the documentation shows does what it says.
TEST_F(StoreTest, DocumentedCommandsRun) {
  succeed("voronoi --sites points.geojson --labels coast.tif --max-distance 0" +
          std::string(kPlace));
  std::ifstream page(THIESSEN_SOURCES "/docs/semantics.md");
  bool is_there = false;
  int commands = 0;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("#")) is_there = line == "### Stores of objects";
    if (!is_there || !line.starts_with("thiessen ")) continue;
    const Outcome outcome = run_there(line.substr(9));
    EXPECT_EQ(outcome.exit_code, 0) << line << "\n" << outcome.err;
    ++commands;
  }
  EXPECT_EQ(commands, 2);
  EXPECT_EQ(objects("maps"),
            (std::set<std::string>{"nearest.tif", "metres.tif", "nearest.png", "nearest.pgw"}));
}

TEST_F(StoreTest, WhatIsThereIsReadAgain) {
  succeed_there("voronoi --sites sites.npy --labels /vsis3/open/l.tif");
  succeed_there("proximity /vsis3/open/l.tif /vsis3/open/d.tif");
  succeed("voronoi --sites sites.npy --labels l.tif");
  const Outcome compared = run_there("compare l.tif /vsis3/open/l.tif --allow-remote");
  EXPECT_EQ(compared.exit_code, 0) << compared.err;
}

TEST_F(StoreTest, ExistingObjectsAreKeptUnlessTold) {
  const std::string command = "voronoi --sites sites.npy --labels /vsis3/open/l.npy";
  fs::create_directories(path("store/open/folder"));
  write_bytes("store/open/l.npy", "before");
  write_bytes("store/open/folder/a", "before");
  expect_refused(command + " --allow-remote",
                 "/vsis3/open/l.npy: exists already; only --overwrite replaces it");
  EXPECT_EQ(read_bytes("store/open/l.npy"), "before");
  succeed_there(command + " --overwrite");
  EXPECT_NE(read_bytes("store/open/l.npy"), "before");
  expect_refused("voronoi --sites sites.npy --allow-remote --overwrite --labels /vsis3/open/folder",
                 "names no format");
  fs::create_directories(path("store/open/folder.npy"));
  write_bytes("store/open/folder.npy/a", "before");
  expect_refused(
      "voronoi --sites sites.npy --allow-remote --overwrite --labels /vsis3/open/folder.npy",
      "is a folder of the store");
}

TEST_F(StoreTest, AnObjectThatComesMeanwhileIsKept) {
  fs::create_directory(path("store/open"));
  Settings own = settings();
  own.interruption = Interruption{.signal = SIGINT, .ready = [this](pid_t process) {
                                    if (!open_files(process, path("staging")).empty())
                                      write_bytes("store/open/l.npy", "of another run");
                                    return false;
                                  }};
  const Outcome outcome =
      run("voronoi --random 3000 --size 600x600 --method brute-force --labels /vsis3/open/l.npy "
          "--allow-remote",
          own);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("exists already"), std::string::npos) << outcome.err;
  EXPECT_EQ(read_bytes("store/open/l.npy"), "of another run");
}

TEST_F(StoreTest, AStoreThatDoesNotTellIsNotWrittenUnlessTold) {
  const std::string command = "voronoi --sites sites.npy --labels /vsis3/silent/l.npy";
  expect_refused(command + " --allow-remote", "/vsis3/silent/l.npy: ");
  EXPECT_TRUE(objects("silent").empty());
  succeed_there(command + " --overwrite");
  EXPECT_EQ(objects("silent"), std::set<std::string>{"l.npy"});
  expect_refused("voronoi --sites sites.npy --labels /vsis3/gone/l.npy --allow-remote",
                 "/vsis3/gone/l.npy: cannot be looked up in its store: NoSuchBucket, No.");
}

TEST_F(StoreTest, OtherStoresSpeakLikewise) {
  succeed("voronoi --sites sites.npy --labels l.npy");
  for (const std::string store : {"/vsigs/", "/vsioss/"}) {
    succeed_there("voronoi --sites sites.npy --overwrite --labels " + store + "open/l.npy");
    EXPECT_EQ(read_bytes("l.npy"), read_bytes("store/open/l.npy"));
    expect_refused("voronoi --sites sites.npy --allow-remote --labels " + store + "open/l.npy",
                   "exists already");
    expect_refused("voronoi --sites sites.npy --allow-remote --labels " + store + "refuse/l.npy",
                   "cannot be uploaded: AccessDenied, No.");
    fs::remove(path("store/open/l.npy"));
  }
}

TEST_F(StoreTest, AnInputIsNoOutput) {
  succeed_there("voronoi --sites sites.npy --labels /vsis3/open/l.npy");
  expect_refused(
      "voronoi --sites /vsis3/open/l.npy --labels /vsis3/open/l.npy --overwrite --allow-remote",
      "/vsis3/open/l.npy: is an input, too");
}

TEST_F(StoreTest, ARefusedUploadLeavesNothing) {
  expect_refused(
      "voronoi --sites sites.npy --labels here.npy --distance /vsis3/refuse/d.npy --allow-remote",
      "/vsis3/refuse/d.npy: cannot be uploaded: AccessDenied, No.");
  EXPECT_FALSE(fs::exists(path("here.npy")));
  EXPECT_TRUE(objects("refuse").empty());
}

TEST_F(StoreTest, WhatWasUploadedBeforeAFailureIsWithdrawn) {
  expect_refused(
      "voronoi --sites sites.npy --labels /vsis3/full/l.npy --distance /vsis3/full/d.npy "
      "--allow-remote",
      "/vsis3/full/d.npy: cannot be uploaded");
  EXPECT_TRUE(objects("full").empty());
  expect_refused("voronoi --sites points.geojson --polygons /vsis3/full/p.shp --allow-remote" +
                     std::string(kPlace),
                 "cannot be uploaded");
  EXPECT_TRUE(objects("full").empty());
}

TEST_F(StoreTest, PlacesWhereNothingAppearsWholeAreRefused) {
  const std::string command = "voronoi --sites sites.npy --allow-remote --labels ";
  expect_refused(command + "/vsimem/l.npy", "is in the memory of this process");
  expect_refused(command + "/vsizip/a.zip/l.tif", "is in an archive");
  expect_refused(command + "/vsitar/a.tar/l.tif", "is in an archive");
  expect_refused(command + "/vsigzip/l.npy", "is in an archive");
  expect_refused(command + "/vsiaz/a/l.npy", "shows a file before it is whole");
  expect_refused(command + "/vsiwebhdfs/l.npy", "shows a file before it is whole");
  expect_refused(command + "/vsiswift/a/l.npy", "where it refuses a file");
  expect_refused(command + "/vsicurl/http://127.0.0.1:9/l.npy", "takes no files");
  expect_refused(command + "/vsinothing/l.npy", "is a name for GDAL alone (/vsi…)");
  expect_refused(command + "/vsis3/l.npy", "names no object; must be /vsis3/BUCKET/NAME");
  expect_refused("voronoi --sites sites.npy --labels /vsis3/open/l.npy",
                 "is on the network, which is asked only with --allow-remote");
  EXPECT_FALSE(fs::exists(path("store/requests")));
}

TEST_F(StoreTest, AFullFolderForTemporaryFilesIsNamed) {
  const std::string command =
      "voronoi --random 9 --size 300x300 --labels /vsis3/open/l.npy --allow-remote";
  Settings own = settings();
  own.file_size_limit = 100'000;
  const Outcome full = run(command, own);
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_NE(full.err.find("/vsis3/open/l.npy: cannot be written in " + path("staging").string()),
            std::string::npos)
      << full.err;
  fs::remove(path("staging"));
  const Outcome gone = run(command, settings());
  EXPECT_EQ(gone.exit_code, 1);
  EXPECT_NE(gone.err.find("the folder for temporary files (TMPDIR), which cannot be used"),
            std::string::npos)
      << gone.err;
  EXPECT_TRUE(objects("open").empty());
}

/// An upload of parts, and one that does not fit into what lies between the two sides.
TEST_F(StoreTest, AKilledUploadLeavesNothing) {
  for (const char* const chunk : {"1", "64"}) {
    hold();
    fs::remove(path("store/begun"));
    Settings own = settings();
    std::erase_if(own.environment,
                  [](const auto& each) { return each.first == "VSIS3_CHUNK_SIZE"; });
    own.environment.emplace_back("VSIS3_CHUNK_SIZE", chunk);
    own.interruption = Interruption{
        .signal = SIGKILL, .ready = [this](pid_t) { return fs::exists(path("store/begun")); }};
    const Outcome outcome =
        run("voronoi --random 9 --size 3000x3000 --labels /vsis3/slow/l.npy --distance d.npy "
            "--allow-remote",
            own);
    EXPECT_EQ(outcome.signal, SIGKILL);
    fs::remove(path("store/hold"));
    // The next run clears what has a name.
    succeed_there("voronoi --sites sites.npy --overwrite --labels /vsis3/open/l.npy");
    EXPECT_TRUE(objects("slow").empty());
    EXPECT_FALSE(fs::exists(path("d.npy")));
  }
}

/// The upload is one of parts, which the store forgets.
TEST_F(StoreTest, AnInterruptedUploadIsTakenBack) {
  hold();
  Settings own = settings();
  own.interruption =
      Interruption{.signal = SIGINT, .ready = [this](pid_t) {
                     return fs::exists(path("store/begun")) && fs::remove(path("store/hold"));
                   }};
  const Outcome outcome =
      run("voronoi --random 9 --size 1000x1000 --labels /vsis3/slow/l.npy --allow-remote", own);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_TRUE(objects("slow").empty());
  EXPECT_EQ(changes().back(), "DELETE /slow/l.npy?uploadId=1");
  expect_nothing_staged();
}

TEST_F(StoreTest, SlabsAreUploadedWhole) {
  const std::string command = "voronoi --random 90 --size 900x800 --slab-rows 100 ";
  succeed(command + "--labels l.npy --distance d.tif");
  succeed_there(command + "--labels /vsis3/open/l.npy --distance /vsis3/open/d.tif");
  EXPECT_EQ(read_bytes("l.npy"), read_bytes("store/open/l.npy"));
  EXPECT_EQ(read_bytes("d.tif"), read_bytes("store/open/d.tif"));
}

/// A folder of many objects, of which readers see nothing before the last one.
TEST_F(StoreTest, MetadataOfZarrComesLast) {
  const std::string command =
      "voronoi --sites sites.npy --allow-remote --labels /vsis3/open/l.zarr";
  succeed_there(command);
  const std::vector<std::string> requests = changes();
  EXPECT_EQ(requests.back(), "PUT /open/l.zarr/.zmetadata");
  EXPECT_TRUE(requests[requests.size() - 2].starts_with("PUT /open/l.zarr/.z"));
  expect_refused(command + " --overwrite", "is a folder of the store, which is not replaced");
}

}  // namespace
}  // namespace thiessen::cli

// SPDX-License-Identifier: Apache-2.0
//
// An output file before it has its name: what a killed process leaves, who owns the file, and when
// it is on the disk.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "io/files/output_file.hpp"
#include "test_files.hpp"

namespace {

/// The inodes that fsync, below, was called with, and its answer.
std::vector<ino_t>* synced = nullptr;
std::atomic<int> sync_error{0};

}  // namespace

/// Replaces the function of the C library.
extern "C" int fsync(int descriptor) {
  struct stat status {};
  if (synced != nullptr && ::fstat(descriptor, &status) == 0) synced->push_back(status.st_ino);
  if (sync_error != 0) {
    errno = sync_error;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

namespace thiessen::io {
namespace {

namespace fs = std::filesystem;

/// Runs with names or without, as far as the file system of the tests can.
class HiddenFileTest : public FileTest, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    ::setenv("THIESSEN_UNNAMED_FILES", GetParam() ? "1" : "0", 1);
    const int trial = GetParam() ? ::open(folder().c_str(), O_TMPFILE | O_RDWR, 0600) : 0;
    if (trial < 0) GTEST_SKIP() << "this file system has no files without names";
    if (trial > 0) ::close(trial);
  }
  void TearDown() override {
    ::unsetenv("THIESSEN_UNNAMED_FILES");
    synced = nullptr;
    sync_error = 0;
  }

  static void put_all(const fs::path& path, const std::string& text) {
    OutputFile file(path, true);
    file.write(text.data(), text.size());
    file.commit();
  }

  /// A process of its own that has begun to write the file and is then killed.
  void kill_a_writer(const std::string& name) const {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      OutputFile file(path(name), true);
      const std::string much(std::size_t{4} << 20, 'a');
      file.write(much.data(), much.size());
      if (::write(ends[1], "r", 1) == 1)
        for (;;) ::pause();
      ::_exit(1);
    }
    char ready = 0;
    EXPECT_EQ(::read(ends[0], &ready, 1), 1);
    EXPECT_EQ(entries(), GetParam() ? 0 : 1) << "the file is hidden, or has no name at all";
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    for (const int end : ends) ::close(end);
  }

  static ino_t inode_of(const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_ino;
  }

  fs::path folder() const { return path("a").parent_path(); }
};

TEST_P(HiddenFileTest, NothingOfAKilledProcessOutlivesTheNextRun) {
  kill_a_writer("a");
  put_all(path("b"), "hello");
  EXPECT_EQ(entries(), 1);
  EXPECT_EQ(bytes_of(path("b")), "hello");
}

TEST_P(HiddenFileTest, FilesOfOthersStay) {
  const std::vector<std::string> names = {".a.npy.1234-0.part", ".thiessen-elsewhere-12-0.part",
                                          "a.part", ".a.thiessen-part"};
  for (const std::string& name : names) make_file(name, "precious");
  put_all(path("b"), "hello");
  for (const std::string& name : names) EXPECT_EQ(bytes_of(path(name)), "precious") << name;
}

/// The file seems to belong to a process that still writes it, or to a file system without locks.
TEST_P(HiddenFileTest, AHiddenFileWithALockStays) {
  std::string host(65, '\0');
  ASSERT_EQ(::gethostname(host.data(), host.size()), 0);
  const std::string name = ".a.thiessen-" + std::string(host.c_str()) + "-1-0.part";
  make_file(name, "half");
  const int writer = ::open(path(name).c_str(), O_RDWR);
  ASSERT_EQ(::flock(writer, LOCK_EX), 0);
  put_all(path("b"), "hello");
  EXPECT_EQ(bytes_of(path(name)), "half");
  ::close(writer);
}

TEST_P(HiddenFileTest, AReplacedFileLeavesItsMode) {
  for (const unsigned mode : {0640U, 0600U, 0664U, 0755U}) {
    make_file("a", "old");
    ASSERT_EQ(::chmod(path("a").c_str(), mode), 0);
    put_all(path("a"), "new");
    EXPECT_EQ(bytes_of(path("a")), "new");
    EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(mode));
  }
  EXPECT_EQ(entries(), 1);
}

TEST_P(HiddenFileTest, ANewFileHasTheUsualMode) {
  const mode_t before = ::umask(027);
  put_all(path("a"), "hello");
  ::umask(before);
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(0640));
}

TEST_P(HiddenFileTest, AReplacedFileLeavesItsOwner) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may give files away";
  constexpr uid_t kNobody = 65534;
  make_file("a", "old");
  ASSERT_EQ(::chown(path("a").c_str(), kNobody, kNobody), 0);
  ASSERT_EQ(::chmod(path("a").c_str(), 02710), 0);
  put_all(path("a"), "new");
  struct stat status {};
  ASSERT_EQ(::stat(path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, kNobody);
  EXPECT_EQ(status.st_gid, kNobody);
  EXPECT_EQ(status.st_mode & 07777, 02710U);
}

TEST_P(HiddenFileTest, TheFileAndThenItsFolderAreSynced) {
  std::vector<ino_t> inodes;
  synced = &inodes;
  put_all(path("a"), "hello");
  EXPECT_EQ(inodes, (std::vector<ino_t>{inode_of(path("a")), inode_of(folder())}));
  inodes.clear();
  OutputFile file(path("b"), false);
  file.sync();
  file.commit();
  EXPECT_EQ(inodes, (std::vector<ino_t>{inode_of(path("b")), inode_of(folder())}));
}

TEST_P(HiddenFileTest, ADiskThatFailsAtTheEndLeavesWhatThereWas) {
  make_file("a", "old");
  OutputFile file(path("a"), true);
  file.write("new", 3);
  sync_error = EIO;
  expect_words(io_error_of([&] { file.commit(); }), {"/a: ", "Input/output error"});
  EXPECT_EQ(bytes_of(path("a")), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_P(HiddenFileTest, AFileSystemThatCannotSyncIsFine) {
  sync_error = EINVAL;
  put_all(path("a"), "new");
  EXPECT_EQ(bytes_of(path("a")), "new");
}

INSTANTIATE_TEST_SUITE_P(Names, HiddenFileTest, testing::Bool(), [](const auto& test) {
  return test.param ? std::string("none") : std::string("hidden");
});

}  // namespace
}  // namespace thiessen::io

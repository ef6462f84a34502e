// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "test_files.hpp"

namespace thiessen::io {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public FileTest {
 protected:
  static void put(OutputFile& file, const std::string& text) {
    file.write(text.data(), text.size());
  }

  static void put_all(const fs::path& path, bool overwrite, const std::string& text) {
    OutputFile file(path, overwrite);
    put(file, text);
    file.commit();
  }
};

TEST_F(OutputFileTest, AppearsWholeWhenCommitted) {
  OutputFile file(path("a"), false);
  EXPECT_EQ(file.target(), path("a"));
  put(file, "hello ");
  put(file, "world");
  file.close();
  EXPECT_FALSE(fs::exists(path("a")));
  file.commit();
  EXPECT_EQ(bytes_of(path("a")), "hello world");
  EXPECT_EQ(entries(), 1);
  file.commit();
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFileTest, LeavesNothingWithoutCommit) {
  {
    OutputFile file(path("a"), false);
    put(file, "hello");
  }
  {
    OutputFile file(path("a"), false);
    put(file, "hello");
    file.close();
  }
  EXPECT_EQ(entries(), 0);
}

TEST_F(OutputFileTest, ExistingFilesAreKeptUnlessTold) {
  make_file("a", "old");
  expect_words(io_error_of([&] { OutputFile(path("a"), false); }), {"/a: ", "exists already"});
  { OutputFile abandoned(path("a"), true); }
  EXPECT_EQ(bytes_of(path("a")), "old");
  put_all(path("a"), true, "new");
  EXPECT_EQ(bytes_of(path("a")), "new");
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFileTest, AFileThatAppearsMeanwhileIsKept) {
  OutputFile file(path("a"), false);
  put(file, "mine");
  make_file("a", "theirs");
  expect_words(io_error_of([&] { file.commit(); }), {"/a: ", "File exists"});
  EXPECT_EQ(bytes_of(path("a")), "theirs");
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFileTest, TwoOfTheSameNameDoNotCollide) {
  OutputFile first(path("a"), true);
  OutputFile second(path("a"), true);
  put(first, "first");
  put(second, "second");
  second.commit();
  EXPECT_EQ(bytes_of(path("a")), "second");
  first.commit();
  EXPECT_EQ(bytes_of(path("a")), "first");
  EXPECT_EQ(entries(), 1);
}

/// A moved file is still written, and named once.
TEST_F(OutputFileTest, SeveralGetTheirNamesTogether) {
  OutputFile first(path("a"), false);
  OutputFile second(path("b"), false);
  put(first, "one");
  put(second, "two");
  EXPECT_THROW(commit_all({&first, &second}, [] { throw Error(ErrorCode::cancelled, ""); }), Error);
  EXPECT_EQ(entries(), 0);
  commit_all({&first, &second});
  EXPECT_EQ(bytes_of(path("a")), "one");
  EXPECT_EQ(bytes_of(path("b")), "two");
}

TEST_F(OutputFileTest, Moves) {
  OutputFile first(path("a"), false);
  put(first, "hello");
  {
    OutputFile second(std::move(first));
    put(second, " world");
    second.commit();
  }
  EXPECT_EQ(bytes_of(path("a")), "hello world");
}

TEST_F(OutputFileTest, ImpossibleTargetsAreKnownAtOnce) {
  expect_words(io_error_of([&] { OutputFile(path("none/a"), false); }),
               {"none/a: ", "No such file or directory"});
  fs::create_directory(path("folder"));
  expect_words(io_error_of([&] { OutputFile(path("folder"), true); }), {"Is a directory"});
  expect_words(io_error_of([&] { OutputFile(path("new/"), true); }), {"No such file or directory"});
  expect_words(io_error_of([] { OutputFile("", true); }), {"'': ", "No such file or directory"});
  expect_words(io_error_of([&] { OutputFile(path(std::string(300, 'a')), true); }),
               {"File name too long"});
  expect_words(io_error_of([&] { OutputFile(path("line\nfeed/a"), true); }), {"line?feed/a: "});
}

TEST_F(OutputFileTest, PermissionsAreRespected) {
  if (::geteuid() == 0) GTEST_SKIP() << "nothing is forbidden to root";
  make_file("a", "old");
  fs::permissions(path("a"), fs::perms::owner_read);
  expect_words(io_error_of([&] { OutputFile(path("a"), true); }), {"/a: ", "Permission denied"});
  fs::create_directory(path("folder"));
  fs::permissions(path("folder"), fs::perms::owner_read | fs::perms::owner_exec);
  expect_words(io_error_of([&] { OutputFile(path("folder/a"), true); }), {"Permission denied"});
  fs::permissions(path("a"), fs::perms::none);
  expect_words(io_error_of([&] { read_raster(path("a")); }), {"/a: ", "Permission denied"});
}

TEST_F(OutputFileTest, PermissionsFollowTheUmask) {
  const mode_t before = ::umask(027);
  put_all(path("a"), false, "hello");
  ::umask(before);
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(0640));
}

TEST_F(OutputFileTest, NamesOfFullLengthArePossible) {
  const std::string name(255, 'n');
  put_all(path(name), false, "hello");
  EXPECT_EQ(bytes_of(path(name)), "hello");
}

TEST_F(OutputFileTest, SymbolicLinksAreFollowed) {
  fs::create_directory(path("folder"));
  make_file("folder/real", "old");
  fs::create_symlink("folder/real", path("relative"));
  fs::create_symlink(path("relative"), path("absolute"));
  put_all(path("absolute"), true, "new");
  EXPECT_EQ(bytes_of(path("folder/real")), "new");
  EXPECT_TRUE(fs::is_symlink(path("absolute")));
  EXPECT_TRUE(fs::is_symlink(path("relative")));
  expect_words(io_error_of([&] { OutputFile(path("absolute"), false); }), {"exists already"});
  fs::create_symlink("folder/missing", path("dangling"));
  put_all(path("dangling"), false, "created");
  EXPECT_EQ(bytes_of(path("folder/missing")), "created");
  fs::create_symlink("loop", path("loop"));
  expect_words(io_error_of([&] { OutputFile(path("loop"), true); }), {"Too many levels"});
}

TEST_F(OutputFileTest, DevicesAreWrittenDirectly) {
  put_all("/dev/null", false, "hello");
  OutputFile full("/dev/full", false);
  put(full, "hello");
  expect_words(io_error_of([&] { full.commit(); }), {"/dev/full: ", "No space left on device"});
  OutputFile again("/dev/full", false);
  const std::string much(1 << 22, 'a');
  expect_words(io_error_of([&] { put(again, much); }), {"/dev/full: ", "No space left on device"});
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(OutputFileTest, PipesAreWrittenDirectly) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  put_all("/dev/fd/" + std::to_string(ends[1]), false, "hello");
  std::array<char, 10> text{};
  EXPECT_EQ(::read(ends[0], text.data(), text.size()), 5);
  EXPECT_STREQ(text.data(), "hello");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(OutputFileTest, FilesWithoutANameAreWrittenDirectly) {
  make_file("a", "old and longer");
  const int descriptor = ::open(path("a").c_str(), O_RDWR);
  fs::remove(path("a"));
  put_all("/dev/fd/" + std::to_string(descriptor), true, "hello");
  std::array<char, 20> text{};
  EXPECT_EQ(::read(descriptor, text.data(), text.size()), 5);
  EXPECT_STREQ(text.data(), "hello");
  EXPECT_EQ(entries(), 0);
  ::close(descriptor);
}

TEST_F(OutputFileTest, WritingAfterCloseIsAnError) {
  OutputFile file(path("a"), false);
  file.close();
  file.close();
  expect_words(io_error_of([&] { put(file, "late"); }), {"/a: ", "cannot be written"});
}

TEST_F(OutputFileTest, AFailedFlushIsReportedAndLeavesNothing) {
  const FileSizeLimit limit(10'000);
  OutputFile file(path("a"), false);
  put(file, std::string(20'000, 'a'));  // still in the buffer
  expect_words(io_error_of([&] { file.close(); }), {"/a: ", "File too large"});
  EXPECT_EQ(entries(), 0);
}

TEST_F(OutputFileTest, RastersThatDoNotFitTheDiskLeaveNothing) {
  const Raster raster = patterned(ElementType::u16, {1'500, 1'000});
  const View<const void> flipped(raster.bytes() + 1'499 * 2'000, ElementType::u16, {1'500, 1'000},
                                 {-2'000, 2});
  const FileSizeLimit limit(10'000);
  for (const char* const name : {"a.npy", "a.png", "a.pgm"}) {
    for (const View<const void>& view : {View<const void>(raster.view()), flipped}) {
      expect_words(io_error_of([&] { write(name, view); }), {name, "File too large"});
      EXPECT_EQ(entries(), 0);
    }
  }
}

TEST_F(OutputFileTest, UnreadableInputsAreNamed) {
  expect_words(io_error_of([&] { read_raster(path("none.npy")); }),
               {"none.npy: ", "No such file or directory"});
  expect_words(io_error_of([&] { read_raster(path("")); }), {"Is a directory"});
  expect_words(io_error_of([] { read_raster("/dev/null"); }), {"/dev/null: is empty"});
  expect_words(io_error_of([] { read_raster("/dev/zero"); }), {"/dev/zero: is none of NPY"});
  expect_words(io_error_of([] { read_raster("/proc/self/status"); }), {"begins with 'Name:"});
}

}  // namespace
}  // namespace thiessen::io

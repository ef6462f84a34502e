// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "io/files/output_file.hpp"
#include "io/raster/raster_file.hpp"

extern char** environ;

namespace thiessen::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
    source = ends[0];
    sink = ends[1];
  }
  ~Pipe() {
    ::close(source);
    close_sink();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void close_sink() {
    if (sink >= 0) ::close(sink);
    sink = -1;
  }

  int source = -1;
  int sink = -1;
};

/// Replaces a pipe by a terminal: what is written to the sink comes out of the source.
void become_terminal(Pipe& pipe, int columns) {
  const winsize size{24, static_cast<unsigned short>(columns), 0, 0};
  int source = -1;
  int sink = -1;
  if (::openpty(&source, &sink, nullptr, nullptr, &size) != 0) fail("openpty");
  for (const auto& [from, to] : {std::pair(source, pipe.source), std::pair(sink, pipe.sink)}) {
    if (::dup3(from, to, O_CLOEXEC) < 0) fail("dup3");
    ::close(from);
  }
}

/// Pointers for execve. They are made before fork, since nothing may allocate between the two.
class Words {
 public:
  explicit Words(std::vector<std::string> words) : words_(std::move(words)) {
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
  }
  char* const* pointers() const { return pointers_.data(); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

std::vector<std::string> environment_of(const Settings& settings) {
  std::vector<std::string> words;
  for (char** word = environ; *word != nullptr; ++word) {
    const std::string_view text = *word;
    const bool replaced = std::any_of(
        settings.environment.begin(), settings.environment.end(),
        [&](const auto& entry) { return text.substr(0, text.find('=')) == entry.first; });
    if (!replaced) words.emplace_back(text);
  }
  for (const auto& [name, value] : settings.environment) words.push_back(name + "=" + value);
  return words;
}

/// True if there is no limit to set, or it is set.
bool limit_resource(decltype(RLIMIT_AS) resource, std::optional<std::uint64_t> bytes) {
  if (!bytes) return true;
  const rlimit limit{*bytes, *bytes};
  return ::setrlimit(resource, &limit) == 0;
}

/// The child's side of fork: only calls that are safe there.
[[noreturn]] void become(const Words& arguments, const Words& environment, const Settings& settings,
                         int out, int err) {
  constexpr int kNoSuchCommand = 127;
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (settings.output) out = ::open(settings.output->c_str(), O_WRONLY);
  bool fine = ::dup2(nothing, STDIN_FILENO) >= 0 && ::dup2(out, STDOUT_FILENO) >= 0;
  fine = fine &&
         (settings.close_stderr ? ::close(STDERR_FILENO) == 0 : ::dup2(err, STDERR_FILENO) >= 0);
  if (nothing > STDERR_FILENO) ::close(nothing);
  fine = fine && ::chdir(settings.folder.c_str()) == 0;
  fine = fine && limit_resource(RLIMIT_FSIZE, settings.file_size_limit);
  fine = fine && limit_resource(RLIMIT_AS, settings.memory_limit);
  fine = fine && limit_resource(RLIMIT_STACK, settings.stack_limit);
  // A wanted crash must not leave its memory in the folder.
  limit_resource(RLIMIT_CORE, 0);
  const char* const program =
      settings.launcher.empty() ? THIESSEN_COMMAND : settings.launcher.front().c_str();
  if (fine) ::execve(program, arguments.pointers(), environment.pointers());
  ::_exit(kNoSuchCommand);
}

#ifdef THIESSEN_NURSERY

/// A running program of nursery.cpp, which forks commands.
class Nursery {
 public:
  Nursery() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
      fail("socketpair");
    constexpr int kSocket = 3;
    const pid_t child = ::fork();
    if (child < 0) fail("fork");
    if (child == 0) {
      // A copy of a descriptor stays open in the program.
      if (ends[1] == kSocket) ::fcntl(kSocket, F_SETFD, 0);
      if (ends[1] == kSocket || ::dup2(ends[1], kSocket) >= 0)
        ::execl(THIESSEN_NURSERY, THIESSEN_NURSERY, nullptr);
      ::_exit(1);
    }
    ::close(ends[1]);
    socket_ = ends[0];
  }

  /// A child of this process that runs the command.
  pid_t run(const fs::path& folder, const std::vector<std::string>& arguments, int out, int err) {
    std::string text = folder.string() + '\0';
    for (const std::string& word : arguments) text += word + '\0';
    const std::array<int, 2> streams{out, err};
    iovec part{text.data(), text.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(streams))> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* const given = CMSG_FIRSTHDR(&message);
    given->cmsg_level = SOL_SOCKET;
    given->cmsg_type = SCM_RIGHTS;
    given->cmsg_len = CMSG_LEN(sizeof(streams));
    std::memcpy(CMSG_DATA(given), streams.data(), sizeof(streams));
    if (::sendmsg(socket_, &message, 0) < 0) fail("sendmsg");
    pid_t child = -1;
    if (::recv(socket_, &child, sizeof(child), 0) != sizeof(child) || child < 0) fail("nursery");
    return child;
  }

 private:
  int socket_ = -1;  // its end is that of the nursery
};

/// Whether the nursery does for these settings: a new program would behave in no other way.
bool are_plain(const Settings& settings) {
  return settings.launcher.empty() && settings.environment.empty() && !settings.file_size_limit &&
         !settings.memory_limit && !settings.stack_limit && !settings.close_stderr &&
         !settings.output && !settings.terminal && !settings.interruption;
}

#endif

/// Whether a process has a handler for the signal. Before that, while its libraries are loaded, a
/// signal would only show what the system does.
bool catches(pid_t process, int signal) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  std::uint64_t caught = 0;
  for (std::string name, value; status >> name && std::getline(status, value);)
    if (name == "SigCgt:") caught = std::stoull(value, nullptr, 16);
  return (caught >> (signal - 1)) % 2 == 1;
}

/// Listens to a running command until it has closed both of its streams.
class Listener {
 public:
  Listener(pid_t child, const Settings& settings) : child_(child), settings_(settings) {}

  void listen(int out, int err, Outcome& outcome) {
    std::array<pollfd, 2> streams{{{out, POLLIN, 0}, {err, POLLIN, 0}}};
    const std::array<std::string*, 2> texts{&outcome.out, &outcome.err};
    for (int open = 2; open > 0;) {
      constexpr int kMilliseconds = 2;
      if (::poll(streams.data(), streams.size(), kMilliseconds) < 0 && errno != EINTR) fail("poll");
      for (std::size_t i = 0; i < streams.size(); ++i) {
        if (streams[i].fd < 0 || streams[i].revents == 0) continue;
        std::array<char, 4096> bytes{};
        const ssize_t count = ::read(streams[i].fd, bytes.data(), bytes.size());
        if (count > 0) texts[i]->append(bytes.data(), static_cast<std::size_t>(count));
        if (count > 0) continue;
        streams[i].fd = -1;  // poll passes over it
        --open;
      }
      watch(outcome);
    }
    // If stderr is closed and stdout is elsewhere, the streams do not show its end.
    while (::waitpid(child_, &status_, WNOHANG) == 0) {
      ::usleep(1000);
      watch(outcome);
    }
    if (sent_) outcome.reaction = Clock::now() - *sent_;
    outcome.signal = WIFSIGNALED(status_) ? WTERMSIG(status_) : 0;
    outcome.exit_code = WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
  }

 private:
  void watch(Outcome& outcome) {
    const Clock::time_point now = Clock::now();
    if (settings_.interruption && !sent_) {
      const Interruption& interruption = *settings_.interruption;
      const bool spoke = !interruption.after_words || !outcome.err.empty();
      // No process catches SIGKILL, but a command that is under way catches SIGINT.
      const int caught = interruption.signal == SIGKILL ? SIGINT : interruption.signal;
      const bool waits = !ready_ && spoke && catches(child_, caught);
      if (waits && (!interruption.ready || interruption.ready(child_))) ready_ = now;
      // This is asked again: before it became the command, the process had the handlers of this
      // one.
      if (ready_ && now - *ready_ >= interruption.delay && catches(child_, caught)) {
        send(interruption);
        sent_ = now;
      }
    }
    if (now - start_ > settings_.limit && !outcome.timed_out) {
      ::kill(child_, SIGKILL);
      outcome.timed_out = true;
    }
  }

  void send(const Interruption& interruption) const {
    const bool twice = interruption.second_signal != 0;
    if (twice) ::kill(child_, SIGSTOP);
    ::kill(child_, interruption.signal);
    if (!twice) return;
    ::kill(child_, interruption.second_signal);
    ::kill(child_, SIGCONT);
  }

  pid_t child_;
  const Settings& settings_;
  int status_ = 0;
  Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> ready_, sent_;
};

/// What comes of a command that `start` starts, with these descriptors for stdout and stderr.
Outcome outcome_of(const Settings& settings, const std::function<pid_t(int, int)>& start) {
  Pipe out;
  Pipe err;
  if (settings.terminal) become_terminal(err, *settings.terminal);
  const pid_t child = start(out.sink, err.sink);
  out.close_sink();
  err.close_sink();
  Outcome outcome;
  Listener(child, settings).listen(out.source, err.source, outcome);
  return outcome;
}

}  // namespace

std::vector<std::uintmax_t> open_files(pid_t process, const fs::path& folder) {
  std::map<fs::path, std::uintmax_t> sizes;  // a file may be open twice
  std::error_code gone;                      // files come and go
  const fs::path descriptors = "/proc/" + std::to_string(process) + "/fd";
  for (fs::directory_iterator entry(descriptors, gone), end; !gone && entry != end;
       entry.increment(gone)) {
    std::error_code closed;
    const fs::path target = fs::read_symlink(entry->path(), closed);
    if (closed || target.parent_path() != folder) continue;
    const std::uintmax_t size = fs::file_size(entry->path(), closed);
    if (!closed) sizes[target] = size;
  }
  std::vector<std::uintmax_t> list;
  for (const auto& [name, size] : sizes) list.push_back(size);
  return list;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = ::testing::TempDir() + "thiessen_cli_XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) fail("mkdtemp");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<std::string> TemporaryFolder::names() const {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

Outcome run_command(const std::vector<std::string>& arguments, const Settings& settings) {
#ifdef THIESSEN_NURSERY
  if (are_plain(settings)) {
    static Nursery nursery;
    return outcome_of(settings, [&](int out, int err) {
      return nursery.run(settings.folder, arguments, out, err);
    });
  }
#endif
  std::vector<std::string> words = settings.launcher;
  words.emplace_back(words.empty() ? "thiessen" : THIESSEN_COMMAND);
  words.insert(words.end(), arguments.begin(), arguments.end());
  const Words argument_words(std::move(words));
  const Words environment(environment_of(settings));
  return outcome_of(settings, [&](int out, int err) {
    const pid_t child = ::fork();
    if (child < 0) fail("fork");
    if (child == 0) become(argument_words, environment, settings, out, err);
    return child;
  });
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Outcome CommandTest::run(std::string_view arguments, Settings settings) const {
  std::vector<std::string> words;
  while (!arguments.empty()) {
    const std::size_t end = std::min(arguments.find(' '), arguments.size());
    const std::string_view word = arguments.substr(0, end);
    if (!word.empty()) words.emplace_back(word == "''" ? "" : word);
    arguments.remove_prefix(std::min(end + 1, arguments.size()));
  }
  settings.folder = folder_.path();
  Outcome outcome = run_command(words, settings);
  EXPECT_FALSE(outcome.timed_out);
  return outcome;
}

void CommandTest::succeed(std::string_view arguments) const {
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << arguments;
  EXPECT_EQ(outcome.out, "") << arguments;
  EXPECT_EQ(outcome.err, "") << arguments;
}

void CommandTest::write_bytes(const std::string& name, std::string_view bytes) const {
  std::ofstream(path(name), std::ios::binary) << bytes;
}

std::string CommandTest::read_bytes(const std::string& name) const {
  std::ifstream stream(path(name), std::ios::binary);
  EXPECT_TRUE(stream.is_open()) << name;
  return {std::istreambuf_iterator<char>(stream), {}};
}

void CommandTest::write(const std::string& name, const Raster& raster) const {
  io::OutputFile file(path(name), true, {}, io::writers_of(path(name), {}));
  io::write_raster(file, raster.view());
  file.commit();
}

Raster CommandTest::read(const std::string& name) const {
  return io::read_raster(path(name)).raster;
}

void expect_one_line_of_complaint(const Outcome& outcome) {
  EXPECT_EQ(outcome.out, "");
  const std::string name = std::filesystem::path(THIESSEN_COMMAND).filename().string();
  EXPECT_TRUE(outcome.err.starts_with(name + ": ")) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_TRUE(outcome.err.ends_with('\n')) << outcome.err;
  // A longer message would be a dump.
  constexpr std::size_t kLongest = 360;
  EXPECT_LE(outcome.err.size(), kLongest) << outcome.err;
}

}  // namespace thiessen::cli

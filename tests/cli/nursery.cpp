// SPDX-License-Identifier: Apache-2.0
//
// A process that has loaded the command with all its libraries and forks one run of it after the
// other, each a child of the process that asks. Loading takes longer than most runs; with a
// sanitizer much longer.
//
// Descriptor 3 is a socket. A message to it has the folder and the words of a command line, each
// with a zero behind it, and two descriptors, for stdout and stderr. The answer is a process.
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "run.hpp"

namespace {

constexpr int kSocket = 3;

struct Request {
  std::vector<char> text;
  std::array<int, 2> streams{-1, -1};
};

/// False at the end of the process that asks, or for a request that is too long.
bool receive(Request& request) {
  constexpr std::size_t kMost = 65536;
  request.text.resize(kMost);
  iovec part{request.text.data(), request.text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(request.streams))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t count = ::recvmsg(kSocket, &message, MSG_CMSG_CLOEXEC);
  const cmsghdr* const given = count > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (given == nullptr || (message.msg_flags & MSG_TRUNC) != 0) return false;
  std::memcpy(request.streams.data(), CMSG_DATA(given), sizeof(request.streams));
  request.text.resize(static_cast<std::size_t>(count));
  return true;
}

[[noreturn]] void become_command(Request& request) {
  constexpr int kNoSuchCommand = 127;
  ::close(kSocket);
  const int nothing = ::open("/dev/null", O_RDONLY);
  bool fine = ::dup2(nothing, STDIN_FILENO) >= 0;
  fine = fine && ::dup2(request.streams[0], STDOUT_FILENO) >= 0;
  fine = fine && ::dup2(request.streams[1], STDERR_FILENO) >= 0;
  for (const int used : {nothing, request.streams[0], request.streams[1]})
    if (used > STDERR_FILENO) ::close(used);
  fine = fine && ::chdir(request.text.data()) == 0;
  if (!fine) ::_exit(kNoSuchCommand);
  std::vector<char*> words;
  char* const end = request.text.data() + request.text.size();
  for (char* word = request.text.data(); word != end; word += std::strlen(word) + 1)
    words.push_back(word);
  words.front() = const_cast<char*>("thiessen");  // in place of the folder
  const int count = static_cast<int>(words.size());
  words.push_back(nullptr);
  std::exit(thiessen::cli::run_command_line(count, words.data()));
}

}  // namespace

int main() {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  for (Request request; receive(request);) {
    // The child belongs to the parent of this process, which waits for it.
    const auto child =
        static_cast<pid_t>(::syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr));
    if (child == 0) become_command(request);
    for (const int stream : request.streams) ::close(stream);
    if (::send(kSocket, &child, sizeof(child), 0) != sizeof(child)) return 1;
  }
}

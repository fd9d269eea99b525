// What a kernel's process gives up before the kernel runs, where the host can take it: the network, and writing of files.
// A main keeps the files around the folder that it runs in. Of runtime.cpp.
#pragma once

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace {

// Landlock, by its numbers: the header of an older system does not have all of them.
class Landlock {
  static constexpr long kCreate = 444, kAddRule = 445, kRestrict = 446;
  // To write, to remove, to make anything; from version 2 on to move between folders, from 3 on to shorten.
  static constexpr std::uint64_t kWrite = 0x1FF2, kWriteFile = 2, kMove = 0x2000, kShorten = 0x4000;
  struct Rules {
    std::uint64_t files, network, others;
  };
  struct Beneath {
    std::uint64_t allowed;
    std::int32_t folder;
  } __attribute__((packed));

 public:
  Landlock() {
    const long version = syscall(kCreate, nullptr, 0, 1);
    if (version < 1) return;
    Rules rules{kWrite, 3, 3};  // TCP from version 4 on; signals and sockets of other processes from 6 on
    if (version >= 2) rules.files |= kMove;
    if (version >= 3) rules.files |= kShorten;
    files_ = rules.files;
    rules_ = static_cast<int>(syscall(kCreate, &rules, version >= 6 ? 24 : version >= 4 ? 16 : 8, 0));
  }
  ~Landlock() {
    if (rules_ >= 0) close(rules_);
  }
  Landlock(const Landlock&) = delete;
  Landlock& operator=(const Landlock&) = delete;

  void allow_below(const char* folder) const { allow(folder, files_); }
  void allow_file(const char* file) const { allow(file, files_ & (kWriteFile | kShorten)); }
  void restrict() const {
    if (rules_ >= 0) syscall(kRestrict, rules_, 0);
  }

 private:
  void allow(const char* path, std::uint64_t rights) const {
    const int opened = open(path, O_PATH | O_CLOEXEC);
    if (rules_ < 0 || opened < 0) return;
    const Beneath beneath{rights, opened};
    syscall(kAddRule, rules_, 1, &beneath, 0);
    close(opened);
  }

  std::uint64_t files_ = 0;
  int rules_ = -1;
};

// No sockets but those of this machine's own processes.
inline void leave_the_network() {
#if defined(__x86_64__)
  constexpr std::uint32_t kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
  constexpr std::uint32_t kMachine = AUDIT_ARCH_AARCH64;
#else
  return;
#endif
#if defined(__x86_64__) || defined(__aarch64__)
  constexpr std::uint32_t kRefused = SECCOMP_RET_ERRNO | 13;  // EACCES
  constexpr std::uint32_t kOtherNumbers = 0x40000000;  // the same calls by other numbers, of an old kind of programs
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kMachine, 0, 6),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kOtherNumbers, 5, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 4, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 2),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, kRefused),
  };
  const sock_fprog program{sizeof filter / sizeof filter[0], filter};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#endif
}

// Where a main puts its files: below the folder above its own, as tests have their data beside each other.
inline const char* folder_of_main() {
  struct stat above {
  }, root{};
  const bool known = stat("..", &above) == 0 && stat("/", &root) == 0;
  return known && above.st_ino == root.st_ino && above.st_dev == root.st_dev ? "." : "..";
}

inline void give_up_rights(bool for_main) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  const Landlock files;
  files.allow_file("/dev/null");
  if (for_main) {
    files.allow_below(folder_of_main());
    files.allow_below("/tmp");
  }
  files.restrict();
  leave_the_network();
}

}  // namespace

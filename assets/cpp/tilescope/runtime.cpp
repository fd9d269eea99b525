// The kernel's side of the border: the process that a compiled kernel runs in. It maps the shared file, starts the entry
// once for each block, and writes what is called into the ring.
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <tuple>

#include "border.h"
#include "device_memory.h"
#include "entry.h"
#include "host.h"
#include "launch.h"
#include "rights.h"

namespace {

using namespace ts_border;

Shared* shared = nullptr;
std::uint32_t block = 0, blocks = 1, last_site = 0;
bool block_begins = false;  // which is told with its first record
bool launched = false;      // the entry launches kernels, and is none itself
bool in_launch = false;     // of a main that runs in several processes
bool called = false;        // an instruction, since the last synchronisation
bool synchronised = false;  // what comes next is another launch
bool ended = false;
bool tiles_assigned = false;                                  // by the kernel
std::map<std::uint64_t, std::uint64_t> held_places[kSpaces];  // bytes by address, of tiles that we placed
int shared_file = -1, word_count = 0;
std::uint64_t shared_part = 0;  // where in the file this core's part begins
char** words = nullptr;         // of the command line, for a main

bool is_main() { return ts_entries[0].start == ts_start_main; }

// A main whose kernels have several cores runs once for each of them, from its beginning to its end: each does what it does
// to itself, and the first of them what it does to the device, and tells what it finds. So it is in step with the others
// wherever it reaches for the device.
bool runs_in_many() { return shared->together && is_main(); }
bool leads() { return !runs_in_many() || (shared->first_block == 0 && shared->core != Core::Vector); }
// A kernel that a main calls without a launch is one block.
bool is_not_of_this_block() { return runs_in_many() && !in_launch && shared->first_block > 0; }

void sleep_while(std::uint32_t* word, std::uint32_t value) {
  const timespec some{0, 50000000};
  syscall(SYS_futex, word, FUTEX_WAIT, value, &some, nullptr, 0);
}
void wake(std::uint32_t* word) { syscall(SYS_futex, word, FUTEX_WAKE, 1, nullptr, nullptr, 0); }
std::uint32_t load(const std::uint32_t* word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }
void store(std::uint32_t* word, std::uint32_t value) { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }

void wait_until_done(std::uint32_t position) {
  for (int spins = 0;; ++spins) {
    const std::uint32_t done = load(&shared->done);
    if (static_cast<std::int32_t>(done - position) >= 0) return;
    if (spins < kSpins) continue;
    store(&shared->kernel_wants, position);
    store(&shared->kernel_sleeps, 1);
    if (load(&shared->done) == done) sleep_while(&shared->done, done);
    store(&shared->kernel_sleeps, 0);
  }
}

// Room for a record. A full ring is waited for until half of it is done: to be woken for each record costs more than the
// record.
void wait_for_room(std::uint32_t at, std::uint32_t size) {
  if (static_cast<std::int32_t>(load(&shared->done) - (at + size - kRing)) >= 0) return;
  wait_until_done(size < kRing / 2 ? at + size - kRing / 2 : at);
}

void put(std::uint32_t& at, const void* bytes, std::size_t size) {
  const auto* from = static_cast<const unsigned char*>(bytes);
  while (size > 0) {
    const std::uint32_t place = at % kRing;
    const std::size_t part = size < kRing - place ? size : kRing - place;
    std::memcpy(shared->ring + place, from, part);
    from += part;
    size -= part;
    at += static_cast<std::uint32_t>(part);
  }
}

// Writes a record; where the kernel looks at memory itself, or an answer is wanted, it is done when this returns.
void send(RecordKind kind, std::uint32_t site, std::uint32_t count, std::uint32_t line, std::uint32_t column,
          const void* payload, std::size_t size, bool wait) {
  const bool of_kernel = kind == RecordKind::Call || kind == RecordKind::Get;
  if (of_kernel && is_not_of_this_block()) return;
  if (of_kernel && synchronised) block_begins = !shared->together;
  synchronised = synchronised && !of_kernel;
  called = called || of_kernel;
  if (block_begins && kind != RecordKind::Site && kind < RecordKind::Allocated) {
    block_begins = false;
    send(RecordKind::Block, block, 0, 0, 0, nullptr, 0, false);
  }
  const std::uint32_t padded = static_cast<std::uint32_t>((sizeof(Record) + size + 7) / 8 * 8);
  std::uint32_t at = shared->written;
  wait_for_room(at, padded);
  const Record record{padded, kind, site, count, line, column};
  const std::uint32_t end = at + padded;
  put(at, &record, sizeof record);
  put(at, payload, size);
  store(&shared->written, end);
  if (load(&shared->host_sleeps)) wake(&shared->written);
  if (wait || load(&shared->open)) wait_until_done(end);
}

void meet_others(MeetKind kind) {
  if (runs_in_many()) send(RecordKind::Meet, last_site, static_cast<std::uint32_t>(kind), 0, 0, nullptr, 0, true);
}

// Return addresses from a frame on, the innermost first.
template <class Chain>
void follow_frames(void** at, Chain& chain) {
  std::memset(&chain, 0, sizeof chain);
  for (std::uint64_t& address : chain.address) {
    if (at == nullptr || reinterpret_cast<std::uint64_t>(at) % 8 != 0) return;
    address = reinterpret_cast<std::uint64_t>(at[1]);
    void** next = static_cast<void**>(at[0]);
    if (next <= at || reinterpret_cast<char*>(next) - reinterpret_cast<char*>(at) > (1 << 20)) return;
    at = next;
  }
}

[[noreturn]] void fail(int signal, int status, std::uint64_t address, void* frame, const char* text) {
  Failure failure;
  std::memset(&failure, 0, sizeof failure);
  failure.signal = signal;
  failure.status = status;
  failure.address = address;
  std::strncpy(failure.text, text, sizeof failure.text - 1);
  follow_frames(static_cast<void**>(frame), failure.stack);
  if (!ended) {
    ended = true;
    send(RecordKind::Failed, last_site, 0, 0, 0, &failure, sizeof failure, true);
  }
  _exit(0);
}

// --- memory that the kernel looks at itself ---

void protect_all(int how) {
  for (std::uint32_t i = 0; i < kSpaces; ++i)
    if (shared->space_bytes[i] != 0)
      mprotect(reinterpret_cast<void*>(kSpaceBase + i * kSpaceDistance), shared->space_bytes[i], how);
  for (std::uint32_t i = 0; i < shared->buffers; ++i)
    mprotect(reinterpret_cast<void*>(shared->buffer[i].page_pointer), shared->buffer[i].page_bytes, how);
}

// The page in the shared file that an address is in; 0: in none.
std::uint64_t file_page(std::uint64_t address) {
  if (address >= kSpaceBase && address < kSpaceBase + kSpaces * kSpaceDistance) {
    const std::uint64_t space = (address - kSpaceBase) / kSpaceDistance, place = address % kSpaceDistance;
    return place < shared->space_bytes[space] ? (shared->space_offset[space] + place) / kPage : 0;
  }
  for (std::uint32_t i = 0; i < shared->buffers; ++i) {
    const Buffer& buffer = shared->buffer[i];
    if (address >= buffer.page_pointer && address < buffer.page_pointer + buffer.page_bytes)
      return (buffer.page_offset + (address - buffer.page_pointer)) / kPage;
  }
  return 0;
}

// The first look at memory: from now on every call waits. The first write to a page: it is looked at after each call.
bool opened(std::uint64_t address) {
  const std::uint64_t page = file_page(address);
  if (page == 0) return false;
  if (!load(&shared->open)) {
    send(RecordKind::Open, last_site, 0, 0, 0, nullptr, 0, true);
    store(&shared->open, 1);
    protect_all(PROT_READ);
    return true;
  }
  const std::uint32_t count = load(&shared->dirty_count);
  if (count >= kMostDirty) return false;
  for (std::uint32_t i = 0; i < count; ++i)
    if (shared->dirty[i] == page) return false;
  shared->dirty[count] = static_cast<std::uint32_t>(page);
  store(&shared->dirty_count, count + 1);
  return mprotect(reinterpret_cast<void*>(address / kPage * kPage), kPage, PROT_READ | PROT_WRITE) == 0;
}

void on_signal(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  if (signal == SIGSEGV && opened(address)) return;
  (void)context;
#if defined(__x86_64__)
  const auto* machine = static_cast<const ucontext_t*>(context);
  void* frame = reinterpret_cast<void*>(machine->uc_mcontext.gregs[REG_RBP]);
  char text[64];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(machine->uc_mcontext.gregs[REG_RIP]));
#else
  void* frame = __builtin_frame_address(0);
  const char* text = "";
#endif
  fail(signal, 0, address, frame, text);
}

void catch_signals() {
  static char stack[1 << 16];
  stack_t other{};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGTRAP})
    sigaction(signal, &action, nullptr);
  signal(SIGXFSZ, SIG_IGN);
}

// A kernel that runs wild may take no more than this of the machine; a main writes results to files.
void set_limits(bool for_main) {
  const auto limit = [](decltype(RLIMIT_CPU) what, rlim_t most) {
    const rlimit both{most, what == RLIMIT_CPU ? most + 1 : most};
    setrlimit(what, &both);
  };
  limit(RLIMIT_CPU, 60);
  limit(RLIMIT_DATA, rlim_t{4} << 30);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, for_main ? 1 << 28 : 1 << 20);
}

bool map_at(std::uint64_t where, std::uint64_t bytes, int file, std::uint64_t offset) {
  void* wanted = reinterpret_cast<void*>(where);
  return mmap(wanted, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED_NOREPLACE, file, static_cast<off_t>(offset)) == wanted;
}

bool map_memory(int file) {
  struct stat facts {};
  if (fstat(file, &facts) != 0) return false;
  void* all = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, static_cast<off_t>(shared_part));
  if (all == MAP_FAILED) return false;
  shared = static_cast<Shared*>(all);
  if (shared->magic != kMagic || shared->version != kVersion || shared->header_bytes != sizeof(Shared)) return false;
  bool mapped = true;
  for (std::uint32_t i = 0; i < kSpaces; ++i)
    if (shared->space_bytes[i] != 0)
      mapped = mapped && map_at(kSpaceBase + i * kSpaceDistance, shared->space_bytes[i], file, shared->space_offset[i]);
  for (std::uint32_t i = 0; i < shared->buffers; ++i) {
    const Buffer& buffer = shared->buffer[i];
    mapped = mapped && map_at(buffer.page_pointer, buffer.page_bytes, file, buffer.page_offset);
  }
  return mapped;
}

void describe_all() {
  for (unsigned i = 0; i < ts_entry_count; ++i) {
    std::fprintf(stdout, "%s\t", ts_entries[i].name);
    ts_entries[i].describe(stdout);
    std::fprintf(stdout, "\n");
  }
  std::fflush(stdout);
}

[[noreturn]] void finish() {
  ended = true;
  std::fflush(nullptr);  // what it printed is told
  send(RecordKind::Done, 0, 0, 0, 0, nullptr, 0, true);
  _exit(0);
}

// What a main prints is said by the first; kernels print for themselves.
enum class Printing { Kernel, Main };
int outputs[2] = {-1, -1};
void print_as(Printing who) {
  const int output = outputs[static_cast<int>(who)];
  if (output < 0) return;
  std::fflush(nullptr);
  dup2(output, 1);
  dup2(output, 2);
}
void silence_main() {
  if (leads()) return;
  outputs[0] = dup(1);
  outputs[1] = open("/dev/null", O_WRONLY | O_CLOEXEC);
  print_as(Printing::Main);
}

void tell_status(int status) {
  char text[64];
  std::snprintf(text, sizeof text, "main returned %d", status);
  if (status != 0) ts_wrong(WrongKind::Status, 0, text);
}

// A main may end by exit(), a kernel returns.
void at_exit(int status, void*) {
  if (ended) return;
  if (!is_main()) fail(0, 0, 0, __builtin_frame_address(0), "exit");
  tell_status(status);
  finish();
}

Device device;

[[noreturn]] void run() {
  const unsigned entry = shared->entry;
  if (entry >= ts_entry_count) fail(0, 1, 0, nullptr, "no such entry");
  on_exit(at_exit, nullptr);
  try {
    blocks = shared->blocks;
    for (std::uint32_t i = 0; i < shared->own_blocks && !launched; ++i) {
      block = shared->first_block + i;
      block_begins = shared->blocks > 1;
      ts_entries[entry].start(shared->argument);
    }
  } catch (const std::exception& thrown) {
    fail(0, 1, 0, nullptr, thrown.what());
  } catch (...) {
    fail(0, 1, 0, nullptr, "an exception");
  }
  finish();
}

}  // namespace

extern "C" {

std::uint32_t ts_site(const char* op, const char* file, const char* function, std::uint32_t line,
                      std::uint32_t column) {
  // A place is one for each chain of callers that leads to it.
  SiteChain chain;
  follow_frames(static_cast<void**>(__builtin_frame_address(0)), chain);
  std::uint64_t hash = 1469598103934665603u;
  for (const std::uint64_t address : chain.address) hash = (hash ^ address) * 1099511628211u;
  using Key = std::tuple<const void*, const void*, std::uint32_t, std::uint32_t, std::uint64_t>;
  static std::map<Key, std::uint32_t> known;
  static Key last_key{};
  static std::uint32_t last = 0;
  const Key key{op, file, line, column, hash};
  if (last != 0 && key == last_key) return last_site = last;
  const auto [it, made] = known.try_emplace(key, static_cast<std::uint32_t>(known.size() + 1));
  last_key = key;
  last_site = last = it->second;
  if (!made) return last;
  char payload[sizeof(SiteChain) + 3000];
  std::memcpy(payload, &chain, sizeof chain);
  const int size =
      std::snprintf(payload + sizeof chain, 3000, "%.100s%c%.1500s%c%.1000s", op, 0, file, 0, function) + 1;
  send(RecordKind::Site, last, static_cast<std::uint32_t>(size), line, column, payload,
       sizeof chain + static_cast<std::size_t>(size), false);
  return last;
}

void ts_post(RecordKind kind, std::uint32_t site, const Operand* operands, std::uint32_t count) {
  send(kind, site, count, 0, 0, operands, count * sizeof(Operand), false);
}

std::uint64_t ts_ask(RecordKind kind, std::uint32_t site, const Operand* operands, std::uint32_t count) {
  send(kind, site, count, 0, 0, operands, count * sizeof(Operand), true);
  return shared->answer;
}

std::uint32_t ts_block_idx(void) { return block; }
std::uint32_t ts_block_num(void) {
  if (blocks == 1 && !launched) shared->asked_blocks = 1;
  return blocks;
}

std::uint32_t ts_core(void) { return static_cast<std::uint32_t>(shared->core); }
std::uint32_t ts_sub_core(void) { return shared->sub_core; }
std::uint32_t ts_sub_cores(void) { return shared->sub_cores; }

// Who is alone, or did not look at memory, waits for nobody.
void ts_poll(void) {
  if (shared->together && load(&shared->open)) send(RecordKind::Poll, last_site, 0, 0, 0, nullptr, 0, true);
}

// --- launches ---

// Blocks that run one after the other cannot meet.
void ts_meet(void) {
  if (!shared->together && blocks > 1) fail(0, static_cast<int>(blocks), 0, nullptr, "meets");
}

// Of the blocks of a launch, each core of one that has several is a process of its own.
void launch_own_block(std::uint32_t number, void (*kernel)(void*), void* what) {
  if (number != shared->blocks || launched)
    fail(0, static_cast<int>(number), 0, nullptr, launched ? "twice" : "blocks");
  launched = true;
  block = shared->first_block;
  kernel(what);
}

// The same of a main, which launches as often as it likes, and each time as many blocks as there are or fewer.
void launch_of_main(std::uint32_t number, void (*kernel)(void*), void* what) {
  meet_others(MeetKind::Launch);
  if (shared->sizing && number > 0) send(RecordKind::Block, number - 1, 0, 0, 0, nullptr, 0, false);
  if (!shared->sizing && number > shared->blocks) fail(0, static_cast<int>(number), 0, nullptr, "more blocks");
  if (shared->first_block >= number) return;
  block = shared->first_block;
  blocks = number;
  print_as(Printing::Kernel);
  in_launch = true;
  kernel(what);
  in_launch = false;
  print_as(Printing::Main);
  block = 0;
  blocks = 1;
}

void ts_launch(std::uint32_t number, void (*kernel)(void*), void* what) {
  if (runs_in_many()) return launch_of_main(number, kernel, what);
  if (shared->together) return launch_own_block(number, kernel, what);
  synchronised = false;
  for (block = 0, blocks = number; block < number; ++block) {
    block_begins = number > 1 || launched;
    launched = true;
    kernel(what);
  }
  launched = true;  // also where there was no block
  block = 0;
  blocks = 1;
  synchronised = called;
}

// --- tiles that nobody placed ---

// The first gap that is large enough, among those that tiles hold.
std::uint64_t ts_place(std::uint32_t memory, std::uint64_t bytes) {
  constexpr std::uint64_t kStep = 32;
  if (tiles_assigned || memory >= kSpaces) return ~std::uint64_t{0};
  const std::uint64_t wanted = (bytes + kStep - 1) / kStep * kStep;
  std::uint64_t at = 0;
  for (const auto& [address, held] : held_places[memory]) {
    if (address >= at + wanted) break;
    at = address + held;
  }
  if (at + wanted > shared->space_bytes[memory]) return ~std::uint64_t{0};
  held_places[memory][at] = wanted;
  return at;
}
void ts_leave(std::uint32_t memory, std::uint64_t address) { held_places[memory].erase(address); }
void ts_hold(std::uint32_t memory, std::uint64_t address, std::uint64_t bytes) {
  if (memory < kSpaces) held_places[memory][address] = (bytes + 31) / 32 * 32;
}
void ts_assigned(void) { tiles_assigned = true; }

// --- of a main ---

void ts_synchronise(void) {
  synchronised = synchronised || called;
  meet_others(MeetKind::Synchronise);
}

void* ts_device_allocate(std::uint32_t site, std::uint64_t bytes) {
  if (bytes == 0) return nullptr;
  const std::uint32_t number = device.count;
  if (number == kMostBuffers) {
    ts_wrong(WrongKind::Call, site, "a main may allocate 1024 times; run fewer of its cases");
    return nullptr;
  }
  if (!shared->sizing && (number >= shared->buffers || shared->buffer[number].bytes < bytes))
    fail(0, static_cast<int>(number), bytes, nullptr, "allocates");
  void* const made = shared->sizing ? device.reserve(bytes) : reinterpret_cast<void*>(shared->buffer[number].pointer);
  if (made == nullptr) return nullptr;
  device.ranges[device.count++] = {reinterpret_cast<std::uint64_t>(made), bytes};
  if (shared->sizing) send(RecordKind::Allocated, site, 0, 0, 0, &device.ranges[number], sizeof(DeviceRange), false);
  return made;
}

int ts_device_free(const void* pointer) {
  const DeviceRange* range = device.find(pointer, 0);
  if (range == nullptr || range->pointer != reinterpret_cast<std::uint64_t>(pointer)) return 0;
  device.freed[range - device.ranges] = true;
  return 1;
}

static int copy_now(std::uint32_t site, void* to_host, const void* from_host, int filler, void* there,
                    std::uint64_t bytes) {
  const DeviceRange* range = device.find(there, bytes);
  if (range == nullptr) {
    char text[200];
    device.explain(there, bytes, text, sizeof text);
    ts_wrong(WrongKind::Call, site, text);
    return 0;
  }
  const DeviceRange part{reinterpret_cast<std::uint64_t>(there), bytes};
  if (to_host == nullptr && !leads() && !shared->sizing) return 1;
  if (to_host != nullptr) send(RecordKind::Wanted, site, 0, 0, 0, &part, sizeof part, true);
  const Buffer& buffer = shared->buffer[range - device.ranges];
  const FileBytes place(shared->sizing ? -1 : shared_file, buffer.file_offset + (part.pointer - buffer.pointer), bytes);
  void* const bytes_there = shared->sizing ? there : place.data();
  if (bytes_there == nullptr) return 0;
  if (to_host != nullptr) std::memcpy(to_host, bytes_there, bytes);
  else if (from_host != nullptr) std::memcpy(bytes_there, from_host, bytes);
  else std::memset(bytes_there, filler, bytes);
  if (to_host == nullptr) send(RecordKind::Written, site, 0, 0, 0, &part, sizeof part, true);
  return 1;
}

int ts_device_copy(std::uint32_t site, void* to_host, const void* from_host, int filler, void* there,
                   std::uint64_t bytes) {
  if (bytes == 0) return 1;
  meet_others(MeetKind::Copy);
  const int copied = copy_now(site, to_host, from_host, filler, there, bytes);
  meet_others(MeetKind::Copy);  // what comes next may change what another one has not read yet
  return copied;
}

void ts_wrong(WrongKind kind, std::uint32_t site, const char* text) {
  if (leads()) send(RecordKind::Wrong, site, static_cast<std::uint32_t>(kind), 0, 0, text, std::strlen(text), false);
}

// The main of the source, which is there only where it has one (--wrap=main).
__attribute__((weak)) int __real_main(int count, char** arguments);
void ts_start_main(const std::uint64_t*) {
  launched = synchronised = true;  // a kernel that it calls is a launch
  blocks = 1;
  silence_main();
  tell_status(__real_main(word_count, words));
}
void ts_describe_main(std::FILE*) {}

int __wrap_main(int count, char** arguments) {
  if (count == 2 && std::strcmp(arguments[1], "--describe") == 0) {
    describe_all();
    return 0;
  }
  if (count < 2) return 64;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  shared_file = std::atoi(arguments[1]);
  if (const char* part = std::strchr(arguments[1], ':')) shared_part = std::strtoull(part + 1, nullptr, 10);
  if (!map_memory(shared_file)) return 65;
  // A main gets its own name and what is said to it.
  word_count = count - 1;
  words = arguments + 1;
  words[0] = arguments[0];
  set_limits(is_main());
  give_up_rights(is_main());
  catch_signals();
  run();
}
}

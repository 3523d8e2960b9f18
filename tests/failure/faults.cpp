// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "failure/faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);
}

namespace faults {
namespace {

constexpr int kFrames = 32;

struct Range {
  std::uintptr_t begin = 0, end = 0;
  bool Has(const void* address) const {
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    return value >= begin && value < end;
  }
};

constinit std::atomic<bool> armed{false};
constinit std::atomic<long> seen{0}, target{0}, live{0};
constinit Kind armed_kind = Kind::kAllocation;
constinit std::atomic<bool> happened{false};
constinit void* where[kFrames] = {};
constinit int where_frames = 0;
constinit thread_local int exempt = 0;
Range loader, thread_exit;
int (*real_pthread_create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) = nullptr;

bool InsideVideoCodec() {
  Dl_info info;
  for (int i = 0; i < where_frames; ++i) {
    if (dladdr(where[i], &info) == 0 || info.dli_fname == nullptr) continue;
    for (const char* const codec : {"libopenh264", "libde265"})
      if (std::strstr(info.dli_fname, codec) != nullptr) return true;
  }
  return false;
}

bool Fails(Kind kind, const void* caller) {
  if (!armed.load(std::memory_order_relaxed) || armed_kind != kind || exempt > 0) return false;
  if (loader.Has(caller) || thread_exit.Has(caller)) return false;
  if (seen.fetch_add(1) + 1 != target.load()) return false;
  ++exempt;
  where_frames = backtrace(where, kFrames);
  --exempt;
  if (InsideVideoCodec()) return target.fetch_add(1), false;  // the next one, then
  happened = true;
  return true;
}

// Blocks with the place they come from, for finding leaks.
struct Block {
  std::atomic<void*> address{nullptr};
  void* frames[kFrames] = {};
  int count = 0;
  long mark = 0;
};
constexpr std::size_t kBlocks = 1 << 17;
Block* blocks = nullptr;
constinit std::atomic<long> mark{0};

Block* Place(void* address, void* expected) {
  const std::size_t first = reinterpret_cast<std::uintptr_t>(address) / 16 * 2654435761u % kBlocks;
  for (std::size_t i = 0; i < kBlocks; ++i) {
    Block& block = blocks[(first + i) % kBlocks];
    void* found = expected;
    if (block.address.compare_exchange_strong(found, expected == nullptr ? address : nullptr)) return &block;
  }
  return nullptr;
}

void* Counted(void* address) {
  if (address == nullptr) return nullptr;
  live.fetch_add(1, std::memory_order_relaxed);
  static constinit thread_local bool inside = false;
  if (blocks != nullptr && !inside) {
    inside = true;
    if (Block* block = Place(address, nullptr)) {
      block->count = backtrace(block->frames, kFrames);
      block->mark = mark;
    }
    inside = false;
  }
  return address;
}

void Uncount(void* address) {
  if (address == nullptr) return;
  live.fetch_sub(1, std::memory_order_relaxed);
  if (blocks != nullptr) Place(address, address);
}

void* NoMemory() {
  errno = ENOMEM;
  return nullptr;
}

Range FindLoader() {
  Range found;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* range) {
        if (info->dlpi_addr != getauxval(AT_BASE)) return 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          if (part.p_type != PT_LOAD) continue;
          static_cast<Range*>(range)->begin = info->dlpi_addr;
          static_cast<Range*>(range)->end = info->dlpi_addr + part.p_vaddr + part.p_memsz;
        }
        return 1;
      },
      &found);
  return found;
}

Range RangeOf(const char* function) {
  void* address = dlsym(RTLD_DEFAULT, function);
  Dl_info info;
  ElfW(Sym)* symbol = nullptr;
  if (address == nullptr || dladdr1(address, &info, reinterpret_cast<void**>(&symbol), RTLD_DL_SYMENT) == 0)
    return {};
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  return {begin, begin + (symbol == nullptr ? 0 : symbol->st_size)};
}

__attribute__((constructor)) void Prepare() {
  loader = FindLoader();
  thread_exit = RangeOf("__cxa_thread_atexit_impl");
  real_pthread_create = reinterpret_cast<decltype(real_pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  where_frames = backtrace(where, kFrames);  // loads what it needs
  if (std::getenv("FOOTHOLD_FAULT_LEAKS") != nullptr) blocks = new Block[kBlocks];
}

}  // namespace

void Arm(Kind kind, long n) {
  armed_kind = kind;
  seen = 0;
  target = n == 0 ? LONG_MAX : n;
  happened = false;
  armed = true;
}

long Disarm() {
  armed = false;
  return seen;
}

bool Happened() {
  return happened;
}

bool HappenedIn(const char* library) {
  for (int i = 0; i < where_frames; ++i) {
    Dl_info info;
    if (dladdr(where[i], &info) == 0) continue;
    if (std::strstr(info.dli_fname, library) != nullptr) return true;
    if (info.dli_sname != nullptr && std::strstr(info.dli_sname, library) != nullptr) return true;
  }
  return false;
}

void WriteWhere(int file) {
  backtrace_symbols_fd(where, where_frames, file);
}

long LiveBlocks() {
  return live;
}

void MarkBlocks() {
  ++mark;
}

void WriteBlocksSinceMark(int file) {
  const Exempt quiet;
  for (std::size_t i = 0; blocks != nullptr && i < kBlocks; ++i) {
    if (blocks[i].address == nullptr || blocks[i].mark != mark) continue;
    backtrace_symbols_fd(blocks[i].frames, blocks[i].count, file);
    if (write(file, "--\n", 3) < 0) return;
  }
}

Exempt::Exempt() {
  ++exempt;
}
Exempt::~Exempt() {
  --exempt;
}
Exposed::Exposed() : before_(std::exchange(exempt, 0)) {}
Exposed::~Exposed() {
  exempt = before_;
}

}  // namespace faults

#define FAULT_HERE faults::Fails(faults::Kind::kAllocation, __builtin_return_address(0))

extern "C" {

void* malloc(size_t size) {
  return FAULT_HERE ? faults::NoMemory() : faults::Counted(__libc_malloc(size));
}

void free(void* address) {
  faults::Uncount(address);
  __libc_free(address);
}

void* calloc(size_t count, size_t size) {
  return FAULT_HERE ? faults::NoMemory() : faults::Counted(__libc_calloc(count, size));
}

void* realloc(void* address, size_t size) {
  if (FAULT_HERE) return faults::NoMemory();
  faults::Uncount(address);
  void* moved = __libc_realloc(address, size);
  if (moved == nullptr && size != 0) return faults::Counted(address), nullptr;
  return faults::Counted(moved);
}

void* memalign(size_t alignment, size_t size) {
  return FAULT_HERE ? faults::NoMemory() : faults::Counted(__libc_memalign(alignment, size));
}

void* aligned_alloc(size_t alignment, size_t size) {
  return FAULT_HERE ? faults::NoMemory() : faults::Counted(__libc_memalign(alignment, size));
}

int posix_memalign(void** out, size_t alignment, size_t size) {
  void* address = FAULT_HERE ? nullptr : faults::Counted(__libc_memalign(alignment, size));
  if (address == nullptr) return ENOMEM;
  *out = address;
  return 0;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  if (faults::Fails(faults::Kind::kThread, __builtin_return_address(0))) return EAGAIN;
  return faults::real_pthread_create(thread, attributes, start, argument);
}
}

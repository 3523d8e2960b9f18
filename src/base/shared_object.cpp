// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/shared_object.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/crash_watch.h"
#include "base/data_file.h"
#include "base/elf_check.h"
#include "base/error.h"
#include "base/held_locks.h"

namespace foothold {

struct SharedObject::Loaded {
  void* handle = nullptr;
  Loaded* next = nullptr;  // while it waits to be closed
};

namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  const int number_;
};

// An exception that leaves a constructor cannot pass the loader, which would stay locked: it ends the
// process here, after the words of crash_watch.h.
void* OpenOrEnd(const char* path, int flags, const char* name) noexcept {
  const CrashNote note{.what = "the loading", .name = name};
  const CrashScope scope(note);
  EnterProgram("the constructors of a shared object");
  // Declared as a function that throws nothing, so that compilers would leave the end of the process out.
  void* (*volatile const open)(const char*, int) = &dlopen;
  return open(path, flags);
}

std::string AbsolutePath(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> absolute(realpath(path.c_str(), nullptr), &free);
  if (!absolute) Fail(kRtParamInvalid, "\"{}\" cannot be read: {}", path, std::strerror(errno));
  return absolute.get();
}

// The loader takes two files of one name for the same. A number in the form of its path keeps them apart:
// "./" for a 0 and ".//" for a 1.
std::string UniquePathOf(int descriptor) {
  static std::atomic<std::uint64_t> count{0};
  std::string path = "/proc/self/fd/";
  for (std::uint64_t rest = count.fetch_add(1) + 1; rest != 0; rest >>= 1)
    path += rest & 1 ? ".//" : "./";
  return path + std::to_string(descriptor);
}

void WriteAll(int descriptor, const void* data, std::size_t size) {
  const char* from = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = write(descriptor, from, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0)
      Fail(kRtMemoryAllocation, "no memory for a copy of the binary: {}", std::strerror(errno));
    from += written;
    size -= static_cast<std::size_t>(written);
  }
}

// Symbols of one object, as the loader knows them.
struct Symbols {
  const Elf64_Sym* table = nullptr;
  const char* names = nullptr;
  std::size_t count = 0;
};

// The loader has made addresses of the entries, on machines where it may write there.
const void* AddressIn(const link_map& map, std::uint64_t value) {
  return reinterpret_cast<const void*>(value < map.l_addr ? map.l_addr + value : value);
}

// Without a table of all names, the chains of the hash table tell where the last symbol is.
std::size_t CountByHash(const std::uint32_t* hash) {
  const std::uint32_t buckets = hash[0], first = hash[1], words = hash[2];
  const auto* const bucket =
      reinterpret_cast<const std::uint32_t*>(reinterpret_cast<const std::uint64_t*>(hash + 4) + words);
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < buckets; ++i)
    last = std::max(last, bucket[i]);
  if (last < first) return first;
  const std::uint32_t* chain = bucket + buckets;
  while ((chain[last - first] & 1) == 0)
    ++last;
  return last + 1;
}

Symbols SymbolsOf(const link_map& map) {
  Symbols symbols;
  for (const Elf64_Dyn* entry = map.l_ld; entry->d_tag != DT_NULL; ++entry) {
    const void* const address = AddressIn(map, entry->d_un.d_ptr);
    if (entry->d_tag == DT_SYMTAB) symbols.table = static_cast<const Elf64_Sym*>(address);
    if (entry->d_tag == DT_STRTAB) symbols.names = static_cast<const char*>(address);
    if (entry->d_tag == DT_HASH) symbols.count = static_cast<const std::uint32_t*>(address)[1];
    if (entry->d_tag == DT_GNU_HASH) symbols.count = CountByHash(static_cast<const std::uint32_t*>(address));
  }
  return symbols.table == nullptr || symbols.names == nullptr ? Symbols{} : symbols;
}

link_map* MapOf(void* handle) {
  link_map* map = nullptr;
  dlinfo(handle, RTLD_DI_LINKMAP, &map);
  return map;
}

SharedObject::Symbol KindOf(const Elf64_Sym& symbol) {
  switch (ELF64_ST_TYPE(symbol.st_info)) {
    case STT_FUNC:
    case STT_GNU_IFUNC:
      return SharedObject::Symbol::kFunction;
    case STT_OBJECT:
      return SharedObject::Symbol::kVariable;
    default:
      return SharedObject::Symbol::kNone;
  }
}

// The loader only has words for it.
bool IsWantOfMemory(const std::string& why) {
  return why.find("allocate memory") != std::string::npos || why.find("out of memory") != std::string::npos;
}

// A list of SharedObject::Loaded that nobody holds and that are still loaded.
std::atomic<void*> unused_objects{nullptr};

}  // namespace

std::shared_ptr<const SharedObject> SharedObject::Load(const std::string& path, Binding binding) {
  CloseUnused();
  const std::string absolute = AbsolutePath(path);
  const DataFile file = DataFile::Open(absolute);
  if (!file.problem().empty()) Fail(kRtParamInvalid, "\"{}\" {}", absolute, file.problem());
  CheckSharedObject(absolute, file.size(), [&](std::uint64_t offset, void* to, std::size_t bytes) {
    return file.Read(offset, static_cast<std::byte*>(to), bytes);
  });
  const std::shared_ptr<SharedObject> object(new SharedObject(absolute));
  object->Open(absolute, binding);
  return object;
}

std::shared_ptr<const SharedObject> SharedObject::Load(const void* data, std::size_t size, Binding binding) {
  CloseUnused();
  const std::string name = fmt::format("the binary of {} bytes at {}", size, data);
  CheckSharedObject(name, size, [&](std::uint64_t offset, void* to, std::size_t bytes) {
    if (offset > size || bytes > size - offset) return false;
    std::memcpy(to, static_cast<const char*>(data) + offset, bytes);
    return true;
  });
  const Descriptor file(memfd_create("foothold-kernel", MFD_CLOEXEC));
  if (file.number() < 0)
    Fail(kRtResourceAllocFail, "no file in memory for {}: {}", name, std::strerror(errno));
  WriteAll(file.number(), data, size);
  const std::shared_ptr<SharedObject> object(new SharedObject(name));
  object->Open(UniquePathOf(file.number()), binding);
  return object;
}

SharedObject::SharedObject(std::string name) : name_(std::move(name)) {}

void SharedObject::Open(const std::string& path, Binding binding) {
  WatchForCrashes();
  loaded_ = std::make_unique<Loaded>();
  const int flags = (binding == Binding::kLazy ? RTLD_LAZY : RTLD_NOW) | RTLD_LOCAL;
  loaded_->handle = OpenOrEnd(path.c_str(), flags, name_.c_str());
  if (loaded_->handle == nullptr) {
    const char* const error = dlerror();
    const std::string why = error == nullptr ? "no reason is given" : error;
    Fail(IsWantOfMemory(why) ? kRtMemoryAllocation : kRtParamInvalid, "{} cannot be loaded: {}", name_, why);
  }
  Measure();
}

void SharedObject::Measure() {
  struct Search {
    const link_map* map;
    SharedObject* object;
  } search{MapOf(loaded_->handle), this};
  if (search.map == nullptr) return;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        const auto& wanted = *static_cast<Search*>(data);
        if (info->dlpi_addr != wanted.map->l_addr) return 0;
        std::uint64_t begin = UINT64_MAX, end = 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const Elf64_Phdr& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          begin = std::min(begin, segment.p_vaddr);
          end = std::max(end, segment.p_vaddr + segment.p_memsz);
        }
        wanted.object->base_ = reinterpret_cast<void*>(info->dlpi_addr + begin);
        wanted.object->span_ = end - begin;
        return 1;
      },
      &search);
}

SharedObject::~SharedObject() {
  if (!loaded_ || loaded_->handle == nullptr) return;
  Loaded* const mine = loaded_.release();
  void* first = unused_objects.load(std::memory_order_relaxed);
  do
    mine->next = static_cast<Loaded*>(first);
  while (!unused_objects.compare_exchange_weak(first, mine, std::memory_order_acq_rel));
}

void SharedObject::CloseUnused() {
  auto* next = static_cast<Loaded*>(unused_objects.exchange(nullptr, std::memory_order_acq_rel));
  while (next != nullptr) {
    const std::unique_ptr<Loaded> loaded(std::exchange(next, next->next));
    EnterProgram("the destructors of a shared object");
    dlclose(loaded->handle);
  }
}

SharedObject::Found SharedObject::Find(const char* symbol) const {
  dlerror();
  void* const address = dlsym(loaded_->handle, symbol);
  if (address == nullptr) return {};
  Dl_info info{};
  const Elf64_Sym* entry = nullptr;
  link_map* map = nullptr;
  if (dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 ||
      map != MapOf(loaded_->handle) ||
      dladdr1(address, &info, reinterpret_cast<void**>(const_cast<Elf64_Sym**>(&entry)), RTLD_DL_SYMENT) ==
          0 ||
      entry == nullptr) {
    return {};
  }
  return {KindOf(*entry), address, entry->st_size};
}

void SharedObject::ForEachFunction(const std::function<void(const char*)>& visit) const {
  const link_map* const map = MapOf(loaded_->handle);
  if (map == nullptr) return;
  const Symbols symbols = SymbolsOf(*map);
  for (std::size_t i = 0; i < symbols.count; ++i) {
    const Elf64_Sym& symbol = symbols.table[i];
    if (symbol.st_shndx != SHN_UNDEF && KindOf(symbol) == Symbol::kFunction)
      visit(symbols.names + symbol.st_name);
  }
}

bool FindSymbolAt(const void* address, SymbolAt* found) {
  Dl_info info{};
  const Elf64_Sym* entry = nullptr;
  if (address == nullptr ||
      dladdr1(address, &info, reinterpret_cast<void**>(const_cast<Elf64_Sym**>(&entry)), RTLD_DL_SYMENT) == 0)
    return false;
  found->object = info.dli_fname == nullptr ? "" : info.dli_fname;
  found->base = info.dli_fbase;
  found->name = info.dli_sname == nullptr ? "" : info.dli_sname;
  found->address = info.dli_saddr;
  found->size = entry == nullptr ? 0 : entry->st_size;
  return true;
}

}  // namespace foothold

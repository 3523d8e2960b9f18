// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/symbols.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>

#include "base/per_process.h"
#include "check/elf_symbols.h"
#include "check/foreign_frames.h"
#include "check/source_lines.h"

namespace foothold::check {
namespace {

std::string LastPart(const std::string& path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

std::string Demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return text ? text.get() : name;
}

// "ns::Class::Function(int)" without its arguments, which reports have no room for.
std::string WithoutArguments(const std::string& name) {
  constexpr std::string_view kNoNamespace = "(anonymous namespace)";
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (name.compare(i, kNoNamespace.size(), kNoNamespace) == 0) {
      i += kNoNamespace.size() - 1;
    } else if (name[i] == '(' && depth == 0 && i > 0) {
      return name.substr(0, i);
    }
  }
  return name;
}

std::string OwnPath() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length <= 0 ? std::string() : std::string(path, static_cast<std::size_t>(length));
}

struct Place {
  std::string module;
  std::uint64_t address = 0;  // as the file counts
  std::string exported;       // mangled
  const void* base = nullptr;
};

Place PlaceOf(const void* return_address) {
  // The call is before the place it returns to.
  const auto at = reinterpret_cast<std::uintptr_t>(return_address) - 1;
  Place place;
  Dl_info about;
  link_map* map = nullptr;
  if (dladdr1(reinterpret_cast<const void*>(at), &about, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) ==
          0 ||
      map == nullptr)
    return place;
  place.module = map->l_name != nullptr && map->l_name[0] != '\0' ? map->l_name : OwnPath();
  place.address = at - map->l_addr;
  place.base = about.dli_fbase;
  if (about.dli_sname != nullptr) place.exported = about.dli_sname;
  return place;
}

// Where this library is, unless it is part of the program itself, as in tests.
const void* OwnBase() {
  Dl_info own, program;
  const bool known = dladdr(reinterpret_cast<const void*>(&ResolveStack), &own) != 0;
  const void* const start = reinterpret_cast<const void*>(getauxval(AT_ENTRY));
  const bool inside = known && dladdr(start, &program) != 0 && program.dli_fbase == own.dli_fbase;
  return known && !inside ? own.dli_fbase : nullptr;
}

std::string NameAt(const Place& place) {
  std::string name = FunctionAt(place.module, place.address);
  if (name.empty()) name = place.exported;
  return name.empty() ? name : Demangled(name);
}

Frame Basic(const Place& place) {
  Frame frame;
  frame.module = place.module;
  frame.offset = place.address;
  return frame;
}

std::vector<Frame> FramesAt(const Place& place, const std::vector<SourceLine>& lines) {
  std::vector<Frame> frames;
  for (const SourceLine& line : lines) {
    Frame& frame = frames.emplace_back(Basic(place));
    frame.function = WithoutArguments(line.function.empty() ? NameAt(place) : line.function);
    frame.file = line.file;
    frame.line = line.line;
  }
  if (!frames.empty()) return frames;
  frames.push_back(Basic(place));
  frames.back().function = WithoutArguments(NameAt(place));
  return frames;
}

// What was asked before; a process has few places that break rules.
struct Cache {
  std::mutex mutex;  // guards the frames
  std::map<const void*, std::vector<Frame>> frames;
  static Cache& Get() {
    static Cache* const cache = new Cache;
    return *cache;
  }
  static std::mutex& Mutex() { return Get().mutex; }
};
[[maybe_unused]] const HeldDuringFork<&Cache::Mutex> whole_in_children;

std::map<const void*, std::vector<Frame>> Ask(const std::vector<const void*>& addresses) {
  std::map<std::string, std::vector<std::pair<const void*, Place>>> by_module;
  for (const void* const address : addresses) {
    Place place = PlaceOf(address);
    by_module[place.module].emplace_back(address, std::move(place));
  }
  std::map<const void*, std::vector<Frame>> found;
  const void* const own = OwnBase();
  for (const auto& [module, places] : by_module) {
    std::vector<std::uint64_t> asked;
    for (const auto& [address, place] : places)
      asked.push_back(place.address);
    const bool is_own = own != nullptr && places[0].second.base == own;
    const auto lines = is_own || module.empty() ? std::vector<std::vector<SourceLine>>(asked.size())
                                                : FindSourceLines(module, asked);
    for (std::size_t i = 0; i < places.size(); ++i)
      found[places[i].first] = is_own ? std::vector<Frame>() : FramesAt(places[i].second, lines[i]);
  }
  return found;
}

}  // namespace

std::string Frame::library() const {
  return LastPart(module);
}

std::string Frame::Name() const {
  return function.empty() ? fmt::format("{}+{:#x}", library(), offset) : function;
}

std::string Frame::Place() const {
  if (!file.empty()) return fmt::format("{}:{}", LastPart(file), line);
  return function.empty() ? std::string() : library();
}

namespace {

// Of the interpreter and of what binds it to the library: whoever reads a report wrote neither.
bool IsInterpreters(const Frame& frame) {
  const std::string library = frame.library();
  if (frame.offset == 0) return false;  // of the language itself
  return library.starts_with("python") || library.starts_with("libpython") ||
         library.starts_with("__init__.");
}

}  // namespace

std::string NameOfFunction(const void* function) {
  const std::string name = NameAt(PlaceOf(static_cast<const char*>(function) + 1));
  return name.empty() ? fmt::format("{}", function) : WithoutArguments(name);
}

std::vector<Frame> ResolveStack(StackId stack) {
  Cache& cache = Cache::Get();
  std::vector<const void*> unknown;
  {
    const std::lock_guard<std::mutex> lock(cache.mutex);
    for (const void* const address : FramesOf(stack))
      if (!cache.frames.contains(address) && FindForeignFrame(address) == nullptr) unknown.push_back(address);
  }
  auto asked = Ask(unknown);
  std::vector<Frame> frames;
  const std::lock_guard<std::mutex> lock(cache.mutex);
  cache.frames.merge(asked);
  bool foreign = false;
  for (const void* const address : FramesOf(stack)) {
    if (const ForeignFrame* const frame = FindForeignFrame(address)) {
      frames.push_back({frame->function, frame->file, 0, frame->file, frame->line});
      foreign = true;
      continue;
    }
    const std::vector<Frame>& here = cache.frames[address];
    frames.insert(frames.end(), here.begin(), here.end());
  }
  if (foreign) std::erase_if(frames, IsInterpreters);
  // What starts a program is no part of it.
  while (frames.size() > 1 &&
         (frames.back().function == "_start" || frames.back().library().starts_with("libc.so") ||
          frames.back().library().starts_with("ld-linux")))
    frames.pop_back();
  return frames;
}

}  // namespace foothold::check

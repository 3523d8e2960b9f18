// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "dump/file_names.h"

#include <fmt/format.h>
#include <time.h>

#include <atomic>
#include <functional>

namespace foothold {

std::string FileNamePart(std::string_view name) {
  std::string part(name);
  for (char& c : part)
    if (c == '.' || c == '/' || c == '\\' || (c >= 0 && c <= ' ') || c == 0x7f) c = '_';
  return part;
}

std::string DumpStamp() {
  const time_t now = time(nullptr);
  tm local = {};
  localtime_r(&now, &local);
  char text[32];
  strftime(text, sizeof text, "%Y%m%d%H%M%S", &local);
  return text;
}

std::uint64_t DumpMicroseconds() {
  static std::atomic<std::uint64_t> last{0};
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  const std::uint64_t clock =
      static_cast<std::uint64_t>(now.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(now.tv_nsec) / 1000;
  std::uint64_t before = last.load();
  std::uint64_t next = 0;
  do {
    next = clock > before ? clock : before + 1;
  } while (!last.compare_exchange_weak(before, next));
  return next;
}

std::string ToString(const DumpFileName& name) {
  return fmt::format("{}.{}.{}.{}.{}{}", FileNamePart(name.type), FileNamePart(name.name), name.task,
                     name.stream, name.time, name.suffix);
}

std::string ShortNameFor(const std::string& name) {
  return fmt::format("{:020}", std::hash<std::string>()(name));
}

}  // namespace foothold

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/cache_hint.h"

#include <fmt/format.h>

#include "base/error.h"
#include "device/memory_map.h"
#include "device/task.h"

namespace foothold {
namespace {

class CacheHint {
 public:
  static constexpr bool kReplays = true;

  CacheHint(void* address, std::size_t bytes, std::uint64_t serial)
      : address_(address), bytes_(bytes), serial_(serial) {}
  Outcome Run(Stream&) {
    RecheckRange(address_, bytes_, Use::kRead, serial_, "src");
    return Outcome::kDone;
  }
  std::string Describe() const { return fmt::format("src={}, size={}", address_, bytes_); }
  void ListAccesses(std::vector<Access>& list) const {
    list.push_back({address_, bytes_, Use::kRead, Extent::kPartial, serial_});
  }

 private:
  void* address_;
  std::size_t bytes_;
  std::uint64_t serial_;
};

}  // namespace

void PushCacheHint(const StreamRef& stream, const char* api, void* address, std::size_t bytes) {
  if (bytes == 0) Fail(kRtParamInvalid, "size must not be 0");
  const MemoryUse found = CheckDeviceRange(address, bytes, kRtParamInvalid, "src", Use::kRead);
  stream.Push(api, CacheHint(address, bytes, found.serial));
}

}  // namespace foothold

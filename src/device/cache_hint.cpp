// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/cache_hint.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error.h"
#include "device/memory_map.h"
#include "device/observer.h"
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

constexpr std::uint64_t kHintMark = 0x466f6f7448696e74;  // tells a description from other bytes

struct HintDescription {
  std::uint64_t mark;
  void* address;
  std::uint64_t bytes;
};
static_assert(sizeof(HintDescription) <= kCacheHintBytes);

class DescribedHint {
 public:
  static constexpr bool kReplays = true;

  explicit DescribedHint(void* description)
      : description_(description),
        serial_(
            CheckDeviceRange(description, kCacheHintBytes, kRtParamInvalid, "cmoDesc", Use::kRead).serial) {}
  Outcome Run(Stream&) {
    HintDescription found;
    std::memcpy(&found, RecheckRange(description_, kCacheHintBytes, Use::kRead, serial_, "cmoDesc"),
                sizeof(found));
    if (found.mark != kHintMark)
      Fail(kRtSysDma, "at {} is no description of memory; aclrtCmoSetDesc writes one", description_);
    CheckDeviceRange(found.address, found.bytes, kRtSysDma, "src", Use::kRead);
    return Outcome::kDone;
  }
  std::string Describe() const { return fmt::format("cmoDesc={}", description_); }
  void ListAccesses(std::vector<Access>& list) const {
    list.push_back({description_, kCacheHintBytes, Use::kRead, Extent::kExact, serial_});
  }

 private:
  void* description_;
  std::uint64_t serial_;
};

class CacheBarrier {
 public:
  static constexpr bool kReplays = true;
  Outcome Run(Stream&) { return Outcome::kDone; }
  std::string Describe() const { return {}; }
  void ListAccesses(std::vector<Access>&) const {}
};

}  // namespace

void WriteCacheHint(void* description, void* address, std::size_t bytes) {
  const MemoryUse place =
      CheckDeviceRange(description, kCacheHintBytes, kRtParamInvalid, "cmoDesc", Use::kWrite);
  if (bytes == 0) Fail(kRtParamInvalid, "size must not be 0");
  CheckDeviceRange(address, bytes, kRtParamInvalid, "src", Use::kRead);
  TellTouches({{description, kCacheHintBytes, Use::kWrite, Extent::kExact, place.serial}});
  const HintDescription written{kHintMark, address, bytes};
  std::memset(place.kernel, 0, kCacheHintBytes);
  std::memcpy(place.kernel, &written, sizeof(written));
}

void PushDescribedCacheHint(const StreamRef& stream, const char* api, void* description) {
  stream.Push(api, DescribedHint(description));
}

void PushCacheBarrier(const StreamRef& stream, const char* api) {
  stream.Push(api, CacheBarrier());
}

void PushCacheHint(const StreamRef& stream, const char* api, void* address, std::size_t bytes) {
  if (bytes == 0) Fail(kRtParamInvalid, "size must not be 0");
  const MemoryUse found = CheckDeviceRange(address, bytes, kRtParamInvalid, "src", Use::kRead);
  stream.Push(api, CacheHint(address, bytes, found.serial));
}

}  // namespace foothold

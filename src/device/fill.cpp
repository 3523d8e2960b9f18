// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/fill.h"

#include <fmt/format.h>

#include "base/error.h"
#include "device/copy_task.h"
#include "device/memory_map.h"
#include "device/observer.h"
#include "kernels/fill.h"

namespace foothold {
namespace {

MemoryUse Check(void* address, std::size_t max, std::size_t bytes) {
  if (bytes > max) Fail(kRtParamInvalid, "{} bytes to set are more than the {} bytes allowed", bytes, max);
  const MemoryUse found = CheckRange(address, bytes, Use::kWrite, "devPtr");
  if (bytes > 0 && found.pageable()) {
    Fail(kRtParamInvalid, "only device memory and memory from aclrtMallocHost can be set; {} {}", address,
         MemoryMap::Get().Describe(address));
  }
  return found;
}

std::size_t WordBytes(std::size_t max, std::size_t count) {
  if (count > max / sizeof(std::uint32_t)) {
    Fail(kRtParamInvalid, "{} values of 4 bytes are more than the {} bytes allowed", count, max);
  }
  return count * sizeof(std::uint32_t);
}

class FillTask {
 public:
  static constexpr bool kReplays = true;

  FillTask(void* address, std::uint64_t serial, std::size_t bytes, std::uint32_t value, bool words)
      : address_(address), serial_(serial), bytes_(bytes), value_(value), words_(words) {}
  Outcome Run(Stream&) {
    void* const to = RecheckRange(address_, bytes_, Use::kWrite, serial_, "devPtr");
    if (words_) {
      FillWords(to, value_, bytes_ / sizeof(value_));
    } else {
      FillBytes(to, static_cast<std::uint8_t>(value_), bytes_);
    }
    return Outcome::kDone;
  }
  std::string Describe() const {
    return fmt::format("devPtr={}, value={:#x}, bytes={}", address_, value_, bytes_);
  }
  void ListAccesses(std::vector<Access>& list) const {
    list.push_back({address_, bytes_, Use::kWrite, Extent::kExact, serial_});
  }
  Place place() const { return PlaceOfCopy(bytes_); }

 private:
  void* address_;
  std::uint64_t serial_;
  std::size_t bytes_;
  std::uint32_t value_;
  bool words_;
};

}  // namespace

void SetBytes(void* address, std::size_t max, std::uint8_t value, std::size_t count) {
  const MemoryUse use = Check(address, max, count);
  TellTouches({{address, count, Use::kWrite, Extent::kExact, use.serial}});
  FillBytes(use.kernel, value, count);
}

void PushSetBytes(const StreamRef& stream, const char* api, void* address, std::size_t max,
                  std::uint8_t value, std::size_t count) {
  stream.Push(api, FillTask(address, Check(address, max, count).serial, count, value, false));
}

void SetWords(void* address, std::size_t max, std::uint32_t value, std::size_t count) {
  const MemoryUse use = Check(address, max, WordBytes(max, count));
  TellTouches({{address, WordBytes(max, count), Use::kWrite, Extent::kExact, use.serial}});
  FillWords(use.kernel, value, count);
}

void PushSetWords(const StreamRef& stream, const char* api, void* address, std::size_t max,
                  std::uint32_t value, std::size_t count) {
  const std::size_t bytes = WordBytes(max, count);
  stream.Push(api, FillTask(address, Check(address, max, bytes).serial, bytes, value, true));
}

}  // namespace foothold

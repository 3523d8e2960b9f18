// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/indirect_copy.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>

#include "device/copy_task.h"
#include "device/memory_map.h"
#include "device/observer.h"
#include "device/task.h"
#include "kernels/copy.h"

namespace foothold {
namespace {

constexpr std::uint64_t kMark = 0x466f6f74436f7079;  // tells a description from other bytes

struct Description {
  std::uint64_t mark;
  void* dst;
  const void* src;
  std::uint64_t count;
};
static_assert(sizeof(Description) <= kCopyDescriptionBytes);

// The memory is known only now.
void CopyWithinDevice(void* dst, const void* src, std::size_t count) {
  if (count == 0) return;
  const MemoryUse from = CheckDeviceRange(src, count, kRtSysDma, "src", Use::kRead);
  const MemoryUse to = CheckDeviceRange(dst, count, kRtSysDma, "dst", Use::kWrite);
  TellWritten(dst, count);
  CopyBytes(to.kernel, from.kernel, count);
}

class DescribedCopy {
 public:
  static constexpr bool kReplays = false;

  explicit DescribedCopy(void* description)
      : description_(description),
        serial_(CheckDeviceRange(description, kCopyDescriptionBytes, kRtParamInvalid, "desc", Use::kRead)
                    .serial) {}
  Outcome Run(Stream&) {
    Description found;
    std::memcpy(&found, RecheckRange(description_, kCopyDescriptionBytes, Use::kRead, serial_, "desc"),
                sizeof(found));
    if (found.mark != kMark)
      Fail(kRtSysDma, "at {} is no description of a copy; aclrtSetMemcpyDesc writes one", description_);
    CopyWithinDevice(found.dst, found.src, found.count);
    return Outcome::kDone;
  }
  std::string Describe() const { return fmt::format("desc={}", description_); }
  void ListAccesses(std::vector<Access>& list) const {
    list.push_back({description_, kCopyDescriptionBytes, Use::kRead, Extent::kExact, serial_});
  }
  Place place() const { return {Place::kUnhurried}; }

 private:
  void* description_;
  std::uint64_t serial_;
};

class CopyByCells {
 public:
  static constexpr bool kReplays = false;
  static constexpr std::size_t kCell = sizeof(void*);

  explicit CopyByCells(const OffsetCopy& copy)
      : state_(std::make_shared<const State>(
            State{copy, CheckDeviceRange(copy.dst_cell, kCell, kRtParamInvalid, "dst", Use::kRead).serial,
                  CheckDeviceRange(copy.src_cell, kCell, kRtParamInvalid, "src", Use::kRead).serial})) {}
  Outcome Run(Stream&) {
    const OffsetCopy& copy = state_->copy;
    char* const dst = AddressIn(copy.dst_cell, state_->dst_serial, "dst");
    const char* const src = AddressIn(copy.src_cell, state_->src_serial, "src");
    CopyWithinDevice(dst + copy.dst_offset, src + copy.src_offset, copy.count);
    return Outcome::kDone;
  }
  std::string Describe() const {
    const OffsetCopy& copy = state_->copy;
    return fmt::format("dst={}, dstDataOffset={}, src={}, srcDataOffset={}, count={}", copy.dst_cell,
                       copy.dst_offset, copy.src_cell, copy.src_offset, copy.count);
  }
  void ListAccesses(std::vector<Access>& list) const {
    const OffsetCopy& copy = state_->copy;
    list.push_back({copy.src_cell, kCell, Use::kRead, Extent::kExact, state_->src_serial});
    list.push_back({copy.dst_cell, kCell, Use::kRead, Extent::kExact, state_->dst_serial});
  }
  Place place() const { return PlaceOfCopy(state_->copy.count); }

 private:
  struct State {
    OffsetCopy copy;
    std::uint64_t dst_serial;
    std::uint64_t src_serial;
  };

  static char* AddressIn(const void* cell, std::uint64_t serial, const char* name) {
    char* address = nullptr;
    std::memcpy(&address, RecheckRange(cell, kCell, Use::kRead, serial, name), kCell);
    return address;
  }

  std::shared_ptr<const State> state_;
};

}  // namespace

void WriteCopyDescription(void* description, void* dst, const void* src, std::size_t count) {
  const MemoryUse place =
      CheckDeviceRange(description, kCopyDescriptionBytes, kRtParamInvalid, "desc", Use::kWrite);
  TellTouches({{description, kCopyDescriptionBytes, Use::kWrite, Extent::kExact, place.serial}});
  const Description written{kMark, dst, src, count};
  std::memset(place.kernel, 0, kCopyDescriptionBytes);
  std::memcpy(place.kernel, &written, sizeof(written));
}

void PushDescribedCopy(const StreamRef& stream, const char* api, void* description) {
  stream.Push(api, DescribedCopy(description));
}

void PushOffsetCopy(const StreamRef& stream, const char* api, const OffsetCopy& copy) {
  if (copy.dst_offset > copy.dst_max || copy.count > copy.dst_max - copy.dst_offset) {
    Fail(kRtParamInvalid, "count {} from offset {} is more than destMax {}", copy.count, copy.dst_offset,
         copy.dst_max);
  }
  stream.Push(api, CopyByCells(copy));
}

}  // namespace foothold

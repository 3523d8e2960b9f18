// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/reduce.h"

#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "device/copy_task.h"
#include "device/memory_map.h"
#include "device/overflow.h"

namespace foothold {
namespace {

struct ReduceState {
  void* dst;
  const void* src;
  std::size_t bytes;
  std::uint64_t dst_serial;
  std::uint64_t src_serial;
  ReduceOperation operation;
  ReduceType type;
  bool saturate;
};

class ReduceTask {
 public:
  static constexpr bool kReplays = true;  // each time onto what is there then

  explicit ReduceTask(const ReduceState& state) : state_(std::make_shared<const ReduceState>(state)) {}
  Outcome Run(Stream& stream) {
    const ReduceState& s = *state_;
    void* const dst = RecheckRange(s.dst, s.bytes, Use::kWrite, s.dst_serial, "dst");
    const void* const src = RecheckRange(s.src, s.bytes, Use::kRead, s.src_serial, "src");
    const std::size_t elements = s.bytes / SizeOf(s.type);
    if (ReduceInto(dst, src, elements, s.operation, s.type, s.saturate)) {
      RaiseOverflow(stream.device());
    }
    return Outcome::kDone;
  }
  std::string Describe() const {
    return fmt::format("dst={}, src={}, count={}", state_->dst, state_->src, state_->bytes);
  }
  void ListAccesses(std::vector<Access>& list) const {
    const ReduceState& s = *state_;
    list.push_back({s.src, s.bytes, Use::kRead, Extent::kExact, s.src_serial});
    list.push_back({s.dst, s.bytes, Use::kRead, Extent::kExact, s.dst_serial});
    list.push_back({s.dst, s.bytes, Use::kWrite, Extent::kExact, s.dst_serial});
  }
  Place place() const { return PlaceOfCopy(state_->bytes); }

 private:
  std::shared_ptr<const ReduceState> state_;
};

}  // namespace

void PushReduce(const StreamRef& stream, const char* api, void* dst, const void* src, std::size_t bytes,
                ReduceOperation operation, ReduceType type) {
  if (bytes == 0 || bytes % SizeOf(type) != 0) {
    Fail(kRtParamInvalid, "count is in bytes and must be a multiple of the element size {}; it is {}",
         SizeOf(type), bytes);
  }
  const auto to = reinterpret_cast<std::uintptr_t>(dst);
  const auto from = reinterpret_cast<std::uintptr_t>(src);
  if (to != from && to < from + bytes && from < to + bytes) {
    Fail(kRtParamInvalid, "the {} bytes from dst {} and from src {} overlap", bytes, dst, src);
  }
  const MemoryUse dst_use = CheckDeviceRange(dst, bytes, kRtParamInvalid, "dst");
  const MemoryUse src_use = CheckDeviceRange(src, bytes, kRtParamInvalid, "src", Use::kRead);
  const bool saturate = OverflowModeOf(stream->device()) == OverflowMode::kSaturate;
  stream.Push(api, ReduceTask({dst, src, bytes, dst_use.serial, src_use.serial, operation, type, saturate}));
}

}  // namespace foothold

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/copy.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>

#include "base/error.h"
#include "base/log.h"
#include "check/advice.h"
#include "check/check.h"
#include "check/copy_rules.h"
#include "device/copy_task.h"
#include "device/observer.h"

namespace foothold {
namespace {

constexpr std::size_t kLargestWidth = 5'000'000;
constexpr std::size_t kLargestHeight = 5'242'880;

// Memory that is the host's and the device's fits every kind.
bool KindFits(const MemoryUse& dst, const MemoryUse& src, CopyKind kind) {
  if (kind == CopyKind::kDefault) return true;
  const bool to_device = kind != CopyKind::kHostToHost && kind != CopyKind::kDeviceToHost;
  const bool from_device = kind != CopyKind::kHostToHost && kind != CopyKind::kHostToDevice &&
                           kind != CopyKind::kHostToBufferToDevice;
  const auto fits = [](const MemoryUse& use, bool on_device) {
    return use.on_device() == on_device || use.kind == MemoryKind::kManaged;
  };
  return fits(dst, to_device) && fits(src, from_device);
}

void CheckKind(CopyKind kind) {
  if (kind < CopyKind::kHostToHost || kind > CopyKind::kInterDeviceToDevice) {
    Fail(kRtParamInvalid, "kind {} does not exist", static_cast<int>(kind));
  }
}

struct Ends {
  MemoryUse dst;
  MemoryUse src;

  bool on_host() const { return !dst.on_device() && !src.on_device(); }
  bool pageable() const { return dst.pageable() || src.pageable(); }
};

Ends CheckEnds(void* dst, std::size_t dst_bytes, const void* src, std::size_t src_bytes, CopyKind kind) {
  const Ends ends{CheckRange(dst, dst_bytes, Use::kWrite, "dst"),
                  CheckRange(src, src_bytes, Use::kRead, "src")};
  WarnAboutKind(ends.dst, ends.src, static_cast<int>(kind));
  return ends;
}

// Out of the way of copies nobody watches, as is TellCopy.
[[gnu::noinline, gnu::cold]] void LookAtCopy(const Ends& ends, void* dst, std::size_t dst_max,
                                             const void* src, std::size_t count, CopyKind kind, bool queued) {
  if (count == 0) return;
  // What was asked for is known to lie in one block of the library.
  const bool fits = dst_max == count && (ends.dst.on_device() || ends.dst.kind == MemoryKind::kPinned);
  check::LookAtCopy({dst, dst_max, fits ? count : ReachOf(dst), src, count, static_cast<int>(kind),
                     KindFits(ends.dst, ends.src, kind), queued,
                     ends.dst.on_device() && ends.src.on_device()});
}

[[gnu::noinline, gnu::cold]] void TellCopy(const Ends& ends, void* dst, const void* src, std::size_t count) {
  TellTouched({{src, count, Use::kRead, Extent::kExact, ends.src.serial},
               {dst, count, Use::kWrite, Extent::kExact, ends.dst.serial}});
}

Ends CheckCopy(void* dst, std::size_t dst_max, const void* src, std::size_t count, CopyKind kind,
               bool queued) {
  CheckKind(kind);
  if (count > dst_max) Fail(kRtParamInvalid, "count {} is more than destMax {}", count, dst_max);
  if (count == 0 && (dst == nullptr || src == nullptr)) return {};  // programs copy empty tensors
  const Ends ends = CheckEnds(dst, count, src, count, kind);
  if (check::On()) [[unlikely]]
    LookAtCopy(ends, dst, dst_max, src, count, kind, queued);
  return ends;
}

// Data that was read when the copy was asked for.
class CapturedCopy {
 public:
  CapturedCopy(void* dst, std::uint64_t serial, const void* src, std::size_t count)
      : data_(std::make_shared_for_overwrite<char[]>(count)), dst_(dst), count_(count), serial_(serial) {
    std::memcpy(data_.get(), src, count);
  }
  static constexpr bool kReplays = true;  // with the data of the call, as often as it is
  Outcome Run(Stream&) {
    CopyBytes(RecheckRange(dst_, count_, Use::kWrite, serial_, "dst"), data_.get(), count_);
    return Outcome::kDone;
  }
  std::string Describe() const { return fmt::format("dst={}, count={}, data captured", dst_, count_); }
  void ListAccesses(std::vector<Access>& list) const {
    list.push_back({dst_, count_, Use::kWrite, Extent::kExact, serial_});
  }
  Place place() const { return PlaceOfCopy(count_); }

 private:
  std::shared_ptr<char[]> data_;  // never changes
  void* dst_;
  std::size_t count_;
  std::uint64_t serial_;
};

struct RectangleState {
  RectangleCopy copy;
  std::size_t dst_bytes;
  std::size_t src_bytes;
  std::uint64_t dst_serial;
  std::uint64_t src_serial;
};

// Bytes between the rows are left alone.
Extent ExtentOf(std::size_t pitch, Plane plane) {
  return pitch == plane.width || plane.height == 1 ? Extent::kExact : Extent::kPartial;
}

class RectangleTask {
 public:
  static constexpr bool kReplays = true;

  explicit RectangleTask(const RectangleState& state)
      : state_(std::make_shared<const RectangleState>(state)) {}
  Outcome Run(Stream&) {
    const RectangleCopy& copy = state_->copy;
    void* const dst = RecheckRange(copy.dst, state_->dst_bytes, Use::kWrite, state_->dst_serial, "dst");
    void* const src = RecheckRange(copy.src, state_->src_bytes, Use::kRead, state_->src_serial, "src");
    CopyRows(dst, copy.dst_pitch, src, copy.src_pitch, copy.plane);
    return Outcome::kDone;
  }
  std::string Describe() const {
    const RectangleCopy& copy = state_->copy;
    return fmt::format("dst={}, dpitch={}, src={}, spitch={}, width={}, height={}", copy.dst, copy.dst_pitch,
                       copy.src, copy.src_pitch, copy.plane.width, copy.plane.height);
  }
  void ListAccesses(std::vector<Access>& list) const {
    const RectangleCopy& copy = state_->copy;
    list.push_back(
        {copy.src, state_->src_bytes, Use::kRead, ExtentOf(copy.src_pitch, copy.plane), state_->src_serial});
    list.push_back(
        {copy.dst, state_->dst_bytes, Use::kWrite, ExtentOf(copy.dst_pitch, copy.plane), state_->dst_serial});
  }
  Place place() const { return PlaceOfCopy(state_->copy.plane.width * state_->copy.plane.height); }

 private:
  std::shared_ptr<const RectangleState> state_;
};

// From the first byte of the first row to the last byte of the last.
std::size_t BytesOfRows(std::size_t pitch, Plane plane, const char* name) {
  if (plane.width > pitch) Fail(kRtParamInvalid, "width {} is more than {} {}", plane.width, name, pitch);
  std::size_t rows;
  std::size_t bytes;
  if (__builtin_mul_overflow(pitch, plane.height - 1, &rows) ||
      __builtin_add_overflow(rows, plane.width, &bytes)) {
    Fail(kRtParamInvalid, "{} rows every {} bytes ({}) are more than any memory holds", plane.height, pitch,
         name);
  }
  return bytes;
}

struct CheckedRectangle {
  RectangleState state;
  Ends ends;
};

CheckedRectangle CheckRectangle(const RectangleCopy& copy, CopyKind kind) {
  if (kind <= CopyKind::kHostToHost || kind > CopyKind::kInterDeviceToDevice) {
    Fail(kInvalidParam, "kind {} is not possible for a two-dimensional copy", static_cast<int>(kind));
  }
  if (copy.plane.height == 0 || copy.plane.width == 0) {
    Fail(kRtParamInvalid, "width {} and height {} must not be 0", copy.plane.width, copy.plane.height);
  }
  const std::size_t dst_bytes = BytesOfRows(copy.dst_pitch, copy.plane, "dpitch");
  const std::size_t src_bytes = BytesOfRows(copy.src_pitch, copy.plane, "spitch");
  const Ends ends = CheckEnds(copy.dst, dst_bytes, copy.src, src_bytes, kind);
  if (ends.on_host()) Fail(kInvalidParam, "a two-dimensional copy needs device memory on one side");
  const auto dst = reinterpret_cast<std::uintptr_t>(copy.dst);
  const auto src = reinterpret_cast<std::uintptr_t>(copy.src);
  if (dst < src + src_bytes && src < dst + dst_bytes) {
    Fail(kRtParamInvalid, "the {} bytes from dst {} and the {} bytes from src {} overlap", dst_bytes,
         copy.dst, src_bytes, copy.src);
  }
  return {{copy, dst_bytes, src_bytes, ends.dst.serial, ends.src.serial}, ends};
}

}  // namespace

void FailDropped(const Stream& stream) {
  if (const Failure failure = stream.failures().Peek()) throw Error(*failure);
  Fail(kRtStreamAbort, "stream {} dropped the copy before it was made", stream.id());
}

void WarnAboutKind(const MemoryUse& dst, const MemoryUse& src, int kind) {
  if (!LogEnabled(LogLevel::kWarning) || KindFits(dst, src, static_cast<CopyKind>(kind))) return;
  Log(LogLevel::kWarning, "copy kind {} does not fit: the source is {} memory, the destination {} memory",
      kind, src.on_device() ? "device" : "host", dst.on_device() ? "device" : "host");
}

Outcome CheckedCopy::Run(Stream&) const {
  void* const to = RecheckRange(dst, count, Use::kWrite, dst_serial, "dst");
  CopyBytes(to, RecheckRange(src, count, Use::kRead, src_serial, "src"), count);
  return Outcome::kDone;
}

std::string CheckedCopy::Describe() const {
  return fmt::format("dst={}, src={}, count={}", dst, src, count);
}

void CheckedCopy::ListAccesses(std::vector<Access>& list) const {
  list.push_back({src, count, Use::kRead, Extent::kExact, src_serial});
  list.push_back({dst, count, Use::kWrite, Extent::kExact, dst_serial});
}

void Copy(void* dst, std::size_t dst_max, const void* src, std::size_t count, CopyKind kind) {
  const Ends ends = CheckCopy(dst, dst_max, src, count, kind, false);
  if (watch::Is(watch::kCheck)) [[unlikely]]
    TellCopy(ends, dst, src, count);
  if (count > 0) CopyBytes(ends.dst.kernel, ends.src.kernel, count);
}

void PushCopy(const StreamRef& stream, const char* api, void* dst, std::size_t dst_max, const void* src,
              std::size_t count, CopyKind kind) {
  if (kind == CopyKind::kHostToHost) {
    Fail(kRtFeatureNotSupport, "streams do not copy from host to host; use aclrtMemcpy");
  }
  const Ends ends = CheckCopy(dst, dst_max, src, count, kind, true);
  if (count == 0) return;
  if (ends.on_host()) {
    Fail(kRtFeatureNotSupport,
         "dst {} and src {} are both host memory; streams do not copy from host to host", dst, src);
  }
  if (kind == CopyKind::kHostToBufferToDevice && !ends.src.on_device()) {
    stream.Push(api, CapturedCopy(dst, ends.dst.serial, src, count));
    return;
  }
  const CheckedCopy copy{dst, src, count, ends.dst.serial, ends.src.serial};
  if (ends.pageable()) {
    if (check::On()) check::LookAtPageableCopy(count);
    PushAndFinish(stream, api, copy);
  } else {
    stream.Push(api, copy);
  }
}

void CopyRectangle(const RectangleCopy& copy, CopyKind kind) {
  const CheckedRectangle checked = CheckRectangle(copy, kind);
  const Ends& ends = checked.ends;
  TellTouches(
      {{copy.src, checked.state.src_bytes, Use::kRead, ExtentOf(copy.src_pitch, copy.plane), ends.src.serial},
       {copy.dst, checked.state.dst_bytes, Use::kWrite, ExtentOf(copy.dst_pitch, copy.plane),
        ends.dst.serial}});
  CopyRows(ends.dst.kernel, copy.dst_pitch, ends.src.kernel, copy.src_pitch, copy.plane);
}

void PushRectangleCopy(const StreamRef& stream, const char* api, const RectangleCopy& copy, CopyKind kind) {
  if (copy.plane.width > kLargestWidth || copy.plane.height > kLargestHeight) {
    Fail(kRtParamInvalid, "width {} and height {} must be at most {} and {}", copy.plane.width,
         copy.plane.height, kLargestWidth, kLargestHeight);
  }
  const CheckedRectangle checked = CheckRectangle(copy, kind);
  if (checked.ends.pageable()) {
    PushAndFinish(stream, api, RectangleTask(checked.state));
  } else {
    stream.Push(api, RectangleTask(checked.state));
  }
}

}  // namespace foothold

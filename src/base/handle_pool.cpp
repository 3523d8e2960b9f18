// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/handle_pool.h"

#include <fmt/core.h>

#include <atomic>

namespace foothold {
namespace {

std::atomic<const ObjectWatcher*> object_watcher{nullptr};

}  // namespace

void SetObjectWatcher(const ObjectWatcher& watcher) noexcept {
  object_watcher.store(&watcher);
}

void handle_detail::TellMade(HandleKind kind, std::uint64_t handle) noexcept {
  if (const ObjectWatcher* const watcher = object_watcher.load()) watcher->made(kind, handle);
}

void handle_detail::TellGone(HandleKind kind, std::uint64_t handle) noexcept {
  if (const ObjectWatcher* const watcher = object_watcher.load()) watcher->gone(kind, handle);
}

const char* HandleKindName(HandleKind kind) {
  switch (kind) {
    case HandleKind::kContext:
      return "context";
    case HandleKind::kStream:
      return "stream";
    case HandleKind::kEvent:
      return "event";
    case HandleKind::kNotify:
      return "notify";
    case HandleKind::kCountNotify:
      return "counted notify";
    case HandleKind::kAllocatorDesc:
      return "allocator description";
    case HandleKind::kPhysicalMemory:
      return "physical memory handle";
    case HandleKind::kDataBuffer:
      return "data buffer";
    case HandleKind::kTensorDesc:
      return "tensor description";
    case HandleKind::kModelDesc:
      return "model description";
    case HandleKind::kDataSet:
      return "data set";
    case HandleKind::kModelConfig:
      return "model configuration";
    case HandleKind::kRunConfig:
      return "run configuration";
    case HandleKind::kBundleSizes:
      return "bundle query";
    case HandleKind::kAippParameters:
      return "set of AIPP parameters";
    case HandleKind::kOperatorAttributes:
      return "set of operator attributes";
    case HandleKind::kOperatorHandle:
      return "prepared operator";
    case HandleKind::kGraphDumpOption:
      return "graph dump option";
    case HandleKind::kTensor:
      return "tensor";
    case HandleKind::kScalar:
      return "scalar";
    case HandleKind::kIntArray:
      return "array of integers";
    case HandleKind::kFloatArray:
      return "array of floats";
    case HandleKind::kBoolArray:
      return "array of bools";
    case HandleKind::kTensorList:
      return "list of tensors";
    case HandleKind::kScalarList:
      return "list of scalars";
    case HandleKind::kExecutor:
      return "executor";
    case HandleKind::kTransferItem:
      return "data item";
    case HandleKind::kTransferSet:
      return "set of data items";
    case HandleKind::kTransferChannel:
      return "channel";
    case HandleKind::kTransferBuffer:
      return "shared buffer";
    case HandleKind::kQueueAttributes:
      return "set of queue attributes";
    case HandleKind::kQueueRoute:
      return "queue route";
    case HandleKind::kRouteList:
      return "list of queue routes";
    case HandleKind::kRouteQuery:
      return "query of queue routes";
    case HandleKind::kMemoryPool:
      return "memory pool";
    case HandleKind::kModelInstance:
      return "model instance";
    case HandleKind::kTaskGroup:
      return "task group";
    case HandleKind::kLabel:
      return "label";
    case HandleKind::kLabelList:
      return "list of labels";
    case HandleKind::kCondition:
      return "condition handle";
    case HandleKind::kInstanceTask:
      return "task of a model instance";
    case HandleKind::kBinaryData:
      return "binary that is not loaded";
    case HandleKind::kBinary:
      return "loaded binary";
    case HandleKind::kKernelFunction:
      return "kernel";
    case HandleKind::kKernelArguments:
      return "list of kernel arguments";
    case HandleKind::kCommunicator:
      return "communicator";
    case HandleKind::kPictureDesc:
      return "picture description";
    case HandleKind::kPictureBatch:
      return "batch of picture descriptions";
    case HandleKind::kStreamPiece:
      return "stream description";
    case HandleKind::kRegionConfig:
      return "region";
    case HandleKind::kResizeConfig:
      return "resize configuration";
    case HandleKind::kJpegConfig:
      return "JPEG configuration";
    case HandleKind::kBorderConfig:
      return "border configuration";
    case HandleKind::kLookupTable:
      return "lookup table";
    case HandleKind::kHistogram:
      return "histogram";
    case HandleKind::kPictureChannel:
      return "channel description";
    case HandleKind::kDecodeChannel:
      return "description of a video decoding channel";
    case HandleKind::kDecodeFrameConfig:
      return "configuration of a frame to decode";
    case HandleKind::kEncodeChannel:
      return "description of a video encoding channel";
    case HandleKind::kEncodeFrameConfig:
      return "configuration of a frame to encode";
  }
  return nullptr;
}

bool IsHandleOf(HandleKind kind, const void* handle) {
  return HandleValue(handle) >> handle_detail::kKindShift == handle_detail::KindBits(kind);
}

std::optional<HandleKind> KindOfHandle(const void* handle) noexcept {
  const std::uint64_t top = HandleValue(handle) >> handle_detail::kKindShift;
  const auto kind = static_cast<HandleKind>((top & 0xF) << 4 | (top >> 8 & 0xF));
  if (top != handle_detail::KindBits(kind) || HandleKindName(kind) == nullptr) return std::nullopt;
  return kind;
}

std::string DescribeHandle(const void* handle) {
  if (handle == nullptr) return "null";
  const std::optional<HandleKind> kind = KindOfHandle(handle);
  if (!kind) return fmt::format("{} (not a handle of this library)", handle);
  return fmt::format("{} (the form of a {} handle)", handle, HandleKindName(*kind));
}

}  // namespace foothold

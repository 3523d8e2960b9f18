// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/handle_pool.h"

#include <fmt/core.h>

namespace foothold {

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
  }
  return nullptr;
}

bool IsHandleOf(HandleKind kind, const void* handle) {
  return HandleValue(handle) >> 56 == (handle_detail::kTag | static_cast<std::uint64_t>(kind));
}

std::string DescribeHandle(const void* handle) {
  if (handle == nullptr) return "null";
  const std::uint64_t tag = HandleValue(handle) >> 56;
  const auto kind = static_cast<HandleKind>(tag & ~handle_detail::kTag);
  const char* name = (tag & handle_detail::kTag) == handle_detail::kTag ? HandleKindName(kind) : nullptr;
  if (name == nullptr) return fmt::format("{} (not a handle of this library)", handle);
  return fmt::format("{} (the form of a {} handle)", handle, name);
}

}  // namespace foothold

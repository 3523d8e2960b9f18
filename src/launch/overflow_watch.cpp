// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "launch/overflow_watch.h"

#include <algorithm>
#include <cstring>

#include "device/overflow.h"

namespace foothold {
namespace {

bool IsHalf(const TensorType& type) {
  return type.type == DataType::kFloat16;
}

bool HasHalfResults(const Program& program) {
  return std::any_of(program.steps.begin(), program.steps.end(), [](const Step& step) {
    return std::any_of(step.output_types.begin(), step.output_types.end(), IsHalf);
  });
}

bool IsFinite(const std::byte* values, std::size_t count) {
  constexpr std::uint16_t kExponent = 0x7C00;
  bool finite = true;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, values + i * sizeof bits, sizeof bits);
    finite = finite && (bits & kExponent) != kExponent;
  }
  return finite;
}

}  // namespace

void OverflowWatch::OnNodeEnd(const NodeRun& node) {
  for (std::size_t i = 0; i < node.output_types.size(); ++i) {
    const TensorType& type = node.output_types[i];
    const std::byte* const values = node.args.outputs[i];
    if (IsHalf(type) && values != nullptr && !IsFinite(values, ByteSize(type) / sizeof(std::uint16_t)))
      return RaiseOverflow(device_);
  }
}

WatchedForOverflow::WatchedForOverflow(bool wanted, const Program* program, int device) {
  if (!wanted || (program != nullptr && !HasHalfResults(*program))) return;
  watch_.emplace(device);
  scope_.emplace(*watch_);
}

}  // namespace foothold

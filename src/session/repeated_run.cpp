// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/repeated_run.h"

#include <cstring>
#include <memory_resource>

#include "base/error.h"
#include "base/graph_codes.h"
#include "base/log.h"
#include "session/graph_slot.h"

namespace foothold {

void RepeatedRun::Set(const GraphSlot& slot, std::span<const GivenInput> inputs, RunReply reply) {
  slot_ = &slot;
  device_ = slot.device();
  count_ = used_ = 0;
  for (const GivenInput& input : inputs)
    inputs_[count_++] = Hold(input);
  reply_ = std::move(reply);
}

const std::byte* RepeatedRun::Hold(const GivenInput& input) {
  if (input.bytes <= kSmallInputs - used_) {
    std::byte* const place = room_.data() + used_;
    if (input.bytes > 0) std::memcpy(place, input.data, input.bytes);
    used_ += (input.bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
    return place;
  }
  if (input.owner != nullptr && *input.owner) {
    held_.push_back(*input.owner);
    return input.data;
  }
  std::byte* const copy = held_.emplace_back(AllocateBytes(input.bytes)).get();
  std::memcpy(copy, input.data, input.bytes);
  return copy;
}

void RepeatedRun::Execute() {
  const GraphSlot::Here here(*slot_);
  try {
    reply_(*this);
  } catch (...) {
    Log(LogLevel::kError, "the callback of RunGraphAsync threw: {}", CurrentError().message());
  }
}

void RepeatedRun::Into(const PlaceOutput& place) {
  if (std::exchange(cut_short_, true)) {
    cut_short_ = false;
    Fail(kGeFailed, "a function of the program ended the thread of the run (pthread_exit or pthread_cancel)");
  }
  try {
    std::array<std::byte, 256> room;  // the list of most graphs fits
    std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
    std::pmr::vector<std::byte*> outputs(&memory);
    outputs.reserve(runner_->program().outputs.size());
    for (const TensorType& type : runner_->program().outputs)
      outputs.push_back(place(type));
    const DeviceCharge copies = slot_->ChargeCopies(*runner_);
    runner_->Run(device_, {inputs_.data(), count_}, outputs);
  } catch (...) {
    const Error error = CurrentError();
    cut_short_ = false;
    throw error;
  }
  cut_short_ = false;
}

bool RepeatedRun::Rest() noexcept {
  reply_.Reset();
  held_.clear();
  return true;
}

}  // namespace foothold

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "launch/bound_run.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <memory_resource>

#include "device/observer.h"
#include "device/run_device.h"
#include "launch/watched_run.h"
#include "launch/work_memory.h"
#include "ops/whole_reads.h"

namespace foothold {
namespace {

std::size_t Aligned(std::size_t bytes) {
  return (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

// The inputs of which some step reads all; one that reads them as a view reads less.
std::vector<bool> WholeInputs(const Program& program) {
  std::vector<bool> whole(program.inputs.size());
  for (const Step& step : program.steps) {
    if (!ReadsAll(step.type)) continue;
    for (std::size_t port = 0; port < std::min(step.inputs.size(), step.input_types.size()); ++port) {
      const int value = step.inputs[port];
      const ValuePlace place = value < 0 ? ValuePlace{} : program.values[static_cast<std::size_t>(value)];
      if (place.home == Home::kInput &&
          ByteSize(step.input_types[port]) == ByteSize(program.inputs[place.index]))
        whole[place.index] = true;
    }
  }
  return whole;
}

}  // namespace

void BoundRun::Begin(const std::shared_ptr<PreparedProgram>& program) {
  if (program_ != program) program_ = program;
  inputs_.resize(program_->program().inputs.size());
  outputs_.resize(program_->program().outputs.size());
  moved_bytes_ = 0;
}

void BoundRun::Bind(Port& port, const GivenMemory& given, Use use, Code code, const PortNames& names,
                    std::string (PortNames::*name)(std::size_t) const, std::size_t index) {
  port.memory =
      RunMemory(given.address, given.bytes, use, given.kind, code, [&] { return (names.*name)(index); });
  port.own.reset();
  port.value = kNoValue;
  port.bytes = given.bytes;
}

void BoundRun::BindInput(std::size_t index, const GivenMemory& given, Code code, const PortNames& names) {
  Bind(inputs_[index], given, Use::kRead, code, names, &PortNames::InputName, index);
}

void BoundRun::BindOutput(std::size_t index, const GivenMemory& given, Code code, const PortNames& names) {
  Bind(outputs_[index], given, Use::kWrite, code, names, &PortNames::OutputName, index);
}

void BoundRun::BindInput(std::size_t index, const RunMemory& checked) {
  inputs_[index] = {checked, nullptr, checked.size()};
}

void BoundRun::BindInput(std::size_t index, SharedBytes own, std::size_t bytes) {
  inputs_[index] = {{}, std::move(own), bytes};
}

void BoundRun::BindValue(std::size_t index, std::size_t offset, std::size_t bytes) {
  inputs_[index] = {{}, nullptr, bytes, kStays, offset};
}

void BoundRun::BindOutput(std::size_t index, SharedBytes own, std::size_t bytes) {
  outputs_[index] = {{}, std::move(own), bytes};
}

bool BoundRun::Meet(const Port& a, const Port& b) const {
  const std::less<const std::byte*> before;
  return a.bytes > 0 && b.bytes > 0 && before(BeginOf(a), BeginOf(b) + b.bytes) &&
         before(BeginOf(b), BeginOf(a) + a.bytes);
}

void BoundRun::Move(Port& port) {
  if (port.moved != kStays) return;
  port.moved = moved_bytes_;
  moved_bytes_ += Aligned(port.bytes);
}

void BoundRun::SeparateOutputs(const MemorySharing& sharing) {
  using Rule = MemorySharing::Rule;
  moved_bytes_ = 0;
  for (Port& input : inputs_)
    input.moved = kStays;
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    int same = 0;
    bool apart = false;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const Rule rule = sharing.Between(i, o);
      if (rule == Rule::kAny || !Meet(inputs_[i], outputs_[o])) continue;
      const bool exactly =
          BeginOf(inputs_[i]) == BeginOf(outputs_[o]) && inputs_[i].bytes == outputs_[o].bytes;
      if (rule == Rule::kCopied || rule == Rule::kCopiedUnlessSame) {
        if (rule == Rule::kCopied || !exactly) Move(inputs_[i]);
        continue;
      }
      ++same;
      apart = apart || rule == Rule::kNever || !exactly;
    }
    outputs_[o].moved = kStays;
    if (apart || same > 1) Move(outputs_[o]);
  }
}

void BoundRun::CheckAlive(const PortNames& names) const {
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    inputs_[i].memory.CheckAlive([&] { return names.InputName(i); });
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    outputs_[i].memory.CheckAlive([&] { return names.OutputName(i); });
}

void BoundRun::Run(const RunScope& scope, std::byte* arena, std::int64_t times) const {
  const WorkMemory::Block elsewhere =
      moved_bytes_ > 0 ? WorkMemory::Block(WorkMemory::Of(scope.device), moved_bytes_) : WorkMemory::Block();
  std::array<std::byte, 512> room;  // the lists of most programs fit
  std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
  std::pmr::vector<const std::byte*> in(&memory);
  std::pmr::vector<std::byte*> out(&memory);
  in.reserve(inputs_.size());
  out.reserve(outputs_.size());
  const auto place = [&](const Port& port) {
    return port.moved == kStays ? DataOf(port) : elsewhere.address() + port.moved;
  };
  for (const Port& input : inputs_) {
    in.push_back(place(input));
    if (input.moved != kStays) std::memcpy(place(input), DataOf(input), input.bytes);
  }
  for (const Port& output : outputs_)
    out.push_back(place(output));
  for (; times > 0; --times) {
    const WatchedRun watched(scope, *program_);
    const RunDevice device(scope.device);
    arena != nullptr ? program_->RunIn(arena, in, out) : program_->Run(scope.device, in, out);
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    if (outputs_[i].moved != kStays) std::memcpy(DataOf(outputs_[i]), out[i], outputs_[i].bytes);
}

std::vector<TensorValue> BoundRun::InputValues(const std::vector<TensorType>& types) const {
  std::vector<TensorValue> values;
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    values.emplace_back(types[i], SharedBytes(SharedBytes(), DataOf(inputs_[i])), inputs_[i].bytes);
  return values;
}

std::vector<TensorValue> BoundRun::RunStages(const RunScope& scope,
                                             const std::vector<TensorType>& types) const {
  const WatchedRun watched(scope, *program_);
  return program_->Run(scope.device, InputValues(types));
}

std::optional<BoundRun::Found> BoundRun::Find(const Port& port) const {
  if (port.moved != kStays) return std::nullopt;
  return Found{DataOf(port), port.bytes, port.is_given() ? &port.memory : nullptr};
}

void BoundRun::ListAccesses(std::vector<Access>& to) const {
  const auto list = [&](const Port& port, Extent extent) {
    if (!port.is_given() || port.bytes == 0) return;
    to.push_back({port.memory.given(), port.bytes, port.memory.use(), extent, port.memory.serial()});
  };
  const std::vector<bool> whole = WholeInputs(program());
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    list(inputs_[i], whole[i] ? Extent::kExact : Extent::kPartial);
  for (const Port& output : outputs_)
    list(output, Extent::kExact);
}

void BoundRun::TellTouches() const {
  DeviceObserver* const observer = Observer();
  if (observer == nullptr) return;
  std::vector<Access> accesses;
  ListAccesses(accesses);
  observer->OnTouched(accesses);
}

void BoundRun::Drop() {
  for (Port& port : inputs_)
    port.own.reset();
  for (Port& port : outputs_)
    port.own.reset();
}

}  // namespace foothold

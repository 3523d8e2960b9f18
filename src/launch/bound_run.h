// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One run of a prepared program, bound to memory: the addresses the program gave and those kernels use,
// checked when it is bound and again when its turn has come; outputs that have to be moved; whoever watches.
// Graphs, models and single operators all run this way. It can be run again, bound anew, and copied: a copy
// does the same in the same memory. One thread at a time.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/access.h"
#include "device/observer.h"
#include "device/run_memory.h"
#include "dump/model_dump.h"
#include "launch/memory_sharing.h"
#include "launch/prepared_program.h"

namespace foothold {

// How messages call the tensors of a run; asked for only if there is something to say.
class PortNames {
 public:
  virtual std::string InputName(std::size_t index) const = 0;
  virtual std::string OutputName(std::size_t index) const = 0;

 protected:
  ~PortNames() = default;
};

// Who watches a run.
struct RunScope {
  static constexpr std::uint32_t kNoModel = UINT32_MAX;

  std::shared_ptr<ModelDump> dump = nullptr;  // null: nobody takes a dump
  std::uint32_t model = kNoModel;             // for those who have subscribed to its operators
  int device = 0;
  int stream = 0;              // its number, for the names of dumps
  bool overflow = false;       // is to be noticed
  int overflowing_device = 0;  // that of the stream: a graph may run on one of another device
  std::optional<Access> workspace = std::nullopt;  // memory the program gave to work in, while it is checked

  bool dumps() const { return dump != nullptr && dump->active(); }
};

// The program's memory at one port.
struct GivenMemory {
  const void* address = nullptr;
  std::size_t bytes = 0;  // that the tensor takes
  RunMemory::Kind kind = RunMemory::Kind::kDevice;
};

// Copies what RunStages has made to where the program wants it. Throws `code` if that memory cannot be used.
template <typename Name>
void PlaceResult(const TensorValue& result, const GivenMemory& to, Code code, const Name& name) {
  const RunMemory memory(to.address, to.bytes, Use::kWrite, to.kind, code, name);
  foothold::TellTouches({{to.address, to.bytes, Use::kWrite, Extent::kExact, memory.serial()}});
  if (memory.size() > 0) std::memcpy(memory.data(), result.data(), memory.size());
}

class BoundRun {
 public:
  // Forgets what was bound.
  void Begin(const std::shared_ptr<PreparedProgram>& program);

  // Every input and output of the program, in any order, before the first run. Memory of the library lives as
  // long as the run. Throws `code` if the program's cannot be used.
  void BindInput(std::size_t index, const GivenMemory& memory, Code code, const PortNames& names);
  void BindInput(std::size_t index, const RunMemory& checked);
  void BindInput(std::size_t index, SharedBytes own, std::size_t bytes);
  // Small values that are the run's own: all of them are copied, then inputs are bound to parts.
  void UseValues(std::span<const std::byte> values) { values_.assign(values.begin(), values.end()); }
  void BindValue(std::size_t index, std::size_t offset, std::size_t bytes);
  void BindOutput(std::size_t index, const GivenMemory& memory, Code code, const PortNames& names);
  void BindOutput(std::size_t index, SharedBytes own, std::size_t bytes);
  // Kernels may write an output before they have read all of the inputs: where they share memory it is
  // written elsewhere first, unless `may_share(input, output)` says that these two may be the same.
  template <typename MayShare>
  void SeparateOutputs(const MayShare& may_share);
  void SeparateOutputs(const MemorySharing& sharing);
  void SeparateOutputs() {
    SeparateOutputs([](std::size_t, std::size_t) { return false; });
  }

  PreparedProgram& prepared() const { return *program_; }
  const Program& program() const { return program_->program(); }
  // As values, where the program is not static.
  std::vector<TensorValue> InputValues(const std::vector<TensorType>& types) const;

  // Throws 507013 if memory was freed since it was bound.
  void CheckAlive(const PortNames& names) const;
  // In `arena`; null: in memory of the prepared program. Throws what kernels throw. More than once, every
  // time reads what was there before the first.
  void Run(const RunScope& scope, std::byte* arena = nullptr, std::int64_t times = 1) const;
  // Where only the run tells the sizes of outputs. What comes out is for the caller to place.
  std::vector<TensorValue> RunStages(const RunScope& scope, const std::vector<TensorType>& types) const;

  // Where kernels find a port. Nothing for one whose bytes are moved.
  struct Found {
    std::byte* data;
    std::size_t bytes;
    const RunMemory* memory;  // the program's, or null: the library's
  };
  std::optional<Found> FindInput(std::size_t index) const { return Find(inputs_[index]); }
  std::optional<Found> FindOutput(std::size_t index) const { return Find(outputs_[index]); }

  // What a run touches of the program's memory. Operators say whether they read all of an input
  // (ops/whole_reads.h).
  void ListAccesses(std::vector<Access>& to) const;
  // The call of this thread is about to run it itself.
  void TellTouches() const;
  // Lets go of the library's memory. The program stays, for the next time: who counts its users pays for
  // that.
  void Drop();

 private:
  static constexpr std::size_t kStays = SIZE_MAX, kNoValue = SIZE_MAX;
  struct Port {
    RunMemory memory;  // the program's
    SharedBytes own;   // else the library's
    std::size_t bytes = 0;
    // This far into memory of the run: an output is written there first, an input read from a copy there.
    std::size_t moved = kStays;
    std::size_t value = kNoValue;  // else: where it is among the values

    bool is_given() const { return !own && value == kNoValue; }
  };
  std::byte* DataOf(const Port& port) const {
    if (port.value != kNoValue) return const_cast<std::byte*>(values_.data()) + port.value;
    return port.own ? port.own.get() : port.memory.data();
  }
  const std::byte* BeginOf(const Port& port) const {
    return port.is_given() ? port.memory.given() : DataOf(port);
  }
  bool Meet(const Port& a, const Port& b) const;
  static void Bind(Port& port, const GivenMemory& memory, Use use, Code code, const PortNames& names,
                   std::string (PortNames::*name)(std::size_t) const, std::size_t index);
  void Move(Port& port);
  std::optional<Found> Find(const Port& port) const;

  std::shared_ptr<PreparedProgram> program_;
  std::vector<Port> inputs_, outputs_;
  std::vector<std::byte> values_;
  std::size_t moved_bytes_ = 0;
};

template <typename MayShare>
void BoundRun::SeparateOutputs(const MayShare& may_share) {
  moved_bytes_ = 0;
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    int met = 0;
    bool shares = true;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (!Meet(inputs_[i], outputs_[o])) continue;
      const bool same = BeginOf(inputs_[i]) == BeginOf(outputs_[o]) && inputs_[i].bytes == outputs_[o].bytes;
      shares = shares && same && may_share(i, o);
      ++met;
    }
    outputs_[o].moved = kStays;
    if (met > 1 || (met == 1 && !shares)) Move(outputs_[o]);
  }
}

}  // namespace foothold

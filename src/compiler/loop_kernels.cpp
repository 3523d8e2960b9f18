// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/loop_kernels.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "base/error.h"
#include "program/execution.h"

namespace foothold {
namespace {

std::size_t Aligned(std::size_t bytes) {
  return (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

// Executions of one program that are not in use, so that a run makes none.
class ExecutionPool {
 public:
  explicit ExecutionPool(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

  const Program& program() const { return *program_; }

  class Lease {
   public:
    explicit Lease(const ExecutionPool& pool) : pool_(pool), execution_(pool.Take()) {}
    ~Lease() { pool_.Give(std::move(execution_)); }
    Execution* operator->() const { return execution_.get(); }

   private:
    const ExecutionPool& pool_;
    std::unique_ptr<Execution> execution_;
  };

 private:
  std::unique_ptr<Execution> Take() const {
    std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) return std::make_unique<Execution>(program_);
    auto execution = std::move(free_.back());
    free_.pop_back();
    return execution;
  }
  void Give(std::unique_ptr<Execution> execution) const {
    std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(std::move(execution));
  }

  std::shared_ptr<const Program> program_;
  mutable std::mutex mutex_;  // guards free_
  mutable std::vector<std::unique_ptr<Execution>> free_;
};

// The variables of several programs as one list, and which of them each program means.
class SharedVariables {
 public:
  std::vector<int> Add(const Program& program) {
    std::vector<int> indices;
    for (const ProgramVariable& variable : program.variables)
      indices.push_back(Add(variable));
    return indices;
  }
  const std::vector<ProgramVariable>& all() const { return all_; }

 private:
  int Add(const ProgramVariable& variable) {
    const auto found = std::find_if(
        all_.begin(), all_.end(), [&](const ProgramVariable& other) { return other.name == variable.name; });
    if (found == all_.end()) {
      all_.push_back(variable);
      return static_cast<int>(all_.size()) - 1;
    }
    found->written = found->written || variable.written;
    return static_cast<int>(found - all_.begin());
  }

  std::vector<ProgramVariable> all_;
};

// One program inside a kernel: bound to the kernel's own arguments.
struct Part {
  Part(std::shared_ptr<const Program> program, SharedVariables& shared)
      : pool(std::make_unique<ExecutionPool>(program)), variables(shared.Add(*program)) {}

  // `first_variable`: where the shared variables begin among the kernel's inputs.
  void Run(const RunArgs& args, int first_variable, std::byte* arena, const std::byte* const* inputs,
           std::byte* const* outputs) const {
    std::vector<std::byte*> memory;
    for (const int index : variables)
      memory.push_back(const_cast<std::byte*>(args.inputs[first_variable + index]));
    const ExecutionPool::Lease execution(*pool);
    execution->Bind(arena, memory);
    execution->Run({inputs, pool->program().inputs.size()}, {outputs, pool->program().outputs.size()});
  }

  std::unique_ptr<ExecutionPool> pool;
  std::vector<int> variables;
};

class ChoiceKernel final : public Kernel {
 public:
  ChoiceKernel(std::vector<Part> parts, Choice choice, TensorType chooser, int ports)
      : parts_(std::move(parts)), choice_(choice), chooser_(std::move(chooser)), ports_(ports) {
    for (const Part& part : parts_)
      workspace_ = std::max(workspace_, part.pool->program().arena_bytes);
  }

  void Run(const RunArgs& args) const override {
    const TensorValue value(chooser_, SharedBytes(SharedBytes(), const_cast<std::byte*>(args.inputs[0])),
                            ByteSize(chooser_));
    const Part& part = parts_[ChooseBranch(choice_, value, parts_.size())];
    part.Run(args, ports_, args.workspace, args.inputs + 1, args.outputs);
  }
  std::size_t WorkspaceBytes() const override { return workspace_; }

 private:
  std::vector<Part> parts_;
  Choice choice_;
  TensorType chooser_;
  int ports_;
  std::size_t workspace_ = 0;
};

// Two sets of the values a loop carries: each time one is read and the other written.
class CarriedValues {
 public:
  explicit CarriedValues(const std::vector<TensorType>& types) {
    for (const TensorType& type : types)
      sizes_.push_back(ByteSize(type));
    for (const std::size_t size : sizes_)
      set_ += Aligned(size);
  }

  int count() const { return static_cast<int>(sizes_.size()); }
  std::size_t bytes() const { return 2 * set_; }

  std::vector<std::byte*> Set(std::byte* memory, int which) const {
    std::byte* at = memory + static_cast<std::size_t>(which) * set_;
    std::vector<std::byte*> values;
    for (const std::size_t size : sizes_) {
      values.push_back(at);
      at += Aligned(size);
    }
    return values;
  }

  void Copy(std::byte* const* to, const std::byte* const* from) const {
    for (std::size_t i = 0; i < sizes_.size(); ++i)
      if (sizes_[i] > 0) std::memcpy(to[i], from[i], sizes_[i]);
  }

 private:
  std::vector<std::size_t> sizes_;
  std::size_t set_ = 0;
};

// The workspace: an arena for the programs, the condition's result, and the carried values.
class LoopKernel final : public Kernel {
 public:
  LoopKernel(Part condition, Part body, const std::vector<TensorType>& carried)
      : condition_(std::move(condition)), body_(std::move(body)), carried_(carried) {
    arena_ = Aligned(std::max(condition_.pool->program().arena_bytes, body_.pool->program().arena_bytes));
  }

  void Run(const RunArgs& args) const override {
    std::byte* memory = args.workspace + arena_ + kTensorAlignment;
    std::vector<std::byte*> now = carried_.Set(memory, 0), next = carried_.Set(memory, 1);
    carried_.Copy(now.data(), args.inputs);
    while (Continues(args, now)) {
      body_.Run(args, carried_.count(), args.workspace, now.data(), next.data());
      std::swap(now, next);
    }
    carried_.Copy(args.outputs, now.data());
  }
  std::size_t WorkspaceBytes() const override { return arena_ + kTensorAlignment + carried_.bytes(); }

 private:
  bool Continues(const RunArgs& args, const std::vector<std::byte*>& now) const {
    std::byte* result = args.workspace + arena_;
    condition_.Run(args, carried_.count(), args.workspace, now.data(), &result);
    const TensorType& type = condition_.pool->program().outputs[0];
    return ChooseBranch(Choice::kTruth, TensorValue(type, SharedBytes(SharedBytes(), result), ByteSize(type)),
                        2) == 1;
  }

  Part condition_, body_;
  CarriedValues carried_;
  std::size_t arena_ = 0;
};

// The workspace: an arena for the body, the number it is given, the one it gives back, and the carried
// values.
class CountingKernel final : public Kernel {
 public:
  CountingKernel(Part body, const std::vector<TensorType>& carried, bool returns_number)
      : body_(std::move(body)),
        carried_(carried),
        returns_number_(returns_number),
        arena_(Aligned(body_.pool->program().arena_bytes)) {}

  void Run(const RunArgs& args) const override {
    std::byte *number = args.workspace + arena_, *returned = number + kTensorAlignment;
    std::byte* memory = returned + kTensorAlignment;
    std::vector<std::byte*> now = carried_.Set(memory, 0), next = carried_.Set(memory, 1);
    carried_.Copy(now.data(), args.inputs + kCountPorts);
    LoopCount count(args.inputs[0], args.inputs[1], args.inputs[2]);
    const std::int32_t first = count.now();
    std::memcpy(returned, &first, sizeof(first));
    for (; !count.done(); count.Next()) {
      const std::int32_t value = count.now();
      std::memcpy(number, &value, sizeof(value));
      RunBody(args, number, now, returned, next);
      std::swap(now, next);
    }
    if (returns_number_) std::memcpy(args.outputs[0], returned, sizeof(std::int32_t));
    carried_.Copy(args.outputs + (returns_number_ ? 1 : 0), now.data());
  }
  std::size_t WorkspaceBytes() const override { return arena_ + 2 * kTensorAlignment + carried_.bytes(); }

 private:
  void RunBody(const RunArgs& args, std::byte* number, const std::vector<std::byte*>& now,
               std::byte* returned, const std::vector<std::byte*>& next) const {
    std::vector<const std::byte*> in = {number};
    in.insert(in.end(), now.begin(), now.end());
    std::vector<std::byte*> out = next;
    if (returns_number_) out.insert(out.begin(), returned);
    body_.Run(args, kCountPorts + carried_.count(), args.workspace, in.data(), out.data());
  }

  Part body_;
  CarriedValues carried_;
  bool returns_number_;
  std::size_t arena_;
};

}  // namespace

std::size_t ChooseBranch(Choice choice, const TensorValue& value, std::size_t branches) {
  const std::int64_t elements = ElementCount(value.dims());
  if (choice == Choice::kTruth) return elements == 1 ? Scalar(value) != 0 : elements > 0;
  const auto index = static_cast<std::int64_t>(Scalar(value));
  const bool exists = index >= 0 && index < static_cast<std::int64_t>(branches);
  return exists ? static_cast<std::size_t>(index) : branches - 1;
}

LoweredControlFlow LowerChoice(std::vector<std::shared_ptr<const Program>> programs, Choice choice,
                               const TensorType& chooser, int ports) {
  SharedVariables variables;
  std::vector<Part> parts;
  for (auto& program : programs)
    parts.emplace_back(std::move(program), variables);
  return {std::make_unique<ChoiceKernel>(std::move(parts), choice, chooser, ports), variables.all()};
}

LoweredControlFlow LowerLoop(std::shared_ptr<const Program> condition, std::shared_ptr<const Program> body,
                             const std::vector<TensorType>& carried) {
  SharedVariables variables;
  Part first(std::move(condition), variables), second(std::move(body), variables);
  return {std::make_unique<LoopKernel>(std::move(first), std::move(second), carried), variables.all()};
}

LoopCount::LoopCount(const std::byte* start, const std::byte* limit, const std::byte* delta) {
  const auto read = [](const std::byte* from) {
    std::int32_t value = 0;
    std::memcpy(&value, from, sizeof(value));
    return value;
  };
  now_ = read(start);
  limit_ = read(limit);
  delta_ = read(delta);
  if (delta_ == 0) Fail(kInvalidParam, "a loop from {} to {} by 0 has no end", now_, limit_);
}

LoweredControlFlow LowerCountingLoop(std::shared_ptr<const Program> body,
                                     const std::vector<TensorType>& carried, bool returns_number) {
  SharedVariables variables;
  Part part(std::move(body), variables);
  return {std::make_unique<CountingKernel>(std::move(part), carried, returns_number), variables.all()};
}

}  // namespace foothold

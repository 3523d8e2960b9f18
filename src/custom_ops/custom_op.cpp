// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "custom_ops/custom_op.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <optional>

#include "base/crash_watch.h"
#include "base/error.h"
#include "base/held_locks.h"
#include "base/spin.h"
#include "base/thread_end.h"
#include "base/thread_pool.h"
#include "custom_ops/custom_node.h"

namespace foothold {
namespace {

// Fewer elements than this are one block's.
constexpr std::int64_t kSmallTensor = 32768;
constexpr std::size_t kFewTensors = 16;

// Calls a function of the operator; what leaves it as an exception is a refusal.
template <typename Function>
FOOTHOLD_HANDLES_END_OF_THREAD int CallRule(const CustomOperator& op, const char* what,
                                            const OpContext& context, const Function& function) {
  const CrashNote note{.what = what, .name = op.described.type, .file = op.file.c_str()};
  const CrashScope scope(note);
  EnterProgram("a rule of a program's operator");
  try {
    return function();
  } catch (const std::exception& error) {
    context.Refuse("{} of {} threw an exception: {}", what, op.file, error.what());
  } catch (const EndOfThread&) {
    throw;
  } catch (...) {
    context.Refuse("{} of {} threw an exception", what, op.file);
  }
}

void CheckInputs(const CustomOperator& op, const OpContext& context) {
  for (int i = 0; i < context.inputs(); ++i) {
    const Input& input = context.node().inputs()[static_cast<std::size_t>(i)];
    const PrototypePort* const port = op.prototype.Input(input.group.empty() ? input.name : input.group);
    if (!context.Has(i)) {
      if (input.kind == PortKind::kRequired) context.Refuse("input '{}' is not connected", input.name);
      continue;
    }
    if (port == nullptr || port->types.empty() || port->types.Contains(context.In(i).type)) continue;
    context.Refuse("input '{}' has type {}, which the operator does not take", input.name,
                   DataTypeName(context.In(i).type));
  }
}

void CheckAnswer(const CustomNode& node, int answer, const char* what, const OpContext& context) {
  if (node.refusal()) context.Refuse("{}", *node.refusal());
  if (answer != custom::kDone) context.Refuse("{} failed with {} and gave no reason", what, answer);
}

// Who asks for what is known, or never will be, would be asked for ever.
void CheckNeeds(int answer, const OpContext& context) {
  if (answer <= 0 || answer > context.inputs()) return;
  const int input = answer - 1;
  if (!context.Has(input)) context.Refuse("its shape rule needs input {}, which is not connected", input);
  if (context.Value(input) == nullptr) throw ValueNotKnown(input);
  context.Refuse("its shape rule needs the value of input {}, which it has been given", input);
}

void InferCustom(const CustomOperator& op, OpContext& context) {
  CheckInputs(op, context);
  if (op.described.infer == nullptr) {
    if (!context.Has(0)) context.Refuse("its outputs are like its first input, which is not connected");
    return SameAsInput(context);
  }
  CustomNode node(context);
  const int answer =
      CallRule(op, "the shape rule", context, [&] { return op.described.infer(&node.view()); });
  if (!node.refusal()) CheckNeeds(answer, context);
  CheckAnswer(node, answer, "its shape rule", context);
  for (int i = 0; i < context.outputs(); ++i) {
    const std::optional<TensorType>& set = node.outputs_set()[static_cast<std::size_t>(i)];
    if (!set) context.Refuse("its shape rule does not say what output {} is", i);
    if (DataTypeName(set->type).empty() || !IsStatic(set->dims))
      context.Refuse("its shape rule says that output {} is {}", i, ToString(*set));
    context.SetOut(i, *set);
  }
}

// Tensors of one run: those of the node with the data of the run. On the stack where they are few.
class RunTensors {
 public:
  RunTensors(const custom::Tensor* const* from, std::size_t count) : count_(count) {
    if (count > kFewTensors) {
      many_.resize(count);
      many_pointers_.resize(count);
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (from[i] != nullptr) tensors()[i] = *from[i];
      pointers()[i] = from[i] == nullptr ? nullptr : &tensors()[i];
    }
  }
  RunTensors(const RunTensors&) = delete;
  RunTensors& operator=(const RunTensors&) = delete;

  void Set(std::size_t i, const std::byte* data) { tensors()[i].data = const_cast<std::byte*>(data); }
  std::size_t count() const { return count_; }
  custom::Tensor** pointers() {
    return many_pointers_.empty() ? few_pointers_.data() : many_pointers_.data();
  }

 private:
  custom::Tensor* tensors() { return many_.empty() ? few_.data() : many_.data(); }

  const std::size_t count_;
  std::array<custom::Tensor, kFewTensors> few_{};
  std::array<custom::Tensor*, kFewTensors> few_pointers_{};
  std::vector<custom::Tensor> many_;
  std::vector<custom::Tensor*> many_pointers_;
};

// The first failure of a run's blocks.
class BlockFailure {
 public:
  void Keep(std::string_view text, std::string_view more = {}) noexcept {
    std::lock_guard<SpinLock> lock(lock_);
    if (failed_.exchange(true)) return;
    try {
      text_ = fmt::format("{}{}", text, more);
    } catch (const std::bad_alloc&) {  // fails without words
    }
  }
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  const std::string& text() const { return text_; }

 private:
  SpinLock lock_;  // guards text_
  std::atomic<bool> failed_{false};
  std::string text_;
};

class CustomKernel : public Kernel {
 public:
  CustomKernel(const CustomOperator& op, std::unique_ptr<const CustomNode> node, const custom::Plan& plan)
      : op_(op), node_(std::move(node)), plan_(plan) {}

  std::size_t WorkspaceBytes() const override { return plan_.workspace_size; }

  void Run(const RunArgs& args) const override {
    const custom::NodeView& view = node_->view();
    RunTensors inputs(view.inputs, view.input_count), outputs(view.outputs, view.output_count);
    for (std::size_t i = 0; i < inputs.count(); ++i)
      inputs.Set(i, args.inputs[i]);
    for (std::size_t i = 0; i < outputs.count(); ++i)
      outputs.Set(i, args.outputs[i]);
    const custom::Call call{sizeof call,        &view,          inputs.pointers(),
                            outputs.pointers(), args.workspace, plan_.workspace_size};
    RunBlocks(call);
  }

 private:
  void RunBlocks(const custom::Call& call) const {
    BlockFailure failure;
    ParallelFor(plan_.blocks, 1, [&](std::size_t begin, std::size_t end) {
      custom::Block block{sizeof block, 0, plan_.blocks, sizeof call, nullptr, 0, &FailBlock, &failure};
      CrashNote note{.what = "operator", .name = op_.described.type, .file = op_.file.c_str()};
      note.blocks = plan_.blocks;
      const CrashScope scope(note);
      EnterProgram("a kernel of a program's operator");
      for (std::size_t i = begin; i < end && !failure.failed(); ++i) {
        note.block = block.index = static_cast<std::uint32_t>(i);
        CallKernel(block, call, failure);
      }
    });
    if (failure.failed()) {
      Fail(kRtVectorCoreException, "the kernel of node '{}' ({}) of {} failed: {}", node_->view().name,
           op_.described.type, op_.file, failure.text());
    }
  }

  FOOTHOLD_HANDLES_END_OF_THREAD void CallKernel(const custom::Block& block, const custom::Call& call,
                                                 BlockFailure& failure) const {
    try {
      op_.described.kernel(&block, &call);
    } catch (const std::exception& error) {
      failure.Keep("it threw an exception: ", error.what());
    } catch (const EndOfThread&) {
      throw;
    } catch (...) {
      failure.Keep("it threw an exception");
    }
  }

  static void FailBlock(const custom::Block* block, const char* text) {
    static_cast<BlockFailure*>(block->library)->Keep(text == nullptr ? "no reason is given" : text);
  }

  const CustomOperator& op_;
  const std::unique_ptr<const CustomNode> node_;
  const custom::Plan plan_;
};

// Rounded up and added to others, it is still a size.
constexpr std::size_t kMostWorkspace = PTRDIFF_MAX / 2;

std::uint32_t DefaultBlocks(const OpContext& context) {
  std::int64_t most = 0;
  for (int i = 0; i < context.outputs(); ++i)
    most = std::max(most, ElementCount(context.Out(i).dims));
  return most < kSmallTensor ? 1 : static_cast<std::uint32_t>(ParallelThreads());
}

std::unique_ptr<Kernel> LowerCustom(const CustomOperator& op, OpContext& context) {
  auto node = std::make_unique<CustomNode>(context);
  custom::Plan plan{sizeof plan, 0, 0};
  if (op.described.plan != nullptr) {
    const int answer =
        CallRule(op, "the plan", context, [&] { return op.described.plan(&node->view(), &plan); });
    CheckAnswer(*node, answer, "its plan", context);
  }
  if (plan.workspace_size > kMostWorkspace)
    context.Refuse("its plan asks for a workspace of {} bytes; there can be at most {}", plan.workspace_size,
                   kMostWorkspace);
  if (plan.blocks == 0) plan.blocks = DefaultBlocks(context);
  return std::make_unique<CustomKernel>(op, std::move(node), plan);
}

}  // namespace

OpDef DefinitionOf(const CustomOperator& op) {
  return OpDef(op.described.type)
      .Infer([&op](OpContext& context) { InferCustom(op, context); })
      .Lower([&op](OpContext& context) { return LowerCustom(op, context); });
}

}  // namespace foothold

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "dump/run_dump.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.h"
#include "base/log.h"
#include "dump/exception_dump.h"
#include "dump/file_names.h"
#include "dump/statistics.h"

namespace foothold {
namespace {

// Nodes that only run others, and the copies a program adds itself.
constexpr std::array<std::string_view, 12> kNotDumped = {"If",
                                                         "_If",
                                                         "StatelessIf",
                                                         "StatefulIf",
                                                         "Case",
                                                         "StatelessCase",
                                                         "While",
                                                         "StatelessWhile",
                                                         "StatefulWhile",
                                                         "_While",
                                                         "For",
                                                         "Copy"};

bool IsOperator(const NodeRun& node) {
  return std::find(kNotDumped.begin(), kNotDumped.end(), node.type) == kNotDumped.end();
}

// Where there are no bytes the tensor has none in the file, and keeps its number.
DumpTensor TensorOf(const TensorType& type, const std::byte* data) {
  if (data == nullptr) return {{type.type, type.format, {0}}, 0, nullptr};
  return {type, ByteSize(type), data};
}

void WriteTensors(const std::vector<DumpTensor>& tensors, DumpTarget& target) {
  for (const DumpTensor& tensor : tensors)
    if (tensor.size > 0) target.Write(tensor.data, static_cast<std::size_t>(tensor.size));
}

void LogLoss(const NodeRun& node) {
  Log(LogLevel::kError, "node '{}' ({}) is not dumped: {}", node.name, node.type, CurrentError().message());
}

}  // namespace

std::unique_ptr<RunDump> RunDump::Begin(const std::shared_ptr<ModelDump>& model, int stream, bool is_static) {
  if (!model || !model->active()) return nullptr;
  if (!is_static && model->config().scene == DumpScene::kWatcher) {
    Log(LogLevel::kWarning, "'{}' has shapes that only its data tell, so nothing of it can be watched",
        model->model().names.front());
    return nullptr;
  }
  const std::uint64_t index = model->NextIndex();
  if (!model->IncludesStep(index)) return nullptr;
  return std::unique_ptr<RunDump>(new RunDump(model, index, stream));
}

RunDump::RunDump(std::shared_ptr<ModelDump> model, std::uint64_t index, int stream)
    : model_(std::move(model)), directory_(model_->Directory(index)), stream_(stream) {}

std::vector<DumpTensor> RunDump::Inputs(const NodeRun& node) const {
  std::vector<DumpTensor> tensors;
  for (std::size_t i = 0; i < node.input_types.size(); ++i) {
    const bool wanted = model_->WantsTensor(node.name, node.type, true, i);
    tensors.push_back(TensorOf(node.input_types[i], wanted ? node.args.inputs[i] : nullptr));
  }
  return tensors;
}

std::vector<DumpTensor> RunDump::Outputs(const NodeRun& node) const {
  std::vector<DumpTensor> tensors;
  for (std::size_t i = 0; i < node.output_types.size(); ++i) {
    const bool wanted = model_->WantsTensor(node.name, node.type, false, i);
    tensors.push_back(TensorOf(node.output_types[i], wanted ? node.args.outputs[i] : nullptr));
  }
  return tensors;
}

std::string RunDump::FileName(std::string_view type, std::string_view name, const Pending& pending,
                              std::string_view suffix) const {
  return ToString(DumpFileName{type, name, pending.task, stream_, pending.time, suffix});
}

std::unique_ptr<DumpTarget> RunDump::Open(const std::string& file_name) {
  const bool to_disk = !model_->config().path.empty();
  if (file_name.size() <= kLongestFileName)
    return OpenDumpTarget(directory_ + "/" + file_name, to_disk, memory_);
  const std::string digits = ShortNameFor(file_name);
  if (const auto mapping = OpenDumpTarget(directory_ + "/mapping.csv", to_disk, memory_, OpenMode::kAppend)) {
    mapping->Write(digits + "," + file_name + "\n");
    mapping->Close();
  }
  return OpenDumpTarget(directory_ + "/" + digits, to_disk, memory_);
}

void RunDump::OnNodeBegin(const NodeRun& node) {
  Pending& pending = pending_.emplace_back();
  pending.task = next_task_++;
  if (!IsOperator(node) || !model_->WantsNode(node.name, node.type)) return;
  try {
    pending.time = DumpMicroseconds();
    pending.wanted = true;
    BeginNode(node, pending);
  } catch (...) {
    pending.wanted = false;
    pending.target.reset();
    LogLoss(node);
  }
}

// Inputs may be gone when the node ends, since outputs may stand in the same memory.
void RunDump::BeginNode(const NodeRun& node, Pending& pending) {
  const DumpConfig& config = model_->config();
  if (!DumpsInputs()) return;
  if (config.data == DumpData::kStatistics) {
    const std::vector<DumpTensor> inputs = Inputs(node);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      pending.statistics += StatisticsLine("Input", i, inputs[i], config.statistics);
    if (!config.overflow_only) return;
  }
  const bool outputs_known = !DumpsOutputs() || !node.output_types.empty();
  if (config.overflow_only || !outputs_known) return SaveInputs(node, pending);
  pending.target = Open(FileName(node.type, node.name, pending));
  if (!pending.target) return;
  const std::vector<DumpTensor> inputs = Inputs(node);
  // Only sizes are looked at: the outputs hold nothing yet.
  pending.target->Write(DumpHeader({.op_name = node.name,
                                    .time = pending.time,
                                    .inputs = inputs,
                                    .outputs = DumpsOutputs() ? Outputs(node) : std::vector<DumpTensor>(),
                                    .buffers = {}}));
  WriteTensors(inputs, *pending.target);
}

void RunDump::SaveInputs(const NodeRun& node, Pending& pending) {
  pending.inputs = Inputs(node);
  for (DumpTensor& tensor : pending.inputs) {
    if (tensor.size == 0) continue;
    const auto bytes = static_cast<std::size_t>(tensor.size);
    auto copy = std::make_unique<std::byte[]>(bytes);
    std::memcpy(copy.get(), tensor.data, bytes);
    tensor.data = copy.get();
    pending.saved.push_back(std::move(copy));
  }
}

void RunDump::OnNodeEnd(const NodeRun& node) {
  Pending pending = std::move(pending_.back());
  pending_.pop_back();
  try {
    if (pending.wanted) EndNode(node, pending);
    if (model_->config().scene == DumpScene::kWatcher) ShowWatched(node, pending.task);
  } catch (...) {
    LogLoss(node);
  }
}

void RunDump::EndNode(const NodeRun& node, Pending& pending) {
  const DumpConfig& config = model_->config();
  if (pending.target) {
    if (DumpsOutputs()) WriteTensors(Outputs(node), *pending.target);
    return pending.target->Close();
  }
  if (config.overflow_only) {
    const std::vector<DumpTensor> outputs = Outputs(node);
    if (std::none_of(outputs.begin(), outputs.end(), HasOverflow)) return;
    return WriteLate(node, pending, "Opdebug", "Node_OpDebug");
  }
  WriteLate(node, pending, node.type, node.name);
}

void RunDump::WriteStatistics(const NodeRun& node, Pending& pending) {
  const DumpConfig& config = model_->config();
  const auto target = Open(FileName(node.type, node.name, pending, ".csv"));
  if (!target) return;
  target->Write(StatisticsHeader(config.statistics));
  target->Write(pending.statistics);
  const std::vector<DumpTensor> outputs = DumpsOutputs() ? Outputs(node) : std::vector<DumpTensor>();
  for (std::size_t i = 0; i < outputs.size(); ++i)
    target->Write(StatisticsLine("Output", i, outputs[i], config.statistics));
  target->Close();
}

void RunDump::WriteLate(const NodeRun& node, Pending& pending, std::string_view type, std::string_view name) {
  if (model_->config().data == DumpData::kStatistics) return WriteStatistics(node, pending);
  const auto target = Open(FileName(type, name, pending));
  if (!target) return;
  const std::vector<DumpTensor> outputs = DumpsOutputs() ? Outputs(node) : std::vector<DumpTensor>();
  target->Write(DumpHeader({.op_name = node.name,
                            .time = pending.time,
                            .inputs = pending.inputs,
                            .outputs = outputs,
                            .buffers = {}}));
  WriteTensors(pending.inputs, *target);
  WriteTensors(outputs, *target);
  target->Close();
}

// After some nodes, what stands where others have left their outputs: that is what this scene looks for.
void RunDump::ShowWatched(const NodeRun& node, std::uint32_t task) {
  const std::vector<std::string> names = model_->WatchedAfter(node.name);
  for (const Watched& watched : watched_) {
    if (std::find(names.begin(), names.end(), watched.name) == names.end()) continue;
    Pending pending;
    pending.task = task;
    pending.time = DumpMicroseconds();
    const auto target = Open(FileName(watched.type, node.name + "_To_" + watched.name, pending));
    if (!target) return;
    target->Write(DumpHeader({.op_name = watched.name,
                              .time = pending.time,
                              .inputs = {},
                              .outputs = watched.outputs,
                              .buffers = {}}));
    WriteTensors(watched.outputs, *target);
    target->Close();
  }
  if (!model_->IsWatched(node.name)) return;
  std::vector<DumpTensor> outputs;
  for (std::size_t i = 0; i < node.output_types.size(); ++i)
    outputs.push_back(TensorOf(node.output_types[i], node.args.outputs[i]));
  watched_.push_back({node.name, node.type, std::move(outputs)});
}

void RunDump::OnNodeFailed(const NodeRun& node) {
  const std::uint32_t task = pending_.back().task;
  pending_.pop_back();
  if (!model_->config().ForExceptions() || !IsOperator(node)) return;
  try {
    std::vector<DumpTensor> inputs;
    for (std::size_t i = 0; i < node.input_types.size(); ++i)
      inputs.push_back(TensorOf(node.input_types[i], node.args.inputs[i]));
    SaveFailedNode(model_->config(), model_->model().device, node.name, inputs, task, stream_);
  } catch (...) {
    LogLoss(node);
  }
}

}  // namespace foothold

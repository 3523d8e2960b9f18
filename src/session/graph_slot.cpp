// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/graph_slot.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/graph_codes.h"
#include "base/log.h"
#include "compiler/sources.h"
#include "device/current.h"
#include "device/runtime.h"
#include "dump/receiver.h"
#include "launch/work_memory.h"
#include "options/known_options.h"
#include "session/graph_trace.h"
#include "session/load_options.h"

namespace foothold {
namespace {

constexpr std::size_t kMemoryUnit = 512;  // sizes a summary says are multiples of it

std::size_t Rounded(std::size_t bytes) {
  return (bytes + kMemoryUnit - 1) / kMemoryUnit * kMemoryUnit;
}

// Functions of the program that are called on a thread of ours find the device of the session there.
void ChooseDevice(int device) {
  try {
    Runtime::Get().SetDevice(device);
  } catch (const std::exception& error) {
    Log(LogLevel::kInfo, "no device for the callbacks of a graph: {}", error.what());
  }
}

void LeaveDevice(int device) {
  try {
    Runtime::Get().ResetDevice(device, false);
  } catch (const std::exception&) {  // the program has reset it already
  }
}

bool AllStatic(const std::vector<TensorType>& types) {
  return std::all_of(types.begin(), types.end(), [](const TensorType& type) { return IsStatic(type.dims); });
}

}  // namespace

GraphSlot::GraphSlot(GraphOrigin origin, Generation generation, std::shared_ptr<Variables> variables,
                     std::shared_ptr<MemoryPools> pools, int device)
    : origin_(std::move(origin)),
      variables_(variables),
      pools_(std::move(pools)),
      device_(device),
      order_(origin_.id, generation),
      memory_(origin_.id, device, order_),
      forms_(std::move(variables), [this](std::size_t bytes) { memory_.CountConstants(bytes); }),
      checked_(origin_.id, *origin_.graph),
      async_([device] { ChooseDevice(device); }, [device] { LeaveDevice(device); }) {}

// What its runs have left was for the next ones.
GraphSlot::~GraphSlot() {
  WorkMemory::DropIdleOf(device_);
}

const GraphContents& GraphSlot::Read() {
  const GraphContents* const contents = reader_.Find();
  return contents != nullptr ? *contents : reader_.Read(*this);
}

void GraphSlot::Prepare(const std::vector<TensorType>& hints) {
  const GraphContents& contents = Read();
  const std::size_t inputs = contents.normal->graph->inputs.size();
  if (!hints.empty() && hints.size() != inputs)
    Fail(kGeFailed, "graph {} has {} inputs, but {} were described", origin_.id, inputs, hints.size());
  const auto types = hints.empty() || !AllStatic(hints) ? contents.DeclaredTypes() : std::optional(hints);
  if (!types) return contents.CheckOperators(origin_.graph->name());
  forms_.SetDeclared(forms_.Make(*this, *types));
}

void GraphSlot::Build(const std::vector<TensorType>& hints) {
  order_.CheckPrepare(GraphOrder::Prepared::kBuilt);
  Prepare(hints);
  order_.SetPrepared(GraphOrder::Prepared::kBuilt);
}

void GraphSlot::Compile(const std::vector<TensorType>& hints) {
  if (order_.is_prepared() && hints.empty()) return;
  order_.CheckPrepare(GraphOrder::Prepared::kCompiled);
  Prepare(hints);
  if (order_.generation() == Generation::kFirst)
    for (const Node* node : contents().normal->graph->nodes())
      if (IsVariable(*node))
        Fail(kGeFailed, "CompileGraph does not take graphs with variables; graph {} has {}", origin_.id,
             node->Description());
  order_.SetPrepared(GraphOrder::Prepared::kCompiled);
}

void GraphSlot::Load(const OptionMap& options, const void* stream) {
  if (stream != nullptr) FindStreamAnywhere(stream);
  WarnAboutOptions(options);
  std::vector<std::size_t> host_inputs = HostInputsOf(options);
  const bool once = order_.generation() == Generation::kFirst;
  if (once) {
    order_.RequireCompiled("LoadGraph");
    if (memory_.is_loaded()) Fail(kGeRepeatedOperation, "graph {} is loaded already", origin_.id);
  } else {
    Compile({});
    if (memory_.is_loaded()) return;
  }
  order_.SetHostInputs(std::move(host_inputs));
  memory_.Load(*this, pools_->Find(stream).get());
  if (stream != nullptr) checked_.Loaded(FindStreamAnywhere(stream));
}

void GraphSlot::SetMemory(GraphMemory::Kind which, void* address, std::size_t bytes) {
  memory_.Set(which, address, bytes, Summary(), forms_);
}

void GraphSlot::Enter(RunMode mode, const char* api) {
  if (DumpReceiver::IsInside() && InsideGraph::Of(*this))
    Fail(kGeFailed, "graph {} cannot be run inside the callback that takes its dump", origin_.id);
  Read();  // the shapes come with the run, so there is nothing to compile before it
  order_.EnterRun(mode, api);
}

void GraphSlot::EnterLoaded(const char* api) {
  order_.RequireCompiled(api);
  if (!memory_.is_loaded()) order_.Refuse(api, "LoadGraph has to be called first");
  Enter(RunMode::kStream, api);
}

std::optional<GraphSummary> GraphSlot::Summary() const {
  if (!order_.is_prepared()) return std::nullopt;
  GraphSummary summary;
  summary.graph = contents().normal->graph;
  summary.refreshable = origin_.options.IsOn("ge.featureBaseRefreshable");
  const std::shared_ptr<PreparedProgram> declared = forms_.declared();
  if (!declared || !declared->is_static()) return summary;
  const Program& program = declared->program();
  const auto callers = static_cast<std::ptrdiff_t>(contents().normal->caller_outputs);
  summary.is_static = true;
  summary.constant_bytes = Rounded(program.ConstantBytes());
  summary.feature_bytes = Rounded(program.arena_bytes);
  summary.outputs.assign(program.outputs.begin(), program.outputs.begin() + callers);
  summary.shared_places = contents().shared_places;
  return summary;
}

std::string GraphSlot::Trace() const {
  const auto latest = order_.was_run() ? forms_.latest() : nullptr;
  if (!memory_.is_loaded() && !latest) Fail(kGeModelNotLoaded, "graph {} is not loaded", origin_.id);
  if (const auto declared = forms_.declared()) return TraceText(declared->program());
  if (latest) return TraceText(latest->program());
  return TraceText(Program());
}

std::string GraphSlot::InputName(std::size_t index) const {
  return fmt::format("input {} ('{}') of graph {}", index, contents().normal->graph->inputs[index]->name(),
                     origin_.id);
}

std::string GraphSlot::OutputName(std::size_t index) const {
  return fmt::format("output {} of graph {}", index, origin_.id);
}

std::int64_t GraphSlot::Iterations() const {
  if (!origin_.graph->need_iteration) return 1;
  try {
    const TensorValue said = variables_->Read({"npu_runconfig/iterations_per_loop"})[0];
    return std::max<std::int64_t>(0, Integers(said)[0]) + 1;
  } catch (const Error&) {
    return 1;
  }
}

GraphSlot::StreamForm GraphSlot::FormFor(const std::vector<TensorValue>& inputs, MemoryPool* pool) {
  StreamForm form{forms_.For(*this, inputs), nullptr, std::nullopt};
  if (!memory_.is_loaded()) {
    if (contents().DeclaredTypes()) forms_.DeclareFirst(form.program);
    memory_.Load(*this, pool);
  }
  const bool is_declared = forms_.IsDeclared(*form.program);
  if (is_declared) form.work = memory_.LoadedWork();
  if (pool == nullptr || is_declared || !form.program->is_static()) {
    form.program->Reserve(device_);
    return form;
  }
  const InsideGraph inside(*this);
  GraphMemory::Pooled pooled = memory_.TakeFromPool(*form.program, *pool);
  form.arena = std::move(pooled.arena);
  form.work = std::move(pooled.work);
  return form;
}

bool GraphSlot::WaitsForThisThread() const {
  return InsideGraph::Of(*this) || async_.IsOwnThread() || uses_.WaitForThisThread();
}

void GraphSlot::WaitUntilUnused() {
  uses_.WaitUntilNone([this] { async_.CheckGoesOn(); });
  checked_.WaitedFor();
  async_.WaitUntilIdle();
}

}  // namespace foothold

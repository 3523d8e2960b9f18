// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/graph_slot.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/broken_rule.h"
#include "base/graph_codes.h"
#include "base/log.h"
#include "base/thread_end.h"
#include "compiler/control_flow.h"
#include "compiler/keep_nodes.h"
#include "compiler/sources.h"
#include "device/current.h"
#include "device/runtime.h"
#include "dump/graph_dump.h"
#include "dump/receiver.h"
#include "launch/work_memory.h"
#include "ops/matrix/half_weights.h"
#include "ops/op.h"
#include "options/known_options.h"
#include "options/precision.h"
#include "session/dump_options.h"
#include "session/graph_trace.h"
#include "session/load_options.h"

namespace foothold {
namespace {

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

void ReportMissing(const Graph& graph, std::string& report) {
  for (const Node* node : graph.nodes()) {
    const bool known =
        IsSource(*node) || RunsGraphs(*node) || IsNormalizedAway(*node) || FindOp(node->type()) != nullptr;
    if (!known) report += fmt::format("\n  {}: there is no kernel for this operator", node->Description());
    for (const Subgraph& subgraph : node->subgraphs)
      if (subgraph.graph) ReportMissing(*subgraph.graph, report);
  }
}

}  // namespace

GraphSlot::GraphSlot(Origin origin, Generation generation, std::shared_ptr<Variables> variables,
                     std::shared_ptr<MemoryPools> pools, int device)
    : origin_(std::move(origin)),
      generation_(generation),
      variables_(std::move(variables)),
      pools_(std::move(pools)),
      device_(device),
      checked_(origin_.id, *origin_.graph),
      async_([device] { ChooseDevice(device); }, [device] { LeaveDevice(device); }) {}

// What its runs have left was for the next ones.
GraphSlot::~GraphSlot() {
  WorkMemory::DropIdleOf(device_);
}

void GraphSlot::RefuseOrder(const char* api, const std::string& why, const char* rule) const {
  if (rule != nullptr) BreaksRule(rule, nullptr);
  throw Error(kGeFailed, fmt::format("{} cannot be called for graph {} now: {}", api, origin_.id, why),
              kBadOrder);
}

const GraphSlot::Origin& GraphSlot::CompiledOrigin(const char* api) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (prepared_ == Prepared::kNothing) RefuseOrder(api, "CompileGraph has to be called first");
  return origin_;
}

// What the program wrote, as it is now; later changes do not count. One thread at a time reads, because
// reading fills in the subgraphs of the program's own graph.
FOOTHOLD_HANDLES_END_OF_THREAD void GraphSlot::ReadGraph() {
  std::unique_lock<std::mutex> lock(mutex_);
  if (reading_ && RunsHere())
    Fail(kGeFailed, "graph {} cannot be used inside a function that builds one of its subgraphs", origin_.id);
  read_.wait(lock, [&] { return !reading_; });
  if (normal_) return;
  reading_ = true;
  lock.unlock();
  std::exception_ptr failure;
  std::unique_ptr<NormalGraph> normal;
  std::unique_ptr<InputShapes> shapes;
  SharedPlaces shared_places;
  std::shared_ptr<ModelDump> dump;
  try {
    const Here here(*this);
    checked_.LookAtReading(*origin_.graph);
    DumpStage(*origin_.graph, kBeginStage, device_);
    normal = std::make_unique<NormalGraph>(
        Normalize(*origin_.graph, {origin_.options.Find(kWeightFolderOption).value_or(""), FindForReading}));
    ConvertOutputs(*normal, origin_.options);
    if (AllowsHalfWeights(origin_.options.map())) AllowHalfWeights(*normal->graph);
    dump = DumpOfGraph(origin_.options, origin_.graph->name(), origin_.id, device_);
    if (dump)
      KeepNodes(*normal->graph, [&](const Node& node) { return dump->KeepsNode(node.name(), node.type()); });
    shared_places = FindSharedPlaces(*normal, origin_.options);
    DumpStage(*normal->graph, kPreparedStage, device_);
    shapes = std::make_unique<InputShapes>(normal->graph->inputs, origin_.options);
  } catch (const EndOfThread&) {  // a function of the program ends the thread
    lock.lock();
    reading_ = false;
    read_.notify_all();
    throw;
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  reading_ = false;
  read_.notify_all();
  if (failure) std::rethrow_exception(failure);
  executable_ = std::make_unique<Executable>(
      normal->graph, [device = device_](const Graph& graph, Executable::Stage stage) {
        DumpStage(graph, stage == Executable::Stage::kBuilt ? kBuiltStage : kInferredStage, device);
      });
  shapes_ = std::move(shapes);
  dump_ = std::move(dump);
  shared_places_ = std::move(shared_places);
  normal_ = std::move(normal);
}

void GraphSlot::Prepare(const std::vector<TensorType>& hints) {
  ReadGraph();
  if (!hints.empty() && hints.size() != normal_->graph->inputs.size())
    Fail(kGeFailed, "graph {} has {} inputs, but {} were described", origin_.id,
         normal_->graph->inputs.size(), hints.size());
  const auto types = hints.empty() || !AllStatic(hints) ? DeclaredTypes() : std::optional(hints);
  if (!types) return CheckOperators();
  auto runner = MakeRunner(*types);
  std::lock_guard<std::mutex> lock(mutex_);
  std::swap(declared_runner_, runner);  // memory of the last one may be the program's: it goes after the lock
}

// Without shapes nothing can be compiled yet, but what can never be compiled is known now.
void GraphSlot::CheckOperators() const {
  std::string report;
  ReportMissing(*normal_->graph, report);
  if (!report.empty())
    throw Error(kFeatureUnsupported,
                fmt::format("graph '{}' cannot be compiled:{}", origin_.graph->name(), report));
}

std::optional<std::vector<TensorType>> GraphSlot::DeclaredTypes() const {
  std::vector<TensorType> types;
  const std::vector<Node*>& data = normal_->graph->inputs;
  const auto& gears = shapes_->gears();
  const std::vector<Dims> largest =
      gears.empty() ? std::vector<Dims>() : shapes_->WithGear(gears[shapes_->LargestGear()]);
  for (std::size_t i = 0; i < data.size(); ++i) {
    TensorType type = data[i]->outputs().at(0).desc;
    type.dims = gears.empty() ? shapes_->dims(i) : largest[i];
    types.push_back(std::move(type));
  }
  return AllStatic(types) ? std::optional(types) : std::nullopt;
}

void GraphSlot::CheckOrder(Prepared wanted) const {
  if (wanted == Prepared::kBuilt && prepared_ == Prepared::kCompiled)
    RefuseOrder("BuildGraph", "it was compiled with CompileGraph");
  if (wanted == Prepared::kCompiled && generation_ == Generation::kFirst && prepared_ == Prepared::kBuilt)
    RefuseOrder("CompileGraph", "it was built with BuildGraph");
}

void GraphSlot::Build(const std::vector<TensorType>& hints) {
  std::unique_lock<std::mutex> lock(mutex_);
  CheckOrder(Prepared::kBuilt);
  lock.unlock();
  Prepare(hints);
  lock.lock();
  CheckOrder(Prepared::kBuilt);
  prepared_ = Prepared::kBuilt;
}

void GraphSlot::Compile(const std::vector<TensorType>& hints) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (prepared_ != Prepared::kNothing && hints.empty()) return;
  CheckOrder(Prepared::kCompiled);
  lock.unlock();
  Prepare(hints);
  if (generation_ == Generation::kFirst)
    for (const Node* node : normal_->graph->nodes())
      if (IsVariable(*node))
        Fail(kGeFailed, "CompileGraph does not take graphs with variables; graph {} has {}", origin_.id,
             node->Description());
  lock.lock();
  CheckOrder(Prepared::kCompiled);
  prepared_ = Prepared::kCompiled;
}

void GraphSlot::Load(const OptionMap& options, const void* stream) {
  if (stream != nullptr) FindStreamAnywhere(stream);
  WarnAboutOptions(options);
  std::vector<std::size_t> host_inputs = HostInputsOf(options);
  if (generation_ == Generation::kSecond) Compile({});
  std::unique_lock<std::mutex> lock(mutex_);
  if (generation_ == Generation::kFirst) {
    if (prepared_ != Prepared::kCompiled) RefuseOrder("LoadGraph", "CompileGraph has to be called first");
    if (loaded_) Fail(kGeRepeatedOperation, "graph {} is loaded already", origin_.id);
  }
  if (loaded_) return;
  host_inputs_ = std::move(host_inputs);
  LoadMemory(lock, pools_->Find(stream).get());
  if (stream != nullptr) checked_.Loaded(FindStreamAnywhere(stream));
}

void GraphSlot::Enter(RunMode mode, const char* api) {
  if (DumpReceiver::IsInside() && RunsHere())
    Fail(kGeFailed, "graph {} cannot be run inside the callback that takes its dump", origin_.id);
  std::unique_lock<std::mutex> lock(mutex_);
  if (!normal_) {
    lock.unlock();
    ReadGraph();  // the shapes come with the run, so there is nothing to compile before it
    lock.lock();
  }
  CheckMode(mode, api);
  mode_ = mode;
  mode_api_ = api;
}

// Precondition: the lock.
void GraphSlot::CheckMode(RunMode mode, const char* api) const {
  if (generation_ == Generation::kFirst && mode != RunMode::kStream && prepared_ == Prepared::kCompiled)
    RefuseOrder(api, "after CompileGraph only the stream forms of running are possible");
  if (generation_ == Generation::kSecond && mode_ != RunMode::kNone && mode_ != mode)
    RefuseOrder(api, fmt::format("it was run with {} before, and a graph is run in one way only", mode_api_),
                "GE-RUN-005");
  if (mode == RunMode::kAsync && !host_inputs_.empty())
    RefuseOrder(api, "it was loaded with ge.exec.hostInputIndexes");
}

void GraphSlot::EnterLoaded(const char* api) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (prepared_ != Prepared::kCompiled) RefuseOrder(api, "CompileGraph has to be called first");
    if (!loaded_) RefuseOrder(api, "LoadGraph has to be called first");
  }
  Enter(RunMode::kStream, api);
}

std::shared_ptr<PreparedProgram> GraphSlot::MakeRunner(const std::vector<TensorType>& types) {
  std::shared_ptr<const Plan> plan;
  {
    const Here here(*this);
    plan = executable_->Prepare(types);
  }
  return programs_.Put(
      types, std::make_shared<PreparedProgram>(std::move(plan), variables_,
                                               [this](std::size_t bytes) { CountConstants(bytes); }));
}

namespace {

bool Fits(std::span<const GivenInput> inputs, const PreparedPrograms::Entry& entry) {
  if (inputs.size() != entry.types.size()) return false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const GivenInput& given = inputs[i];
    const TensorType& type = entry.types[i];
    const bool fits = given.bytes == entry.bytes[i] && given.type == type.type &&
                      given.format == type.format &&
                      std::equal(given.dims.begin(), given.dims.end(), type.dims.begin(), type.dims.end());
    if (!fits) return false;
  }
  return true;
}

}  // namespace

std::shared_ptr<PreparedProgram> GraphSlot::FindRunner(std::span<const GivenInput> inputs) {
  return programs_.Find([&](const PreparedPrograms::Entry& entry) { return Fits(inputs, entry); });
}

bool GraphSlot::FindRunner(std::span<const GivenInput> inputs, std::shared_ptr<PreparedProgram>& runner) {
  return programs_.Find([&](const PreparedPrograms::Entry& entry) { return Fits(inputs, entry); }, runner);
}

bool GraphSlot::is_plain() const {
  return normal_->summaries.empty() && normal_->saves.empty() && !dump_ && !origin_.graph->need_iteration;
}

std::shared_ptr<PreparedProgram> GraphSlot::RunnerFor(const std::vector<TensorValue>& inputs) {
  auto known = programs_.Find([&](const PreparedPrograms::Entry& entry) {
    return std::equal(inputs.begin(), inputs.end(), entry.types.begin(), entry.types.end(),
                      [](const TensorValue& value, const TensorType& type) { return value.type() == type; });
  });
  if (known) return known;
  std::vector<TensorType> types;
  for (const TensorValue& input : inputs)
    types.push_back(input.type());
  return MakeRunner(types);
}

std::int64_t GraphSlot::Iterations() const {
  if (!origin_.graph->need_iteration) return 1;
  try {
    return std::max<std::int64_t>(0,
                                  Integers(variables_->Read({"npu_runconfig/iterations_per_loop"})[0])[0]) +
           1;
  } catch (const Error&) {
    return 1;
  }
}

bool GraphSlot::is_loaded() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return loaded_;
}

bool GraphSlot::TakesFromHost(std::size_t input) const {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::find(host_inputs_.begin(), host_inputs_.end(), input) != host_inputs_.end();
}

std::string GraphSlot::Trace() const {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto latest = mode_ == RunMode::kNone ? nullptr : programs_.latest();
  if (!loaded_ && !latest) Fail(kGeModelNotLoaded, "graph {} is not loaded", origin_.id);
  if (declared_runner_) return TraceText(declared_runner_->program());
  if (latest) return TraceText(latest->program());
  return TraceText(Program());
}

std::optional<std::size_t> GraphSlot::InputInPlaceOf(std::size_t output) const {
  for (const auto& [input, shared] : shared_places_)
    if (shared == output) return input;
  return std::nullopt;
}

}  // namespace foothold

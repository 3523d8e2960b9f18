// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/loaded_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/thread_id.h"
#include "device/current.h"
#include "model/gear_options.h"
#include "model/model_codes.h"
#include "program/run_observer.h"

namespace foothold {
namespace {

// Options that were right when the model was built are wrong only in a file that somebody has changed.
InputShapes ShapesOf(const OfflineModel& model) try {
  const std::vector<Node*>& data = model.graph().inputs;
  return {data, Options(ReadGearOptions(data, model.description().options).options)};
} catch (const Error& error) {
  Fail(kParseModel, "the model '{}' is damaged: {}", model.description().name, error.message());
}

// Notes which thread has the run.
class RunningHere {
 public:
  explicit RunningHere(std::atomic<std::uint64_t>& thread) : thread_(thread) { thread_ = SelfThread(); }
  ~RunningHere() { thread_ = 0; }

 private:
  std::atomic<std::uint64_t>& thread_;
};

}  // namespace

LoadedModel::LoadedModel(std::uint32_t id, std::shared_ptr<const OfflineModel> model, Device& device,
                         const LentMemory& memory, std::shared_ptr<Variables> variables)
    : id_(id),
      model_(std::move(model)),
      device_(device),
      variables_(std::move(variables)),
      shapes_(ShapesOf(*model_)) {
  if (has_gears()) gear_ = description().gears.Largest();
  if (description().FixedSizes()) {
    LoadFixed(memory);
  } else if (memory.work != nullptr || memory.weights != nullptr) {
    Fail(kGeExecParamInvalid,
         "{} has shapes that come with the run, so nobody can say now how much memory it needs; load it "
         "without memory",
         Describe());
  }
}

void LoadedModel::LoadFixed(const LentMemory& memory) {
  const FixedPlans fixed(*model_);
  const ModelSizes& sizes = fixed.sizes();
  if (memory.work != nullptr) {
    work_ = DeviceBlock::Borrow(memory.work, memory.work_bytes, sizes.work, "workPtr");
  } else if (sizes.work > 0) {
    work_ = DeviceBlock::Allocate(device_, sizes.work, "aclmdlLoad");
  }
  std::vector<std::vector<const std::byte*>> constants;
  if (memory.weights != nullptr) {
    weights_ = DeviceBlock::Borrow(memory.weights, memory.weight_bytes, sizes.weights, "weightPtr");
    constants = fixed.PlaceConstants(weights_->data());
  }
  const auto types = FixedInputTypes(description());
  for (std::size_t i = 0; i < types.size(); ++i) {
    auto runner = std::make_shared<PlanRunner>(fixed.plans()[i], variables_);
    if (weights_) runner->UseConstants(constants[i]);
    forms_.push_back({types[i], std::move(runner)});
  }
}

std::string LoadedModel::Describe() const {
  return fmt::format("model {} ('{}')", id_, description().name);
}

int LoadedModel::device() const {
  return device_.id();
}

void LoadedModel::CheckContext() const {
  const Device& current = CurrentDevice();
  if (&current != &device_)
    Fail(kRtModelContext, "{} was loaded on device {}, and the current context is one of device {}",
         Describe(), device_.id(), current.id());
}

std::size_t LoadedModel::FindGear(const Dims& value, Code code) const {
  const std::vector<Dims>& values = description().gears.values;
  const auto found = std::find(values.begin(), values.end(), value);
  if (found != values.end()) return static_cast<std::size_t>(found - values.begin());
  std::string all;
  for (const Dims& gear : values)
    all += " " + ToString(gear);
  Fail(code, "{} was not compiled for {}; its gears are{}", Describe(), ToString(value), all);
}

std::shared_ptr<PlanRunner> LoadedModel::RunnerFor(const std::vector<TensorType>& types) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found =
      std::find_if(forms_.begin(), forms_.end(), [&](const Form& form) { return form.types == types; });
  if (found != forms_.end()) {
    if (model_->file() != nullptr) model_->file()->CheckUnchanged();
    return found->runner;
  }
  shapes_.Check(types);
  auto runner = std::make_shared<PlanRunner>(model_->Prepare(types), variables_);
  if (forms_.size() >= Executable::kKeptPlans) forms_.erase(forms_.begin());
  forms_.push_back({types, runner});
  return runner;
}

std::shared_ptr<const DeviceBlock> LoadedModel::WorkFor(const PlanRunner& runner, const char* api) {
  const std::size_t needed = runner.program().arena_bytes;
  if (needed == 0) return nullptr;
  std::lock_guard<std::mutex> lock(mutex_);
  if (!work_ || work_->size() < needed) work_ = DeviceBlock::Allocate(device_, needed, api);
  return work_;
}

void LoadedModel::Run(PlanRunner& runner, const DeviceBlock* work, std::span<const std::byte* const> inputs,
                      std::span<std::byte* const> outputs) {
  // The callback that takes a dump is inside the run it comes from.
  if (running_on_.load() == SelfThread())
    Fail(kGeExecParamInvalid, "{} cannot be run inside a function that its own run has called", Describe());
  // Where a function of the program that is inside another run would wait, this one gets memory of its own.
  const RunTurnScope turn(turn_, !IsInsideRun());
  std::optional<RunningHere> here;
  if (turn.taken()) here.emplace(running_on_);
  if (weights_) weights_->CheckAlive();
  CheckWeights();
  if (turn.taken() && work != nullptr) {
    work->CheckAlive();
    runner.RunIn(work->data(), inputs, outputs);
  } else {
    runner.Run(inputs, outputs);
  }
  CheckWeights();
}

void LoadedModel::CheckWeights() const {
  if (model_->file() != nullptr) model_->file()->CheckMapped();
}

LoadedModel::StreamUse::StreamUse(std::shared_ptr<LoadedModel> model, const void* stream)
    : model_(std::move(model)) {
  std::lock_guard<std::mutex> lock(model_->stream_mutex_);
  if (model_->queued_ > 0 && model_->stream_ != stream)
    Fail(kGeExecParamInvalid,
         "{} has {} runs on another stream that have not ended; one load of a model runs on one stream at a "
         "time. Synchronise that stream first, or load the model once for each",
         model_->Describe(), model_->queued_);
  model_->stream_ = stream;
  ++model_->queued_;
}

LoadedModel::StreamUse::~StreamUse() {
  std::lock_guard<std::mutex> lock(model_->stream_mutex_);
  --model_->queued_;
}

}  // namespace foothold

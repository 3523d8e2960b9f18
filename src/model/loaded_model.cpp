// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/loaded_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/broken_rule.h"
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
  // The options were for the inputs of the network, and pictures are what it has now.
  if (model.description().HasAipp()) return {data, Options(OptionMap())};
  return {data, Options(ReadGearOptions(data, model.description().options).options)};
} catch (const Error& error) {
  Fail(kParseModel, "the model '{}' is damaged: {}", model.description().name, error.message());
}

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
    work_ = DeviceBlock::Borrow(memory.work, memory.work_bytes, sizes.work, kGeExecParamInvalid, "workPtr");
  } else if (sizes.work > 0) {
    work_ = DeviceBlock::Allocate(device_, sizes.work, "aclmdlLoad");
  }
  std::vector<std::vector<const std::byte*>> constants;
  if (memory.weights != nullptr) {
    weights_ = DeviceBlock::Borrow(memory.weights, memory.weight_bytes, sizes.weights, kGeExecParamInvalid,
                                   "weightPtr");
    constants = fixed.PlaceConstants(weights_->data());
  }
  const auto types = FixedInputTypes(description());
  for (std::size_t i = 0; i < types.size(); ++i) {
    auto& program = fixed_.emplace_back(std::make_shared<PreparedProgram>(fixed.plans()[i], variables_));
    if (weights_) program->UseConstants(PreparedProgram::PlacedConstants{std::move(constants[i])});
    programs_.Put(types[i], program);
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
  if (&current == &device_) return;
  BreaksRule("ACL-MDL-007", nullptr);
  Fail(kRtModelContext, "{} was loaded on device {}, and the current context is one of device {}", Describe(),
       device_.id(), current.id());
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

const std::shared_ptr<PreparedProgram>& LoadedModel::FixedProgram(std::size_t gear) {
  if (model_->file() != nullptr) model_->file()->CheckUnchanged();
  return fixed_[gear];
}

std::shared_ptr<PreparedProgram> LoadedModel::ProgramFor(const std::vector<TensorType>& types) {
  if (auto known = programs_.Find(types)) {
    if (model_->file() != nullptr) model_->file()->CheckUnchanged();
    return known;
  }
  shapes_.Check(types);
  return programs_.Put(types, std::make_shared<PreparedProgram>(model_->Prepare(types), variables_));
}

std::shared_ptr<const DeviceBlock> LoadedModel::WorkFor(std::size_t bytes, const char* api) {
  if (bytes == 0) return nullptr;
  std::lock_guard<std::mutex> lock(mutex_);
  if (!work_ || work_->size() < bytes) work_ = DeviceBlock::Allocate(device_, bytes, api);
  return work_;
}

LoadedModel::Turn::Turn(LoadedModel& model)
    : model_(model), turn_((model.CheckNotInside(), model.turn_), !IsInsideRun()) {
  if (turn_.taken()) model_.running_on_ = SelfThread();
  try {
    if (model_.weights_) model_.weights_->CheckAlive();
    model_.CheckWeights();
  } catch (...) {
    if (turn_.taken()) model_.running_on_ = 0;
    throw;
  }
}

LoadedModel::Turn::~Turn() {
  if (turn_.taken()) model_.running_on_ = 0;
}

// The callback that takes a dump is inside the run it comes from.
void LoadedModel::CheckNotInside() const {
  if (running_on_.load() == SelfThread())
    Fail(kGeExecParamInvalid, "{} cannot be run inside a function that its own run has called", Describe());
}

void LoadedModel::CheckWeights() const {
  if (model_->file() != nullptr) model_->file()->CheckMapped();
}

LoadedModel::StreamUse::StreamUse(LoadedModel& model, const void* stream) : model_(model) {
  std::lock_guard<std::mutex> lock(model_.stream_mutex_);
  if (model_.queued_ > 0 && model_.stream_ != stream) {
    BreaksRule("ACL-MDL-006", model_.stream_);
    Fail(kGeExecParamInvalid,
         "{} has {} runs on another stream that have not ended; one load of a model runs on one stream at a "
         "time. Synchronise that stream first, or load the model once for each",
         model_.Describe(), model_.queued_);
  }
  model_.stream_ = stream;
  ++model_.queued_;
}

LoadedModel::StreamUse::StreamUse(const StreamUse& other) : model_(other.model_) {
  std::lock_guard<std::mutex> lock(model_.stream_mutex_);
  ++model_.queued_;
}

LoadedModel::StreamUse::~StreamUse() {
  std::lock_guard<std::mutex> lock(model_.stream_mutex_);
  --model_.queued_;
}

}  // namespace foothold

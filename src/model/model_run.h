// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One run of a loaded model: its data sets looked through, its memory checked and placed, then run at once or
// as a task of a stream. Does not touch the data sets after it was made, except where data decide the shapes
// of outputs. Made on the program's thread; run once, on any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/run_memory.h"
#include "model/data_set.h"
#include "model/loaded_model.h"

namespace foothold {

struct StreamRef;

class ModelRun {
 public:
  // `stream` is the one it is going to run on, null for none. Throws kModelInputNotMatch and
  // kModelOutputNotMatch with the tensor, what the model needs and what was given. Outputs without memory get
  // some from the device; the program frees it. `api` is a literal.
  ModelRun(std::shared_ptr<LoadedModel> model, DataSet& inputs, DataSet& outputs, const StreamRef* stream,
           const char* api);
  ~ModelRun();

  // False if the outputs have sizes that only the run tells.
  bool placed() const { return runner_->is_static(); }
  // `stream` is the number of the one it runs on, for dumps.
  void Run(int stream);
  // Where it is not placed: runs, and puts what came out into the outputs.
  void RunAndPlace(DataSet& outputs, int stream);

  const LoadedModel& model() const { return *model_; }
  // Its memory goes back to an allocator of the program, or a function of the program may take its dump.
  bool calls_program() const { return calls_program_ || dumps(); }
  bool dumps() const { return model_->dump() != nullptr && model_->dump()->active(); }

 private:
  std::vector<TensorType> InputTypes(DataSet& inputs) const;
  TensorType InputType(DataSet& inputs, std::size_t index) const;
  void BindInputs(DataSet& inputs, const std::vector<TensorType>& types);
  void CheckOutputCount(const DataSet& outputs) const;
  RunMemory PlaceOutput(DataSet& outputs, std::size_t index, const TensorType& type) const;
  void PlaceOutputs(DataSet& outputs);
  void TakeWork(const StreamRef* stream);
  std::string InputName(std::size_t index) const;
  std::string OutputName(std::size_t index) const;

  const std::shared_ptr<LoadedModel> model_;
  const char* const api_;
  std::vector<TensorType> types_;
  std::vector<RunMemory> inputs_, outputs_;
  std::shared_ptr<PlanRunner> runner_;
  std::shared_ptr<const DeviceBlock> work_;
  std::unique_ptr<LoadedModel::StreamUse> use_;
  bool calls_program_ = false;
  bool overflow_ = false;  // is to be noticed
};

// Queues a run on a stream, or where its outputs have sizes that only the run tells, runs it after all that
// is queued there. Throws as ModelRun does.
void RunOnStream(std::unique_ptr<ModelRun> run, const StreamRef& stream, DataSet& outputs, const char* api);

}  // namespace foothold

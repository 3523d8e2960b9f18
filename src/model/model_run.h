// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One run of a loaded model: its data sets looked through, its memory checked and placed, then run at once or
// as a task of a stream. Does not touch the data sets after it was made, except where data decide the shapes
// of outputs. Made on the program's thread; run on any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "launch/launch.h"
#include "model/data_set.h"
#include "model/loaded_model.h"

namespace foothold {

struct StreamRef;

class ModelRun final : public Launch {
 public:
  // `stream` is the one it is going to run on, null for none. Throws kModelInputNotMatch and
  // kModelOutputNotMatch with the tensor, what the model needs and what was given. Outputs without memory get
  // some from the device; the program frees it. `api` is a literal.
  static LaunchPtr<ModelRun> Make(std::shared_ptr<LoadedModel> model, DataSet& inputs, DataSet& outputs,
                                  const StreamRef* stream, const char* api);

  // False if the outputs have sizes that only the run tells.
  bool placed() const { return run.prepared().is_static(); }
  void Run() override;
  // In the call that has just made it.
  void RunNow(DataSet& outputs);

  void ListAccesses(std::vector<Access>& to) const override;
  std::string Describe() const override;
  std::string InputName(std::size_t index) const override;
  std::string OutputName(std::size_t index) const override;
  bool calls_program() const override { return gives_back_ || Launch::calls_program(); }
  std::unique_ptr<Launch> Clone() const override;
  void End() noexcept override;

 private:
  void Bind(DataSet& inputs, DataSet& outputs, const StreamRef* stream, const char* api);
  std::shared_ptr<PreparedProgram> ProgramFor(DataSet& inputs);
  TensorType InputType(DataSet& inputs, std::size_t index) const;
  void BindInput(DataSet& inputs, std::size_t index);
  void CheckPictures() const;
  GivenMemory PlaceOutput(DataSet& outputs, std::size_t index, const TensorType& type) const;
  void TakeWork(const StreamRef* stream);
  void RunChecked();

  std::shared_ptr<LoadedModel> model_;
  const char* api_ = "";
  std::vector<TensorType> types_;  // of the inputs, where they come with the run
  std::shared_ptr<const DeviceBlock> work_;
  std::optional<LoadedModel::StreamUse> use_;
  bool gives_back_ = false;  // its memory goes back to an allocator of the program
};

// Queues a run on a stream, or where its outputs have sizes that only the run tells, runs it after all that
// is queued there. Throws as ModelRun does.
void RunOnStream(LaunchPtr<ModelRun> run, const StreamRef& stream, DataSet& outputs, const char* api);

}  // namespace foothold

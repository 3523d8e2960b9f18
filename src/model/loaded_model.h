// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A model that was loaded on a device: its compiled forms and the memory they run in. What runs it holds it,
// so unloading waits for nobody. Any thread; runs of one model take place one after the other.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/error_codes.h"
#include "base/run_turn.h"
#include "dump/model_dump.h"
#include "launch/device_block.h"
#include "launch/launch.h"
#include "launch/prepared_programs.h"
#include "model/fixed_plans.h"
#include "model/offline_model.h"
#include "options/input_shapes.h"

namespace foothold {

class Device;

// What the program gives for a load; null parts are the library's.
struct LentMemory {
  void* work = nullptr;
  std::size_t work_bytes = 0;
  void* weights = nullptr;
  std::size_t weight_bytes = 0;
};

class LoadedModel {
 public:
  // Compiles for all shapes that are known now. Throws what is wrong with the model or the memory.
  LoadedModel(std::uint32_t id, std::shared_ptr<const OfflineModel> model, Device& device,
              const LentMemory& memory, std::shared_ptr<Variables> variables);

  std::uint32_t id() const { return id_; }
  const std::shared_ptr<const OfflineModel>& model() const { return model_; }
  const ModelDescription& description() const { return model_->description(); }
  bool has_gears() const { return description().gears.kind != ModelGears::Kind::kNone; }
  // "model 3 ('resnet')": how messages name it.
  std::string Describe() const;

  int device() const;
  // Throws kRtModelContext unless the thread's current context is one of the device it was loaded on.
  void CheckContext() const;

  // The gear that was chosen last for any data set; the largest before that.
  std::size_t current_gear() const { return gear_.load(); }
  void set_current_gear(std::size_t gear) { gear_.store(gear); }
  // Throws `code` with all gears there are if `value` is none.
  std::size_t FindGear(const Dims& value, Code code) const;

  // The program for inputs of these types. Throws kModelInputNotMatch if the model does not take them, and if
  // its file was changed.
  std::shared_ptr<PreparedProgram> ProgramFor(const std::vector<TensorType>& types);
  // The same where sizes are fixed, for a gear; 0 where there are none.
  const std::shared_ptr<PreparedProgram>& FixedProgram(std::size_t gear);
  // Memory for the intermediate values of a run, at least `bytes`; null for 0.
  std::shared_ptr<const DeviceBlock> WorkFor(std::size_t bytes, const char* api);

  // What a run has while it goes on: the memory of WorkFor, of which there is only one. Throws inside a
  // function that its own run has called, and if the weights were changed.
  class Turn {
   public:
    explicit Turn(LoadedModel& model);
    ~Turn();
    // False inside a function that another run has called: it must not wait, and gets memory of its own.
    bool has_work_memory() const { return turn_.taken(); }

   private:
    LoadedModel& model_;
    const RunTurnScope turn_;
  };
  IdleLaunches idle_runs;

  // Throws if its weights are in a file that was changed, whatever RunnerFor has seen: runs may have waited.
  void CheckWeights() const;

  std::atomic<int> priority{0};

  // What is dumped of its runs; null: nothing. Set before the first.
  void set_dump(std::shared_ptr<ModelDump> dump) { dump_ = std::move(dump); }
  const std::shared_ptr<ModelDump>& dump() const { return dump_; }

  // Counts as a run on a stream while it lives, which is shorter than the model.
  class StreamUse {
   public:
    // Throws kGeExecParamInvalid if another stream has runs of this model that have not ended.
    StreamUse(LoadedModel& model, const void* stream);
    StreamUse(const StreamUse& other);
    ~StreamUse();
    StreamUse& operator=(const StreamUse&) = delete;

   private:
    LoadedModel& model_;
  };

 private:
  void LoadFixed(const LentMemory& memory);
  void CheckNotInside() const;

  const std::uint32_t id_;
  const std::shared_ptr<const OfflineModel> model_;
  Device& device_;
  const std::shared_ptr<Variables> variables_;
  const InputShapes shapes_;
  std::shared_ptr<ModelDump> dump_;
  std::shared_ptr<const DeviceBlock> weights_;  // null: where the file is mapped
  std::atomic<std::size_t> gear_{0};

  std::vector<std::shared_ptr<PreparedProgram>> fixed_;  // by gear
  PreparedPrograms programs_;
  std::mutex mutex_;  // guards work_
  std::shared_ptr<const DeviceBlock> work_;

  RunTurn turn_;                              // one run at a time: there is one piece of work memory
  std::atomic<std::uint64_t> running_on_{0};  // the thread that has it, 0: none

  std::mutex stream_mutex_;  // guards the two below
  const void* stream_ = nullptr;
  int queued_ = 0;
};

}  // namespace foothold

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Dumps the nodes of one run. What goes wrong with a dump goes to the log and costs that file, never the run.
// Made and used on the thread of the run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dump/dump_target.h"
#include "dump/model_dump.h"
#include "formats/dump_file.h"
#include "program/run_observer.h"

namespace foothold {

class RunDump final : public RunObserver {
 public:
  // Null if this run is not to be dumped. `model` may be null. `is_static`: the memory of all values lives as
  // long as the run.
  static std::unique_ptr<RunDump> Begin(const std::shared_ptr<ModelDump>& model, int stream, bool is_static);

  void OnNodeBegin(const NodeRun& node) override;
  void OnNodeEnd(const NodeRun& node) override;
  void OnNodeFailed(const NodeRun& node) override;

 private:
  // A node that has begun.
  struct Pending {
    bool wanted = false;
    std::uint32_t task = 0;
    std::uint64_t time = 0;
    std::unique_ptr<DumpTarget> target;               // begun, and the inputs are in it
    std::vector<std::unique_ptr<std::byte[]>> saved;  // bytes of inputs, where the file begins later
    std::vector<DumpTensor> inputs;
    std::string statistics;  // lines about the inputs
  };
  struct Watched {
    std::string name, type;
    std::vector<DumpTensor> outputs;
  };

  RunDump(std::shared_ptr<ModelDump> model, std::uint64_t index, int stream);

  bool DumpsInputs() const { return model_->config().mode != DumpMode::kOutput; }
  bool DumpsOutputs() const { return model_->config().mode != DumpMode::kInput; }
  std::vector<DumpTensor> Inputs(const NodeRun& node) const;
  std::vector<DumpTensor> Outputs(const NodeRun& node) const;
  void BeginNode(const NodeRun& node, Pending& pending);
  void EndNode(const NodeRun& node, Pending& pending);
  void SaveInputs(const NodeRun& node, Pending& pending);
  void WriteStatistics(const NodeRun& node, Pending& pending);
  void WriteLate(const NodeRun& node, Pending& pending, std::string_view type, std::string_view name);
  void ShowWatched(const NodeRun& node, std::uint32_t task);
  // Null if there is nowhere to write to.
  std::unique_ptr<DumpTarget> Open(const std::string& file_name);
  std::string FileName(std::string_view type, std::string_view name, const Pending& pending,
                       std::string_view suffix = {}) const;

  const std::shared_ptr<ModelDump> model_;
  const std::string directory_;
  const int stream_;
  std::uint32_t next_task_ = 0;
  std::vector<Pending> pending_;  // a node that runs graphs has others inside
  std::vector<Watched> watched_;
  ChunkMemory memory_;
};

// Dumps the run of this thread while it lives, if it is to be dumped.
class DumpedRun {
 public:
  DumpedRun(const std::shared_ptr<ModelDump>& model, int stream, bool is_static)
      : dump_(RunDump::Begin(model, stream, is_static)) {
    if (dump_) scope_.emplace(*dump_);
  }

 private:
  const std::unique_ptr<RunDump> dump_;
  std::optional<ObserverScope> scope_;
};

}  // namespace foothold

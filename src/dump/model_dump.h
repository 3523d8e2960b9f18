// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is dumped of one loaded model or graph: decided when it is loaded, kept with it, asked by the compiler
// and by each of its runs. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/dump_config.h"

namespace foothold {

// A configuration in force. Models keep it; FinalizeDump ends it for all of them.
struct DumpSettings {
  explicit DumpSettings(DumpConfig config);
  const DumpConfig config;
  const std::string stamp;  // the directory of the day and second it came into force
  std::atomic<bool> ended{false};
};

// The names a configuration may know a model by, the one its directory is called first.
struct DumpedModel {
  std::vector<std::string> names;
  std::uint32_t id = 0;
  int device = 0;
};

class ModelDump {
 public:
  // Null if nothing of this model is to be dumped. `settings` may be null.
  static std::unique_ptr<ModelDump> Make(std::shared_ptr<const DumpSettings> settings, DumpedModel model);
  // For operators that are run by themselves, on one device. `settings` asks for them.
  static std::shared_ptr<ModelDump> MakeForOperators(std::shared_ptr<const DumpSettings> settings,
                                                     int device);

  // Whether runs that begin now are watched.
  bool active() const { return !settings_->ended.load(std::memory_order_relaxed); }
  const DumpConfig& config() const { return settings_->config; }
  const DumpedModel& model() const { return model_; }

  bool WantsNode(std::string_view name, std::string_view type) const;
  // For the compiler: the node must stay in the program under its name.
  bool KeepsNode(std::string_view name, std::string_view type) const;
  // The number of one tensor of a node: false where a list says to leave it out.
  bool WantsTensor(std::string_view name, std::string_view type, bool is_input, std::size_t index) const;
  // Nodes to be shown after this one ran ("dump_scene": "watcher").
  std::vector<std::string> WatchedAfter(std::string_view name) const;
  bool IsWatched(std::string_view name) const;

  // Operators that are run by themselves are no steps of anything.
  bool IncludesStep(std::uint64_t index) const { return is_operators() || config().IncludesStep(index); }
  // How often the model was run before.
  std::uint64_t NextIndex() { return next_index_.fetch_add(1); }
  // The directory of one run.
  std::string Directory(std::uint64_t index) const;

 private:
  ModelDump(std::shared_ptr<const DumpSettings> settings, DumpedModel model,
            std::vector<DumpSelection> selections);

  bool is_operators() const { return model_.names.empty(); }

  const std::shared_ptr<const DumpSettings> settings_;
  const DumpedModel model_;
  const std::vector<DumpSelection> selections_;  // those for this model; none: everything
  std::atomic<std::uint64_t> next_index_{0};
};

}  // namespace foothold

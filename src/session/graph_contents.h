// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the program wrote, read once: later changes of its graph do not count. Any thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "compiler/executable.h"
#include "compiler/normalize.h"
#include "dump/model_dump.h"
#include "options/input_shapes.h"
#include "session/output_options.h"

namespace foothold {

class GraphSlot;

struct GraphContents {
  std::unique_ptr<NormalGraph> normal;
  std::unique_ptr<InputShapes> shapes;
  SharedPlaces shared_places;
  std::shared_ptr<ModelDump> dump;  // null: nothing is dumped
  std::unique_ptr<Executable> executable;

  // Not only the caller gets values of a run.
  bool delivers() const { return !normal->summaries.empty() || !normal->saves.empty(); }
  // Of the inputs, where the graph and its options say all of them.
  std::optional<std::vector<TensorType>> DeclaredTypes() const;
  // Without shapes nothing can be compiled yet, but what can never be compiled is known: throws that,
  // with the name the program gave the graph.
  void CheckOperators(const std::string& name) const;
};

class GraphReader {
 public:
  // What was read, or null.
  const GraphContents* Find() const noexcept { return found_.load(std::memory_order_acquire); }
  // Reads, or waits for the thread that does: reading fills in the subgraphs of the program's own graph.
  // Functions of the program are called, and no lock is held.
  const GraphContents& Read(const GraphSlot& slot);

 private:
  std::atomic<const GraphContents*> found_{nullptr};
  std::mutex mutex_;  // guards all below
  bool reading_ = false;
  std::condition_variable read_;
  std::unique_ptr<const GraphContents> contents_;
};

}  // namespace foothold

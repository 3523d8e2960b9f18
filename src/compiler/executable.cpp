// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/executable.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/thread_end.h"
#include "compiler/check_graph.h"
#include "compiler/infer.h"
#include "compiler/lower.h"
#include "compiler/passes/remove_dead_nodes.h"
#include "compiler/pipeline.h"
#include "compiler/sources.h"
#include "compiler/split.h"
#include "ir/stored_weight.h"

namespace foothold {
namespace {

std::string KeyOf(const std::vector<TensorType>& types, const std::vector<const TensorValue*>& values) {
  std::string key;
  for (std::size_t i = 0; i < types.size(); ++i) {
    key += fmt::format("{}:{}", static_cast<int>(types[i].format), ToString(types[i]));
    if (i >= values.size() || values[i] == nullptr) continue;
    LoadWeight(*values[i]);
    key += '=';
    key.append(values[i]->As<char>(), values[i]->size());
  }
  return key;
}

// Inputs whose values are known become constants; the other inputs keep their numbers.
void InsertValues(Graph& graph, const std::vector<const TensorValue*>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == nullptr) continue;
    Node& constant = MakeConstant(graph, graph.inputs[i]->name(), *values[i]);
    const OutputRef from{graph.inputs[i], 0}, to{&constant, 0};
    ReplaceUses(from, to);
    graph.outputs.Replace(from, to);
  }
}

std::shared_ptr<const Plan> CompileInPlace(const std::shared_ptr<Graph>& graph,
                                           const std::vector<TensorType>& types, Before before,
                                           const Executable::Watcher& watcher = nullptr) {
  const Inferred inferred = InferTypes(*graph, types, before);
  if (watcher) watcher(*graph, Executable::Stage::kInferred);
  auto plan = std::make_shared<Plan>();
  if (!inferred.late.empty()) plan->rest = SplitOff(graph, inferred);
  RunPasses(*graph);
  if (watcher) watcher(*graph, Executable::Stage::kBuilt);
  plan->program = LowerGraph(*graph);
  return plan;
}

std::shared_ptr<const Plan> Compile(const Graph& source, const std::vector<TensorType>& types,
                                    const std::vector<const TensorValue*>& values,
                                    const Executable::Watcher& watcher) {
  const std::shared_ptr<Graph> graph = source.Clone();
  InsertValues(*graph, values);
  return CompileInPlace(graph, types, Before::kNothing, watcher);
}

}  // namespace

std::shared_ptr<const Plan> CompileOnce(const std::shared_ptr<Graph>& graph, Before before) {
  CheckGraph(*graph);
  std::vector<TensorType> types;
  for (std::size_t i = 0; i < graph->inputs.size(); ++i) {
    graph->inputs[i]->attributes["index"] = static_cast<std::int64_t>(i);
    types.push_back(graph->inputs[i]->outputs().at(0).desc);
  }
  RemoveDeadNodes(*graph);
  return CompileInPlace(graph, types, before);
}

std::shared_ptr<Executable::Entry> Executable::FindEntry(const std::string& key) {
  if (const auto found = entries_.find(key); found != entries_.end()) {
    recent_.splice(recent_.begin(), recent_, found->second->used);
    return found->second;
  }
  if (entries_.size() >= kKeptPlans) {
    entries_.erase(recent_.back());
    recent_.pop_back();
  }
  recent_.push_front(key);
  auto entry = std::make_shared<Entry>();
  entry->used = recent_.begin();
  entries_.emplace(key, entry);
  return entry;
}

FOOTHOLD_HANDLES_END_OF_THREAD std::shared_ptr<const Plan> Executable::Prepare(
    const std::vector<TensorType>& types, const std::vector<const TensorValue*>& values) {
  FOOTHOLD_CHECK(types.size() == inputs());
  std::unique_lock<std::mutex> lock(mutex_);
  const std::shared_ptr<Entry> entry = FindEntry(KeyOf(types, values));
  if (entry->compiling == std::this_thread::get_id())
    Fail(kInvalidParam, "graph '{}' cannot be compiled inside a function that compiling it has called",
         graph_->name());
  compiled_.wait(lock, [&] { return !entry->compiling; });
  if (entry->plan) return entry->plan;
  entry->compiling = std::this_thread::get_id();
  lock.unlock();
  std::shared_ptr<const Plan> plan;
  std::exception_ptr failure;
  try {
    plan = Compile(*graph_, types, values, watcher_);
  } catch (const EndOfThread&) {  // a function of the program ends the thread
    lock.lock();
    entry->compiling.reset();
    compiled_.notify_all();
    throw;
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  entry->compiling.reset();
  entry->plan = plan;
  compiled_.notify_all();
  if (failure) std::rethrow_exception(failure);
  return plan;
}

}  // namespace foothold

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/graph_order.h"

#include <fmt/format.h>

#include <utility>

#include "base/broken_rule.h"
#include "base/error.h"
#include "base/graph_codes.h"

namespace foothold {

void GraphOrder::Refuse(const char* api, const std::string& why, const char* rule) const {
  if (rule != nullptr) BreaksRule(rule, nullptr);
  throw Error(kGeFailed, fmt::format("{} cannot be called for graph {} now: {}", api, graph_, why),
              kBadOrder);
}

GraphOrder::Prepared GraphOrder::prepared() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return prepared_;
}

bool GraphOrder::was_run() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return mode_ != RunMode::kNone;
}

void GraphOrder::CheckOrder(Prepared wanted) const {
  if (wanted == Prepared::kBuilt && prepared_ == Prepared::kCompiled)
    Refuse("BuildGraph", "it was compiled with CompileGraph");
  if (wanted == Prepared::kCompiled && generation_ == Generation::kFirst && prepared_ == Prepared::kBuilt)
    Refuse("CompileGraph", "it was built with BuildGraph");
}

void GraphOrder::CheckPrepare(Prepared wanted) const {
  std::lock_guard<std::mutex> lock(mutex_);
  CheckOrder(wanted);
}

void GraphOrder::SetPrepared(Prepared done) {
  std::lock_guard<std::mutex> lock(mutex_);
  CheckOrder(done);
  prepared_ = done;
}

void GraphOrder::RequireCompiled(const char* api) const {
  if (prepared() != Prepared::kCompiled) Refuse(api, "CompileGraph has to be called first");
}

void GraphOrder::EnterRun(RunMode mode, const char* api) {
  std::lock_guard<std::mutex> lock(mutex_);
  CheckMode(mode, api);
  mode_ = mode;
  mode_api_ = api;
}

void GraphOrder::CheckMode(RunMode mode, const char* api) const {
  if (generation_ == Generation::kFirst && mode != RunMode::kStream && prepared_ == Prepared::kCompiled)
    Refuse(api, "after CompileGraph only the stream forms of running are possible");
  if (generation_ == Generation::kSecond && mode_ != RunMode::kNone && mode_ != mode)
    Refuse(api, fmt::format("it was run with {} before, and a graph is run in one way only", mode_api_),
           "GE-RUN-005");
  if (mode == RunMode::kAsync && !host_inputs_.empty())
    Refuse(api, "it was loaded with ge.exec.hostInputIndexes");
}

void GraphOrder::SetHostInputs(std::vector<std::size_t> inputs) {
  std::lock_guard<std::mutex> lock(mutex_);
  host_inputs_ = std::move(inputs);
  has_host_inputs_.store(!host_inputs_.empty(), std::memory_order_release);
}

bool GraphOrder::IsHostInput(std::size_t input) const {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::find(host_inputs_.begin(), host_inputs_.end(), input) != host_inputs_.end();
}

}  // namespace foothold

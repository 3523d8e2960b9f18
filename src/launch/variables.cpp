// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "launch/variables.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>

#include "base/error.h"
#include "base/log.h"
#include "base/per_process.h"
#include "base/thread_id.h"

namespace foothold {

// A thread whose run uses a variable.
struct Variables::Holder {
  std::uint64_t thread;
  bool writes;
  bool operator==(const Holder&) const = default;
};

struct Variables::Variable {
  DeviceCharge charge;
  TensorValue value;
  std::atomic<bool> assigned{false};
  std::vector<Holder> holders;  // guarded by the mutex of all uses
};

struct Variables::Waiting {
  std::uint64_t thread;
  const Use* use;
  bool operator==(const Waiting&) const = default;
};

// The uses of all sessions, so that circles of runs that wait for each other are seen before they close.
struct Variables::UsesOfAll {
  static UsesOfAll& Get() { return PerProcess<UsesOfAll>::Get(); }

  // Not what the run around it has and it only wants to read.
  static bool IsInTheWay(const Holder& holder, const Use::Wanted& wanted, std::uint64_t thread) {
    if (holder.thread == thread) return wanted.written;
    return holder.writes || wanted.written;
  }
  // Null: all can be had now.
  static const Use::Wanted* FirstMissing(const Waiting& waiting) {
    for (const Use::Wanted& wanted : waiting.use->wanted_)
      for (const Holder& holder : wanted.variable->holders)
        if (IsInTheWay(holder, wanted, waiting.thread)) return &wanted;
    return nullptr;
  }
  // Whether what it waits for has `thread`, or waits for what that has, and so on.
  bool WaitsFor(const Waiting& waiter, std::uint64_t thread) const {
    for (const Use::Wanted& wanted : waiter.use->wanted_) {
      for (const Holder& holder : wanted.variable->holders) {
        if (!IsInTheWay(holder, wanted, waiter.thread)) continue;
        if (holder.thread == thread) return true;
        for (const Waiting& next : waiting)
          if (next.thread == holder.thread && WaitsFor(next, thread)) return true;
      }
    }
    return false;
  }

  std::mutex mutex;  // guards all below, and the holders of variables
  std::condition_variable changed;
  std::vector<Waiting> waiting;
};

Variables::Variables() = default;
Variables::~Variables() = default;

Variables::Variable& Variables::FindOrMake(const ProgramVariable& variable) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto& found = variables_[variable.name];
  if (!found) {
    auto made = std::make_unique<Variable>();
    if (const int device = device_.load(); device >= 0)
      made->charge = DeviceCharge(device, ByteSize(variable.type), "a variable of a graph");
    made->value = TensorValue(variable.type);
    made->assigned = variable.initial.size() > 0;
    if (made->assigned)
      std::memcpy(made->value.mutable_data(), variable.initial.data(), made->value.size());
    else if (made->value.size() > 0)
      std::memset(made->value.mutable_data(), 0, made->value.size());
    if (!made->assigned && !variable.written)
      Log(LogLevel::kWarning, "variable '{}' is read before anything was assigned to it: it holds zeros",
          variable.name);
    found = std::move(made);
  }
  const TensorType& type = found->value.type();
  if (type.type != variable.type.type || type.dims != variable.type.dims)
    Fail(kInvalidParam, "variable '{}' is {} in this session; a graph uses it as {}", variable.name,
         ToString(type), ToString(variable.type));
  return *found;
}

std::byte* Variables::Memory(const ProgramVariable& variable) {
  return FindOrMake(variable).value.mutable_data();
}

std::vector<TensorValue> Variables::Read(std::vector<std::string> names) const {
  std::unique_lock<std::mutex> lock(mutex_);
  if (names.empty())
    for (const auto& [name, variable] : variables_)
      names.push_back(name);
  std::vector<Variable*> found;
  for (const std::string& name : names) {
    const auto variable = variables_.find(name);
    if (variable == variables_.end()) Fail(kInvalidParam, "the session has no variable '{}'", name);
    if (!variable->second->assigned) Fail(kInvalidParam, "nothing was assigned to variable '{}' yet", name);
    found.push_back(variable->second.get());
  }
  lock.unlock();  // variables stay until the session ends
  std::vector<TensorValue> values;
  for (std::size_t i = 0; i < found.size(); ++i) {
    Use reading;
    reading.Want(*found[i], names[i], false);
    reading.Take();
    values.push_back(found[i]->value.Clone());
  }
  return values;
}

void Variables::Use::Want(Variable& variable, const std::string& name, bool written) {
  for (Wanted& one : wanted_) {
    if (one.variable != &variable) continue;
    one.written = one.written || written;
    return;
  }
  wanted_.push_back({&variable, &name, written});
}

Variables::Use::Use(Variables& variables, const std::vector<ProgramVariable>& used) {
  for (const ProgramVariable& variable : used)
    Want(variables.FindOrMake(variable), variable.name, variable.written);
  Take();
}

void Variables::Use::Take() {
  UsesOfAll& all = UsesOfAll::Get();
  const std::uint64_t self = SelfThread();
  std::unique_lock<std::mutex> lock(all.mutex);
  const Waiting waiting{self, this};
  while (const Wanted* missing = all.FirstMissing(waiting)) {
    if (all.WaitsFor(waiting, self))
      Fail(kInvalidParam,
           "variable '{}' is used by the run whose function this thread is in, or by one that waits for it",
           *missing->name);
    all.waiting.push_back(waiting);
    all.changed.wait(lock);
    std::erase(all.waiting, waiting);
  }
  for (const Wanted& one : wanted_)
    one.variable->holders.reserve(one.variable->holders.size() + 1);
  for (const Wanted& one : wanted_)
    one.variable->holders.push_back({self, one.written});
}

Variables::Use::~Use() {
  UsesOfAll& all = UsesOfAll::Get();
  std::lock_guard<std::mutex> lock(all.mutex);
  for (const Wanted& one : wanted_) {
    auto& holders = one.variable->holders;
    holders.erase(std::find(holders.begin(), holders.end(), Holder{SelfThread(), one.written}));
  }
  if (!all.waiting.empty()) all.changed.notify_all();
}

void Variables::NoteWritten(const std::vector<ProgramVariable>& used) {
  for (const ProgramVariable& variable : used)
    if (variable.written) FindOrMake(variable).assigned = true;
}

}  // namespace foothold

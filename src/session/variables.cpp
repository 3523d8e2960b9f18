// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/variables.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/log.h"

namespace foothold {

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
  std::vector<const Variable*> found;
  for (const std::string& name : names) {
    const auto variable = variables_.find(name);
    if (variable == variables_.end()) Fail(kInvalidParam, "the session has no variable '{}'", name);
    if (!variable->second->assigned) Fail(kInvalidParam, "nothing was assigned to variable '{}' yet", name);
    found.push_back(variable->second.get());
  }
  lock.unlock();  // variables stay until the session ends
  std::vector<TensorValue> values;
  for (const Variable* variable : found) {
    std::shared_lock<std::shared_mutex> reading(variable->in_use);
    values.push_back(variable->value.Clone());
  }
  return values;
}

Variables::Lock::Lock(Variables& variables, const std::vector<ProgramVariable>& used) {
  std::vector<const ProgramVariable*> sorted;
  for (const ProgramVariable& variable : used)
    sorted.push_back(&variable);
  std::sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->name < b->name; });
  for (auto same = sorted.begin(); same != sorted.end();) {
    const auto next =
        std::find_if(same, sorted.end(), [&](auto* other) { return other->name != (*same)->name; });
    const bool written = std::any_of(same, next, [](auto* variable) { return variable->written; });
    std::shared_mutex& in_use = variables.FindOrMake(**same).in_use;
    if (written)
      written_.emplace_back(in_use);
    else
      read_.emplace_back(in_use);
    same = next;
  }
}

void Variables::NoteWritten(const std::vector<ProgramVariable>& used) {
  for (const ProgramVariable& variable : used)
    if (variable.written) FindOrMake(variable).assigned = true;
}

}  // namespace foothold

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>

#include "base/per_process.h"
#include "prototypes/built_in_prototypes.h"
#include "prototypes/late_operators.h"
#include "prototypes/prototype.h"

namespace foothold {
namespace {

struct Registered {
  std::mutex mutex;
  std::deque<Prototype> prototypes;                                   // guarded by mutex; addresses stay
  std::map<std::string_view, const Prototype*, std::less<>> by_type;  // guarded by mutex
  std::set<std::string, std::less<>> late;                            // guarded by mutex
};

std::atomic<OperatorSource> operator_source{nullptr};

// Made on first use, because programs register while static objects are made, and never destroyed, because
// they create operators while static objects are destroyed.
Registered& All() {
  static auto* const registered = new Registered;
  return *registered;
}

std::mutex& MutexOfPrototypes() {
  return All().mutex;
}
[[maybe_unused]] const HeldDuringFork<MutexOfPrototypes> held_for_prototypes;

}  // namespace

const Prototype* FindPrototype(std::string_view type) {
  if (const Prototype* built_in = FindBuiltInPrototype(type)) {
    return built_in;
  }
  AskOperatorSource();
  Registered& all = All();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_type.find(type);
  return found == all.by_type.end() ? nullptr : found->second;
}

void SetOperatorSource(OperatorSource source) noexcept {
  operator_source.store(source);
}

void AskOperatorSource() {
  if (const OperatorSource source = operator_source.load(std::memory_order_acquire)) source();
}

void RegisterLatePrototype(Prototype prototype) {
  const std::string type = prototype.type;
  RegisterPrototype(std::move(prototype));
  Registered& all = All();
  const std::lock_guard lock(all.mutex);
  all.late.insert(type);
}

bool IsLateOperator(std::string_view type) {
  AskOperatorSource();
  Registered& all = All();
  const std::lock_guard lock(all.mutex);
  return all.late.contains(type);
}

std::vector<std::string_view> PrototypeTypes() {
  AskOperatorSource();
  std::vector<std::string_view> types;
  for (std::size_t i = 0; i < BuiltInPrototypeCount(); ++i) {
    types.push_back(BuiltInPrototypeType(i));
  }
  Registered& all = All();
  const std::lock_guard lock(all.mutex);
  for (const auto& [type, prototype] : all.by_type) {
    types.push_back(type);
  }
  return types;
}

void RegisterPrototype(Prototype prototype) {
  Registered& all = All();
  const std::lock_guard lock(all.mutex);
  if (FindBuiltInPrototype(prototype.type) != nullptr || all.by_type.contains(prototype.type)) {
    return;
  }
  const Prototype& kept = all.prototypes.emplace_back(std::move(prototype));
  all.by_type.emplace(kept.type, &kept);
}

}  // namespace foothold

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <deque>
#include <functional>
#include <map>
#include <mutex>

#include "base/per_process.h"
#include "prototypes/built_in_prototypes.h"
#include "prototypes/prototype.h"

namespace foothold {
namespace {

struct Registered {
  std::mutex mutex;
  std::deque<Prototype> prototypes;                                   // guarded by mutex; addresses stay
  std::map<std::string_view, const Prototype*, std::less<>> by_type;  // guarded by mutex
};

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
  Registered& all = All();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_type.find(type);
  return found == all.by_type.end() ? nullptr : found->second;
}

std::vector<std::string_view> PrototypeTypes() {
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

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "prototypes/user_functions.h"

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "base/per_process.h"

namespace foothold {
namespace {

struct UserFunctions {
  std::mutex mutex;
  std::map<std::pair<std::string, UserFunctionKind>, NodeFunction> functions;  // guarded by mutex
};

// Programs register while static objects are made, and may build graphs while they are destroyed.
UserFunctions& All() {
  static auto* const functions = new UserFunctions;
  return *functions;
}

std::mutex& MutexOfFunctions() {
  return All().mutex;
}
[[maybe_unused]] const HeldDuringFork<MutexOfFunctions> held_for_functions;

}  // namespace

void RegisterUserFunction(std::string_view type, UserFunctionKind kind, NodeFunction function) {
  UserFunctions& all = All();
  const std::lock_guard lock(all.mutex);
  all.functions.try_emplace({std::string(type), kind}, std::move(function));
}

NodeFunction FindUserFunction(std::string_view type, UserFunctionKind kind) {
  UserFunctions& all = All();
  const std::lock_guard lock(all.mutex);
  const auto found = all.functions.find({std::string(type), kind});
  return found == all.functions.end() ? NodeFunction() : found->second;
}

}  // namespace foothold

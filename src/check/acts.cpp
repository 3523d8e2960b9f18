// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/acts.h"

#include "check/call_scope.h"

namespace foothold::check {

Act ActOf(const Deed& deed, const std::string& does) {
  Act act;
  act.call = deed.call;
  act.does = does;
  act.agent = deed.Where();
  act.task = deed.task;
  act.stream = deed.stream;
  if (deed.task) act.how = deed.instance == 0 ? "queued by" : "captured by";
  act.site = deed.site;
  const CallScope* const call = CallScope::Current();
  if (call != nullptr && !deed.task && call->site().stack == deed.site.stack)
    act.arguments = call->Arguments();
  return act;
}

Act ActOf(const CallScope& call) {
  return {.call = call.name(), .arguments = call.Arguments(), .does = {}, .agent = {}, .site = call.site()};
}

}  // namespace foothold::check

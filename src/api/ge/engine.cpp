// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include "api/ge/session_guard.h"
#include "check/call_finding.h"
#include "check/check.h"
#include "check/open_things.h"
#include "check/reporter.h"
#include "ge/ge_api.h"
#include "ge/ge_api_v2.h"
#include "session/engine.h"

namespace ge {
namespace {

Status Initialize(const char* method, const std::map<AscendString, AscendString>& options) {
  return foothold::GuardSession(method, [&] {
    if (!foothold::Engine::Get().Initialize(foothold::ToOptions(options)))
      foothold::RecordGraphWarning("W11001",
                                   "the Graph Engine is initialised already; the new options are ignored");
  });
}

// They are to end before the engine does (GE-RUN-007).
void LookAtSessions() {
  namespace check = foothold::check;
  if (!check::On()) return;
  const auto count = check::CountOpen(check::Thing::kSession);
  if (count > 0)
    if (auto finding = check::FindingHere(
            "GE-RUN-007", fmt::format("the Graph Engine is finalised, and {} session{} lives", count,
                                      count == 1 ? "" : "s")))
      check::Reporter::Get().Report(std::move(*finding));
  check::EngineFinalized();
}

Status Finalize(const char* method) {
  return foothold::GuardSession(method, [] {
    LookAtSessions();
    if (!foothold::Engine::Get().Finalize())
      foothold::RecordGraphWarning("W11001",
                                   "the Graph Engine is not initialised, so there is nothing to finalise");
  });
}

}  // namespace

Status GEInitialize(const std::map<AscendString, AscendString>& options) {
  return Initialize("GEInitialize", options);
}
Status GEFinalize() {
  return Finalize("GEFinalize");
}
Status GEInitializeV2(const std::map<AscendString, AscendString>& options) {
  return Initialize("GEInitializeV2", options);
}
Status GEFinalizeV2() {
  return Finalize("GEFinalizeV2");
}

}  // namespace ge

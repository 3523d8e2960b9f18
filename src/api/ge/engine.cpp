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
#include "hcom/job.h"
#include "session/engine.h"

namespace ge {
namespace {

// Without the other ranks of its job the engine is of no use.
void JoinJob(const foothold::OptionMap& options) {
  try {
    foothold::Job::Join(options);
  } catch (...) {
    const foothold::Error error = foothold::CurrentError();
    foothold::Engine::Get().Finalize();
    throw foothold::Error(error);
  }
}

Status Initialize(const char* method, const std::map<AscendString, AscendString>& options) {
  return foothold::GuardSession(method, [&] {
    const foothold::OptionMap map = foothold::ToOptions(options);
    if (foothold::Engine::Get().Initialize(map)) return JoinJob(map);
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
    if (foothold::Engine::Get().Finalize()) return foothold::Job::Leave();
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

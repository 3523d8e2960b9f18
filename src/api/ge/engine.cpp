// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/engine.h"
#include "api/ge/session_guard.h"
#include "ge/ge_api.h"
#include "ge/ge_api_v2.h"
#include "hcom/job.h"

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

Status Finalize(const char* method) {
  return foothold::GuardSession(method, [] {
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

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/engine.h"
#include "api/ge/session_guard.h"
#include "ge/ge_api.h"
#include "ge/ge_api_v2.h"

namespace ge {
namespace {

Status Initialize(const char* method, const std::map<AscendString, AscendString>& options) {
  return foothold::GuardSession(method, [&] {
    if (!foothold::Engine::Get().Initialize(foothold::ToOptions(options)))
      foothold::RecordGraphWarning("W11001",
                                   "the Graph Engine is initialised already; the new options are ignored");
  });
}

Status Finalize(const char* method) {
  return foothold::GuardSession(method, [] {
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

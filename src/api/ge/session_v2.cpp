// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <utility>

#include "api/ge/offline_build.h"
#include "api/ge/session_guard.h"
#include "check/open_things.h"
#include "ge/ge_api_v2.h"

namespace ge {
namespace {

using foothold::GuardSession;

}  // namespace

GeSession::GeSession(const std::map<AscendString, AscendString>& options) {
  GuardSession("GeSession::GeSession", [&] {
    session_ = foothold::Session::Make(foothold::ToOptions(options), foothold::Generation::kSecond);
    foothold::check::Opened(foothold::check::Thing::kSession, session_->id());
  });
}

GeSession::~GeSession() {
  foothold::EndSession("GeSession::~GeSession", session_);
}

Status GeSession::AddGraph(uint32_t graph_id, const Graph& graph) {
  return AddGraph(graph_id, graph, {});
}

Status GeSession::AddGraph(uint32_t graph_id, const Graph& graph,
                           const std::map<AscendString, AscendString>& options) {
  return GuardSession("GeSession::AddGraph", [&] {
    foothold::AddGraph(*foothold::Made(session_), graph_id, graph, foothold::ToOptions(options),
                       foothold::Sharing::kShare);
  });
}

Status GeSession::AddGraphClone(uint32_t graph_id, const Graph& graph) {
  return AddGraphClone(graph_id, graph, {});
}

Status GeSession::AddGraphClone(uint32_t graph_id, const Graph& graph,
                                const std::map<AscendString, AscendString>& options) {
  return GuardSession("GeSession::AddGraphClone", [&] {
    foothold::AddGraph(*foothold::Made(session_), graph_id, graph, foothold::ToOptions(options),
                       foothold::Sharing::kCopy);
  });
}

Status GeSession::RemoveGraph(uint32_t graph_id) {
  return GuardSession("GeSession::RemoveGraph", [&] { foothold::Made(session_)->RemoveGraph(graph_id); });
}

bool GeSession::IsGraphNeedRebuild(uint32_t graph_id) {
  return session_ == nullptr || !session_->HasGraph(graph_id);
}

uint64_t GeSession::GetSessionId() const {
  return session_ == nullptr ? 0 : session_->id();
}

Status GeSession::CompileGraph(uint32_t graph_id) {
  return CompileGraph(graph_id, {});
}

Status GeSession::CompileGraph(uint32_t graph_id, const std::vector<ge::Tensor>& inputs) {
  return GuardSession("GeSession::CompileGraph",
                      [&] { foothold::Made(session_)->CompileGraph(graph_id, foothold::TypesOf(inputs)); });
}

Status GeSession::LoadGraph(const uint32_t graph_id, const std::map<AscendString, AscendString>& options,
                            void* stream) const {
  return GuardSession("GeSession::LoadGraph", [&] {
    foothold::Made(session_)->LoadGraph(graph_id, foothold::ToOptions(options), stream);
  });
}

Status GeSession::GetCompiledModel(uint32_t graph_id, ModelBufferData& model_buffer) {
  return GuardSession("GeSession::GetCompiledModel", [&] {
    const auto compiled = foothold::Made(session_)->CompiledGraph(graph_id, "GetCompiledModel");
    model_buffer = foothold::ToBuffer(foothold::BuildModelBytes(*compiled.graph, compiled.options.map()));
  });
}

Status GeSession::RunGraph(uint32_t graph_id, const std::vector<gert::Tensor>& inputs,
                           std::vector<gert::Tensor>& outputs) {
  return GuardSession("GeSession::RunGraph",
                      [&] { foothold::RunNow(*foothold::Made(session_), graph_id, inputs, outputs); });
}

Status GeSession::RunGraphAsync(uint32_t graph_id, const std::vector<gert::Tensor>& inputs,
                                RunAsyncCallbackV2 callback) {
  return GuardSession("GeSession::RunGraphAsync", [&] {
    foothold::RunLater(*foothold::Made(session_), graph_id, inputs, std::move(callback));
  });
}

Status GeSession::RunGraphWithStreamAsync(uint32_t graph_id, void* stream,
                                          const std::vector<gert::Tensor>& inputs,
                                          std::vector<gert::Tensor>& outputs) {
  return GuardSession("GeSession::RunGraphWithStreamAsync", [&] {
    foothold::RunOnStream(*foothold::Made(session_), graph_id, stream, inputs, outputs,
                          "RunGraphWithStreamAsync", false);
  });
}

Status GeSession::RegisterCallBackFunc(const char* key, const RunCallback& callback) {
  return GuardSession("GeSession::RegisterCallBackFunc", [&] {
    foothold::ValuesCallback deliver;
    if (callback) {
      deliver = [callback](std::uint32_t graph_id, foothold::NamedValues values) {
        std::map<AscendString, gert::Tensor> tensors;
        for (auto& [name, value] : values)
          tensors.emplace(AscendString(name.c_str()),
                          foothold::ToRuntimeTensor(std::move(value), gert::kOnHost));
        values.clear();
        return callback(graph_id, tensors);
      };
    }
    foothold::Made(session_)->RegisterCallback(key == nullptr ? "" : key, std::move(deliver));
  });
}

Status GeSession::GraphDebugJSONPrint(const uint32_t graph_id, uint32_t, AscendString& json_result) const {
  return GuardSession("GeSession::GraphDebugJSONPrint", [&] {
    json_result = AscendString(foothold::Made(session_)->TraceGraph(graph_id).c_str());
  });
}

}  // namespace ge

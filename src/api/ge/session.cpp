// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/ge/session_guard.h"
#include "api/ge/tensor_impl.h"
#include "base/graph_codes.h"
#include "check/open_things.h"
#include "ge/ge_api.h"

namespace ge {
namespace {

using foothold::GuardSession;

foothold::Generation First() {
  return foothold::Generation::kFirst;
}

}  // namespace

Session::Session(const std::map<AscendString, AscendString>& options) {
  GuardSession("Session::Session", [&] {
    auto session = std::make_unique<std::shared_ptr<foothold::Session>>(
        foothold::Session::Make(foothold::ToOptions(options), First()));
    session_ = std::move(session);
    foothold::check::Opened(foothold::check::Thing::kSession, foothold::Held(session_)->id());
  });
}

Session::~Session() {
  if (session_ != nullptr) foothold::EndSession("Session::~Session", *session_);
}

Status Session::AddGraph(uint32_t graph_id, const Graph& graph) {
  return AddGraph(graph_id, graph, std::map<AscendString, AscendString>());
}

Status Session::AddGraph(uint32_t graph_id, const Graph& graph,
                         const std::map<AscendString, AscendString>& options) {
  return GuardSession("Session::AddGraph", [&] {
    foothold::AddGraph(*foothold::Made(session_), graph_id, graph, foothold::ToOptions(options),
                       foothold::Sharing::kShare);
  });
}

Status Session::AddGraphWithCopy(uint32_t graph_id, const Graph& graph) {
  return AddGraphWithCopy(graph_id, graph, std::map<AscendString, AscendString>());
}

Status Session::AddGraphWithCopy(uint32_t graph_id, const Graph& graph,
                                 const std::map<AscendString, AscendString>& options) {
  return GuardSession("Session::AddGraphWithCopy", [&] {
    foothold::AddGraph(*foothold::Made(session_), graph_id, graph, foothold::ToOptions(options),
                       foothold::Sharing::kCopy);
  });
}

Status Session::RemoveGraph(uint32_t graph_id) {
  return GuardSession("Session::RemoveGraph", [&] { foothold::Made(session_)->RemoveGraph(graph_id); });
}

bool Session::IsGraphNeedRebuild(uint32_t graph_id) {
  return session_ == nullptr || !foothold::Held(session_)->HasGraph(graph_id);
}

uint64_t Session::GetSessionId() const {
  return session_ == nullptr ? 0 : foothold::Held(session_)->id();
}

Status Session::BuildGraph(uint32_t graph_id, const std::vector<InputTensorInfo>& inputs) {
  return GuardSession("Session::BuildGraph", [&] {
    std::vector<foothold::TensorType> types;
    for (const InputTensorInfo& input : inputs)
      types.push_back(
          {foothold::FromPublic(static_cast<DataType>(input.data_type)), foothold::Format::kNd, input.dims});
    foothold::Made(session_)->BuildGraph(graph_id, types);
  });
}

Status Session::BuildGraph(uint32_t graph_id, const std::vector<ge::Tensor>& inputs) {
  return GuardSession("Session::BuildGraph",
                      [&] { foothold::Made(session_)->BuildGraph(graph_id, foothold::TypesOf(inputs)); });
}

Status Session::CompileGraph(uint32_t graph_id) {
  return GuardSession("Session::CompileGraph", [&] { foothold::Made(session_)->CompileGraph(graph_id, {}); });
}

Status Session::LoadGraph(const uint32_t graph_id, const std::map<AscendString, AscendString>& options,
                          void* stream) const {
  return GuardSession("Session::LoadGraph", [&] {
    foothold::Made(session_)->LoadGraph(graph_id, foothold::ToOptions(options), stream);
  });
}

Status Session::RunGraph(uint32_t graph_id, const std::vector<Tensor>& inputs, std::vector<Tensor>& outputs) {
  return GuardSession("Session::RunGraph",
                      [&] { foothold::RunNow(*foothold::Made(session_), graph_id, inputs, outputs); });
}

Status Session::RunGraphAsync(uint32_t graph_id, const std::vector<ge::Tensor>& inputs,
                              RunAsyncCallback callback) {
  return GuardSession("Session::RunGraphAsync", [&] {
    foothold::RunLater(*foothold::Made(session_), graph_id, inputs, std::move(callback));
  });
}

Status Session::RunGraphWithStreamAsync(uint32_t graph_id, void* stream, const std::vector<Tensor>& inputs,
                                        std::vector<Tensor>& outputs) {
  return GuardSession("Session::RunGraphWithStreamAsync", [&] {
    foothold::RunOnStream(*foothold::Made(session_), graph_id, stream, inputs, outputs,
                          "RunGraphWithStreamAsync");
  });
}

Status Session::ExecuteGraphWithStreamAsync(uint32_t graph_id, void* stream,
                                            const std::vector<gert::Tensor>& inputs,
                                            std::vector<gert::Tensor>& outputs) {
  return GuardSession("Session::ExecuteGraphWithStreamAsync", [&] {
    foothold::RunOnStream(*foothold::Made(session_), graph_id, stream, inputs, outputs,
                          "ExecuteGraphWithStreamAsync", true);
  });
}

Status Session::RegisterCallBackFunc(const char* key, const session::pCallBackFunc& callback) {
  return RegisterConverted(key, callback == nullptr ? Converted() : Converted(callback));
}

Status Session::RegisterConverted(const char* key, const Converted& callback) {
  return GuardSession("Session::RegisterCallBackFunc", [&] {
    foothold::ValuesCallback deliver;
    if (callback) {
      deliver = [callback](std::uint32_t graph_id, foothold::NamedValues values) {
        std::map<AscendString, Tensor> tensors;
        for (const auto& [name, value] : values)
          tensors[AscendString(name.c_str())] = foothold::ToPublic(value);
        values.clear();
        return callback(graph_id, tensors);
      };
    }
    foothold::Made(session_)->RegisterCallback(key == nullptr ? "" : key, std::move(deliver));
  });
}

Status Session::GetVariables(const std::vector<AscendString>& var_names, std::vector<Tensor>& var_values) {
  return GuardSession("Session::GetVariables", [&] {
    std::vector<std::string> names;
    for (const AscendString& name : var_names)
      names.emplace_back(name.GetString());
    std::vector<Tensor> values;
    const auto found = foothold::Made(session_)->ReadVariables(std::move(names));
    values.reserve(found.size());
    for (const foothold::TensorValue& value : found)
      values.push_back(foothold::ToPublic(value));
    var_values = std::move(values);
  });
}

Status Session::GraphDebugJSONPrint(const uint32_t graph_id, uint32_t, AscendString& json_result) const {
  return GuardSession("Session::GraphDebugJSONPrint", [&] {
    json_result = AscendString(foothold::Made(session_)->TraceGraph(graph_id).c_str());
  });
}

}  // namespace ge

extern "C" ge::Status GeSessionGraphDebugJSONPrint(ge::Session& session, uint32_t graph_id, uint32_t flags,
                                                   ge::AscendString& json_result) {
  return session.GraphDebugJSONPrint(graph_id, flags, json_result);
}

extern "C" ge::Status GeSessionLoadGraph(ge::Session& session, uint32_t graph_id,
                                         const std::map<ge::AscendString, ge::AscendString>& options,
                                         void* stream) {
  return session.LoadGraph(graph_id, options, stream);
}

extern "C" ge::Status GeSessionExecuteGraphWithStreamAsync(ge::Session& session, uint32_t graph_id,
                                                           void* stream,
                                                           const std::vector<gert::Tensor>& inputs,
                                                           std::vector<gert::Tensor>& outputs) {
  return session.ExecuteGraphWithStreamAsync(graph_id, stream, inputs, outputs);
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The border no exception crosses, for calls that answer with a ge::Status; and what both session classes
// make of their arguments.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/graph_errors.h"
#include "check/call_scope.h"
#include "exe_graph/runtime/tensor.h"
#include "ge/ge_allocator.h"
#include "ge/ge_graph_compile_summary.h"
#include "graph/graph.h"
#include "graph/tensor.h"
#include "session/session.h"

namespace foothold {

// The number the program sees for an error.
ge::Status StatusOf(const Error& error) noexcept;

template <typename Body>
ge::Status GuardSession(const char* method, Body&& body) {
  const check::CallScope watched(method);
  try {
    watched.FailIfPlanned();
    body();
    return ge::SUCCESS;
  } catch (...) {
    const Error error = CurrentError();
    ReportGraphFailure(method, error);
    watched.Failed({}, error);
    return StatusOf(error);
  }
}

// The session behind a public one. Throws if its constructor, which cannot say so, found no memory.
const std::shared_ptr<Session>& Made(const std::shared_ptr<Session>& session);
// Public sessions of the first generation have room for one word. What Held gives is null if it was not made.
using SessionWord = std::unique_ptr<std::shared_ptr<Session>>;
const std::shared_ptr<Session>& Held(const SessionWord& session);
const std::shared_ptr<Session>& Made(const SessionWord& session);

// Lets go of a session, in the destructor of that name.
void EndSession(const char* method, std::shared_ptr<Session>& session) noexcept;

// What a callback is told about a run; null: all went well.
ge::Status OutcomeOf(const char* method, const Error* error) noexcept;

OptionMap ToOptions(const std::map<ge::AscendString, ge::AscendString>& options);

// Both keep what they were given; a copy is taken where the program may change its graph afterwards.
enum class Sharing { kShare, kCopy };
void AddGraph(Session& session, std::uint32_t id, const ge::Graph& graph, const OptionMap& options,
              Sharing sharing);

std::vector<TensorType> TypesOf(const std::vector<ge::Tensor>& tensors);

// The bytes are shared; the tensor keeps them.
gert::Tensor ToRuntimeTensor(TensorValue value, gert::TensorPlacement placement);

// Runs between the tensors of either session class. Device memory is used where it is; host memory of the
// second generation counts as nobody's: runs that come later copy it.
void RunNow(Session& session, std::uint32_t id, const std::vector<ge::Tensor>& inputs,
            std::vector<ge::Tensor>& outputs);
void RunNow(Session& session, std::uint32_t id, const std::vector<gert::Tensor>& inputs,
            std::vector<gert::Tensor>& outputs);
void RunLater(Session& session, std::uint32_t id, const std::vector<ge::Tensor>& inputs,
              std::function<void(ge::Status, std::vector<ge::Tensor>&)> callback);
void RunLater(Session& session, std::uint32_t id, const std::vector<gert::Tensor>& inputs,
              std::function<void(ge::Status, std::vector<gert::Tensor>&)> callback);
void RunOnStream(Session& session, std::uint32_t id, void* stream, const std::vector<ge::Tensor>& inputs,
                 std::vector<ge::Tensor>& outputs, const char* api);
void RunOnStream(Session& session, std::uint32_t id, void* stream, const std::vector<gert::Tensor>& inputs,
                 std::vector<gert::Tensor>& outputs, const char* api, bool needs_load);

// A pool over the program's allocator, which lives until its last block is back.
std::shared_ptr<MemoryPool> ToPool(const ge::AllocatorPtr& allocator);

ge::CompiledGraphSummaryPtr ToPublic(const GraphSummary& summary);

// What both session classes answer, for the method of that name.
ge::CompiledGraphSummaryPtr CompiledSummary(const char* method, const std::shared_ptr<Session>& session,
                                            std::uint32_t id);
ge::Status SetGraphMemory(const char* method, const std::shared_ptr<Session>& session, std::uint32_t id,
                          GraphMemory::Kind which, const void* memory, std::size_t size);

}  // namespace foothold

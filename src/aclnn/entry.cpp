// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/entry.h"

#include "aclnn/arguments.h"
#include "aclnn/cached_executors.h"
#include "aclnn/checked_calls.h"
#include "aclnn/executor.h"
#include "aclnn/forms.h"
#include "base/clock.h"
#include "base/recent_errors.h"
#include "calls/call_run.h"
#include "check/call_scope.h"
#include "check/check.h"
#include "device/current.h"
#include "device/stream.h"

namespace foothold::aclnn {
namespace {

// Codes of other layers as aclnn knows them.
int StatusOf(int code) {
  switch (code) {
    case kInvalidParam:
      return kParamInvalid;
    case kFeatureUnsupported:
    case kApiNotSupport:
      return kFindKernel;
    case kBadAlloc:
      return kCreateExecutor;
    case kParamNull:
    case kParamInvalid:
    case kFindKernel:
    case kInnerNull:
    case kInner:
      return code;
    case kInternalError:
    case kFailure:
      return kInner;
    default:
      return kRuntimeError;
  }
}

// The border no exception crosses.
template <typename Body, typename Describe>
int Guarded(const char* name, const Body& body, const Describe& describe) {
  const check::CallScope watched(name);
  try {
    watched.FailIfPlanned();
    body();
    return kSuccess;
  } catch (...) {
    const Error error = CurrentError();
    const int status = StatusOf(error.code());
    std::string arguments;
    try {
      arguments = describe();
    } catch (...) {
    }
    try {
      ReportFailure(name, arguments, Error(static_cast<Code>(status), error.message()));
    } catch (...) {  // no memory for another text
      ReportFailure(name, arguments, error);
    }
    watched.Failed(arguments, error);
    return status;
  }
}

// Tensors have at most as many elements as there are numbers for bytes, not for bits.
std::ptrdiff_t OffsetOf(const Tensor& tensor, const char* name) {
  const std::int64_t bits = BitsPerElement(tensor.type).value_or(0);
  if (bits % 8 == 0) return tensor.offset * (bits / 8);
  if (tensor.offset * bits % 8 != 0) Fail(kParamInvalid, "'{}' begins in the middle of a byte", name);
  return tensor.offset * bits / 8;
}

void AddTensor(BoundCall& call, const Parameter& parameter, const void* handle) {
  BoundTensor bound;
  if (handle != nullptr) {
    const Tensor& tensor = Tensors::Get().Find(handle);
    bound = {true, tensor.data, OffsetOf(tensor, parameter.name)};
  }
  call.tensors.push_back(bound);
}

void AddTensors(BoundCall& call, const Arguments& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const void* handle = arguments.argument(i).pointer;
    const Parameter& parameter = arguments.parameter(i);
    if (parameter.kind == Kind::kTensor) AddTensor(call, parameter, handle);
    if (parameter.kind != Kind::kTensorList || handle == nullptr) continue;
    for (const void* member : TensorLists::Get().Find(handle))
      AddTensor(call, parameter, member);
  }
}

void StoreValue(const FormValue& value, const Arguments& arguments, std::byte* to) {
  const std::size_t parameter = value.number.first.parameter;
  if (arguments.parameter(parameter).kind != Kind::kInts)
    return StoreNumber(ValueOf(value.number, arguments), value.type, to);
  const auto& array = IntArrays::Get().Find(arguments.argument(parameter).pointer);
  if (value.bytes > 0) std::memcpy(to, array.data(), value.bytes);
}

void AddValues(BoundCall& call, const Form& form, const Arguments& arguments) {
  call.values.resize(form.value_bytes);
  for (const FormValue& value : form.values)
    StoreValue(value, arguments, call.values.data() + value.offset);
}

// The tensors of outputs whose sizes are told get to know them.
void AddShapes(BoundCall& call, const Form& form, const Arguments& arguments) {
  for (std::size_t i = 0; i < form.outputs.size(); ++i) {
    auto& shape = call.told.emplace_back();
    if (!form.outputs[i].told) continue;
    shape = std::make_shared<ToldShape>();
    Tensors::Get().Find(arguments.argument(form.output_places[i].parameter).pointer).told = shape;
  }
}

// The run, as a task of the stream.
void QueueRun(std::shared_ptr<Form> form, const Executor& executor, const StreamRef& stream, const char* api,
              const std::optional<Access>& workspace) {
  if (!form->program) return;
  auto run = CallRun::Make(std::move(form));
  run->Bind(executor.call, {.null = kParamNull, .invalid = kParamInvalid});
  run->RunsOn(stream);
  run->scope.workspace = workspace;
  Queue(std::move(run), stream, api);
}

}  // namespace

int PhaseOne(const Function& function, const Argument* arguments, std::uint64_t* workspace_size,
             aclOpExecutor** executor) {
  const Arguments all(function, arguments);
  const bool keeps = CachedExecutors::TakeCall();
  return Guarded(
      function.name,
      [&] {
        all.Check();
        if (workspace_size == nullptr) Fail(kParamNull, "workspaceSize must not be null");
        if (executor == nullptr) Fail(kParamNull, "executor must not be null");
        *executor = static_cast<aclOpExecutor*>(Executors::Get().Make([&](Executor& made) {
          made.form = Forms::Get().FindOrPrepare(all);
          AddTensors(made.call, all);
          AddValues(made.call, *made.form, all);
          if (!made.form->is_placed()) AddShapes(made.call, *made.form, all);
          if (keeps) CachedExecutors::OfThisThread().Keep(made);
        }));
        *workspace_size = 0;
        if (check::On()) *workspace_size = TellPrepared(*executor, all);
      },
      [&] { return all.Describe(); });
}

int PhaseTwo(const Function& function, void* workspace, std::uint64_t workspace_size, aclOpExecutor* executor,
             void* stream) {
  return Guarded(
      function.name,
      [&] {
        Executor& found = Executors::Get().Find(executor);
        const bool repeatable = found.repeatable;
        try {
          if (!found.form->IsOfThisProcess())
            Fail(kInnerNull, "executor {} is of the process that forked this one",
                 static_cast<void*>(executor));
          const StreamRef on = FindStream(stream);
          std::optional<Access> used;
          if (check::On()) used = LookAtRun(executor, repeatable, workspace, workspace_size);
          const bool waits = stream == nullptr && found.form->ends_on_default_stream;
          QueueRun(repeatable ? found.form : std::move(found.form), found, on, function.name, used);
          if (waits) on->Wait(kForever);
        } catch (...) {
          if (!repeatable) Executors::Get().Remove(executor);
          throw;
        }
        if (!repeatable) Executors::Get().Remove(executor);
      },
      [&] { return fmt::format("executor={}, stream={}", static_cast<void*>(executor), stream); });
}

}  // namespace foothold::aclnn

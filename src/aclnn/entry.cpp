// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/entry.h"

#include "aclnn/arguments.h"
#include "aclnn/cached_executors.h"
#include "aclnn/checked_calls.h"
#include "aclnn/executor.h"
#include "aclnn/forms.h"
#include "aclnn/run.h"
#include "base/clock.h"
#include "base/recent_errors.h"
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

void AddTensor(Executor& executor, const Arguments& arguments, std::size_t parameter, std::size_t member,
               const void* handle) {
  BoundTensor bound{{static_cast<std::uint16_t>(parameter), static_cast<std::uint16_t>(member)},
                    arguments.parameter(parameter).direction};
  if (handle != nullptr) {
    const Tensor& tensor = Tensors::Get().Find(handle);
    bound.given = true;
    bound.data = tensor.data;
    bound.offset = OffsetOf(tensor, arguments.parameter(parameter).name);
  }
  executor.tensors.push_back(bound);
}

void AddTensors(Executor& executor, const Arguments& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const void* handle = arguments.argument(i).pointer;
    if (arguments.parameter(i).kind == Kind::kTensor) AddTensor(executor, arguments, i, 0, handle);
    if (arguments.parameter(i).kind != Kind::kTensorList || handle == nullptr) continue;
    const HandleList& list = TensorLists::Get().Find(handle);
    for (std::size_t m = 0; m < list.size(); ++m)
      AddTensor(executor, arguments, i, m, list[m]);
  }
}

void StoreValue(const FormValue& value, const Arguments& arguments, std::byte* to) {
  const std::size_t parameter = value.number.first.parameter;
  if (arguments.parameter(parameter).kind != Kind::kInts)
    return StoreNumber(ValueOf(value.number, arguments), value.type, to);
  const auto& array = IntArrays::Get().Find(arguments.argument(parameter).pointer);
  if (value.bytes > 0) std::memcpy(to, array.data(), value.bytes);
}

void AddValues(Executor& executor, const Arguments& arguments) {
  executor.values.resize(executor.form->value_bytes);
  for (const FormValue& value : executor.form->values)
    StoreValue(value, arguments, executor.values.data() + value.offset);
}

// The tensors of outputs whose sizes are told get to know them.
void AddShapes(Executor& executor, const Arguments& arguments) {
  for (const FormOutput& output : executor.form->outputs) {
    auto& shape = executor.shapes.emplace_back();
    if (!output.told) continue;
    shape = std::make_shared<ToldShape>();
    Tensors::Get().Find(arguments.argument(output.place.parameter).pointer).told = shape;
  }
}

}  // namespace

int PhaseOne(const Function& function, const Argument* arguments, std::uint64_t* workspace_size,
             aclOpExecutor** executor) {
  const Arguments all(function, arguments);
  const bool keeps = CachedExecutors::OfThisThread().TakeCall();
  return Guarded(
      function.name,
      [&] {
        all.Check();
        if (workspace_size == nullptr) Fail(kParamNull, "workspaceSize must not be null");
        if (executor == nullptr) Fail(kParamNull, "executor must not be null");
        Executor made{Forms::Get().FindOrPrepare(all), {}, {}, {}};
        AddTensors(made, all);
        if (!made.form->values.empty()) AddValues(made, all);
        if (made.form->tells()) AddShapes(made, all);
        *workspace_size = 0;
        if (keeps) CachedExecutors::OfThisThread().Keep(made);
        *executor = static_cast<aclOpExecutor*>(Executors::Get().Add(std::move(made)));
        if (check::On()) *workspace_size = TellPrepared(*executor, all);
      },
      [&] { return all.Describe(); });
}

int PhaseTwo(const Function& function, void* workspace, std::uint64_t workspace_size, aclOpExecutor* executor,
             void* stream) {
  return Guarded(
      function.name,
      [&] {
        const Executor& found = Executors::Get().Find(executor);
        const bool repeatable = found.repeatable;
        try {
          if (!Forms::IsOfThisProcess(*found.form))
            Fail(kInnerNull, "executor {} is of the process that forked this one",
                 static_cast<void*>(executor));
          const StreamRef on = FindStream(stream);
          std::optional<Access> used;
          if (check::On()) used = LookAtRun(executor, repeatable, workspace, workspace_size);
          QueueRun(found, on, function.name, used);
          if (stream == nullptr && found.form->ends_on_default_stream) on->Wait(kForever);
        } catch (...) {
          if (!repeatable) Executors::Get().Remove(executor);
          throw;
        }
        if (!repeatable) Executors::Get().Remove(executor);
      },
      [&] { return fmt::format("executor={}, stream={}", static_cast<void*>(executor), stream); });
}

}  // namespace foothold::aclnn

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <memory>

#include "acl/acl_rt.h"
#include "python/chapters.h"
#include "python/python_callback.h"

namespace foothold {
namespace {

// Hands a pending call to C, which runs it once if it takes it.
template <typename Launch>
aclError LaunchCall(Object function, Object argument, Launch&& launch) {
  auto call = std::make_unique<PendingCall>(std::move(function), std::move(argument));
  const aclError code = WithoutGil([&] { return launch(call.get()); });
  if (code == ACL_SUCCESS) call.release();
  return code;
}

aclError LaunchCallback(Object function, Object user_data, aclrtCallbackBlockType block, aclrtStream stream) {
  return LaunchCall(std::move(function), std::move(user_data), [&](PendingCall* call) {
    return aclrtLaunchCallback(PendingCall::Run, call, block, stream);
  });
}

aclError LaunchHostFunction(aclrtStream stream, Object function, Object argument) {
  return LaunchCall(std::move(function), std::move(argument),
                    [&](PendingCall* call) { return aclrtLaunchHostFunc(stream, PendingCall::Run, call); });
}

// The thread of a program that has ended cannot go on in Python, but streams may still wait for what only it
// can do.
template <aclError (*kProcess)(std::int32_t)>
aclError Process(std::int32_t timeout_ms) {
  aclError code = kProcess(timeout_ms);
  while (InterpreterEnded() && (code == ACL_SUCCESS || code == ACL_ERROR_RT_REPORT_TIMEOUT))
    code = kProcess(timeout_ms);
  return code;
}

RegisteredFunction& ExceptionFunction() {
  static auto& function = *new RegisteredFunction();
  return function;
}

void OnException(aclrtExceptionInfo* info) {
  InPython([&] { CallOrPrint(ExceptionFunction().Get(), ToPython(info)); });
}

aclError SetExceptionCallback(const std::optional<Object>& function) {
  const Object given = function ? CheckTakesOne(*function, "fn(info)") : Object();
  const aclError code =
      WithoutGil([&] { return aclrtSetExceptionInfoCallback(function ? OnException : nullptr); });
  if (code == ACL_SUCCESS) ExceptionFunction().Set(given);
  return code;
}

const Function kCallbacksFunctions[] = {
    Bind<aclrtSubscribeReport>("subscribe_report", "thread_id, stream -> ret",
                               "The thread runs the callbacks of the stream."),
    Bind<aclrtUnSubscribeReport>("unsubscribe_report", "thread_id, stream -> ret", "Takes that back."),
    Bind<Process<aclrtProcessReport>>("process_report", "timeout_ms -> ret",
                                      "Runs a callback, or waits for one; -1 waits for ever.",
                                      "aclrtProcessReport"),
    Bind<LaunchCallback>(
        "launch_callback", "fn, user_data, block_type, stream -> ret",
        "The stream's subscribed thread calls fn(user_data) when the stream is here. block_type 1: "
        "the stream waits for it.",
        "aclrtLaunchCallback"),
    Bind<LaunchHostFunction>("launch_host_func", "stream, fn, user_data -> ret",
                             "A thread of the library calls fn(user_data) when the stream is here.",
                             "aclrtLaunchHostFunc"),
    Bind<aclrtSubscribeHostFunc>("subscribe_host_func", "thread_id, stream -> ret",
                                 "The thread runs the host functions of the stream."),
    Bind<aclrtUnSubscribeHostFunc>("unsubscribe_host_func", "thread_id, stream -> ret", "Takes that back."),
    Bind<Process<aclrtProcessHostFunc>>("process_host_func", "timeout_ms -> ret",
                                        "Runs a host function, or waits for one; -1 waits for ever.",
                                        "aclrtProcessHostFunc"),
    Bind<SetExceptionCallback>(
        "set_exception_info_callback", "fn -> ret",
        "Failed tasks call fn(info) before anybody learns of them; None for no function. info "
        "is good for the functions below while fn runs.",
        "aclrtSetExceptionInfoCallback"),
    BindQuick<aclrtGetTaskIdFromExceptionInfo>("get_task_id_from_exception_info", "info -> task_id",
                                               "The task."),
    BindQuick<aclrtGetStreamIdFromExceptionInfo>("get_stream_id_from_exception_info", "info -> stream_id",
                                                 "The stream."),
    BindQuick<aclrtGetThreadIdFromExceptionInfo>("get_thread_id_from_exception_info", "info -> thread_id",
                                                 "The thread that queued the task."),
    BindQuick<aclrtGetDeviceIdFromExceptionInfo>("get_device_id_from_exception_info", "info -> device_id",
                                                 "The device."),
    BindQuick<aclrtGetErrorCodeFromExceptionInfo>("get_error_code_from_exception_info", "info -> code",
                                                  "What went wrong."),
};

}  // namespace

std::span<const Function> CallbackFunctions() {
  return kCallbacksFunctions;
}

}  // namespace foothold

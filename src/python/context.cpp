// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "python/chapters.h"

namespace foothold {
namespace {

// Python has them in the other order than C.
aclError GetPrimaryContextState(std::int32_t device_id, std::int32_t* active, std::uint32_t* flags) {
  return aclrtGetPrimaryCtxState(device_id, flags, active);
}

const Function kContextFunctions[] = {
    Bind<aclrtCreateContext>("create_context", "device_id -> context, ret",
                             "Makes a context and makes it the current one of this thread."),
    Bind<aclrtDestroyContext>("destroy_context", "context -> ret", "Ends a context with its streams."),
    Bind<aclrtSetCurrentContext>("set_context", "context -> ret", "Makes it the current one of this thread."),
    BindQuick<aclrtGetCurrentContext>("get_context", "-> context, ret", "The current one of this thread."),
    Bind<GetPrimaryContextState>("get_primary_ctx_state", "device_id -> active, flags, ret",
                                 "Whether a device has its default context.", "aclrtGetPrimaryCtxState"),
    BindQuick<aclrtCtxGetCurrentDefaultStream>("ctx_get_current_default_stream", "-> stream, ret",
                                               "The stream that 0 stands for."),
    Bind<aclrtCtxSetSysParamOpt>("ctx_set_sys_param_opt", "option, value -> ret",
                                 "Sets a parameter of the context."),
    Bind<aclrtCtxGetSysParamOpt>("ctx_get_sys_param_opt", "option -> value, ret",
                                 "A parameter of the context."),
};

}  // namespace

std::span<const Function> ContextFunctions() {
  return kContextFunctions;
}

}  // namespace foothold

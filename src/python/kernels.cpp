// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "python/chapters.h"
#include "python/text_room.h"

namespace foothold {
namespace {

aclError GetFunctionName(aclrtFuncHandle function, std::uint32_t length, std::string* name) {
  return TextInRoom(length, name, [&](char* room, std::size_t size) {
    return aclrtGetFunctionName(function, static_cast<std::uint32_t>(size), room);
  });
}

const Function kKernelsFunctions[] = {
    Bind<aclrtCreateBinary>("create_binary", "ptr, size -> binary", "Describes a kernel binary."),
    Bind<aclrtDestroyBinary>("destroy_binary", "binary -> ret", "Forgets it."),
    Bind<aclrtBinaryLoad>("binary_load", "binary -> handle, ret", "Loads a kernel binary."),
    Bind<aclrtBinaryLoadFromFile>("binary_load_from_file", "path, options -> handle, ret",
                                  "Loads one from a file."),
    Bind<aclrtBinaryLoadFromData>("binary_load_from_data", "ptr, size, options -> handle, ret",
                                  "Loads one from memory."),
    Bind<aclrtBinaryUnLoad>("binary_unload", "handle -> ret", "Unloads it."),
    Bind<aclrtBinaryGetFunction>("binary_get_function", "handle, name -> function, ret", "A kernel of it."),
    Bind<aclrtRegisterCpuFunc>("register_cpu_func", "handle, function_name, kernel_name -> function, ret",
                               "Names a kernel for the control processor."),
    Bind<GetFunctionName>("get_function_name", "function, length -> name, ret", "The name of a kernel.",
                          "aclrtGetFunctionName"),
    Bind<aclrtGetFunctionAddr>("get_function_addr", "function -> cube_ptr, vector_ptr, ret",
                               "Where its code is."),
    Bind<aclrtLaunchKernel>("launch_kernel", "function, blocks, args, size, stream -> ret",
                            "Starts a kernel."),
    Bind<aclrtLaunchKernelWithConfig>("launch_kernel_with_config",
                                      "function, blocks, stream, cfg, args, reserve -> ret",
                                      "Starts a kernel."),
    Bind<aclrtLaunchKernelWithHostArgs>(
        "launch_kernel_with_host_args",
        "function, blocks, stream, cfg, args, size, placeholders, placeholder_count -> ret",
        "Starts a kernel."),
    Bind<aclrtKernelArgsInit>("kernel_args_init", "function -> args, ret", "Starts a list of arguments."),
    Bind<aclrtKernelArgsInitByUserMem>("kernel_args_init_by_user_mem", "function, args, ptr, size -> ret",
                                       "Starts it in the program's memory."),
    Bind<aclrtKernelArgsGetMemSize>("kernel_args_get_mem_size", "function, user_size -> size, ret",
                                    "Bytes of it."),
    Bind<aclrtKernelArgsGetHandleMemSize>("kernel_args_get_handle_mem_size", "function -> size, ret",
                                          "Bytes of its handle."),
    Bind<aclrtKernelArgsAppend>("kernel_args_append", "args, ptr, size -> param, ret", "Adds an argument."),
    Bind<aclrtKernelArgsAppendPlaceHolder>("kernel_args_append_place_holder", "args -> param, ret",
                                           "Adds one that is filled later."),
    Bind<aclrtKernelArgsGetPlaceHolderBuffer>("kernel_args_get_place_holder_buffer",
                                              "args, param, size -> ptr, ret", "Where to fill it."),
    Bind<aclrtKernelArgsParaUpdate>("kernel_args_para_update", "args, param, ptr, size -> ret",
                                    "Changes an argument."),
    Bind<aclrtKernelArgsFinalize>("kernel_args_finalize", "args -> ret", "Closes the list."),
};

}  // namespace

std::span<const Function> KernelFunctions() {
  return kKernelsFunctions;
}

}  // namespace foothold

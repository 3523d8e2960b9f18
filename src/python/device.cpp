// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "python/chapters.h"
#include "python/structures.h"

namespace foothold {
namespace {

const Function kDeviceFunctions[] = {
    Bind<aclrtGetDeviceCount>("get_device_count", "-> count, ret", "How many devices there are."),
    BindQuick<aclrtGetRunMode>("get_run_mode", "-> mode, ret",
                               "1: the program runs on the host. Needs no init before it."),
    Bind<aclrtSetDevice>("set_device", "device_id -> ret", "Makes a device the current one of this thread."),
    BindQuick<aclrtGetDevice>("get_device", "-> device_id, ret", "The current device of this thread."),
    Bind<aclrtResetDevice>("reset_device", "device_id -> ret", "Gives back what set_device made."),
    Bind<aclrtResetDeviceForce>("reset_device_force", "device_id -> ret",
                                "Gives it back however often set_device was called."),
    Bind<aclrtSynchronizeDevice>("synchronize_device", "-> ret", "Waits for all streams of the device."),
    Bind<aclrtSynchronizeDeviceWithTimeout>("synchronize_device_with_timeout", "timeout_ms -> ret",
                                            "Waits no longer than that."),
    Bind<aclrtDeviceTaskAbort>("device_task_abort", "device_id, timeout_ms -> ret",
                               "Drops the device's tasks."),
    Bind<aclrtQueryDeviceStatus>("query_device_status", "device_id -> status, ret",
                                 "Whether a device is well."),
    Bind<aclrtGetDeviceInfo>("get_device_info", "device_id, attribute -> value, ret",
                             "One fact of a device."),
    Bind<aclrtDeviceCanAccessPeer>("device_can_access_peer", "device_id, peer_id -> can_access, ret",
                                   "Whether one device reaches the memory of another."),
    Bind<aclrtDeviceEnablePeerAccess>("device_enable_peer_access", "peer_id, flags -> ret",
                                      "Lets the current device reach the memory of another."),
    Bind<aclrtDeviceDisablePeerAccess>("device_disable_peer_access", "peer_id -> ret", "Takes that back."),
    Bind<aclrtDevicePeerAccessStatus>("device_peer_access_status", "device_id, peer_id -> status, ret",
                                      "Whether access was enabled."),
    Bind<aclrtGetDevicesTopo>("get_devices_topo", "device_id, other_id -> value, ret",
                              "How devices are linked."),
    Bind<aclrtGetDeviceUtilizationRate>("get_device_utilization_rate", "device_id -> rates, ret",
                                        "How busy a device is."),
    Bind<aclrtDeviceGetStreamPriorityRange>("device_get_stream_priority_range", "-> least, greatest, ret",
                                            "The priorities streams may have."),
    Bind<aclrtDeviceGetBareTgid>("device_get_bare_tgid", "-> pid, ret", "The process for sharing memory."),
    Bind<aclrtDeviceSetLimit>("device_set_limit", "limit, value -> ret", "Sets a limit of the device."),
    Bind<aclrtGetDeviceResLimit>("get_device_res_limit", "device_id, type -> value, ret",
                                 "The cores to use."),
    Bind<aclrtSetDeviceResLimit>("set_device_res_limit", "device_id, type, value -> ret",
                                 "Sets the cores to use."),
    Bind<aclrtResetDeviceResLimit>("reset_device_res_limit", "device_id -> ret", "Back to all cores."),
    Bind<aclrtGetLogicDevIdByUserDevId>("get_logic_dev_id_by_user_dev_id", "user_id -> logic_id, ret",
                                        "The number the system gives a device."),
    Bind<aclrtGetUserDevIdByLogicDevId>("get_user_dev_id_by_logic_dev_id", "logic_id -> user_id, ret",
                                        "The number the process gives a device."),
    Bind<aclrtSetDeviceSatMode>("set_device_sat_mode", "mode -> ret", "What happens on overflow of floats."),
    Bind<aclrtGetDeviceSatMode>("get_device_sat_mode", "-> mode, ret", "What happens on overflow of floats."),
    Bind<aclrtSetSysParamOpt>("set_sys_param_opt", "option, value -> ret",
                              "Sets a parameter of the process."),
    Bind<aclrtGetSysParamOpt>("get_sys_param_opt", "option -> value, ret", "A parameter of the process."),
    Bind<aclrtSetOpWaitTimeout>("set_op_wait_timeout", "timeout_s -> ret",
                                "How long tasks may wait for events."),
    Bind<aclrtSetOpExecuteTimeOut>("set_op_execute_time_out", "timeout_s -> ret",
                                   "How long operators may run."),
    Bind<aclrtSetOpExecuteTimeOutWithMs>("set_op_execute_time_out_with_ms", "timeout_ms -> ret",
                                         "How long operators may run."),
    Bind<aclrtSetOpExecuteTimeOutV2>("set_op_execute_timeout_v2", "timeout_us -> actual, ret",
                                     "How long operators may run, and the limit that was set."),
    Bind<aclrtGetOpExecuteTimeout>("get_op_execute_timeout", "-> timeout_ms, ret",
                                   "How long operators may run."),
    Bind<aclrtGetOpTimeOutInterval>("get_op_timeout_interval", "-> interval_us, ret",
                                    "The step of the limit for operators."),
};

}  // namespace

std::span<const Function> DeviceFunctions() {
  return kDeviceFunctions;
}

}  // namespace foothold

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstring>

#include "acl/acl_prof.h"
#include "python/chapters.h"
#include "python/text_room.h"

namespace foothold {
namespace {

aclError Init(const char* path) {
  return aclprofInit(path, std::strlen(path));
}

aclError SetConfig(aclprofConfigType type, const char* config) {
  return aclprofSetConfig(type, config, std::strlen(config));
}

aclprofConfig* CreateConfig(std::vector<std::uint32_t>& devices, aclprofAicoreMetrics metrics,
                            const aclprofAicoreEvents* events, std::uint64_t data_types) {
  return aclprofCreateConfig(devices.data(), static_cast<std::uint32_t>(devices.size()), metrics, events,
                             data_types);
}

template <aclError (*kRead)(const void*, std::size_t, std::uint32_t, char*, std::size_t)>
aclError ReadText(const void* info, std::size_t size, std::uint32_t index, std::size_t length,
                  std::string* text) {
  return TextInRoom(length, text,
                    [&](char* room, std::size_t most) { return kRead(info, size, index, room, most); });
}

aclError MarkEx(const char* message, aclrtStream stream) {
  return aclprofMarkEx(message, std::strlen(message), stream);
}

const Function kProfilingFunctions[] = {
    Bind<Init>("init", "path -> ret", "Where results go.", "aclprofInit"),
    Bind<aclprofFinalize>("finalize", "-> ret", "Ends profiling."),
    Bind<SetConfig>("set_config", "type, config -> ret", "Sets an option.", "aclprofSetConfig"),
    Bind<CreateConfig>("create_config", "device_ids, metrics, events, data_types -> config",
                       "What to record.", "aclprofCreateConfig"),
    Bind<aclprofDestroyConfig>("destroy_config", "config -> ret", "Forgets it."),
    Bind<aclprofStart>("start", "config -> ret", "Starts to record."),
    Bind<aclprofStop>("stop", "config -> ret", "Ends to record."),
    Bind<aclprofCreateSubscribeConfig>("create_subscribe_config", "time_switch, metrics, fd -> config",
                                       "Results of models through a pipe."),
    Bind<aclprofDestroySubscribeConfig>("destroy_subscribe_config", "config -> ret", "Forgets it."),
    Bind<aclprofModelSubscribe>("model_subscribe", "model_id, config -> ret",
                                "Starts to send results of a model."),
    Bind<aclprofModelUnSubscribe>("model_unsubscribe", "model_id -> ret", "Ends that."),
    Bind<aclprofGetOpDescSize>("get_op_desc_size", "-> size, ret", "Bytes of the result of one operator."),
    Bind<aclprofGetOpNum>("get_op_num", "ptr, size -> count, ret", "How many results were read."),
    Bind<ReadText<aclprofGetOpType>>("get_op_type", "ptr, size, index, length -> type, ret",
                                     "The type of an operator.", "aclprofGetOpType"),
    Bind<aclprofGetOpTypeLen>("get_op_type_len", "ptr, size, index -> length, ret", "The length of that."),
    Bind<ReadText<aclprofGetOpName>>("get_op_name", "ptr, size, index, length -> name, ret",
                                     "The name of an operator.", "aclprofGetOpName"),
    Bind<aclprofGetOpNameLen>("get_op_name_len", "ptr, size, index -> length, ret", "The length of that."),
    Bind<aclprofGetOpStart>("get_op_start", "ptr, size, index -> ns", "When an operator started."),
    Bind<aclprofGetOpEnd>("get_op_end", "ptr, size, index -> ns", "When it ended."),
    Bind<aclprofGetOpDuration>("get_op_duration", "ptr, size, index -> ns", "How long it took."),
    Bind<aclprofGetModelId>("get_model_id", "ptr, size, index -> model_id", "The model of an operator."),
    Bind<aclprofCreateStamp>("create_stamp", "-> stamp", "Makes a mark for the timeline."),
    Bind<aclprofDestroyStamp>("destroy_stamp", "stamp -> None", "Forgets it."),
    Bind<aclprofSetStampTraceMessage>("set_stamp_trace_message", "stamp, message, length -> ret",
                                      "Names it."),
    Bind<aclprofMark>("mark", "stamp -> ret", "Marks now."),
    Bind<MarkEx>("mark_ex", "message, stream -> ret", "Marks when the stream is here.", "aclprofMarkEx"),
    Bind<aclprofPush>("push", "stamp -> ret", "Starts a section of this thread."),
    Bind<aclprofPop>("pop", "-> ret", "Ends the last one."),
    Bind<aclprofRangeStart>("range_start", "stamp -> range_id, ret", "Starts a section of the process."),
    Bind<aclprofRangeStop>("range_stop", "range_id -> ret", "Ends it."),
    Bind<aclprofCreateStepInfo>("create_step_info", "-> step_info", "Makes a mark for steps of a training."),
    Bind<aclprofDestroyStepInfo>("destroy_step_info", "step_info -> None", "Forgets it."),
    Bind<aclprofGetStepTimestamp>("get_step_timestamp", "step_info, tag, stream -> ret", "Marks a step."),
};

}  // namespace

std::span<const Function> ProfilingFunctions() {
  return kProfilingFunctions;
}

}  // namespace foothold

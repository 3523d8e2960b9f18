// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/ops/acl_dvpp.h"
#include "python/chapters.h"
#include "python/python_callback.h"

namespace foothold {
namespace {

// No channel can be opened, so no frame is ever handed to a Python function.
aclError SetDecodeCallback(aclvdecChannelDesc* channel, Object function) {
  CheckCallable(std::move(function));
  return aclvdecSetChannelDescCallback(channel, nullptr);
}

aclError SetEncodeCallback(aclvencChannelDesc* channel, Object function) {
  CheckCallable(std::move(function));
  return aclvencSetChannelDescCallback(channel, nullptr);
}

aclError Decode(aclvdecChannelDesc* channel, acldvppStreamDesc* input, acldvppPicDesc* output,
                aclvdecFrameConfig* config, Object) {
  return aclvdecSendFrame(channel, input, output, config, nullptr);
}

aclError Encode(aclvencChannelDesc* channel, acldvppPicDesc* input, void* reserve, aclvencFrameConfig* config,
                Object) {
  return aclvencSendFrame(channel, input, reserve, config, nullptr);
}

const Function kVideoFunctions[] = {
    Bind<aclvdecCreateChannelDesc>("vdec_create_channel_desc", "-> channel", "Describes a decoder."),
    Bind<aclvdecDestroyChannelDesc>("vdec_destroy_channel_desc", "channel -> ret", "Forgets it."),
    Bind<aclvdecSetChannelDescChannelId>("vdec_set_channel_desc_channel_id", "channel, channel_id -> ret",
                                         "Its number."),
    Bind<aclvdecSetChannelDescThreadId>("vdec_set_channel_desc_thread_id", "channel, thread_id -> ret",
                                        "The thread that calls back."),
    Bind<SetDecodeCallback>("vdec_set_channel_desc_callback", "channel, fn -> ret", "What it calls.",
                            "aclvdecSetChannelDescCallback"),
    Bind<aclvdecSetChannelDescEnType>("vdec_set_channel_desc_entype", "channel, type -> ret",
                                      "The encoding."),
    Bind<aclvdecSetChannelDescOutPicFormat>("vdec_set_channel_desc_out_pic_format", "channel, format -> ret",
                                            "The format of pictures."),
    Bind<aclvdecSetChannelDescOutMode>("vdec_set_channel_desc_out_mode", "channel, mode -> ret",
                                       "Order or speed."),
    Bind<aclvdecGetChannelDescOutMode>("vdec_get_channel_desc_out_mode", "channel -> mode",
                                       "Order or speed."),
    Bind<aclvdecCreateChannel>("vdec_create_channel", "channel -> ret", "Opens it."),
    Bind<aclvdecDestroyChannel>("vdec_destroy_channel", "channel -> ret", "Closes it."),
    Bind<aclvdecCreateFrameConfig>("vdec_create_frame_config", "-> config", "How to decode a frame."),
    Bind<aclvdecDestroyFrameConfig>("vdec_destroy_frame_config", "config -> ret", "Forgets it."),
    Bind<Decode>("vdec_send_frame", "channel, input, output, config, user_data -> ret", "Decodes a frame.",
                 "aclvdecSendFrame"),
    Bind<aclvencCreateChannelDesc>("venc_create_channel_desc", "-> channel", "Describes an encoder."),
    Bind<aclvencDestroyChannelDesc>("venc_destroy_channel_desc", "channel -> ret", "Forgets it."),
    Bind<aclvencSetChannelDescThreadId>("venc_set_channel_desc_thread_id", "channel, thread_id -> ret",
                                        "The thread that calls back."),
    Bind<SetEncodeCallback>("venc_set_channel_desc_callback", "channel, fn -> ret", "What it calls.",
                            "aclvencSetChannelDescCallback"),
    Bind<aclvencSetChannelDescEnType>("venc_set_channel_desc_entype", "channel, type -> ret",
                                      "The encoding."),
    Bind<aclvencSetChannelDescPicFormat>("venc_set_channel_desc_pic_format", "channel, format -> ret",
                                         "The format of pictures."),
    Bind<aclvencSetChannelDescPicWidth>("venc_set_channel_desc_pic_width", "channel, width -> ret",
                                        "Their width."),
    Bind<aclvencSetChannelDescPicHeight>("venc_set_channel_desc_pic_height", "channel, height -> ret",
                                         "Their height."),
    Bind<aclvencSetChannelDescKeyFrameInterval>("venc_set_channel_desc_key_frame_interval",
                                                "channel, interval -> ret", "How often a key frame."),
    Bind<aclvencCreateChannel>("venc_create_channel", "channel -> ret", "Opens it."),
    Bind<aclvencDestroyChannel>("venc_destroy_channel", "channel -> ret", "Closes it."),
    Bind<aclvencCreateFrameConfig>("venc_create_frame_config", "-> config", "How to encode a frame."),
    Bind<aclvencDestroyFrameConfig>("venc_destroy_frame_config", "config -> ret", "Forgets it."),
    Bind<aclvencSetFrameConfigEos>("venc_set_frame_config_eos", "config, eos -> ret",
                                   "Whether it is the last."),
    Bind<aclvencSetFrameConfigForceIFrame>("venc_set_frame_config_force_i_frame", "config, force -> ret",
                                           "Whether it is a key frame."),
    Bind<Encode>("venc_send_frame", "channel, input, reserve, config, user_data -> ret", "Encodes a frame.",
                 "aclvencSendFrame"),
};

}  // namespace

std::span<const Function> VideoFunctions() {
  return kVideoFunctions;
}

}  // namespace foothold

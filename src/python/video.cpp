// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/ops/acl_dvpp.h"
#include "python/chapters.h"
#include "python/frame_calls.h"

namespace foothold {
namespace {

void OnDecoded(acldvppStreamDesc* input, acldvppPicDesc* output, void* frame) {
  CallFrameFunction(frame, input, output);
}

void OnEncoded(acldvppPicDesc* input, acldvppStreamDesc* output, void* frame) {
  CallFrameFunction(frame, input, output);
}

// The function is known before C may call it.
template <typename Channel, typename Callback>
aclError SetCallback(Channel* channel, Object function, aclError (*set)(Channel*, Callback),
                     Callback callback) {
  SetFrameFunction(channel, std::move(function));
  const aclError code = WithoutGil([&] { return set(channel, callback); });
  if (code != ACL_SUCCESS) ForgetChannel(channel);
  return code;
}

aclError SetDecodeCallback(aclvdecChannelDesc* channel, Object function) {
  return SetCallback(channel, std::move(function), aclvdecSetChannelDescCallback, aclvdecCallback{OnDecoded});
}

aclError SetEncodeCallback(aclvencChannelDesc* channel, Object function) {
  return SetCallback(channel, std::move(function), aclvencSetChannelDescCallback, aclvencCallback{OnEncoded});
}

// `comes_back`: nobody calls for the end of a stream.
template <typename Send>
aclError SendFrame(const void* channel, Object user_data, bool comes_back, Send&& send) {
  void* const frame = SendsFrame(channel, std::move(user_data));
  const aclError code = WithoutGil([&] { return send(frame); });
  if (code != ACL_SUCCESS || !comes_back) TakeBackFrame(frame);
  return code;
}

aclError Decode(aclvdecChannelDesc* channel, acldvppStreamDesc* input, acldvppPicDesc* output,
                aclvdecFrameConfig* config, Object user_data) {
  const bool last = input != nullptr && acldvppGetStreamDescEos(input) != 0;
  return SendFrame(channel, std::move(user_data), !last,
                   [&](void* frame) { return aclvdecSendFrame(channel, input, output, config, frame); });
}

aclError Encode(aclvencChannelDesc* channel, acldvppPicDesc* input, void* reserve, aclvencFrameConfig* config,
                Object user_data) {
  return SendFrame(channel, std::move(user_data), input != nullptr,
                   [&](void* frame) { return aclvencSendFrame(channel, input, reserve, config, frame); });
}

// Frames that are still on their way come back before the channel is closed.
template <typename Channel, aclError (*kDestroy)(Channel*)>
aclError CloseChannel(Channel* channel) {
  const aclError code = WithoutGil([&] { return kDestroy(channel); });
  if (code == ACL_SUCCESS) TakeBackFrames(channel);
  return code;
}

template <typename Channel, aclError (*kDestroy)(Channel*)>
aclError DestroyChannelDesc(Channel* channel) {
  const aclError code = WithoutGil([&] { return kDestroy(channel); });
  if (code == ACL_SUCCESS) ForgetChannel(channel);
  return code;
}

const Function kVideoFunctions[] = {
    Bind<aclvdecCreateChannelDesc>("vdec_create_channel_desc", "-> channel", "Describes a decoder."),
    BindQuick<DestroyChannelDesc<aclvdecChannelDesc, aclvdecDestroyChannelDesc>>(
        "vdec_destroy_channel_desc", "channel -> ret", "Forgets it.", "aclvdecDestroyChannelDesc"),
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
    BindQuick<CloseChannel<aclvdecChannelDesc, aclvdecDestroyChannel>>(
        "vdec_destroy_channel", "channel -> ret", "Closes it, when all its frames have come back.",
        "aclvdecDestroyChannel"),
    Bind<aclvdecCreateFrameConfig>("vdec_create_frame_config", "-> config", "How to decode a frame."),
    Bind<aclvdecDestroyFrameConfig>("vdec_destroy_frame_config", "config -> ret", "Forgets it."),
    Bind<Decode>("vdec_send_frame", "channel, input, output, config, user_data -> ret", "Decodes a frame.",
                 "aclvdecSendFrame"),
    Bind<aclvencCreateChannelDesc>("venc_create_channel_desc", "-> channel", "Describes an encoder."),
    BindQuick<DestroyChannelDesc<aclvencChannelDesc, aclvencDestroyChannelDesc>>(
        "venc_destroy_channel_desc", "channel -> ret", "Forgets it.", "aclvencDestroyChannelDesc"),
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
    BindQuick<CloseChannel<aclvencChannelDesc, aclvencDestroyChannel>>(
        "venc_destroy_channel", "channel -> ret", "Closes it, when all its frames have come back.",
        "aclvencDestroyChannel"),
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

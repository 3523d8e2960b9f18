// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/ops/acl_dvpp.h"
#include "python/chapters.h"

namespace foothold {
namespace {

aclError Allocate(std::size_t size, void** memory) {
  return acldvppMalloc(memory, size);
}

using Rois = std::vector<acldvppRoiConfig*>;

aclError BatchCrop(acldvppChannelDesc* channel, acldvppBatchPicDesc* inputs,
                   std::vector<std::uint32_t>& counts, acldvppBatchPicDesc* outputs, Rois& rois,
                   aclrtStream stream, acldvppBatchPicDesc** result) {
  *result = outputs;
  return acldvppVpcBatchCropAsync(channel, inputs, counts.data(), static_cast<std::uint32_t>(counts.size()),
                                  outputs, rois.data(), stream);
}

aclError BatchCropAndPaste(acldvppChannelDesc* channel, acldvppBatchPicDesc* inputs,
                           std::vector<std::uint32_t>& counts, acldvppBatchPicDesc* outputs, Rois& crop,
                           Rois& paste, aclrtStream stream, acldvppBatchPicDesc** result) {
  *result = outputs;
  return acldvppVpcBatchCropAndPasteAsync(channel, inputs, counts.data(),
                                          static_cast<std::uint32_t>(counts.size()), outputs, crop.data(),
                                          paste.data(), stream);
}

// The size is written to memory of the program when the picture is done.
aclError JpegEncode(acldvppChannelDesc* channel, acldvppPicDesc* input, const void* data, void* size,
                    acldvppJpegeConfig* config, aclrtStream stream) {
  return acldvppJpegEncodeAsync(channel, input, data, static_cast<std::uint32_t*>(size), config, stream);
}

const Function kMediaFunctions[] = {
    Bind<Allocate>("dvpp_malloc", "size -> ptr, ret", "Allocates device memory.", "acldvppMalloc"),
    Bind<acldvppFree>("dvpp_free", "ptr -> ret", "Frees device memory."),
    Bind<acldvppCreatePicDesc>("dvpp_create_pic_desc", "-> pic", "Describes a picture."),
    Bind<acldvppDestroyPicDesc>("dvpp_destroy_pic_desc", "pic -> ret", "Forgets it."),
    Bind<acldvppSetPicDescData>("dvpp_set_pic_desc_data", "pic, ptr -> ret", "Its memory."),
    Bind<acldvppSetPicDescSize>("dvpp_set_pic_desc_size", "pic, size -> ret", "Its bytes."),
    Bind<acldvppSetPicDescFormat>("dvpp_set_pic_desc_format", "pic, format -> ret", "Its format."),
    Bind<acldvppSetPicDescWidth>("dvpp_set_pic_desc_width", "pic, width -> ret", "Its width."),
    Bind<acldvppSetPicDescHeight>("dvpp_set_pic_desc_height", "pic, height -> ret", "Its height."),
    Bind<acldvppSetPicDescWidthStride>("dvpp_set_pic_desc_width_stride", "pic, stride -> ret",
                                       "Bytes of a row."),
    Bind<acldvppSetPicDescHeightStride>("dvpp_set_pic_desc_height_stride", "pic, stride -> ret", "Its rows."),
    Bind<acldvppGetPicDescData>("dvpp_get_pic_desc_data", "pic -> ptr", "Its memory."),
    Bind<acldvppGetPicDescSize>("dvpp_get_pic_desc_size", "pic -> size", "Its bytes."),
    Bind<acldvppGetPicDescRetCode>("dvpp_get_pic_desc_ret_code", "pic -> code", "What became of it."),
    Bind<acldvppGetPicDescWidth>("dvpp_get_pic_desc_width", "pic -> width", "Its width."),
    Bind<acldvppGetPicDescHeight>("dvpp_get_pic_desc_height", "pic -> height", "Its height."),
    Bind<acldvppGetPicDesc>("dvpp_get_pic_desc", "batch, index -> pic", "One of several pictures."),
    Bind<acldvppCreateBatchPicDesc>("dvpp_create_batch_pic_desc", "count -> batch",
                                    "Describes several pictures."),
    Bind<acldvppDestroyBatchPicDesc>("dvpp_destroy_batch_pic_desc", "batch -> ret", "Forgets them."),
    Bind<acldvppCreateRoiConfig>("dvpp_create_roi_config", "left, right, top, bottom -> roi",
                                 "Describes an area."),
    Bind<acldvppDestroyRoiConfig>("dvpp_destroy_roi_config", "roi -> ret", "Forgets it."),
    Bind<acldvppCreateChannelDesc>("dvpp_create_channel_desc", "-> channel", "Describes a channel."),
    Bind<acldvppDestroyChannelDesc>("dvpp_destroy_channel_desc", "channel -> ret", "Forgets it."),
    Bind<acldvppCreateChannel>("dvpp_create_channel", "channel -> ret", "Opens it."),
    Bind<acldvppDestroyChannel>("dvpp_destroy_channel", "channel -> ret", "Closes it."),
    Bind<acldvppCreateResizeConfig>("dvpp_create_resize_config", "-> config", "How to resize."),
    Bind<acldvppDestroyResizeConfig>("dvpp_destroy_resize_config", "config -> ret", "Forgets it."),
    Bind<acldvppVpcResizeAsync>("dvpp_vpc_resize_async", "channel, input, output, config, stream -> ret",
                                "Resizes."),
    Bind<acldvppVpcCropAsync>("dvpp_vpc_crop_async", "channel, input, output, roi, stream -> ret", "Crops."),
    Bind<acldvppVpcCropAndPasteAsync>("dvpp_vpc_crop_and_paste_async",
                                      "channel, input, output, crop_roi, paste_roi, stream -> ret",
                                      "Crops and puts into another picture."),
    Bind<BatchCrop>("dvpp_vpc_batch_crop_async",
                    "channel, inputs, roi_nums, outputs, rois, stream -> outputs, ret",
                    "Crops several pictures.", "acldvppVpcBatchCropAsync"),
    Bind<BatchCropAndPaste>(
        "dvpp_vpc_batch_crop_and_paste_async",
        "channel, inputs, roi_nums, outputs, crop_rois, paste_rois, stream -> outputs, ret",
        "Crops several pictures and puts them into others.", "acldvppVpcBatchCropAndPasteAsync"),
    Bind<acldvppJpegDecodeAsync>("dvpp_jpeg_decode_async", "channel, ptr, size, output, stream -> ret",
                                 "Decodes a JPEG picture."),
    Bind<JpegEncode>("dvpp_jpeg_encode_async", "channel, input, ptr, size_ptr, config, stream -> ret",
                     "Encodes a JPEG picture.", "acldvppJpegEncodeAsync"),
    Bind<acldvppJpegPredictEncSize>("dvpp_jpeg_predict_enc_size", "input, config -> size, ret",
                                    "Bytes at most."),
    Bind<acldvppJpegPredictDecSize>("dvpp_jpeg_predict_dec_size", "ptr, size, format -> size, ret", "Bytes."),
    Bind<acldvppJpegGetImageInfo>("dvpp_jpeg_get_image_info", "ptr, size -> width, height, channels, ret",
                                  "What a JPEG picture says of itself."),
    Bind<acldvppCreateJpegeConfig>("dvpp_create_jpege_config", "-> config", "How to encode."),
    Bind<acldvppDestroyJpegeConfig>("dvpp_destroy_jpege_config", "config -> ret", "Forgets it."),
    Bind<acldvppSetJpegeConfigLevel>("dvpp_set_jpege_config_level", "config, level -> ret", "The quality."),
    Bind<acldvppCreateStreamDesc>("dvpp_create_stream_desc", "-> desc", "Describes a piece of a video."),
    Bind<acldvppDestroyStreamDesc>("dvpp_destroy_stream_desc", "desc -> ret", "Forgets it."),
    Bind<acldvppSetStreamDescData>("dvpp_set_stream_desc_data", "desc, ptr -> ret", "Its memory."),
    Bind<acldvppSetStreamDescSize>("dvpp_set_stream_desc_size", "desc, size -> ret", "Its bytes."),
    Bind<acldvppSetStreamDescFormat>("dvpp_set_stream_desc_format", "desc, format -> ret", "Its format."),
    Bind<acldvppSetStreamDescTimestamp>("dvpp_set_stream_desc_timestamp", "desc, timestamp -> ret",
                                        "Its time."),
    Bind<acldvppSetStreamDescRetCode>("dvpp_set_stream_desc_ret_code", "desc, code -> ret",
                                      "What became of it."),
    Bind<acldvppSetStreamDescEos>("dvpp_set_stream_desc_eos", "desc, eos -> ret", "Whether it is the last."),
    Bind<acldvppGetStreamDescData>("dvpp_get_stream_desc_data", "desc -> ptr", "Its memory."),
    Bind<acldvppGetStreamDescSize>("dvpp_get_stream_desc_size", "desc -> size", "Its bytes."),
    Bind<acldvppGetStreamDescRetCode>("dvpp_get_stream_desc_ret_code", "desc -> code", "What became of it."),
};

}  // namespace

std::span<const Function> MediaFunctions() {
  return kMediaFunctions;
}

}  // namespace foothold

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Decoding of video and JPEG (VDEC, JPEGD).
#ifndef FOOTHOLD_ACL_DVPP_HI_DVPP_VDEC_H
#define FOOTHOLD_ACL_DVPP_HI_DVPP_VDEC_H

#include "hi_dvpp_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef hi_s32 hi_vdec_chn;

#define VDEC_MAX_CHN_NUM 256

// Failures are 0xA0058000 and a reason.
#define HI_ERR_VDEC_ILLEGAL_DEV_ID  ((hi_s32)0xA0058001)
#define HI_ERR_VDEC_INVALID_CHN_ID  ((hi_s32)0xA0058002)
#define HI_ERR_VDEC_ILLEGAL_PARAM   ((hi_s32)0xA0058003)
#define HI_ERR_VDEC_EXIST           ((hi_s32)0xA0058004)
#define HI_ERR_VDEC_UNEXIST         ((hi_s32)0xA0058005)
#define HI_ERR_VDEC_NULL_PTR        ((hi_s32)0xA0058006)
#define HI_ERR_VDEC_NOT_CONFIG      ((hi_s32)0xA0058007)
#define HI_ERR_VDEC_NOT_SUPPORT     ((hi_s32)0xA0058008)
#define HI_ERR_VDEC_NOT_PERM        ((hi_s32)0xA0058009)
#define HI_ERR_VDEC_NO_MEM          ((hi_s32)0xA005800C)
#define HI_ERR_VDEC_NO_BUF          ((hi_s32)0xA005800D)
#define HI_ERR_VDEC_BUF_EMPTY       ((hi_s32)0xA005800E)
#define HI_ERR_VDEC_BUF_FULL        ((hi_s32)0xA005800F)
#define HI_ERR_VDEC_SYS_NOT_READY   ((hi_s32)0xA0058010)
#define HI_ERR_VDEC_BAD_ADDR        ((hi_s32)0xA0058011)
#define HI_ERR_VDEC_BUSY            ((hi_s32)0xA0058012)
#define HI_ERR_VDEC_SIZE_NOT_ENOUGH ((hi_s32)0xA0058013)
#define HI_ERR_VDEC_TIMEOUT         ((hi_s32)0xA0058014)
#define HI_ERR_VDEC_SYS_ERROR       ((hi_s32)0xA0058015)

typedef enum hi_video_out_order {
  HI_VIDEO_OUT_ORDER_DISPLAY = 0,
  HI_VIDEO_OUT_ORDER_DEC     = 1,
} hi_video_out_order;

typedef enum hi_vdec_send_mode {
  HI_VDEC_SEND_MODE_STREAM = 0,
  HI_VDEC_SEND_MODE_FRAME  = 1,
  HI_VDEC_SEND_MODE_COMPAT = 2,
} hi_vdec_send_mode;

typedef enum hi_video_dec_mode {
  HI_VIDEO_DEC_MODE_IPB = 0,
  HI_VIDEO_DEC_MODE_IP  = 1,
  HI_VIDEO_DEC_MODE_I   = 2,
} hi_video_dec_mode;

typedef enum hi_jpegd_precision_mode {
  HI_JPEGD_PRECISION_MODE_ALIGN_DOWN        = 0,
  HI_JPEGD_PRECISION_MODE_ALIGN_UP          = 1,
  HI_JPEGD_PRECISION_MODE_ALIGN_DOWN_COMPAT = 2,
} hi_jpegd_precision_mode;

typedef struct hi_vdec_video_attr {
  hi_u32 ref_frame_num;
  hi_bool temporal_mvp_en;
  hi_u32 tmv_buf_size;
} hi_vdec_video_attr;

typedef struct hi_vdec_chn_attr {
  hi_payload_type type;
  hi_vdec_send_mode mode;
  hi_u32 pic_width;
  hi_u32 pic_height;
  hi_u32 stream_buf_size;
  hi_u32 frame_buf_size;
  hi_u32 frame_buf_cnt;
  __extension__ union { hi_vdec_video_attr video_attr; };
} hi_vdec_chn_attr;

typedef struct hi_vdec_stream {
  hi_bool end_of_frame;
  hi_bool end_of_stream;
  hi_bool need_display;
  hi_u64 pts;
  hi_u64 private_data;
  hi_u32 len;
  hi_u8* addr;
} hi_vdec_stream;

typedef struct hi_vdec_pic_info {
  hi_u32 width;
  hi_u32 height;
  hi_u32 width_stride;
  hi_u32 height_stride;
  hi_pixel_format pixel_format;
  hi_u64 vir_addr;
  hi_u32 buffer_size;
  hi_s16 offset_top;
  hi_s16 offset_bottom;
  hi_s16 offset_left;
  hi_s16 offset_right;
} hi_vdec_pic_info;

typedef struct hi_vdec_video_param {
  hi_bool composite_dec_en;
  hi_bool slice_input_en;
  hi_s32 err_threshold;
  hi_video_dec_mode dec_mode;
  hi_video_out_order out_order;
  hi_compress_mode compress_mode;
  hi_video_format video_format;
  hi_s32 quick_mark_mode;
} hi_vdec_video_param;

typedef struct hi_vdec_pic_param {
  hi_pixel_format pixel_format;
  hi_u32 alpha;
} hi_vdec_pic_param;

typedef struct hi_vdec_chn_param {
  hi_payload_type type;
  hi_u32 display_frame_num;
  __extension__ union {
    hi_vdec_video_param video_param;
    hi_vdec_pic_param pic_param;
  };
} hi_vdec_chn_param;

typedef struct hi_vdec_dec_err {
  hi_s32 counts[9];
} hi_vdec_dec_err;

typedef struct hi_vdec_chn_status {
  hi_payload_type type;
  hi_u32 left_stream_bytes;
  hi_u32 left_stream_frames;
  hi_u32 left_decoded_frames;
  hi_bool is_started;
  hi_u32 recv_stream_frames;
  hi_u32 dec_stream_frames;
  hi_vdec_dec_err dec_err;
  hi_u32 width;
  hi_u32 height;
  hi_u64 latest_frame_pts;
} hi_vdec_chn_status;

typedef struct hi_vdec_video_supplement_info {
  hi_u32 frame_type;
  hi_u32 err_rate;
  hi_u32 poc;
} hi_vdec_video_supplement_info;

typedef struct hi_vdec_supplement_info {
  hi_payload_type type;
  hi_vdec_video_supplement_info video_info;
} hi_vdec_supplement_info;

HI_FUNC_VISIBILITY hi_s32 hi_mpi_vdec_create_chn(hi_vdec_chn chn, const hi_vdec_chn_attr* attr);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vdec_destroy_chn(hi_vdec_chn chn);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vdec_get_chn_attr(hi_vdec_chn chn, hi_vdec_chn_attr* attr);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vdec_set_chn_attr(hi_vdec_chn chn, const hi_vdec_chn_attr* attr);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vdec_get_chn_param(hi_vdec_chn chn, hi_vdec_chn_param* param);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vdec_set_chn_param(hi_vdec_chn chn, const hi_vdec_chn_param* param);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vdec_start_recv_stream(hi_vdec_chn chn);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vdec_stop_recv_stream(hi_vdec_chn chn);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vdec_reset_chn(hi_vdec_chn chn);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vdec_query_status(hi_vdec_chn chn, hi_vdec_chn_status* status);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vdec_send_stream(hi_vdec_chn chn, const hi_vdec_stream* stream,
                                                  hi_vdec_pic_info* pic_info, hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vdec_get_frame(hi_vdec_chn chn, hi_video_frame_info* frame_info,
                                                hi_vdec_supplement_info* supplement, hi_vdec_stream* stream,
                                                hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vdec_release_frame(hi_vdec_chn chn, const hi_video_frame_info* frame_info);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vdec_get_fd(hi_vdec_chn chn);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vdec_close_fd(hi_vdec_chn chn);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vdec_set_jpegd_precision_mode(hi_vdec_chn chn, hi_jpegd_precision_mode mode);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_dvpp_get_image_info(hi_payload_type type, const hi_vdec_stream* stream,
                                                     hi_img_info* img_info);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vdec_get_jpegd_output_info(const hi_vdec_stream* stream,
                                                            hi_pixel_format format, hi_img_info* img_info);
HI_FUNC_VISIBILITY hi_u32 hi_vdec_get_pic_buf_size(hi_payload_type type, hi_pic_buf_attr* buf_attr);
HI_FUNC_VISIBILITY hi_u32 hi_vdec_get_tmv_buf_size(hi_payload_type type, hi_u32 width, hi_u32 height);

#ifdef __cplusplus
}
#endif

#endif

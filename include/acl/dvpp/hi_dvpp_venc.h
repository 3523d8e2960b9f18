// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Encoding of video and JPEG (VENC, JPEGE).
#ifndef FOOTHOLD_ACL_DVPP_HI_DVPP_VENC_H
#define FOOTHOLD_ACL_DVPP_HI_DVPP_VENC_H

#include "hi_dvpp_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef hi_s32 hi_venc_chn;

#define VENC_MAX_CHN_NUM         256
#define HI_VENC_JPEG_QT_COEF_NUM 64

// Failures are 0xA0088000 and a reason.
#define HI_ERR_VENC_ILLEGAL_DEV_ID  ((hi_s32)0xA0088001)
#define HI_ERR_VENC_INVALID_CHN_ID  ((hi_s32)0xA0088002)
#define HI_ERR_VENC_ILLEGAL_PARAM   ((hi_s32)0xA0088003)
#define HI_ERR_VENC_EXIST           ((hi_s32)0xA0088004)
#define HI_ERR_VENC_UNEXIST         ((hi_s32)0xA0088005)
#define HI_ERR_VENC_NULL_PTR        ((hi_s32)0xA0088006)
#define HI_ERR_VENC_NOT_CONFIG      ((hi_s32)0xA0088007)
#define HI_ERR_VENC_NOT_SUPPORT     ((hi_s32)0xA0088008)
#define HI_ERR_VENC_NOT_PERM        ((hi_s32)0xA0088009)
#define HI_ERR_VENC_NO_MEM          ((hi_s32)0xA008800C)
#define HI_ERR_VENC_NO_BUF          ((hi_s32)0xA008800D)
#define HI_ERR_VENC_BUF_EMPTY       ((hi_s32)0xA008800E)
#define HI_ERR_VENC_BUF_FULL        ((hi_s32)0xA008800F)
#define HI_ERR_VENC_SYS_NOT_READY   ((hi_s32)0xA0088010)
#define HI_ERR_VENC_BAD_ADDR        ((hi_s32)0xA0088011)
#define HI_ERR_VENC_BUSY            ((hi_s32)0xA0088012)
#define HI_ERR_VENC_SIZE_NOT_ENOUGH ((hi_s32)0xA0088013)
#define HI_ERR_VENC_TIMEOUT         ((hi_s32)0xA0088014)
#define HI_ERR_VENC_SYS_ERROR       ((hi_s32)0xA0088015)

typedef enum hi_venc_rc_mode {
  HI_VENC_RC_MODE_H264_CBR    = 1,
  HI_VENC_RC_MODE_H264_VBR    = 2,
  HI_VENC_RC_MODE_H264_AVBR   = 3,
  HI_VENC_RC_MODE_H264_QVBR   = 4,
  HI_VENC_RC_MODE_H264_CVBR   = 5,
  HI_VENC_RC_MODE_H264_FIXQP  = 6,
  HI_VENC_RC_MODE_H264_QPMAP  = 7,
  HI_VENC_RC_MODE_MJPEG_CBR   = 8,
  HI_VENC_RC_MODE_MJPEG_VBR   = 9,
  HI_VENC_RC_MODE_MJPEG_FIXQP = 10,
  HI_VENC_RC_MODE_H265_CBR    = 11,
  HI_VENC_RC_MODE_H265_VBR    = 12,
  HI_VENC_RC_MODE_H265_AVBR   = 13,
  HI_VENC_RC_MODE_H265_QVBR   = 14,
  HI_VENC_RC_MODE_H265_CVBR   = 15,
  HI_VENC_RC_MODE_H265_FIXQP  = 16,
  HI_VENC_RC_MODE_H265_QPMAP  = 17,
} hi_venc_rc_mode;

typedef enum hi_venc_gop_mode {
  HI_VENC_GOP_MODE_NORMAL_P = 0,
} hi_venc_gop_mode;

typedef enum hi_venc_pic_recv_mode {
  HI_VENC_PIC_RECV_SINGLE = 0,
  HI_VENC_PIC_RECV_MULTI  = 1,
} hi_venc_pic_recv_mode;

typedef enum hi_venc_scene_mode {
  HI_VENC_SCENE_0 = 0,
  HI_VENC_SCENE_1 = 1,
} hi_venc_scene_mode;

typedef struct hi_size {
  hi_u32 width;
  hi_u32 height;
} hi_size;

typedef struct hi_venc_mpf_cfg {
  hi_u8 large_thumbnail_num;
  hi_size large_thumbnail_size[2];
} hi_venc_mpf_cfg;

typedef struct hi_venc_h264_attr {
  hi_bool rcn_ref_share_buf_en;
  hi_u32 frame_buf_ratio;
} hi_venc_h264_attr;

typedef struct hi_venc_h265_attr {
  hi_bool rcn_ref_share_buf_en;
  hi_u32 frame_buf_ratio;
} hi_venc_h265_attr;

typedef struct hi_venc_jpeg_attr {
  hi_bool dcf_en;
  hi_venc_mpf_cfg mpf_cfg;
  hi_venc_pic_recv_mode recv_mode;
} hi_venc_jpeg_attr;

typedef struct hi_venc_attr {
  hi_payload_type type;
  hi_u32 max_pic_width;
  hi_u32 max_pic_height;
  hi_u32 buf_size;
  hi_u32 profile;
  hi_bool is_by_frame;
  hi_u32 pic_width;
  hi_u32 pic_height;
  __extension__ union {
    hi_venc_h264_attr h264_attr;
    hi_venc_h265_attr h265_attr;
    hi_venc_jpeg_attr jpeg_attr;
  };
} hi_venc_attr;

typedef struct hi_venc_cbr {
  hi_u32 gop;
  hi_u32 stats_time;
  hi_u32 src_frame_rate;
  hi_u32 dst_frame_rate;
  hi_u32 bit_rate;
} hi_venc_cbr;

typedef struct hi_venc_vbr {
  hi_u32 gop;
  hi_u32 stats_time;
  hi_u32 src_frame_rate;
  hi_u32 dst_frame_rate;
  hi_u32 max_bit_rate;
} hi_venc_vbr;

typedef struct hi_venc_cvbr {
  hi_u32 gop;
  hi_u32 stats_time;
  hi_u32 src_frame_rate;
  hi_u32 dst_frame_rate;
  hi_u32 max_bit_rate;
  hi_u32 short_term_stats_time;
  hi_u32 long_term_stats_time;
  hi_u32 long_term_max_bit_rate;
  hi_u32 long_term_min_bit_rate;
} hi_venc_cvbr;

typedef struct hi_venc_fixqp {
  hi_u32 gop;
  hi_u32 src_frame_rate;
  hi_u32 dst_frame_rate;
  hi_u32 i_qp;
  hi_u32 p_qp;
  hi_u32 b_qp;
} hi_venc_fixqp;

typedef struct hi_venc_rc_attr {
  hi_venc_rc_mode rc_mode;
  __extension__ union {
    hi_venc_cbr h264_cbr;
    hi_venc_vbr h264_vbr;
    hi_venc_vbr h264_avbr;
    hi_venc_cvbr h264_cvbr;
    hi_venc_fixqp h264_fixqp;
    hi_venc_cbr h265_cbr;
    hi_venc_vbr h265_vbr;
    hi_venc_vbr h265_avbr;
    hi_venc_cvbr h265_cvbr;
    hi_venc_fixqp h265_fixqp;
  };
} hi_venc_rc_attr;

typedef struct hi_venc_gop_normal_p {
  hi_s32 ip_qp_delta;
} hi_venc_gop_normal_p;

typedef struct hi_venc_gop_attr {
  hi_venc_gop_mode gop_mode;
  __extension__ union {
    hi_venc_gop_normal_p normal_p;
    hi_s32 reserved[3];
  };
} hi_venc_gop_attr;

typedef struct hi_venc_chn_attr {
  hi_venc_attr venc_attr;
  hi_venc_rc_attr rc_attr;
  hi_venc_gop_attr gop_attr;
} hi_venc_chn_attr;

typedef struct hi_venc_start_param {
  hi_s32 recv_pic_num;
} hi_venc_start_param;

typedef struct hi_venc_jpeg_param {
  hi_u32 qfactor;
  hi_u8 y_qt[64];
  hi_u8 cb_qt[64];
  hi_u8 cr_qt[64];
  hi_u32 mcu_per_ecs;
  hi_bool ecs_output_en;
} hi_venc_jpeg_param;

typedef struct hi_venc_pack_info {
  hi_u32 pack_type;
  hi_u32 pack_offset;
  hi_u32 pack_len;
} hi_venc_pack_info;

typedef struct hi_venc_pack {
  __extension__ union {
    hi_u64 phys_addr;
    hi_u64 input_addr;
  };
  hi_u8* addr;
  hi_u32 len;
  hi_u64 pts;
  hi_bool is_frame_end;
  hi_u32 data_type;
  hi_u32 offset;
  hi_u32 data_num;
  hi_venc_pack_info pack_info[8];
} hi_venc_pack;

typedef struct hi_venc_stream {
  hi_venc_pack* pack;
  hi_u32 pack_cnt;
  hi_u32 seq;
  hi_u64 info[55];
} hi_venc_stream;

typedef struct hi_venc_stream_info {
  hi_u64 info[8];
} hi_venc_stream_info;

typedef struct hi_venc_chn_status {
  hi_u32 left_pics;
  hi_u32 left_stream_bytes;
  hi_u32 left_stream_frames;
  hi_u32 cur_packs;
  hi_u32 left_recv_pics;
  hi_u32 left_enc_pics;
  hi_bool is_jpeg_snap_end;
  hi_u64 release_pic_pts;
  hi_venc_stream_info stream_info;
} hi_venc_chn_status;

typedef struct hi_venc_chn_param {
  hi_u32 priority;
} hi_venc_chn_param;

typedef struct hi_venc_rc_param {
  hi_u32 values[64];
} hi_venc_rc_param;

HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_create_chn(hi_venc_chn chn, const hi_venc_chn_attr* attr);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_destroy_chn(hi_venc_chn chn);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_start_chn(hi_venc_chn chn, const hi_venc_start_param* param);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_stop_chn(hi_venc_chn chn);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_query_status(hi_venc_chn chn, hi_venc_chn_status* status);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_send_frame(hi_venc_chn chn, const hi_video_frame_info* frame,
                                                 hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_send_jpege_frame(hi_venc_chn chn, const hi_video_frame_info* frame,
                                                       const hi_img_stream* stream, hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_get_stream(hi_venc_chn chn, hi_venc_stream* stream, hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_release_stream(hi_venc_chn chn, hi_venc_stream* stream);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_get_fd(hi_venc_chn chn);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_close_fd(hi_venc_chn chn);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_get_jpege_predicted_size(const hi_video_frame_info* frame,
                                                               const hi_venc_jpeg_param* param, hi_u32* size);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_set_jpeg_param(hi_venc_chn chn, const hi_venc_jpeg_param* param);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_get_jpeg_param(hi_venc_chn chn, hi_venc_jpeg_param* param);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_set_rc_param(hi_venc_chn chn, const hi_venc_rc_param* param);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_get_rc_param(hi_venc_chn chn, hi_venc_rc_param* param);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_set_chn_param(hi_venc_chn chn, const hi_venc_chn_param* param);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_get_chn_param(hi_venc_chn chn, hi_venc_chn_param* param);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_set_scene_mode(hi_venc_chn chn, const hi_venc_scene_mode mode);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_get_scene_mode(hi_venc_chn chn, hi_venc_scene_mode* mode);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_venc_request_idr(hi_venc_chn chn, hi_bool instant);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Decoding of PNG (PNGD).
#ifndef FOOTHOLD_ACL_DVPP_HI_DVPP_PNGD_H
#define FOOTHOLD_ACL_DVPP_HI_DVPP_PNGD_H

#include "hi_dvpp_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef hi_s32 hi_pngd_chn;

#define PNGD_MAX_CHN_NUM 128

// Failures are 0xA0408000 and a reason.
#define HI_ERR_PNGD_ILLEGAL_DEV_ID  ((hi_s32)0xA0408001)
#define HI_ERR_PNGD_INVALID_CHN_ID  ((hi_s32)0xA0408002)
#define HI_ERR_PNGD_ILLEGAL_PARAM   ((hi_s32)0xA0408003)
#define HI_ERR_PNGD_EXIST           ((hi_s32)0xA0408004)
#define HI_ERR_PNGD_UNEXIST         ((hi_s32)0xA0408005)
#define HI_ERR_PNGD_NULL_PTR        ((hi_s32)0xA0408006)
#define HI_ERR_PNGD_NOT_CONFIG      ((hi_s32)0xA0408007)
#define HI_ERR_PNGD_NOT_SUPPORT     ((hi_s32)0xA0408008)
#define HI_ERR_PNGD_NOT_PERM        ((hi_s32)0xA0408009)
#define HI_ERR_PNGD_NO_MEM          ((hi_s32)0xA040800C)
#define HI_ERR_PNGD_NO_BUF          ((hi_s32)0xA040800D)
#define HI_ERR_PNGD_BUF_EMPTY       ((hi_s32)0xA040800E)
#define HI_ERR_PNGD_BUF_FULL        ((hi_s32)0xA040800F)
#define HI_ERR_PNGD_SYS_NOT_READY   ((hi_s32)0xA0408010)
#define HI_ERR_PNGD_BAD_ADDR        ((hi_s32)0xA0408011)
#define HI_ERR_PNGD_BUSY            ((hi_s32)0xA0408012)
#define HI_ERR_PNGD_SIZE_NOT_ENOUGH ((hi_s32)0xA0408013)
#define HI_ERR_PNGD_TIMEOUT         ((hi_s32)0xA0408014)
#define HI_ERR_PNGD_SYS_ERROR       ((hi_s32)0xA0408015)

typedef struct hi_pngd_chn_attr {
  hi_u32 stream_que_cnt;
  hi_u64 reserved[4];
} hi_pngd_chn_attr;

HI_FUNC_VISIBILITY hi_s32 hi_mpi_pngd_create_chn(hi_pngd_chn chn, const hi_pngd_chn_attr* attr);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_pngd_destroy_chn(hi_pngd_chn chn);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_pngd_send_stream(hi_pngd_chn chn, const hi_img_stream* stream,
                                                  hi_pic_info* pic_info, hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_pngd_get_image_data(hi_pngd_chn chn, hi_pic_info* pic_info,
                                                     hi_img_stream* stream, hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_png_get_image_info(const hi_img_stream* stream, hi_img_info* img_info);

#ifdef __cplusplus
}
#endif

#endif

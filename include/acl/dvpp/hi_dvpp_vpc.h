// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Pictures cut, scaled and converted (VPC).
#ifndef FOOTHOLD_ACL_DVPP_HI_DVPP_VPC_H
#define FOOTHOLD_ACL_DVPP_HI_DVPP_VPC_H

#include "hi_dvpp_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef hi_s32 hi_vpc_chn;

#define VPC_MAX_CHN_NUM 512

// Failures are 0xA0078000 and a reason.
#define HI_ERR_VPC_ILLEGAL_DEV_ID  ((hi_s32)0xA0078001)
#define HI_ERR_VPC_INVALID_CHN_ID  ((hi_s32)0xA0078002)
#define HI_ERR_VPC_ILLEGAL_PARAM   ((hi_s32)0xA0078003)
#define HI_ERR_VPC_EXIST           ((hi_s32)0xA0078004)
#define HI_ERR_VPC_UNEXIST         ((hi_s32)0xA0078005)
#define HI_ERR_VPC_NULL_PTR        ((hi_s32)0xA0078006)
#define HI_ERR_VPC_NOT_CONFIG      ((hi_s32)0xA0078007)
#define HI_ERR_VPC_NOT_SUPPORT     ((hi_s32)0xA0078008)
#define HI_ERR_VPC_NOT_PERM        ((hi_s32)0xA0078009)
#define HI_ERR_VPC_NO_MEM          ((hi_s32)0xA007800C)
#define HI_ERR_VPC_NO_BUF          ((hi_s32)0xA007800D)
#define HI_ERR_VPC_BUF_EMPTY       ((hi_s32)0xA007800E)
#define HI_ERR_VPC_BUF_FULL        ((hi_s32)0xA007800F)
#define HI_ERR_VPC_SYS_NOT_READY   ((hi_s32)0xA0078010)
#define HI_ERR_VPC_BAD_ADDR        ((hi_s32)0xA0078011)
#define HI_ERR_VPC_BUSY            ((hi_s32)0xA0078012)
#define HI_ERR_VPC_SIZE_NOT_ENOUGH ((hi_s32)0xA0078013)
#define HI_ERR_VPC_TIMEOUT         ((hi_s32)0xA0078014)
#define HI_ERR_VPC_SYS_ERROR       ((hi_s32)0xA0078015)

typedef enum hi_vpc_bord_type {
  HI_BORDER_CONSTANT    = 0,
  HI_BORDER_REPLICATE   = 1,
  HI_BORDER_REFLECT     = 2,
  HI_BORDER_REFLECT_101 = 3,
  HI_BORDER_WRAP        = 4,
} hi_vpc_bord_type;

typedef struct hi_vpc_pic_info {
  hi_void* picture_address;
  hi_u32 picture_buffer_size;
  hi_u32 picture_width;
  hi_u32 picture_height;
  hi_u32 picture_width_stride;
  hi_u32 picture_height_stride;
  hi_pixel_format picture_format;
} hi_vpc_pic_info;

typedef struct hi_vpc_crop_region {
  hi_u32 top_offset;
  hi_u32 left_offset;
  hi_u32 crop_width;
  hi_u32 crop_height;
} hi_vpc_crop_region;

typedef struct hi_vpc_resize_info {
  hi_u32 resize_width;
  hi_u32 resize_height;
  hi_u32 interpolation;
} hi_vpc_resize_info;

typedef struct hi_vpc_scalar {
  hi_double val[4];
} hi_vpc_scalar;

typedef struct hi_vpc_crop_region_info {
  hi_vpc_pic_info dest_pic_info;
  hi_vpc_crop_region crop_region;
} hi_vpc_crop_region_info;

typedef struct hi_vpc_crop_resize_region {
  hi_vpc_pic_info dest_pic_info;
  hi_vpc_crop_region crop_region;
  hi_vpc_resize_info resize_info;
} hi_vpc_crop_resize_region;

typedef struct hi_vpc_crop_resize_paste_region {
  hi_vpc_pic_info dest_pic_info;
  hi_vpc_crop_region crop_region;
  hi_vpc_resize_info resize_info;
  hi_u32 dest_top_offset;
  hi_u32 dest_left_offset;
} hi_vpc_crop_resize_paste_region;

typedef struct hi_vpc_crop_resize_border_region {
  hi_vpc_pic_info dest_pic_info;
  hi_vpc_crop_region crop_region;
  hi_vpc_resize_info resize_info;
  hi_u32 dest_top_offset;
  hi_u32 dest_left_offset;
  hi_vpc_bord_type border_type;
  hi_vpc_scalar scalar_value;
} hi_vpc_crop_resize_border_region;

typedef struct hi_vpc_make_border_info {
  hi_u32 top;
  hi_u32 bottom;
  hi_u32 left;
  hi_u32 right;
  hi_vpc_bord_type border_type;
  hi_vpc_scalar scalar_value;
} hi_vpc_make_border_info;

typedef struct hi_vpc_chn_attr {
  hi_s32 attr;
  hi_u32 pic_width;
  hi_u32 pic_height;
} hi_vpc_chn_attr;

typedef struct hi_vpc_histogram_config {
  hi_u32 histogram_y_or_r[256];
  hi_u32 histogram_u_or_g[256];
  hi_u32 histogram_v_or_b[256];
} hi_vpc_histogram_config;

typedef struct hi_vpc_lut_remap {
  hi_u8 map_value_y_or_r[256];
  hi_u8 map_value_u_or_g[256];
  hi_u8 map_value_v_or_b[256];
} hi_vpc_lut_remap;

typedef struct hi_csc_conf {
  hi_u32 alpha;
  hi_u32 attr[4];
} hi_csc_conf;

HI_FUNC_VISIBILITY hi_s32 hi_mpi_vpc_create_chn(hi_vpc_chn chn, const hi_vpc_chn_attr* attr);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vpc_sys_create_chn(hi_vpc_chn* chn, const hi_vpc_chn_attr* attr);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vpc_destroy_chn(hi_vpc_chn chn);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vpc_resize(hi_vpc_chn chn, const hi_vpc_pic_info* source,
                                            hi_vpc_pic_info* dest, hi_double fx, hi_double fy,
                                            hi_u32 interpolation, hi_u32* task_id, hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vpc_crop(hi_vpc_chn chn, const hi_vpc_pic_info* source,
                                          hi_vpc_crop_region_info* regions, hi_u32 count, hi_u32* task_id,
                                          hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vpc_crop_resize(hi_vpc_chn chn, const hi_vpc_pic_info* source,
                                                 hi_vpc_crop_resize_region* regions, hi_u32 count,
                                                 hi_u32* task_id, hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vpc_crop_resize_paste(hi_vpc_chn chn, const hi_vpc_pic_info* source,
                                                       hi_vpc_crop_resize_paste_region* regions, hi_u32 count,
                                                       hi_u32* task_id, hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vpc_crop_resize_make_border(hi_vpc_chn chn, const hi_vpc_pic_info* source,
                                                             hi_vpc_crop_resize_border_region* regions,
                                                             hi_u32 count, hi_u32* task_id, hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vpc_batch_crop_resize_paste(hi_vpc_chn chn, const hi_vpc_pic_info** sources,
                                                             hi_u32 pic_num,
                                                             hi_vpc_crop_resize_paste_region* regions,
                                                             hi_u32* counts, hi_u32* task_id,
                                                             hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vpc_batch_crop_resize_make_border(
    hi_vpc_chn chn, const hi_vpc_pic_info** sources, hi_u32 pic_num,
    hi_vpc_crop_resize_border_region* regions, hi_u32* counts, hi_u32* task_id, hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vpc_convert_color(hi_vpc_chn chn, const hi_vpc_pic_info* source,
                                                   hi_vpc_pic_info* dest, hi_u32* task_id, hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vpc_convert_color_to_yuv420(hi_vpc_chn chn, const hi_vpc_pic_info* source,
                                                             hi_vpc_pic_info* dest, hi_u32* task_id,
                                                             hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vpc_convert_color_v2(hi_vpc_chn chn, const hi_vpc_pic_info* source,
                                                      hi_vpc_pic_info* dest, hi_csc_conf* conf,
                                                      hi_u32* task_id, hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vpc_copy_make_border(hi_vpc_chn chn, const hi_vpc_pic_info* source,
                                                      hi_vpc_pic_info* dest, hi_vpc_make_border_info border,
                                                      hi_u32* task_id, hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vpc_pyrdown(hi_vpc_chn chn, const hi_vpc_pic_info* source,
                                             hi_vpc_pic_info* dests, hi_u32 level, hi_s8 (*kernel)[5],
                                             hi_u16 divisor, hi_vpc_make_border_info border, hi_u32* task_id,
                                             hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vpc_calc_hist(hi_vpc_chn chn, const hi_vpc_pic_info* source,
                                               hi_vpc_histogram_config* histogram, hi_u32* task_id,
                                               hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vpc_equalize_hist(hi_vpc_chn chn, const hi_vpc_pic_info* source,
                                                   hi_vpc_pic_info* dest, const hi_vpc_lut_remap* lut,
                                                   hi_u32* task_id, hi_s32 milli_sec);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_vpc_get_process_result(hi_vpc_chn chn, hi_u32 task_id, hi_s32 milli_sec);

#ifdef __cplusplus
}
#endif

#endif

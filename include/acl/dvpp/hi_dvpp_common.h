// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// What its modules share: pictures, frames, formats.
#ifndef FOOTHOLD_ACL_DVPP_HI_DVPP_COMMON_H
#define FOOTHOLD_ACL_DVPP_HI_DVPP_COMMON_H

#include "hi_dvpp_type.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hi_mod_id {
  HI_ID_SYS  = 2,
  HI_ID_VDEC = 5,
  HI_ID_VPC  = 7,
  HI_ID_VENC = 8,
  HI_ID_PNGD = 64,
} hi_mod_id;

typedef enum hi_module_type {
  HI_MOD_VPC   = 0,
  HI_MOD_VENC  = 1,
  HI_MOD_VDEC  = 2,
  HI_MOD_JPEGE = 3,
  HI_MOD_JPEGD = 4,
  HI_MOD_PNGD  = 5,
  HI_MOD_ALL   = 100,
} hi_module_type;

typedef enum hi_payload_type {
  HI_PT_JPEG  = 26,
  HI_PT_H264  = 96,
  HI_PT_H265  = 265,
  HI_PT_PNG   = 268,
  HI_PT_MJPEG = 1002,
} hi_payload_type;

typedef enum hi_pixel_format {
  HI_PIXEL_FORMAT_YUV_400                    = 0,
  HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420         = 1,
  HI_PIXEL_FORMAT_YVU_SEMIPLANAR_420         = 2,
  HI_PIXEL_FORMAT_YUV_SEMIPLANAR_422         = 3,
  HI_PIXEL_FORMAT_YVU_SEMIPLANAR_422         = 4,
  HI_PIXEL_FORMAT_YUV_SEMIPLANAR_444         = 5,
  HI_PIXEL_FORMAT_YVU_SEMIPLANAR_444         = 6,
  HI_PIXEL_FORMAT_YUYV_PACKED_422            = 7,
  HI_PIXEL_FORMAT_UYVY_PACKED_422            = 8,
  HI_PIXEL_FORMAT_YVYU_PACKED_422            = 9,
  HI_PIXEL_FORMAT_VYUY_PACKED_422            = 10,
  HI_PIXEL_FORMAT_YUV_PACKED_444             = 11,
  HI_PIXEL_FORMAT_RGB_888                    = 12,
  HI_PIXEL_FORMAT_BGR_888                    = 13,
  HI_PIXEL_FORMAT_ARGB_8888                  = 14,
  HI_PIXEL_FORMAT_ABGR_8888                  = 15,
  HI_PIXEL_FORMAT_RGBA_8888                  = 16,
  HI_PIXEL_FORMAT_BGRA_8888                  = 17,
  HI_PIXEL_FORMAT_YUV_SEMI_PLANNER_420_10BIT = 18,
  HI_PIXEL_FORMAT_YVU_SEMI_PLANNER_420_10BIT = 19,
  HI_PIXEL_FORMAT_YVU_PLANAR_420             = 20,
  HI_PIXEL_FORMAT_YVU_PLANAR_422             = 21,
  HI_PIXEL_FORMAT_YVU_PLANAR_444             = 22,
  HI_PIXEL_FORMAT_RGB_444                    = 23,
  HI_PIXEL_FORMAT_BGR_444                    = 24,
  HI_PIXEL_FORMAT_ARGB_4444                  = 25,
  HI_PIXEL_FORMAT_ABGR_4444                  = 26,
  HI_PIXEL_FORMAT_RGBA_4444                  = 27,
  HI_PIXEL_FORMAT_BGRA_4444                  = 28,
  HI_PIXEL_FORMAT_RGB_555                    = 29,
  HI_PIXEL_FORMAT_BGR_555                    = 30,
  HI_PIXEL_FORMAT_RGB_565                    = 31,
  HI_PIXEL_FORMAT_BGR_565                    = 32,
  HI_PIXEL_FORMAT_ARGB_1555                  = 33,
  HI_PIXEL_FORMAT_ABGR_1555                  = 34,
  HI_PIXEL_FORMAT_RGBA_1555                  = 35,
  HI_PIXEL_FORMAT_BGRA_1555                  = 36,
  HI_PIXEL_FORMAT_ARGB_8565                  = 37,
  HI_PIXEL_FORMAT_ABGR_8565                  = 38,
  HI_PIXEL_FORMAT_RGBA_8565                  = 39,
  HI_PIXEL_FORMAT_BGRA_8565                  = 40,
  HI_PIXEL_FORMAT_RGB_BAYER_8BPP             = 50,
  HI_PIXEL_FORMAT_RGB_BAYER_10BPP            = 51,
  HI_PIXEL_FORMAT_RGB_BAYER_12BPP            = 52,
  HI_PIXEL_FORMAT_RGB_BAYER_14BPP            = 53,
  HI_PIXEL_FORMAT_RGB_BAYER_16BPP            = 54,
  HI_PIXEL_FORMAT_YUV_PLANAR_420             = 55,
  HI_PIXEL_FORMAT_YUV_PLANAR_422             = 56,
  HI_PIXEL_FORMAT_YUV_PLANAR_444             = 57,
  HI_PIXEL_FORMAT_RGB_888_PLANAR             = 69,
  HI_PIXEL_FORMAT_BGR_888_PLANAR             = 70,
  HI_PIXEL_FORMAT_HSV_888_PACKAGE            = 71,
  HI_PIXEL_FORMAT_HSV_888_PLANAR             = 72,
  HI_PIXEL_FORMAT_LAB_888_PACKAGE            = 73,
  HI_PIXEL_FORMAT_LAB_888_PLANAR             = 74,
  HI_PIXEL_FORMAT_S8C1                       = 75,
  HI_PIXEL_FORMAT_S8C2_PACKAGE               = 76,
  HI_PIXEL_FORMAT_S8C2_PLANAR                = 77,
  HI_PIXEL_FORMAT_S16C1                      = 78,
  HI_PIXEL_FORMAT_U8C1                       = 79,
  HI_PIXEL_FORMAT_U16C1                      = 80,
  HI_PIXEL_FORMAT_S32C1                      = 81,
  HI_PIXEL_FORMAT_U32C1                      = 82,
  HI_PIXEL_FORMAT_U64C1                      = 83,
  HI_PIXEL_FORMAT_S64C1                      = 84,
  HI_PIXEL_FORMAT_YUV_SEMIPLANAR_440         = 1000,
  HI_PIXEL_FORMAT_YVU_SEMIPLANAR_440         = 1001,
  HI_PIXEL_FORMAT_FLOAT32                    = 1002,
  HI_PIXEL_FORMAT_BUTT                       = 10001,
  HI_PIXEL_FORMAT_UNKNOWN                    = 10000,
} hi_pixel_format;

typedef enum hi_data_bit_width {
  HI_DATA_BIT_WIDTH_8  = 0,
  HI_DATA_BIT_WIDTH_10 = 1,
  HI_DATA_BIT_WIDTH_12 = 2,
  HI_DATA_BIT_WIDTH_14 = 3,
  HI_DATA_BIT_WIDTH_16 = 4,
} hi_data_bit_width;

typedef enum hi_compress_mode {
  HI_COMPRESS_MODE_NONE = 0,
  HI_COMPRESS_MODE_SEG  = 1,
  HI_COMPRESS_MODE_TILE = 2,
  HI_COMPRESS_MODE_HFBC = 3,
} hi_compress_mode;

typedef enum hi_video_format {
  HI_VIDEO_FORMAT_LINEAR     = 0,
  HI_VIDEO_FORMAT_TILE_64x16 = 1,
} hi_video_format;

typedef enum hi_video_field {
  HI_VIDEO_FIELD_TOP        = 1,
  HI_VIDEO_FIELD_BOTTOM     = 2,
  HI_VIDEO_FIELD_INTERLACED = 3,
  HI_VIDEO_FIELD_FRAME      = 4,
} hi_video_field;

typedef enum hi_dynamic_range {
  HI_DYNAMIC_RANGE_SDR8  = 0,
  HI_DYNAMIC_RANGE_SDR10 = 1,
} hi_dynamic_range;

typedef enum hi_color_gamut {
  HI_COLOR_GAMUT_BT601  = 0,
  HI_COLOR_GAMUT_BT709  = 1,
  HI_COLOR_GAMUT_BT2020 = 2,
} hi_color_gamut;

typedef enum hi_csc_matrix {
  HI_CSC_MATRIX_BT601_WIDE    = 0,
  HI_CSC_MATRIX_BT601_NARROW  = 1,
  HI_CSC_MATRIX_BT709_WIDE    = 2,
  HI_CSC_MATRIX_BT709_NARROW  = 3,
  HI_CSC_MATRIX_BT2020_WIDE   = 4,
  HI_CSC_MATRIX_BT2020_NARROW = 5,
  HI_CSC_MATRIX_USER          = 100,
} hi_csc_matrix;

typedef enum hi_jpeg_raw_format {
  HI_JPEG_RAW_FORMAT_YUV444 = 0,
  HI_JPEG_RAW_FORMAT_YUV422 = 1,
  HI_JPEG_RAW_FORMAT_YUV420 = 2,
  HI_JPEG_RAW_FORMAT_YUV440 = 3,
  HI_JPEG_RAW_FORMAT_YUV400 = 4,
  HI_JPEG_RAW_FORMAT_YUV411 = 5,
} hi_jpeg_raw_format;

typedef enum hi_png_color_format {
  HI_PNG_COLOR_FORMAT_GRAY    = 0,
  HI_PNG_COLOR_FORMAT_RGB     = 2,
  HI_PNG_COLOR_FORMAT_PALETTE = 3,
  HI_PNG_COLOR_FORMAT_AGRAY   = 4,
  HI_PNG_COLOR_FORMAT_ARGB    = 6,
} hi_png_color_format;

typedef struct hi_pic_info {
  hi_void* picture_address;
  hi_u32 picture_buffer_size;
  hi_u32 picture_width;
  hi_u32 picture_height;
  hi_u32 picture_width_stride;
  hi_u32 picture_height_stride;
  hi_pixel_format picture_format;
} hi_pic_info;

typedef struct hi_img_base_info {
  hi_u32 width;
  hi_u32 height;
  hi_pixel_format pixel_format;
  hi_u64 reserved[2];
} hi_img_base_info;

typedef struct hi_img_align_info {
  hi_u32 width_stride;
  hi_u32 height_stride;
  hi_u64 img_buf_size;
  hi_u64 reserved[2];
} hi_img_align_info;

typedef struct hi_img_info {
  hi_u32 width;
  hi_u32 height;
  hi_u32 width_stride;
  hi_u32 height_stride;
  hi_u32 img_buf_size;
  __extension__ union {
    hi_jpeg_raw_format pixel_format;
    hi_png_color_format png_pixel_format;
  };
  hi_u32 reserved[4];
} hi_img_info;

typedef struct hi_img_stream {
  hi_payload_type type;
  hi_u8* addr;
  hi_u32 len;
  hi_u64 pts;
  hi_s32 reserved[2];
} hi_img_stream;

typedef struct hi_pic_buf_attr {
  hi_u32 width;
  hi_u32 height;
  hi_u32 align;
  hi_data_bit_width bit_width;
  hi_pixel_format pixel_format;
  hi_compress_mode compress_mode;
} hi_pic_buf_attr;

typedef struct hi_csc_rgb_coefficient {
  hi_double csc_matrix_r0_c0;
  hi_double csc_matrix_r0_c1;
  hi_double csc_matrix_r0_c2;
  hi_double csc_matrix_r1_c0;
  hi_double csc_matrix_r1_c1;
  hi_double csc_matrix_r1_c2;
  hi_double csc_matrix_r2_c0;
  hi_double csc_matrix_r2_c1;
  hi_double csc_matrix_r2_c2;
  hi_double csc_bias_r0;
  hi_double csc_bias_r1;
  hi_double csc_bias_r2;
} hi_csc_rgb_coefficient;

typedef struct hi_csc_coefficient {
  hi_csc_rgb_coefficient yuv_to_rgb_coefficient;
  hi_csc_rgb_coefficient rgb_to_yuv_coefficient;
} hi_csc_coefficient;

typedef struct hi_video_supplement {
  hi_u64 phys_addr[7];
  hi_void* virt_addr[7];
} hi_video_supplement;

typedef struct hi_video_frame {
  hi_u32 width;
  hi_u32 height;
  hi_video_field field;
  hi_pixel_format pixel_format;
  hi_video_format video_format;
  hi_compress_mode compress_mode;
  hi_dynamic_range dynamic_range;
  hi_color_gamut color_gamut;
  hi_u32 header_stride[3];
  hi_u32 width_stride[3];
  hi_u32 height_stride[3];
  hi_u64 header_phys_addr[3];
  hi_u64 phys_addr[3];
  hi_void* header_virt_addr[3];
  hi_void* virt_addr[3];
  hi_u32 time_ref;
  hi_u64 pts;
  hi_u64 user_data[2];
  hi_u32 frame_flag;
  hi_video_supplement supplement;
} hi_video_frame;

typedef struct hi_video_frame_info {
  hi_video_frame v_frame;
  hi_u32 pool_id;
  hi_mod_id mod_id;
} hi_video_frame_info;

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Start and end, memory, polling, colour matrices.
#ifndef FOOTHOLD_ACL_DVPP_HI_MPI_SYS_H
#define FOOTHOLD_ACL_DVPP_HI_MPI_SYS_H

#include "hi_dvpp_common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HI_DVPP_EPOLL_IN  1
#define HI_DVPP_EPOLL_OUT 2
#define HI_DVPP_EPOLL_ET  0x80000000U

// Failures are 0xA0028000 and a reason.
#define HI_ERR_SYS_ILLEGAL_DEV_ID  ((hi_s32)0xA0028001)
#define HI_ERR_SYS_INVALID_CHN_ID  ((hi_s32)0xA0028002)
#define HI_ERR_SYS_ILLEGAL_PARAM   ((hi_s32)0xA0028003)
#define HI_ERR_SYS_EXIST           ((hi_s32)0xA0028004)
#define HI_ERR_SYS_UNEXIST         ((hi_s32)0xA0028005)
#define HI_ERR_SYS_NULL_PTR        ((hi_s32)0xA0028006)
#define HI_ERR_SYS_NOT_CONFIG      ((hi_s32)0xA0028007)
#define HI_ERR_SYS_NOT_SUPPORT     ((hi_s32)0xA0028008)
#define HI_ERR_SYS_NOT_PERM        ((hi_s32)0xA0028009)
#define HI_ERR_SYS_NO_MEM          ((hi_s32)0xA002800C)
#define HI_ERR_SYS_NO_BUF          ((hi_s32)0xA002800D)
#define HI_ERR_SYS_BUF_EMPTY       ((hi_s32)0xA002800E)
#define HI_ERR_SYS_BUF_FULL        ((hi_s32)0xA002800F)
#define HI_ERR_SYS_SYS_NOT_READY   ((hi_s32)0xA0028010)
#define HI_ERR_SYS_BAD_ADDR        ((hi_s32)0xA0028011)
#define HI_ERR_SYS_BUSY            ((hi_s32)0xA0028012)
#define HI_ERR_SYS_SIZE_NOT_ENOUGH ((hi_s32)0xA0028013)
#define HI_ERR_SYS_TIMEOUT         ((hi_s32)0xA0028014)
#define HI_ERR_SYS_SYS_ERROR       ((hi_s32)0xA0028015)

typedef enum hi_dvpp_epoll_ctl_op {
  HI_DVPP_EPOLL_CTL_ADD = 1,
  HI_DVPP_EPOLL_CTL_MOD = 2,
  HI_DVPP_EPOLL_CTL_DEL = 3,
} hi_dvpp_epoll_ctl_op;

typedef struct hi_dvpp_epoll_event {
  hi_u32 events;
  hi_void* data;
} hi_dvpp_epoll_event;

HI_FUNC_VISIBILITY hi_s32 hi_mpi_sys_init(void);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_sys_exit(void);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_sys_create_epoll(hi_s32 size, hi_s32* epoll_fd);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_sys_ctl_epoll(hi_s32 epoll_fd, hi_s32 operation, hi_s32 fd,
                                               hi_dvpp_epoll_event* event);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_sys_wait_epoll(hi_s32 epoll_fd, hi_dvpp_epoll_event* events,
                                                hi_s32 max_events, hi_s32 timeout, hi_s32* event_num);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_sys_close_epoll(hi_s32 epoll_fd);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_sys_set_chn_csc_matrix(hi_mod_id mod_id, hi_s32 chn, hi_csc_matrix matrix,
                                                        hi_csc_coefficient* coefficient);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_sys_get_chn_csc_matrix(hi_mod_id mod_id, hi_s32 chn, hi_csc_matrix* matrix,
                                                        hi_csc_coefficient* coefficient);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_sys_get_image_align_info(const hi_module_type* modules, hi_u32 module_num,
                                                          const hi_img_base_info* base_info,
                                                          hi_img_align_info* align_info);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_dvpp_malloc(hi_u32 dev_id, hi_void** dev_ptr, hi_u64 size);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_dvpp_free(hi_void* dev_ptr);
HI_FUNC_VISIBILITY hi_s32 hi_mpi_dvpp_get_version(hi_s32* major_version, hi_s32* minor_version,
                                                  hi_s32* patch_version);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <sys/epoll.h>

#include "conformance/hi_mpi/mpi_fixture.h"

namespace {

TEST(HiMpiSystem, IsNotReadyBeforeItsStart) {
  Session session;
  void* memory = nullptr;
  EXPECT_EQ(hi_mpi_sys_exit(), HI_ERR_SYS_SYS_NOT_READY);
  EXPECT_EQ(hi_mpi_dvpp_malloc(0, &memory, 16), HI_ERR_SYS_SYS_NOT_READY);
  hi_vpc_chn_attr attr{};
  EXPECT_EQ(hi_mpi_vpc_create_chn(0, &attr), HI_ERR_VPC_SYS_NOT_READY);
  EXPECT_NE(RecentError(), "");
  EXPECT_HI(hi_mpi_sys_init());
  EXPECT_HI(hi_mpi_sys_init());
  EXPECT_HI(hi_mpi_sys_exit());
  EXPECT_HI(hi_mpi_dvpp_malloc(0, &memory, 16)) << "starts are counted";
  EXPECT_HI(hi_mpi_dvpp_free(memory));
  EXPECT_HI(hi_mpi_sys_exit());
}

TEST(HiMpiSystem, NeedsADevice) {
  EXPECT_EQ(hi_mpi_sys_init(), HI_ERR_SYS_SYS_NOT_READY);
}

class HiMpiCalls : public HiMpi {};

TEST_F(HiMpiCalls, MemoryIsThatOfTheDevice) {
  EXPECT_EQ(hi_mpi_dvpp_malloc(0, nullptr, 16), HI_ERR_SYS_NULL_PTR);
  void* memory = Memory(100);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 128, 0u);
  EXPECT_EQ(video_test::OnHost(memory, 100), std::vector<uint8_t>(100));
  EXPECT_HI(hi_mpi_dvpp_free(memory));
  EXPECT_NE(hi_mpi_dvpp_free(memory), HI_SUCCESS);
  hi_s32 version[3] = {-1, -1, -1};
  EXPECT_HI(hi_mpi_dvpp_get_version(&version[0], &version[1], &version[2]));
  EXPECT_GE(version[0], 0);
}

TEST_F(HiMpiCalls, StridesAreGoodForAllModulesOfAList) {
  const hi_module_type modules[] = {HI_MOD_VPC, HI_MOD_JPEGD};
  hi_img_base_info base{};
  base.width = 100;
  base.height = 50;
  base.pixel_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
  hi_img_align_info info{};
  EXPECT_HI(hi_mpi_sys_get_image_align_info(modules, 1, &base, &info));
  EXPECT_EQ(info.width_stride, 112u);
  EXPECT_EQ(info.height_stride, 50u);
  EXPECT_EQ(info.img_buf_size, 112u * 50 * 3 / 2);
  EXPECT_HI(hi_mpi_sys_get_image_align_info(modules, 2, &base, &info));
  EXPECT_EQ(info.width_stride, 128u);
  EXPECT_EQ(info.height_stride, 64u);
  base.pixel_format = HI_PIXEL_FORMAT_RGB_888;
  EXPECT_HI(hi_mpi_sys_get_image_align_info(modules, 1, &base, &info));
  EXPECT_EQ(info.width_stride, 336u);
  EXPECT_EQ(hi_mpi_sys_get_image_align_info(nullptr, 1, &base, &info), HI_ERR_SYS_NULL_PTR);
  base.width = 60000 * 60000u;
  EXPECT_EQ(hi_mpi_sys_get_image_align_info(modules, 1, &base, &info), HI_ERR_SYS_ILLEGAL_PARAM);
}

TEST_F(HiMpiCalls, ColoursOfAChannelAreKept) {
  hi_vpc_chn_attr attr{};
  ASSERT_HI(hi_mpi_vpc_create_chn(1, &attr));
  hi_csc_matrix matrix = HI_CSC_MATRIX_USER;
  hi_csc_coefficient numbers{};
  EXPECT_HI(hi_mpi_sys_get_chn_csc_matrix(HI_ID_VPC, 1, &matrix, &numbers));
  EXPECT_EQ(matrix, HI_CSC_MATRIX_BT601_WIDE);
  EXPECT_NEAR(numbers.yuv_to_rgb_coefficient.csc_matrix_r0_c2, 1.402, 0.001);
  numbers.yuv_to_rgb_coefficient.csc_matrix_r0_c2 = 1.5;
  EXPECT_HI(hi_mpi_sys_set_chn_csc_matrix(HI_ID_VPC, 1, HI_CSC_MATRIX_USER, &numbers));
  hi_csc_coefficient read{};
  EXPECT_HI(hi_mpi_sys_get_chn_csc_matrix(HI_ID_VPC, 1, &matrix, &read));
  EXPECT_EQ(matrix, HI_CSC_MATRIX_USER);
  EXPECT_EQ(read.yuv_to_rgb_coefficient.csc_matrix_r0_c2, 1.5);
  EXPECT_EQ(hi_mpi_sys_set_chn_csc_matrix(HI_ID_VPC, 1, HI_CSC_MATRIX_USER, nullptr), HI_ERR_SYS_NULL_PTR);
  EXPECT_EQ(hi_mpi_sys_set_chn_csc_matrix(HI_ID_VENC, 1, HI_CSC_MATRIX_BT709_WIDE, nullptr),
            HI_ERR_SYS_ILLEGAL_PARAM);
  EXPECT_EQ(hi_mpi_sys_set_chn_csc_matrix(HI_ID_VPC, 2, HI_CSC_MATRIX_BT709_WIDE, nullptr),
            HI_ERR_VPC_UNEXIST);
  EXPECT_HI(hi_mpi_vpc_destroy_chn(1));
}

TEST_F(HiMpiCalls, PollingChecksItsArguments) {
  hi_s32 set = -1, found = -1;
  EXPECT_EQ(hi_mpi_sys_create_epoll(0, &set), HI_ERR_SYS_ILLEGAL_PARAM);
  EXPECT_EQ(hi_mpi_sys_create_epoll(4, nullptr), HI_ERR_SYS_NULL_PTR);
  ASSERT_HI(hi_mpi_sys_create_epoll(4, &set));
  hi_dvpp_epoll_event event{};
  EXPECT_EQ(hi_mpi_sys_ctl_epoll(set, 9, 0, &event), HI_ERR_SYS_ILLEGAL_PARAM);
  EXPECT_EQ(hi_mpi_sys_ctl_epoll(set, HI_DVPP_EPOLL_CTL_ADD, -1, &event), HI_ERR_SYS_ILLEGAL_PARAM);
  EXPECT_EQ(hi_mpi_sys_wait_epoll(set, &event, 0, 0, &found), HI_ERR_SYS_ILLEGAL_PARAM);
  EXPECT_HI(hi_mpi_sys_wait_epoll(set, &event, 1, 0, &found));
  EXPECT_EQ(found, 0);
  EXPECT_HI(hi_mpi_sys_close_epoll(set));
  EXPECT_NE(hi_mpi_sys_close_epoll(set), HI_SUCCESS);
  EXPECT_NE(hi_mpi_sys_close_epoll(0), HI_SUCCESS) << "standard input is no set of descriptors";
}

}  // namespace

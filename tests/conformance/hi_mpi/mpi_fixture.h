// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A session of the hi_mpi family, and pictures for it.
#pragma once

#include "acl/dvpp/hi_dvpp.h"
#include "conformance/device_fixture.h"
#include "conformance/video/clip.h"

#define EXPECT_HI(call) EXPECT_EQ(call, HI_SUCCESS) << RecentError()
#define ASSERT_HI(call) ASSERT_EQ(call, HI_SUCCESS) << RecentError()

class HiMpi : public testing::Test {
 protected:
  HiMpi() { EXPECT_HI(hi_mpi_sys_init()); }
  ~HiMpi() override { EXPECT_HI(hi_mpi_sys_exit()); }

  // Memory that is freed with the test.
  void* Memory(size_t bytes) {
    void* memory = nullptr;
    EXPECT_HI(hi_mpi_dvpp_malloc(0, &memory, bytes));
    return memory;
  }
  void* Memory(const std::vector<uint8_t>& bytes) {
    void* memory = Memory(bytes.size());
    EXPECT_OK(aclrtMemcpy(memory, bytes.size(), bytes.data(), bytes.size(), ACL_MEMCPY_HOST_TO_DEVICE));
    return memory;
  }
  hi_vpc_pic_info Grey(hi_u32 width, hi_u32 height, int value) {
    hi_vpc_pic_info info{};
    info.picture_width = info.picture_width_stride = width;
    info.picture_height = info.picture_height_stride = height;
    info.picture_format = HI_PIXEL_FORMAT_YUV_400;
    info.picture_buffer_size = width * height;
    info.picture_address = Memory(std::vector<uint8_t>(width * height, static_cast<uint8_t>(value)));
    return info;
  }
  std::vector<uint8_t> Read(const hi_vpc_pic_info& info) {
    return video_test::OnHost(info.picture_address, info.picture_buffer_size);
  }

  Session session_;
};

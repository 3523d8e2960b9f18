// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Channels have streams of their own, of which the program knows nothing: no rule of its streams is theirs.
#include <acl/dvpp/hi_dvpp.h>

#include "check/program.h"

using namespace checked;

namespace {

constexpr hi_u32 kWidth = 64, kHeight = 64, kBytes = kWidth * kHeight * 3 / 2;

hi_vpc_pic_info Picture() {
  hi_vpc_pic_info info{};
  info.picture_width = info.picture_width_stride = kWidth;
  info.picture_height = info.picture_height_stride = kHeight;
  info.picture_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
  info.picture_buffer_size = kBytes;
  MUST(hi_mpi_dvpp_malloc(0, &info.picture_address, kBytes));
  MUST(aclrtMemset(info.picture_address, kBytes, 100, kBytes));
  return info;
}

hi_vpc_chn Channel() {
  hi_vpc_chn channel = 0;
  hi_vpc_chn_attr attr{};
  MUST(hi_mpi_vpc_sys_create_chn(&channel, &attr));
  return channel;
}

// The channel goes as soon as its result is there.
void Scale(const hi_vpc_pic_info& from, hi_vpc_pic_info& to) {
  const hi_vpc_chn channel = Channel();
  hi_u32 task = 0;
  MUST(hi_mpi_vpc_resize(channel, &from, &to, 0, 0, 0, &task, -1));
  MUST(hi_mpi_vpc_get_process_result(channel, task, -1));
  MUST(hi_mpi_vpc_destroy_chn(channel));
}

}  // namespace

PROGRAM(ends_channels_and_their_context, "") {
  const Session session;
  aclrtContext before = nullptr, context = nullptr;
  MUST(aclrtGetCurrentContext(&before));
  MUST(aclrtCreateContext(&context, 0));
  MUST(hi_mpi_sys_init());
  const hi_vpc_pic_info from = Picture();
  hi_vpc_pic_info to = Picture();
  for (int turn = 0; turn < 100; ++turn)
    Scale(from, to);
  const hi_vpc_chn open = Channel();
  MUST(aclrtDestroyContext(context));
  MUST(aclrtSetCurrentContext(before));
  MUST(hi_mpi_vpc_destroy_chn(open));
  MUST(hi_mpi_dvpp_free(from.picture_address));
  MUST(hi_mpi_dvpp_free(to.picture_address));
  MUST(hi_mpi_sys_exit());
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "conformance/hi_mpi/mpi_fixture.h"

namespace {

class HiMpiVpc : public HiMpi {
 protected:
  HiMpiVpc() {
    hi_vpc_chn_attr attr{};
    EXPECT_HI(hi_mpi_vpc_sys_create_chn(&chn_, &attr));
  }
  ~HiMpiVpc() override { EXPECT_HI(hi_mpi_vpc_destroy_chn(chn_)); }
  void Finish(hi_u32 task) {
    EXPECT_HI(hi_mpi_vpc_get_process_result(chn_, task, -1));
    EXPECT_EQ(hi_mpi_vpc_get_process_result(chn_, task, 0), HI_ERR_VPC_ILLEGAL_PARAM) << "once for each task";
  }

  hi_vpc_chn chn_ = -1;
  hi_u32 task_ = 0;
};

hi_vpc_crop_region Region(hi_u32 left, hi_u32 top, hi_u32 width, hi_u32 height) {
  return {top, left, width, height};
}

TEST_F(HiMpiVpc, ChannelsHaveNumbers) {
  hi_vpc_chn_attr attr{};
  EXPECT_EQ(hi_mpi_vpc_create_chn(chn_, &attr), HI_ERR_VPC_EXIST);
  EXPECT_EQ(hi_mpi_vpc_create_chn(-1, &attr), HI_ERR_VPC_INVALID_CHN_ID);
  EXPECT_EQ(hi_mpi_vpc_create_chn(VPC_MAX_CHN_NUM, &attr), HI_ERR_VPC_INVALID_CHN_ID);
  EXPECT_EQ(hi_mpi_vpc_create_chn(77, nullptr), HI_ERR_VPC_NULL_PTR);
  EXPECT_EQ(hi_mpi_vpc_destroy_chn(77), HI_ERR_VPC_UNEXIST);
  EXPECT_EQ(hi_mpi_vpc_get_process_result(77, 1, 0), HI_ERR_VPC_UNEXIST);
}

TEST_F(HiMpiVpc, ResizesAndConverts) {
  hi_vpc_pic_info in = Grey(64, 48, 90), out = Grey(32, 20, 0);
  ASSERT_HI(hi_mpi_vpc_resize(chn_, &in, &out, 0, 0, 0, &task_, -1));
  Finish(task_);
  EXPECT_EQ(Read(out), std::vector<uint8_t>(32 * 20, 90));
  hi_vpc_pic_info color = Grey(96, 20, 0);
  color.picture_width = 32;
  color.picture_format = HI_PIXEL_FORMAT_BGR_888;
  ASSERT_HI(hi_mpi_vpc_convert_color(chn_, &out, &color, &task_, -1));
  Finish(task_);
  EXPECT_EQ(Read(color), std::vector<uint8_t>(96 * 20, 90));
  EXPECT_EQ(hi_mpi_vpc_resize(chn_, nullptr, &out, 0, 0, 0, &task_, -1), HI_ERR_VPC_NULL_PTR);
  EXPECT_EQ(hi_mpi_vpc_resize(chn_, &in, &out, 0, 0, 7, &task_, -1), HI_ERR_VPC_ILLEGAL_PARAM);
  EXPECT_EQ(hi_mpi_vpc_resize(chn_, &in, &out, 0, 0, 0, nullptr, -1), HI_ERR_VPC_NULL_PTR);
  out.picture_buffer_size = 10;
  EXPECT_EQ(hi_mpi_vpc_resize(chn_, &in, &out, 0, 0, 0, &task_, -1), HI_ERR_VPC_ILLEGAL_PARAM);
}

TEST_F(HiMpiVpc, CropsToSeveralPictures) {
  hi_vpc_pic_info in = Grey(64, 48, 10);
  hi_vpc_crop_region_info regions[2] = {{Grey(16, 16, 0), Region(0, 0, 16, 16)},
                                        {Grey(8, 8, 0), Region(40, 30, 8, 8)}};
  ASSERT_HI(hi_mpi_vpc_crop(chn_, &in, regions, 2, &task_, -1));
  Finish(task_);
  EXPECT_EQ(Read(regions[0].dest_pic_info), std::vector<uint8_t>(256, 10));
  EXPECT_EQ(Read(regions[1].dest_pic_info), std::vector<uint8_t>(64, 10));
  EXPECT_EQ(hi_mpi_vpc_crop(chn_, &in, regions, 0, &task_, -1), HI_ERR_VPC_ILLEGAL_PARAM);
  regions[0].crop_region.left_offset = 60;
  EXPECT_EQ(hi_mpi_vpc_crop(chn_, &in, regions, 2, &task_, -1), HI_ERR_VPC_ILLEGAL_PARAM)
      << "outside of the picture";
  hi_vpc_crop_resize_region scaled{Grey(24, 24, 0), Region(2, 2, 10, 10), {24, 24, 1}};
  ASSERT_HI(hi_mpi_vpc_crop_resize(chn_, &in, &scaled, 1, &task_, -1));
  Finish(task_);
  EXPECT_EQ(Read(scaled.dest_pic_info), std::vector<uint8_t>(24 * 24, 10));
}

TEST_F(HiMpiVpc, PastesIntoAPartAndLeavesTheRest) {
  hi_vpc_pic_info in = Grey(64, 48, 200);
  hi_vpc_crop_resize_paste_region region{Grey(32, 32, 7), Region(0, 0, 64, 48), {8, 4, 0}, 2, 16};
  ASSERT_HI(hi_mpi_vpc_crop_resize_paste(chn_, &in, &region, 1, &task_, -1));
  Finish(task_);
  std::vector<uint8_t> out = Read(region.dest_pic_info);
  EXPECT_EQ(out[2 * 32 + 16], 200);
  EXPECT_EQ(out[5 * 32 + 23], 200);
  EXPECT_EQ(out[2 * 32 + 15], 7);
  EXPECT_EQ(out[6 * 32 + 16], 7);
  const hi_vpc_pic_info* sources[] = {&in};
  hi_u32 counts[] = {1};
  ASSERT_HI(hi_mpi_vpc_batch_crop_resize_paste(chn_, sources, 1, &region, counts, &task_, -1));
  Finish(task_);
  region.dest_left_offset = 30;
  EXPECT_EQ(hi_mpi_vpc_crop_resize_paste(chn_, &in, &region, 1, &task_, -1), HI_ERR_VPC_ILLEGAL_PARAM);
}

TEST_F(HiMpiVpc, MakesBorders) {
  hi_vpc_pic_info in = Grey(16, 16, 50), out = Grey(20, 22, 0);
  hi_vpc_make_border_info border{2, 4, 1, 3, HI_BORDER_CONSTANT, {{9, 0, 0, 0}}};
  ASSERT_HI(hi_mpi_vpc_copy_make_border(chn_, &in, &out, border, &task_, -1));
  Finish(task_);
  EXPECT_EQ(Read(out)[0], 9);
  EXPECT_EQ(Read(out)[2 * 20 + 1], 50);
  hi_vpc_crop_resize_border_region region{Grey(20, 20, 0),    Region(0, 0, 16, 16), {10, 10, 0}, 5, 5,
                                          HI_BORDER_CONSTANT, {{3, 0, 0, 0}}};
  ASSERT_HI(hi_mpi_vpc_crop_resize_make_border(chn_, &in, &region, 1, &task_, -1));
  Finish(task_);
  EXPECT_EQ(Read(region.dest_pic_info)[0], 3);
  EXPECT_EQ(Read(region.dest_pic_info)[5 * 20 + 5], 50);
  const hi_vpc_pic_info* sources[] = {&in};
  hi_u32 counts[] = {1};
  ASSERT_HI(hi_mpi_vpc_batch_crop_resize_make_border(chn_, sources, 1, &region, counts, &task_, -1));
  Finish(task_);
}

TEST_F(HiMpiVpc, CountsMapsAndHalves) {
  hi_vpc_pic_info in = Grey(32, 24, 77), out = Grey(32, 24, 0);
  auto* histogram = static_cast<hi_vpc_histogram_config*>(Memory(sizeof(hi_vpc_histogram_config)));
  ASSERT_HI(hi_mpi_vpc_calc_hist(chn_, &in, histogram, &task_, -1));
  Finish(task_);
  const std::vector<uint8_t> counts = video_test::OnHost(histogram, sizeof *histogram);
  EXPECT_EQ(reinterpret_cast<const hi_u32*>(counts.data())[77], 32u * 24);
  hi_vpc_lut_remap lut{};
  lut.map_value_y_or_r[77] = 5;
  ASSERT_HI(hi_mpi_vpc_equalize_hist(chn_, &in, &out, &lut, &task_, -1));
  Finish(task_);
  EXPECT_EQ(Read(out), std::vector<uint8_t>(32 * 24, 5));
  hi_vpc_pic_info halves[] = {Grey(16, 12, 0)};
  hi_s8 kernel[5][5] = {};
  kernel[2][2] = 1;
  ASSERT_HI(
      hi_mpi_vpc_pyrdown(chn_, &in, halves, 1, kernel, 1, {0, 0, 0, 0, HI_BORDER_REPLICATE, {}}, &task_, -1));
  Finish(task_);
  EXPECT_EQ(Read(halves[0]), std::vector<uint8_t>(16 * 12, 77));
}

TEST_F(HiMpiVpc, ConvertsToYuv420Only) {
  hi_vpc_pic_info in = Grey(32, 24, 60), out = Grey(32, 36, 0);
  out.picture_height = out.picture_height_stride = 24;
  out.picture_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
  ASSERT_HI(hi_mpi_vpc_convert_color_to_yuv420(chn_, &in, &out, &task_, -1));
  Finish(task_);
  EXPECT_EQ(Read(out)[5], 60);
  EXPECT_EQ(Read(out)[32 * 24], 128);
  EXPECT_EQ(hi_mpi_vpc_convert_color_to_yuv420(chn_, &out, &in, &task_, -1), HI_ERR_VPC_ILLEGAL_PARAM);
}

TEST_F(HiMpiVpc, IsDestroyedWithWorkLeft) {
  hi_vpc_chn_attr attr{};
  ASSERT_HI(hi_mpi_vpc_create_chn(9, &attr));
  hi_vpc_pic_info in = Grey(512, 512, 1), out = Grey(700, 700, 0);
  for (int i = 0; i < 20; ++i)
    ASSERT_HI(hi_mpi_vpc_resize(9, &in, &out, 0, 0, 0, &task_, -1));
  EXPECT_HI(hi_mpi_vpc_destroy_chn(9));
}

}  // namespace

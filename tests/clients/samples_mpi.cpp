// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The published samples of the hi_mpi family in one run: video decoded by two threads with a pool of output
// buffers, until the status says that nothing is left; pictures scaled; H.264 written by a loop that waits
// for its descriptor; a JPEG made, described, decoded, scaled and made again. The header is included as the
// samples do.
#include <atomic>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "clients/check.h"
#include "hi_dvpp.h"
#include "video/packets.h"

namespace {

constexpr hi_u32 kWidth = 176, kHeight = 144, kBytes = kWidth * kHeight * 3 / 2;

aclrtContext context = nullptr;
std::mutex pool_lock;
std::vector<void*> pool;
std::atomic<bool> get_exit{false};
std::vector<std::vector<uint8_t>> pictures;

void* TakeBuffer() {
  for (;;) {
    {
      std::lock_guard<std::mutex> lock(pool_lock);
      if (!pool.empty()) {
        void* buffer = pool.back();
        pool.pop_back();
        return buffer;
      }
    }
    std::this_thread::yield();
  }
}

void SendStream(hi_vdec_chn chn, const std::vector<video_test::Packet>& packets) {
  REQUIRE(aclrtSetCurrentContext(context) == ACL_SUCCESS);
  for (size_t i = 0; i <= packets.size(); ++i) {
    const bool end = i == packets.size();
    hi_vdec_stream stream{};
    hi_vdec_pic_info picture{};
    stream.pts = i;
    stream.end_of_frame = HI_TRUE;
    stream.end_of_stream = end ? HI_TRUE : HI_FALSE;
    stream.need_display = end ? HI_FALSE : HI_TRUE;
    if (!end) {
      void* memory = nullptr;
      REQUIRE(hi_mpi_dvpp_malloc(0, &memory, packets[i].size()) == HI_SUCCESS);
      REQUIRE(aclrtMemcpy(memory, packets[i].size(), packets[i].data(), packets[i].size(),
                          ACL_MEMCPY_HOST_TO_DEVICE) == ACL_SUCCESS);
      stream.addr = static_cast<hi_u8*>(memory);
      stream.len = static_cast<hi_u32>(packets[i].size());
      picture.width = kWidth;
      picture.height = kHeight;
      picture.width_stride = ALIGN_UP(kWidth, 16);
      picture.height_stride = ALIGN_UP(kHeight, 2);
      picture.pixel_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
      picture.vir_addr = reinterpret_cast<hi_u64>(TakeBuffer());
      picture.buffer_size = kBytes;
    }
    hi_s32 code;
    while ((code = hi_mpi_vdec_send_stream(chn, &stream, &picture, 1000)) == HI_ERR_VDEC_BUF_FULL)
      std::this_thread::yield();
    REQUIRE(code == HI_SUCCESS);
  }
}

void GetPictures(hi_vdec_chn chn) {
  REQUIRE(aclrtSetCurrentContext(context) == ACL_SUCCESS);
  while (!get_exit) {
    hi_video_frame_info frame{};
    hi_vdec_stream stream{};
    hi_vdec_supplement_info supplement{};
    if (hi_mpi_vdec_get_frame(chn, &frame, &supplement, &stream, 10) != HI_SUCCESS) continue;
    REQUIRE(frame.v_frame.frame_flag == 0);
    REQUIRE(hi_mpi_dvpp_free(stream.addr) == HI_SUCCESS);
    std::vector<uint8_t> picture(kBytes);
    REQUIRE(aclrtMemcpy(picture.data(), kBytes, frame.v_frame.virt_addr[0], kBytes,
                        ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
    pictures.push_back(picture);
    REQUIRE(hi_mpi_vdec_release_frame(chn, &frame) == HI_SUCCESS);
    std::lock_guard<std::mutex> lock(pool_lock);
    pool.push_back(frame.v_frame.virt_addr[0]);
  }
}

void DecodeVideo(const char* file) {
  const std::vector<video_test::Packet> packets = video_test::PacketsOf(video_test::ReadFile(file), true);
  hi_vdec_chn_attr attr{};
  attr.type = HI_PT_H265;
  attr.mode = HI_VDEC_SEND_MODE_FRAME;
  attr.pic_width = kWidth;
  attr.pic_height = kHeight;
  attr.stream_buf_size = kBytes;
  attr.frame_buf_cnt = 16;
  hi_pic_buf_attr buffer{
      kWidth, kHeight, 0, HI_DATA_BIT_WIDTH_8, HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420, HI_COMPRESS_MODE_NONE};
  attr.frame_buf_size = hi_vdec_get_pic_buf_size(attr.type, &buffer);
  attr.video_attr.ref_frame_num = 12;
  attr.video_attr.temporal_mvp_en = HI_TRUE;
  attr.video_attr.tmv_buf_size = hi_vdec_get_tmv_buf_size(attr.type, kWidth, kHeight);
  REQUIRE(hi_mpi_vdec_create_chn(0, &attr) == HI_SUCCESS);
  hi_vdec_chn_param param;
  REQUIRE(hi_mpi_vdec_get_chn_param(0, &param) == HI_SUCCESS);
  param.video_param.dec_mode = HI_VIDEO_DEC_MODE_IPB;
  param.video_param.compress_mode = HI_COMPRESS_MODE_HFBC;
  param.video_param.video_format = HI_VIDEO_FORMAT_TILE_64x16;
  param.video_param.out_order = HI_VIDEO_OUT_ORDER_DISPLAY;
  param.display_frame_num = 3;
  REQUIRE(hi_mpi_vdec_set_chn_param(0, &param) == HI_SUCCESS);
  REQUIRE(hi_mpi_vdec_start_recv_stream(0) == HI_SUCCESS);
  for (int i = 0; i < 20; ++i) {
    void* memory = nullptr;
    REQUIRE(hi_mpi_dvpp_malloc(0, &memory, kBytes) == HI_SUCCESS);
    pool.push_back(memory);
  }
  std::thread send(SendStream, 0, packets), get(GetPictures, 0);
  send.join();
  hi_vdec_chn_status status{};
  do {
    REQUIRE(hi_mpi_vdec_query_status(0, &status) == HI_SUCCESS);
    std::this_thread::yield();
  } while (status.left_stream_bytes != 0 || status.left_decoded_frames != 0);
  while (pool.size() < 20)
    std::this_thread::yield();
  get_exit = true;
  get.join();
  REQUIRE(hi_mpi_vdec_stop_recv_stream(0) == HI_SUCCESS);
  REQUIRE(hi_mpi_vdec_destroy_chn(0) == HI_SUCCESS);
  for (void* memory : pool)
    REQUIRE(hi_mpi_dvpp_free(memory) == HI_SUCCESS);
  REQUIRE(pictures.size() == 24);
}

hi_vpc_pic_info Upload(const std::vector<uint8_t>& picture) {
  hi_vpc_pic_info info{};
  info.picture_width = info.picture_width_stride = kWidth;
  info.picture_height = info.picture_height_stride = kHeight;
  info.picture_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
  info.picture_buffer_size = kBytes;
  REQUIRE(hi_mpi_dvpp_malloc(0, &info.picture_address, kBytes) == HI_SUCCESS);
  REQUIRE(aclrtMemcpy(info.picture_address, kBytes, picture.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE) ==
          ACL_SUCCESS);
  return info;
}

void Free(const hi_vpc_pic_info& picture) {
  REQUIRE(hi_mpi_dvpp_free(picture.picture_address) == HI_SUCCESS);
}

// Frees the source.
hi_vpc_pic_info Scale(const hi_vpc_pic_info& source) {
  hi_vpc_chn chn = 0;
  hi_vpc_chn_attr attr{};
  REQUIRE(hi_mpi_vpc_sys_create_chn(&chn, &attr) == HI_SUCCESS);
  const hi_module_type modules[] = {HI_MOD_VPC, HI_MOD_VENC};
  hi_img_base_info base{};
  base.width = 96;
  base.height = 80;
  base.pixel_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
  hi_img_align_info align{};
  REQUIRE(hi_mpi_sys_get_image_align_info(modules, 2, &base, &align) == HI_SUCCESS);
  hi_vpc_pic_info scaled{};
  scaled.picture_width = base.width;
  scaled.picture_height = base.height;
  scaled.picture_width_stride = align.width_stride;
  scaled.picture_height_stride = align.height_stride;
  scaled.picture_format = base.pixel_format;
  scaled.picture_buffer_size = static_cast<hi_u32>(align.img_buf_size);
  REQUIRE(hi_mpi_dvpp_malloc(0, &scaled.picture_address, align.img_buf_size) == HI_SUCCESS);
  hi_u32 task = 0;
  REQUIRE(hi_mpi_vpc_resize(chn, &source, &scaled, 0, 0, 0, &task, -1) == HI_SUCCESS);
  REQUIRE(hi_mpi_vpc_get_process_result(chn, task, -1) == HI_SUCCESS);
  REQUIRE(hi_mpi_vpc_destroy_chn(chn) == HI_SUCCESS);
  Free(source);
  return scaled;
}

hi_video_frame_info FrameOf(const hi_vpc_pic_info& picture, hi_u64 time) {
  hi_video_frame_info frame{};
  frame.mod_id = HI_ID_VENC;
  frame.v_frame.width = picture.picture_width;
  frame.v_frame.height = picture.picture_height;
  frame.v_frame.dynamic_range = HI_DYNAMIC_RANGE_SDR8;
  frame.v_frame.compress_mode = HI_COMPRESS_MODE_NONE;
  frame.v_frame.pixel_format = picture.picture_format;
  frame.v_frame.video_format = HI_VIDEO_FORMAT_LINEAR;
  frame.v_frame.field = HI_VIDEO_FIELD_FRAME;
  frame.v_frame.color_gamut = HI_COLOR_GAMUT_BT709;
  frame.v_frame.width_stride[0] = frame.v_frame.width_stride[1] = picture.picture_width_stride;
  frame.v_frame.virt_addr[0] = picture.picture_address;
  frame.v_frame.virt_addr[1] =
      reinterpret_cast<hi_void*>(reinterpret_cast<uintptr_t>(picture.picture_address) +
                                 picture.picture_width_stride * picture.picture_height_stride);
  frame.v_frame.pts = time;
  return frame;
}

std::vector<uint8_t> GetPacket(hi_venc_chn chn) {
  hi_venc_chn_status status{};
  REQUIRE(hi_mpi_venc_query_status(chn, &status) == HI_SUCCESS);
  std::vector<hi_venc_pack> packs(status.cur_packs == 0 ? 1 : status.cur_packs);
  hi_venc_stream stream{};
  stream.pack = packs.data();
  stream.pack_cnt = static_cast<hi_u32>(packs.size());
  REQUIRE(hi_mpi_venc_get_stream(chn, &stream, 1000) == HI_SUCCESS);
  const hi_u32 size = packs[0].len - packs[0].offset;
  std::vector<uint8_t> bytes(size);
  REQUIRE(aclrtMemcpy(bytes.data(), size, packs[0].addr + packs[0].offset, size, ACL_MEMCPY_DEVICE_TO_HOST) ==
          ACL_SUCCESS);
  REQUIRE(hi_mpi_venc_release_stream(chn, &stream) == HI_SUCCESS);
  return bytes;
}

void EncodeVideo(const std::vector<hi_vpc_pic_info>& scaled) {
  hi_venc_chn_attr attr{};
  attr.venc_attr.type = HI_PT_H264;
  attr.venc_attr.profile = 1;
  attr.venc_attr.buf_size = 1 << 22;
  attr.venc_attr.max_pic_width = attr.venc_attr.pic_width = 96;
  attr.venc_attr.max_pic_height = attr.venc_attr.pic_height = 80;
  attr.venc_attr.is_by_frame = HI_TRUE;
  attr.venc_attr.h264_attr.rcn_ref_share_buf_en = HI_FALSE;
  attr.rc_attr.rc_mode = HI_VENC_RC_MODE_H264_CBR;
  attr.rc_attr.h264_cbr = {30, 1, 25, 25, 500};
  attr.gop_attr.gop_mode = HI_VENC_GOP_MODE_NORMAL_P;
  attr.gop_attr.normal_p.ip_qp_delta = 3;
  REQUIRE(hi_mpi_venc_create_chn(5, &attr) == HI_SUCCESS);
  REQUIRE(hi_mpi_venc_set_scene_mode(5, HI_VENC_SCENE_0) == HI_SUCCESS);
  hi_venc_rc_param rate;
  REQUIRE(hi_mpi_venc_get_rc_param(5, &rate) == HI_SUCCESS);
  REQUIRE(hi_mpi_venc_set_rc_param(5, &rate) == HI_SUCCESS);
  hi_s32 set = 0, found = 0;
  REQUIRE(hi_mpi_sys_create_epoll(10, &set) == HI_SUCCESS);
  hi_dvpp_epoll_event event{HI_DVPP_EPOLL_IN, nullptr}, events[3] = {};
  REQUIRE(hi_mpi_sys_ctl_epoll(set, HI_DVPP_EPOLL_CTL_ADD, hi_mpi_venc_get_fd(5), &event) == HI_SUCCESS);
  const hi_venc_start_param endless{-1};
  REQUIRE(hi_mpi_venc_start_chn(5, &endless) == HI_SUCCESS);
  for (size_t i = 0; i < scaled.size(); ++i) {
    const hi_video_frame_info frame = FrameOf(scaled[i], i);
    REQUIRE(hi_mpi_venc_send_frame(5, &frame, 0) == HI_SUCCESS);
  }
  std::vector<uint8_t> file;
  for (size_t got = 0; got < scaled.size(); ++got) {
    REQUIRE(hi_mpi_sys_wait_epoll(set, events, 3, 1000, &found) == HI_SUCCESS);
    REQUIRE(found == 1);
    const std::vector<uint8_t> packet = GetPacket(5);
    file.insert(file.end(), packet.begin(), packet.end());
  }
  REQUIRE(video_test::PacketsOf(file, false).size() == scaled.size());
  REQUIRE(hi_mpi_sys_ctl_epoll(set, HI_DVPP_EPOLL_CTL_DEL, hi_mpi_venc_get_fd(5), nullptr) == HI_SUCCESS);
  REQUIRE(hi_mpi_sys_close_epoll(set) == HI_SUCCESS);
  REQUIRE(hi_mpi_venc_stop_chn(5) == HI_SUCCESS);
  REQUIRE(hi_mpi_venc_destroy_chn(5) == HI_SUCCESS);
  for (const hi_vpc_pic_info& picture : scaled)
    Free(picture);
}

// Frees the picture.
std::vector<uint8_t> MakeJpeg(const hi_vpc_pic_info& picture) {
  hi_venc_chn_attr attr{};
  attr.venc_attr.type = HI_PT_JPEG;
  attr.venc_attr.max_pic_width = attr.venc_attr.pic_width = picture.picture_width;
  attr.venc_attr.max_pic_height = attr.venc_attr.pic_height = picture.picture_height;
  attr.venc_attr.buf_size = ALIGN_UP(picture.picture_width * picture.picture_height, 64);
  attr.venc_attr.is_by_frame = HI_TRUE;
  attr.venc_attr.jpeg_attr.dcf_en = HI_FALSE;
  attr.venc_attr.jpeg_attr.recv_mode = HI_VENC_PIC_RECV_SINGLE;
  attr.venc_attr.jpeg_attr.mpf_cfg.large_thumbnail_num = 0;
  REQUIRE(hi_mpi_venc_create_chn(0, &attr) == HI_SUCCESS);
  const hi_venc_start_param endless{-1};
  REQUIRE(hi_mpi_venc_start_chn(0, &endless) == HI_SUCCESS);
  hi_venc_jpeg_param param{};
  REQUIRE(hi_mpi_venc_get_jpeg_param(0, &param) == HI_SUCCESS);
  param.qfactor = 100;
  for (hi_u32 i = 0; i < HI_VENC_JPEG_QT_COEF_NUM; ++i)
    param.y_qt[i] = param.cb_qt[i] = param.cr_qt[i] = 0xFF;
  REQUIRE(hi_mpi_venc_set_jpeg_param(0, &param) == HI_SUCCESS);
  const hi_video_frame_info frame = FrameOf(picture, 0);
  hi_u32 size = 0;
  REQUIRE(hi_mpi_venc_get_jpege_predicted_size(&frame, &param, &size) == HI_SUCCESS);
  REQUIRE(hi_mpi_venc_send_frame(0, &frame, 10000) == HI_SUCCESS);
  const std::vector<uint8_t> jpeg = GetPacket(0);
  REQUIRE(jpeg.size() <= size);
  REQUIRE(hi_mpi_venc_stop_chn(0) == HI_SUCCESS);
  REQUIRE(hi_mpi_venc_destroy_chn(0) == HI_SUCCESS);
  Free(picture);
  return jpeg;
}

hi_vpc_pic_info DecodeJpeg(const std::vector<uint8_t>& jpeg) {
  hi_vdec_chn_attr attr{};
  attr.type = HI_PT_JPEG;
  attr.mode = HI_VDEC_SEND_MODE_FRAME;
  attr.pic_width = attr.pic_height = 8192;
  REQUIRE(hi_mpi_vdec_create_chn(0, &attr) == HI_SUCCESS);
  REQUIRE(hi_mpi_vdec_start_recv_stream(0) == HI_SUCCESS);
  void* in = nullptr;
  REQUIRE(hi_mpi_dvpp_malloc(0, &in, jpeg.size()) == HI_SUCCESS);
  REQUIRE(aclrtMemcpy(in, jpeg.size(), jpeg.data(), jpeg.size(), ACL_MEMCPY_HOST_TO_DEVICE) == ACL_SUCCESS);
  hi_vdec_stream stream{};
  stream.addr = const_cast<hi_u8*>(jpeg.data());
  stream.len = static_cast<hi_u32>(jpeg.size());
  stream.end_of_frame = stream.need_display = HI_TRUE;
  hi_img_info info{};
  REQUIRE(hi_mpi_vdec_get_jpegd_output_info(&stream, HI_PIXEL_FORMAT_UNKNOWN, &info) == HI_SUCCESS);
  void* out = nullptr;
  REQUIRE(hi_mpi_dvpp_malloc(0, &out, info.img_buf_size) == HI_SUCCESS);
  hi_vdec_pic_info picture{};
  picture.width = info.width;
  picture.height = info.height;
  picture.width_stride = info.width_stride;
  picture.height_stride = info.height_stride;
  picture.buffer_size = info.img_buf_size;
  picture.pixel_format = HI_PIXEL_FORMAT_UNKNOWN;
  picture.vir_addr = reinterpret_cast<hi_u64>(out);
  stream.addr = static_cast<hi_u8*>(in);
  REQUIRE(hi_mpi_vdec_send_stream(0, &stream, &picture, -1) == HI_SUCCESS);
  hi_video_frame_info frame{};
  hi_vdec_stream back{};
  hi_vdec_supplement_info supplement{};
  REQUIRE(hi_mpi_vdec_get_frame(0, &frame, &supplement, &back, -1) == HI_SUCCESS);
  REQUIRE(frame.v_frame.frame_flag == 0);
  REQUIRE(hi_mpi_dvpp_free(in) == HI_SUCCESS);
  REQUIRE(hi_mpi_vdec_release_frame(0, &frame) == HI_SUCCESS);
  REQUIRE(hi_mpi_vdec_stop_recv_stream(0) == HI_SUCCESS);
  REQUIRE(hi_mpi_vdec_destroy_chn(0) == HI_SUCCESS);
  hi_vpc_pic_info decoded{};
  decoded.picture_width = frame.v_frame.width;
  decoded.picture_height = frame.v_frame.height;
  decoded.picture_width_stride = frame.v_frame.width_stride[0];
  decoded.picture_height_stride = frame.v_frame.height_stride[0];
  decoded.picture_format = frame.v_frame.pixel_format;
  decoded.picture_address = frame.v_frame.virt_addr[0];
  decoded.picture_buffer_size = picture.buffer_size;
  return decoded;
}

}  // namespace

int main(int argc, char** argv) {
  REQUIRE(argc == 2);
  REQUIRE(aclInit(nullptr) == ACL_SUCCESS);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  REQUIRE(aclrtCreateContext(&context, 0) == ACL_SUCCESS);
  REQUIRE(hi_mpi_sys_init() == HI_SUCCESS);
  DecodeVideo(argv[1]);
  std::vector<hi_vpc_pic_info> scaled;
  for (const std::vector<uint8_t>& picture : pictures)
    scaled.push_back(Scale(Upload(picture)));
  EncodeVideo(scaled);
  const hi_vpc_pic_info decoded = DecodeJpeg(MakeJpeg(Upload(pictures[0])));
  REQUIRE(decoded.picture_width == kWidth && decoded.picture_height == kHeight);
  REQUIRE(!MakeJpeg(Scale(decoded)).empty());
  REQUIRE(hi_mpi_sys_exit() == HI_SUCCESS);
  REQUIRE(aclrtDestroyContext(context) == ACL_SUCCESS);
  REQUIRE(aclrtResetDeviceForce(0) == ACL_SUCCESS);
  REQUIRE(aclFinalize() == ACL_SUCCESS);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A video is decoded, a network reads the digit on each frame, which is marked with the answer and encoded
// again as H.264.
//   video_frames MODEL.om IMAGES.bin RESULT.h264
// The video is drawn and encoded first, from images that the network has never seen.
#include <acl/acl.h>
#include <acl/ops/acl_dvpp.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#define CHECK(call)                                                                           \
  do {                                                                                        \
    aclError code = (call);                                                                   \
    if (code != ACL_SUCCESS) {                                                                \
      const char* text = aclGetRecentErrMsg();                                                \
      std::printf("%s returned %d\n%s\n", #call, code, text != nullptr ? text : "(no text)"); \
      std::exit(1);                                                                           \
    }                                                                                         \
  } while (false)

namespace {

typedef std::vector<uint8_t> Bytes;
const uint32_t kWidth = 320, kHeight = 192, kFrames = 20;
const uint32_t kBytes = kWidth * kHeight * 3 / 2;
const uint32_t kPaper = 80, kTop = 56, kMargin = 8, kDigit = 64, kImage = 8, kClasses = 10;

struct Digit {
  unsigned char pixels[kImage * kImage];  // 0 white to 16 black
  unsigned char label;
};

// A digit on white paper before grey, further to the right in each frame.
Bytes Draw(uint32_t time, const Digit& digit) {
  Bytes picture(kBytes, 128);
  const uint32_t left = time * 12;
  for (uint32_t y = 0; y < kHeight; ++y) {
    for (uint32_t x = 0; x < kWidth; ++x) {
      const bool paper = x >= left && x < left + kPaper && y >= kTop && y < kTop + kPaper;
      const uint32_t in_x = x - left - kMargin, in_y = y - kTop - kMargin;
      uint8_t& luma = picture[y * kWidth + x];
      luma = paper ? 255 : 60;
      if (paper && in_x < kDigit && in_y < kDigit)
        luma = static_cast<uint8_t>(255 - digit.pixels[in_y / kImage * kImage + in_x / kImage] * 255 / 16);
    }
  }
  return picture;
}

uint32_t FindPaper(const Bytes& picture) {
  const uint8_t* row = picture.data() + (kTop + 3) * kWidth;
  uint32_t x = 0;
  while (x + kPaper < kWidth && row[x] < 160)
    ++x;
  return x / 2 * 2;
}

// As many black squares as the number that was read.
void Mark(Bytes& picture, size_t number) {
  for (uint32_t y = 8; y < 24; ++y)
    for (uint32_t x = 8; x < 8 + 24 * number; ++x)
      if (x % 24 >= 8) picture[y * kWidth + x] = 16;
}

Bytes FromDevice(const void* memory, size_t size) {
  Bytes bytes(size);
  CHECK(aclrtMemcpy(bytes.data(), size, memory, size, ACL_MEMCPY_DEVICE_TO_HOST));
  return bytes;
}

void* ToDevice(const Bytes& bytes) {
  void* memory = nullptr;
  CHECK(acldvppMalloc(&memory, bytes.size()));
  CHECK(aclrtMemcpy(memory, bytes.size(), bytes.data(), bytes.size(), ACL_MEMCPY_HOST_TO_DEVICE));
  return memory;
}

acldvppPicDesc* Describe(void* memory, acldvppPixelFormat format, uint32_t width, uint32_t height,
                         uint32_t bytes) {
  acldvppPicDesc* picture = acldvppCreatePicDesc();
  CHECK(acldvppSetPicDescData(picture, memory));
  CHECK(acldvppSetPicDescSize(picture, bytes));
  CHECK(acldvppSetPicDescFormat(picture, format));
  CHECK(acldvppSetPicDescWidth(picture, width));
  CHECK(acldvppSetPicDescHeight(picture, height));
  CHECK(acldvppSetPicDescWidthStride(picture, width));
  CHECK(acldvppSetPicDescHeightStride(picture, height));
  return picture;
}

acldvppPicDesc* DescribeFrame(void* memory) {
  return Describe(memory, PIXEL_FORMAT_YUV_SEMIPLANAR_420, kWidth, kHeight, kBytes);
}

// Says which digit is on a part of a picture: cuts it out, scales it to what the network takes, and runs it.
class Reader {
 public:
  explicit Reader(const char* model_path)
      : channel_(acldvppCreateChannelDesc()),
        scaling_(acldvppCreateResizeConfig()),
        inputs_(aclmdlCreateDataset()),
        outputs_(aclmdlCreateDataset()) {
    CHECK(aclrtCreateStream(&stream_));
    CHECK(acldvppCreateChannel(channel_));
    CHECK(acldvppMalloc(&image_, kImage * kImage));
    CHECK(acldvppMalloc(&scores_, kClasses * sizeof(float)));
    picture_ = Describe(image_, PIXEL_FORMAT_YUV_400, kImage, kImage, kImage * kImage);
    CHECK(aclmdlLoadFromFile(model_path, &model_));
    CHECK(aclmdlAddDatasetBuffer(inputs_, aclCreateDataBuffer(image_, kImage * kImage)));
    CHECK(aclmdlAddDatasetBuffer(outputs_, aclCreateDataBuffer(scores_, kClasses * sizeof(float))));
  }
  ~Reader() {
    for (aclmdlDataset* set : {inputs_, outputs_}) {
      CHECK(aclDestroyDataBuffer(aclmdlGetDatasetBuffer(set, 0)));
      CHECK(aclmdlDestroyDataset(set));
    }
    CHECK(aclmdlUnload(model_));
    CHECK(acldvppDestroyPicDesc(picture_));
    CHECK(acldvppFree(image_));
    CHECK(acldvppFree(scores_));
    CHECK(acldvppDestroyChannel(channel_));
    CHECK(acldvppDestroyChannelDesc(channel_));
    CHECK(acldvppDestroyResizeConfig(scaling_));
    CHECK(aclrtDestroyStream(stream_));
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  size_t Read(acldvppPicDesc* frame, uint32_t left) {
    acldvppRoiConfig* place = acldvppCreateRoiConfig(left + kMargin, left + kMargin + kDigit - 1,
                                                     kTop + kMargin, kTop + kMargin + kDigit - 1);
    CHECK(acldvppVpcCropResizeAsync(channel_, frame, picture_, place, scaling_, stream_));
    CHECK(aclmdlExecuteAsync(model_, inputs_, outputs_, stream_));
    CHECK(aclrtSynchronizeStream(stream_));
    CHECK(acldvppDestroyRoiConfig(place));
    float scores[kClasses];
    CHECK(aclrtMemcpy(scores, sizeof scores, scores_, sizeof scores, ACL_MEMCPY_DEVICE_TO_HOST));
    return static_cast<size_t>(std::max_element(scores, scores + kClasses) - scores);
  }

 private:
  aclrtStream stream_ = nullptr;
  acldvppChannelDesc* channel_;
  acldvppResizeConfig* scaling_;
  aclmdlDataset *inputs_, *outputs_;
  uint32_t model_ = 0;
  void *image_ = nullptr, *scores_ = nullptr;
  acldvppPicDesc* picture_ = nullptr;
};

// Packets are only there as long as the callback runs.
void OnPacket(acldvppPicDesc*, acldvppStreamDesc* output, void* packets) {
  static_cast<std::vector<Bytes>*>(packets)->push_back(
      FromDevice(acldvppGetStreamDescData(output), acldvppGetStreamDescSize(output)));
}

std::vector<Bytes> Encode(const std::vector<Bytes>& pictures, uint64_t thread) {
  aclvencChannelDesc* channel = aclvencCreateChannelDesc();
  CHECK(aclvencSetChannelDescThreadId(channel, thread));
  CHECK(aclvencSetChannelDescCallback(channel, &OnPacket));
  CHECK(aclvencSetChannelDescEnType(channel, H264_MAIN_LEVEL));
  CHECK(aclvencSetChannelDescPicFormat(channel, PIXEL_FORMAT_YUV_SEMIPLANAR_420));
  CHECK(aclvencSetChannelDescPicWidth(channel, kWidth));
  CHECK(aclvencSetChannelDescPicHeight(channel, kHeight));
  CHECK(aclvencSetChannelDescKeyFrameInterval(channel, 10));
  CHECK(aclvencCreateChannel(channel));
  std::vector<Bytes> packets;
  for (size_t i = 0; i < pictures.size(); ++i) {
    void* memory = ToDevice(pictures[i]);
    acldvppPicDesc* picture = DescribeFrame(memory);
    CHECK(aclvencSendFrame(channel, picture, nullptr, nullptr, &packets));
    CHECK(acldvppDestroyPicDesc(picture));
    CHECK(acldvppFree(memory));
  }
  CHECK(aclvencDestroyChannel(channel));  // waits for all callbacks
  CHECK(aclvencDestroyChannelDesc(channel));
  return packets;
}

// What the callback of the decoder works with.
struct Frames {
  Reader& reader;
  std::vector<Bytes> pictures;
  std::vector<size_t> read;
};

void OnPicture(acldvppStreamDesc* input, acldvppPicDesc* output, void* data) {
  if (acldvppGetPicDescRetCode(output) != 0) {
    std::printf("a frame could not be decoded\n");
    std::exit(1);
  }
  Frames& frames = *static_cast<Frames*>(data);
  void* memory = acldvppGetPicDescData(output);
  Bytes picture = FromDevice(memory, kBytes);
  frames.read.push_back(frames.reader.Read(output, FindPaper(picture)));
  Mark(picture, frames.read.back());
  frames.pictures.push_back(picture);
  CHECK(acldvppFree(memory));
  CHECK(acldvppDestroyPicDesc(output));
  CHECK(acldvppDestroyStreamDesc(input));
}

void Decode(const std::vector<Bytes>& packets, uint64_t thread, Frames& frames) {
  aclvdecChannelDesc* channel = aclvdecCreateChannelDesc();
  CHECK(aclvdecSetChannelDescChannelId(channel, 0));
  CHECK(aclvdecSetChannelDescThreadId(channel, thread));
  CHECK(aclvdecSetChannelDescCallback(channel, &OnPicture));
  CHECK(aclvdecSetChannelDescEnType(channel, H264_MAIN_LEVEL));
  CHECK(aclvdecSetChannelDescOutPicFormat(channel, PIXEL_FORMAT_YUV_SEMIPLANAR_420));
  CHECK(aclvdecCreateChannel(channel));
  for (size_t i = 0; i < packets.size(); ++i) {
    void* memory = ToDevice(packets[i]);
    acldvppStreamDesc* stream = acldvppCreateStreamDesc();
    CHECK(acldvppSetStreamDescData(stream, memory));
    CHECK(acldvppSetStreamDescSize(stream, static_cast<uint32_t>(packets[i].size())));
    void* out = nullptr;
    CHECK(acldvppMalloc(&out, kBytes));
    CHECK(aclvdecSendFrame(channel, stream, DescribeFrame(out), nullptr, &frames));
    CHECK(acldvppFree(memory));  // the packet was copied
  }
  CHECK(aclvdecDestroyChannel(channel));
  CHECK(aclvdecDestroyChannelDesc(channel));
}

std::vector<Digit> ReadDigits(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<Digit> digits(kFrames);
  file.read(reinterpret_cast<char*>(digits.data()), static_cast<std::streamsize>(kFrames * sizeof(Digit)));
  if (!file) {
    std::printf("%s has too few images\n", path);
    std::exit(1);
  }
  return digits;
}

size_t CountRight(const std::vector<Digit>& digits, const std::vector<size_t>& read) {
  size_t right = 0;
  for (size_t i = 0; i < read.size(); ++i) {
    std::printf("%zu%s", read[i], i + 1 < read.size() ? " " : "\n");
    right += read[i] == digits[i].label ? 1 : 0;
  }
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::printf("video_frames MODEL.om IMAGES.bin RESULT.h264\n"), 2;
  const std::vector<Digit> digits = ReadDigits(argv[2]);
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtContext context = nullptr;
  CHECK(aclrtGetCurrentContext(&context));
  std::atomic<bool> stop(false);
  std::thread reports([&] {
    CHECK(aclrtSetCurrentContext(context));
    while (!stop)
      aclrtProcessReport(100);
  });
  const uint64_t thread = static_cast<uint64_t>(reports.native_handle());

  std::vector<Bytes> drawn, packets;
  for (uint32_t i = 0; i < kFrames; ++i)
    drawn.push_back(Draw(i, digits[i]));
  size_t right = 0;
  {
    Reader reader(argv[1]);
    Frames frames = {reader, {}, {}};
    Decode(Encode(drawn, thread), thread, frames);
    packets = Encode(frames.pictures, thread);
    right = CountRight(digits, frames.read);
  }
  std::ofstream file(argv[3], std::ios::binary);
  for (size_t i = 0; i < packets.size(); ++i)
    file.write(reinterpret_cast<const char*>(packets[i].data()),
               static_cast<std::streamsize>(packets[i].size()));
  std::printf("%zu frames decoded, %zu of them read right, and encoded again as %s\n", packets.size(), right,
              argv[3]);
  stop = true;
  reports.join();
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return packets.size() == kFrames && right >= kFrames * 9 / 10 ? 0 : 1;
}

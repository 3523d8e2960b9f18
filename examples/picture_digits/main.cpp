// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A picture with digits on it goes through JPEG decoding, cropping, resizing and a network with
// preprocessing; what the network reads is drawn on the picture, which is written as JPEG.
//   picture_digits MODEL.om IMAGES.bin SHEET.jpg RESULT.jpg
// The sheet is drawn first, from images that the network has never seen.
#include <acl/acl.h>
#include <acl/ops/acl_dvpp.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
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

const uint32_t kColumns = 8, kRows = 5, kCell = 80, kMargin = 8, kDigit = 64, kImage = 8;
const uint32_t kWidth = kColumns * kCell, kHeight = kRows * kCell;
const size_t kClasses = 10;

struct Digit {
  unsigned char pixels[kImage * kImage];  // 0 white to 16 black
  unsigned char label;
};

Bytes ReadFile(const std::string& path) {
  std::ifstream file(path.c_str(), std::ios::binary);
  return Bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

void WriteFile(const std::string& path, const Bytes& bytes) {
  std::ofstream(path.c_str(), std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// Memory of the device, a description of the picture in it, and its bytes on the host when they are asked
// for.
class Picture {
 public:
  Picture(acldvppPixelFormat format, uint32_t width, uint32_t height, uint32_t bytes, uint32_t width_stride,
          uint32_t height_stride)
      : size_(bytes), desc_(acldvppCreatePicDesc()) {
    CHECK(acldvppMalloc(&memory_, size_));
    CHECK(acldvppSetPicDescData(desc_, memory_));
    CHECK(acldvppSetPicDescSize(desc_, size_));
    CHECK(acldvppSetPicDescFormat(desc_, format));
    CHECK(acldvppSetPicDescWidth(desc_, width));
    CHECK(acldvppSetPicDescHeight(desc_, height));
    CHECK(acldvppSetPicDescWidthStride(desc_, width_stride));
    CHECK(acldvppSetPicDescHeightStride(desc_, height_stride));
  }
  ~Picture() {
    CHECK(acldvppDestroyPicDesc(desc_));
    CHECK(acldvppFree(memory_));
  }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

  acldvppPicDesc* desc() const { return desc_; }
  aclDataBuffer* AsInput() const { return aclCreateDataBuffer(memory_, size_); }
  void Write(const Bytes& bytes) {
    CHECK(aclrtMemcpy(memory_, size_, bytes.data(), bytes.size(), ACL_MEMCPY_HOST_TO_DEVICE));
  }
  Bytes Read() const {
    Bytes bytes(size_);
    CHECK(aclrtMemcpy(bytes.data(), size_, memory_, size_, ACL_MEMCPY_DEVICE_TO_HOST));
    return bytes;
  }

 private:
  uint32_t size_;
  acldvppPicDesc* desc_;
  void* memory_ = nullptr;
};

// What works on pictures: a stream, a channel, and how they are scaled.
struct Engine {
  Engine() : channel(acldvppCreateChannelDesc()), scaling(acldvppCreateResizeConfig()) {
    CHECK(aclrtCreateStream(&stream));
    CHECK(acldvppCreateChannel(channel));
  }
  ~Engine() {
    CHECK(acldvppDestroyChannel(channel));
    CHECK(acldvppDestroyChannelDesc(channel));
    CHECK(acldvppDestroyResizeConfig(scaling));
    CHECK(aclrtDestroyStream(stream));
  }
  void Wait() const { CHECK(aclrtSynchronizeStream(stream)); }

  aclrtStream stream = nullptr;
  acldvppChannelDesc* channel;
  acldvppResizeConfig* scaling;
};

acldvppRoiConfig* RegionOfDigit(uint32_t index) {
  const uint32_t left = index % kColumns * kCell + kMargin, top = index / kColumns * kCell + kMargin;
  return acldvppCreateRoiConfig(left, left + kDigit - 1, top, top + kDigit - 1);
}

// Each image, eight by eight pixels of grey, scaled into its place on white paper.
void DrawSheet(const Engine& engine, const std::vector<Digit>& digits, const Picture& sheet) {
  Picture image(PIXEL_FORMAT_YUV_400, kImage, kImage, kImage * kImage, kImage, kImage);
  acldvppRoiConfig* all = acldvppCreateRoiConfig(0, kImage - 1, 0, kImage - 1);
  CHECK(acldvppSetResizeConfigInterpolation(engine.scaling, 2));
  for (uint32_t i = 0; i < kColumns * kRows; ++i) {
    Bytes pixels(kImage * kImage);
    for (size_t p = 0; p < pixels.size(); ++p)
      pixels[p] = static_cast<uint8_t>(255 - digits[i].pixels[p] * 255 / 16);
    image.Write(pixels);
    acldvppRoiConfig* place = RegionOfDigit(i);
    CHECK(acldvppVpcCropResizePasteAsync(engine.channel, image.desc(), sheet.desc(), all, place,
                                         engine.scaling, engine.stream));
    engine.Wait();
    CHECK(acldvppDestroyRoiConfig(place));
  }
  CHECK(acldvppDestroyRoiConfig(all));
}

Bytes Encode(const Engine& engine, const Picture& picture) {
  acldvppJpegeConfig* config = acldvppCreateJpegeConfig();
  CHECK(acldvppSetJpegeConfigLevel(config, 90));
  uint32_t size = 0;
  CHECK(acldvppJpegPredictEncSize(picture.desc(), config, &size));
  void* coded = nullptr;
  CHECK(acldvppMalloc(&coded, size));
  CHECK(acldvppJpegEncodeAsync(engine.channel, picture.desc(), coded, &size, config, engine.stream));
  engine.Wait();
  Bytes bytes(size);
  CHECK(aclrtMemcpy(bytes.data(), size, coded, size, ACL_MEMCPY_DEVICE_TO_HOST));
  CHECK(acldvppFree(coded));
  CHECK(acldvppDestroyJpegeConfig(config));
  return bytes;
}

void Decode(const Engine& engine, const Bytes& file, const Picture& picture) {
  void* coded = nullptr;
  CHECK(acldvppMalloc(&coded, file.size()));
  CHECK(aclrtMemcpy(coded, file.size(), file.data(), file.size(), ACL_MEMCPY_HOST_TO_DEVICE));
  CHECK(acldvppJpegDecodeAsync(engine.channel, coded, static_cast<uint32_t>(file.size()), picture.desc(),
                               engine.stream));
  engine.Wait();
  CHECK(acldvppFree(coded));
}

// Reads one picture, whatever is in it. What makes numbers of its pixels is part of the model (aipp.cfg).
class Network {
 public:
  Network(const char* path, const Picture& picture)
      : inputs_(aclmdlCreateDataset()), outputs_(aclmdlCreateDataset()) {
    CHECK(aclmdlLoadFromFile(path, &model_));
    aclmdlDesc* desc = aclmdlCreateDesc();
    CHECK(aclmdlGetDesc(desc, model_));
    CHECK(aclmdlAddDatasetBuffer(inputs_, picture.AsInput()));
    output_bytes_ = aclmdlGetOutputSizeByIndex(desc, 0);
    CHECK(aclrtMalloc(&output_, output_bytes_, ACL_MEM_MALLOC_NORMAL_ONLY));
    CHECK(aclmdlAddDatasetBuffer(outputs_, aclCreateDataBuffer(output_, output_bytes_)));
    CHECK(aclmdlDestroyDesc(desc));
  }
  ~Network() {
    for (aclmdlDataset* set : {inputs_, outputs_}) {
      CHECK(aclDestroyDataBuffer(aclmdlGetDatasetBuffer(set, 0)));
      CHECK(aclmdlDestroyDataset(set));
    }
    CHECK(aclrtFree(output_));
    CHECK(aclmdlUnload(model_));
  }
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  // After what is queued on the stream, so that nobody waits in between.
  size_t Read(const Engine& engine) {
    CHECK(aclmdlExecuteAsync(model_, inputs_, outputs_, engine.stream));
    engine.Wait();
    std::vector<float> scores(output_bytes_ / sizeof(float));
    CHECK(aclrtMemcpy(scores.data(), output_bytes_, output_, output_bytes_, ACL_MEMCPY_DEVICE_TO_HOST));
    return static_cast<size_t>(std::max_element(scores.begin(), scores.begin() + kClasses) - scores.begin());
  }

 private:
  uint32_t model_ = 0;
  aclmdlDataset *inputs_, *outputs_;
  void* output_ = nullptr;
  size_t output_bytes_ = 0;
};

// A frame around a digit, green or red, and in its corner the number that was read: three by five dots.
void DrawAnswer(Bytes& nv12, uint32_t stride, uint32_t rows, uint32_t index, size_t read, bool right) {
  static const unsigned short kFont[kClasses] = {075557, 022222, 071747, 071717, 055711,
                                                 074717, 074757, 071111, 075757, 075717};
  const uint32_t left = index % kColumns * kCell, top = index / kColumns * kCell;
  for (uint32_t y = 0; y < kCell; ++y)
    for (uint32_t x = 0; x < kCell; ++x) {
      const bool frame = x < 3 || y < 3 || x >= kCell - 3 || y >= kCell - 3;
      const uint32_t dot_x = (x - kCell + 20) / 4, dot_y = (y - kCell + 28) / 4;
      const bool number = x >= kCell - 20 && y >= kCell - 28 && dot_x < 3 && dot_y < 5 &&
                          (kFont[read] >> (14 - 3 * dot_y - dot_x) & 1) != 0;
      if (!frame && !number) continue;
      nv12[(top + y) * stride + left + x] = right ? 145 : 100;
      uint8_t* const chroma = &nv12[(rows + (top + y) / 2) * stride + (left + x) / 2 * 2];
      chroma[0] = right ? 54 : 90;
      chroma[1] = right ? 34 : 240;
    }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return std::printf("picture_digits MODEL.om IMAGES.bin SHEET.jpg RESULT.jpg\n"), 2;
  const Bytes images = ReadFile(argv[2]);
  std::vector<Digit> digits(images.size() / sizeof(Digit));
  std::copy(images.begin(), images.begin() + static_cast<std::ptrdiff_t>(digits.size() * sizeof(Digit)),
            reinterpret_cast<uint8_t*>(digits.data()));
  if (digits.size() < kColumns * kRows) return std::printf("%s has too few images\n", argv[2]), 1;
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  {
    const Engine engine;
    Picture paper(PIXEL_FORMAT_YUV_SEMIPLANAR_420, kWidth, kHeight, kWidth * kHeight * 3 / 2, kWidth,
                  kHeight);
    Bytes white(kWidth * kHeight * 3 / 2, 128);
    std::fill(white.begin(), white.begin() + kWidth * kHeight, 255);
    paper.Write(white);
    DrawSheet(engine, digits, paper);
    WriteFile(argv[3], Encode(engine, paper));

    // From here on everything comes from the file.
    const Bytes file = ReadFile(argv[3]);
    uint32_t width = 0, height = 0, size = 0;
    int32_t components = 0;
    CHECK(acldvppJpegGetImageInfo(file.data(), static_cast<uint32_t>(file.size()), &width, &height,
                                  &components));
    CHECK(acldvppJpegPredictDecSize(file.data(), static_cast<uint32_t>(file.size()),
                                    PIXEL_FORMAT_YUV_SEMIPLANAR_420, &size));
    const uint32_t stride = (width + 127) / 128 * 128, rows = (height + 15) / 16 * 16;
    Picture sheet(PIXEL_FORMAT_YUV_SEMIPLANAR_420, width, height, size, stride, rows);
    Decode(engine, file, sheet);
    Bytes drawn = sheet.Read();

    const Picture image(PIXEL_FORMAT_YUV_400, kImage, kImage, kImage * kImage, kImage, kImage);
    Network network(argv[1], image);
    CHECK(acldvppSetResizeConfigInterpolation(engine.scaling, 1));
    size_t right = 0;
    for (uint32_t i = 0; i < kColumns * kRows; ++i) {
      acldvppRoiConfig* place = RegionOfDigit(i);
      CHECK(acldvppVpcCropResizeAsync(engine.channel, sheet.desc(), image.desc(), place, engine.scaling,
                                      engine.stream));
      const size_t read = network.Read(engine);
      CHECK(acldvppDestroyRoiConfig(place));
      const bool is_right = read == digits[i].label;
      right += is_right ? 1 : 0;
      std::printf("%zu%s", read, i % kColumns == kColumns - 1 ? "\n" : " ");
      DrawAnswer(drawn, stride, rows, i, read, is_right);
    }
    sheet.Write(drawn);
    WriteFile(argv[4], Encode(engine, sheet));
    std::printf("%zu of %u digits of %s were read right; %s shows which\n", right, kColumns * kRows, argv[3],
                argv[4]);
    if (right < kColumns * kRows * 9 / 10) return 1;
  }
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return 0;
}

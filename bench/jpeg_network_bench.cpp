// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// jpeg_network_bench [results.md]: from a JPEG file of 1080p to the answer of ResNet-50: decoded, scaled and
// run by Foothold, with preprocessing inside the model, beside libjpeg-turbo, OpenCV and ONNX Runtime. With
// one thread and with two, each in a process of its own.
// jpeg_network_bench --child THREADS: such a process; prints the milliseconds of both, a line a round.
#include <acl/acl.h>
#include <acl/ops/acl_dvpp.h>
#include <fmt/format.h>
#include <ge/ge_api.h>
#include <ge/ge_ir_build.h>
#include <parser/onnx_parser.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <opencv2/imgproc.hpp>
// Needs what cstdio declares.
#include <jpeglib.h>

#include "candidate.h"
#include "check.h"
#include "graph_benches.h"
#include "report.h"
#include "zoo_models.h"

namespace bench {
namespace {

constexpr int kWidth = 1920, kHeight = 1080, kRows = 1088, kSide = 224, kRounds = 12;
constexpr float kMean[] = {123.675F, 116.28F, 103.53F}, kScale[] = {0.01712475F, 0.017507F, 0.01742919F};
constexpr char kSettings[] =
    "aipp_op {\n aipp_mode: static\n input_format: YUV420SP_U8\n csc_switch: true\n"
    " matrix_r0c0: 256 matrix_r0c1: 0 matrix_r0c2: 359 matrix_r1c0: 256 matrix_r1c1: -88 matrix_r1c2: -183\n"
    " matrix_r2c0: 256 matrix_r2c1: 454 matrix_r2c2: 0 input_bias_0: 0\n"
    " min_chn_0: 123.675 min_chn_1: 116.28 min_chn_2: 103.53\n"
    " var_reci_chn_0: 0.01712475 var_reci_chn_1: 0.017507 var_reci_chn_2: 0.01742919\n}\n";

void* OnDevice(std::size_t bytes) {
  void* memory = nullptr;
  Check(acldvppMalloc(&memory, bytes));
  return memory;
}

acldvppPicDesc* Describe(void* memory, int width, int height, int stride, int rows) {
  acldvppPicDesc* const desc = acldvppCreatePicDesc();
  Check(acldvppSetPicDescData(desc, memory));
  Check(acldvppSetPicDescSize(desc, static_cast<std::uint32_t>(stride * rows * 3 / 2)));
  Check(acldvppSetPicDescFormat(desc, PIXEL_FORMAT_YUV_SEMIPLANAR_420));
  Check(acldvppSetPicDescWidth(desc, static_cast<std::uint32_t>(width)));
  Check(acldvppSetPicDescHeight(desc, static_cast<std::uint32_t>(height)));
  Check(acldvppSetPicDescWidthStride(desc, static_cast<std::uint32_t>(stride)));
  Check(acldvppSetPicDescHeightStride(desc, static_cast<std::uint32_t>(rows)));
  return desc;
}

class Ours {
 public:
  Ours(const std::string& model, const std::string& input) {
    Check(aclrtCreateStream(&stream_));
    Check(acldvppCreateChannel(channel_));
    Load(model, input);
    DrawFile();
  }
  // The file, for the peer.
  std::string File() const {
    std::string bytes(size_, '\0');
    Check(aclrtMemcpy(bytes.data(), size_, file_, size_, ACL_MEMCPY_DEVICE_TO_HOST));
    return bytes;
  }
  void Run() const {
    Check(acldvppJpegDecodeAsync(channel_, file_, size_, picture_, stream_));
    Check(acldvppVpcResizeAsync(channel_, picture_, small_, scaling_, stream_));
    Check(aclmdlExecuteAsync(model_, inputs_, outputs_, stream_));
    Check(aclrtSynchronizeStream(stream_));
  }

 private:
  void Load(const std::string& model, const std::string& input) {
    const std::string path =
        std::filesystem::temp_directory_path() / fmt::format("jpeg_network_bench_{}.cfg", getpid());
    FILE* const file = std::fopen(path.c_str(), "w");
    if (file == nullptr || std::fputs(kSettings, file) < 0 || std::fclose(file) != 0) std::exit(1);
    ge::Graph graph;
    CheckGe(ge::aclgrphParseONNX(model.c_str(), {}, graph));
    ge::ModelBufferData bytes;
    const std::map<ge::AscendString, ge::AscendString> options = {
        {ge::ir_option::INSERT_OP_FILE, path.c_str()},
        {ge::ir_option::INPUT_SHAPE, fmt::format("{}:1,3,{},{}", input, kSide, kSide).c_str()}};
    CheckGe(ge::aclgrphBuildModel(graph, options, bytes));
    std::remove(path.c_str());
    Check(aclmdlLoadFromMem(bytes.data.get(), bytes.length, &model_));
    Check(aclmdlAddDatasetBuffer(inputs_, aclCreateDataBuffer(scaled_, kSide * kSide * 3 / 2)));
    Check(aclmdlAddDatasetBuffer(outputs_, aclCreateDataBuffer(OnDevice(4000), 4000)));
  }

  // Slopes and some noise, as pictures have them.
  void DrawFile() {
    auto* const bytes = static_cast<std::uint8_t*>(memory_);
    std::vector<std::uint8_t> drawn(std::size_t{kWidth} * kRows * 3 / 2);
    std::uint32_t noise = 1;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      noise = noise * 1664525 + 1013904223;
      drawn[i] = static_cast<std::uint8_t>(40 + i % kWidth / 12 + i / kWidth / 20 + (noise >> 28));
    }
    Check(aclrtMemcpy(bytes, drawn.size(), drawn.data(), drawn.size(), ACL_MEMCPY_HOST_TO_DEVICE));
    acldvppJpegeConfig* const config = acldvppCreateJpegeConfig();
    Check(acldvppSetJpegeConfigLevel(config, 85));
    Check(acldvppJpegEncodeAsync(channel_, picture_, file_, &size_, config, stream_));
    Check(aclrtSynchronizeStream(stream_));
  }

  aclrtStream stream_ = nullptr;
  acldvppChannelDesc* const channel_ = acldvppCreateChannelDesc();
  acldvppResizeConfig* const scaling_ = acldvppCreateResizeConfig();
  void* const memory_ = OnDevice(std::size_t{kWidth} * kRows * 3 / 2);
  void* const scaled_ = OnDevice(kSide * kSide * 3 / 2);
  acldvppPicDesc* const picture_ = Describe(memory_, kWidth, kHeight, kWidth, kRows);
  acldvppPicDesc* const small_ = Describe(scaled_, kSide, kSide, kSide, kSide);
  std::uint32_t size_ = 4 << 20;
  void* const file_ = OnDevice(size_);
  std::uint32_t model_ = 0;
  aclmdlDataset* const inputs_ = aclmdlCreateDataset();
  aclmdlDataset* const outputs_ = aclmdlCreateDataset();
};

// As OpenCV decodes JPEG files itself.
void Decode(const std::string& file, cv::Mat& rgb) {
  jpeg_decompress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&jpeg);
  jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char*>(file.data()), file.size());
  jpeg_read_header(&jpeg, TRUE);
  jpeg.out_color_space = JCS_RGB;
  jpeg_start_decompress(&jpeg);
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = rgb.ptr(static_cast<int>(jpeg.output_scanline));
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_decompress(&jpeg);
  jpeg_destroy_decompress(&jpeg);
}

class Peer {
 public:
  Peer(OnnxRuntime& runtime, const std::string& bytes, int threads, std::string file)
      : model_(runtime, bytes, threads), file_(std::move(file)) {
    cv::setNumThreads(threads);
    std::vector<PeerTensor> inputs = model_.Inputs();
    FillInputs(inputs);
    model_.Bind(inputs);
  }
  // The network runs on numbers of its own: it takes as long, and is spared a copy.
  void Run() {
    Decode(file_, rgb_);
    cv::resize(rgb_, small_, small_.size(), 0, 0, cv::INTER_LINEAR);
    cv::split(small_, channels_);
    for (int c = 0; c < 3; ++c)
      channels_[c].convertTo(floats_[c], CV_32F, kScale[c], -kMean[c] * kScale[c]);
    model_.RunBound();
  }

 private:
  OnnxRuntime::Model model_;
  const std::string file_;
  cv::Mat rgb_ = cv::Mat(kHeight, kWidth, CV_8UC3), small_ = cv::Mat(kSide, kSide, CV_8UC3);
  cv::Mat channels_[3], floats_[3];
};

int RunChild(int threads) {
  std::string why;
  const auto runtime = OnnxRuntime::Load(why);
  if (runtime == nullptr) return 1;
  const std::filesystem::path path = FindModels("build/zoo", {"resnet50"}).front();
  std::map<ge::AscendString, ge::AscendString> none;
  CheckGe(ge::aclgrphBuildInitialize(none));
  Check(aclInit(nullptr));
  Check(aclrtSetDevice(0));
  const std::string bytes = ReadFile(path);
  const std::string input = OnnxRuntime::Model(*runtime, bytes, 1).Inputs().front().name;
  const Ours ours(path.string(), input);
  Peer peer(*runtime, bytes, threads, ours.File());
  for (int round = 0; round < kRounds; ++round) {
    LetThreadsSleep();
    const double mine = BestInARow([&] { ours.Run(); });
    LetThreadsSleep();
    const double theirs = BestInARow([&] { peer.Run(); });
    std::cout << fmt::format("{:.3f} {:.3f}\n", mine * 1e3, theirs * 1e3) << std::flush;
  }
  std::_Exit(0);  // memory of the device goes with the process
}

std::vector<std::string> Measure(const std::string& self, int threads) {
  FILE* const child =
      popen(fmt::format("FOOTHOLD_THREADS={} '{}' --child {}", threads, self, threads).c_str(), "r");
  std::vector<double> ours, peer;
  for (double mine, theirs; child != nullptr && std::fscanf(child, "%lf %lf", &mine, &theirs) == 2;) {
    ours.push_back(mine);
    peer.push_back(theirs);
  }
  if (child != nullptr) pclose(child);
  if (ours.empty()) return {std::to_string(threads), "-", "-", "-", "-", "1.2", "1.5"};
  const auto ratio = [&](double at) {
    return fmt::format("{:.2f}", Percentile(peer, at) / Percentile(ours, at));
  };
  return {std::to_string(threads),
          fmt::format("{:.2f}", Percentile(ours, 0)),
          fmt::format("{:.2f}", Percentile(peer, 0)),
          ratio(0),
          ratio(0.5),
          "1.2",
          "1.5"};
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  if (argc > 2 && std::strcmp(argv[1], "--child") == 0) return RunChild(std::atoi(argv[2]));
  Report report("Media: from a JPEG file to an answer");
  report.Section(
      "JPEG of 1080p, scaled, ResNet-50",
      "Milliseconds of the best round, and the peer's divided by ours, by best rounds and by medians. The "
      "peer is libjpeg-turbo, OpenCV and ONNX Runtime; Foothold decodes to NV12 and prepares the picture "
      "inside the model.");
  report.Table({"threads", "Foothold", "peer", "ratio", "ratio of medians", "floor", "goal"},
               {Measure(argv[0], 1), Measure(argv[0], 2)});
  report.Write(argc > 1 ? argv[1] : "bench/results.md");
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// aipp_bench [results.md]: ResNet-50 from a picture in NV12, prepared inside the model, beside the same
// network on ready floats; with one thread and with two, each in a process of its own.
// aipp_bench --child: such a process; prints the milliseconds of both.
#include <acl/acl.h>
#include <array_ops.h>
#include <elewise_calculation_ops.h>
#include <fmt/format.h>
#include <ge/ge_api.h>
#include <ge/ge_ir_build.h>
#include <nn_calculation_ops.h>
#include <nn_pooling_ops.h>
#include <nonlinear_fuc_ops.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <vector>

#include "candidate.h"
#include "check.h"
#include "report.h"

namespace bench {
namespace {

constexpr int64_t kSide = 224;
constexpr int kRounds = 12;
constexpr char kSettings[] =
    "aipp_op {\n aipp_mode: static\n input_format: YUV420SP_U8\n csc_switch: true\n"
    " matrix_r0c0: 256 matrix_r0c1: 0 matrix_r0c2: 359 matrix_r1c0: 256 matrix_r1c1: -88 matrix_r1c2: -183\n"
    " matrix_r2c0: 256 matrix_r2c1: 454 matrix_r2c2: 0 input_bias_0: 0\n"
    " min_chn_0: 123.675 min_chn_1: 116.28 min_chn_2: 103.53\n"
    " var_reci_chn_0: 0.01712475 var_reci_chn_1: 0.017507 var_reci_chn_2: 0.01742919\n}\n";

// Weights are noise: what a network computes does not change how long it takes.
class Resnet {
 public:
  ge::Graph Build() {
    const ge::TensorDesc desc(ge::Shape({1, 3, kSide, kSide}), ge::FORMAT_NCHW, ge::DT_FLOAT);
    ge::op::Data picture("picture");
    picture.update_input_desc_x(desc);
    picture.update_output_desc_y(desc);
    ge::Operator x = Relu(Convolve(picture, 3, 64, 7, 2));
    x = ge::op::MaxPoolV3(Name("pool"))
            .set_input_x(x)
            .set_attr_ksize({1, 1, 3, 3})
            .set_attr_strides({1, 1, 2, 2})
            .set_attr_padding_mode("CALCULATED")
            .set_attr_pads({1, 1, 1, 1})
            .set_attr_data_format("NCHW");
    int64_t channels = 64;
    const int blocks[] = {3, 4, 6, 3};
    for (int64_t stage = 0; stage < 4; ++stage)
      for (int block = 0; block < blocks[stage]; ++block) {
        const int64_t width = int64_t{64} << stage;
        x = Bottleneck(x, channels, width, stage > 0 && block == 0 ? 2 : 1);
        channels = 4 * width;
      }
    x = ge::op::GlobalAveragePool(Name("mean")).set_input_x(x);
    x = Convolve(x, channels, 1000, 1, 1);
    return ge::Graph("resnet50").SetInputs({picture}).SetOutputs(std::vector<ge::Operator>{x});
  }

 private:
  std::string NextName(const char* kind) { return fmt::format("{}{}", kind, next_++); }
  ge::AscendString Name(const char* kind) { return NextName(kind).c_str(); }

  ge::Operator Convolve(const ge::Operator& x, int64_t in, int64_t out, int64_t window, int64_t stride) {
    std::vector<float> values(static_cast<size_t>(in * out * window * window));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = std::sin(static_cast<float>(i)) / std::sqrt(static_cast<float>(in * window * window));
    const ge::TensorDesc desc(ge::Shape({out, in, window, window}), ge::FORMAT_NCHW, ge::DT_FLOAT);
    const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
    const ge::op::Const filter =
        ge::op::Const(Name("filter")).set_attr_value(ge::Tensor(desc, bytes, values.size() * sizeof(float)));
    const int64_t pad = window / 2;
    return ge::op::Conv2D(Name("conv"))
        .set_input_x(x)
        .set_input_filter(filter)
        .set_attr_strides({1, 1, stride, stride})
        .set_attr_pads({pad, pad, pad, pad})
        .set_attr_data_format("NCHW");
  }

  ge::Operator Relu(const ge::Operator& x) { return ge::op::Relu(Name("relu")).set_input_x(x); }

  ge::Operator Bottleneck(const ge::Operator& x, int64_t in, int64_t width, int64_t stride) {
    const ge::Operator first = Relu(Convolve(x, in, width, 1, 1));
    const ge::Operator second = Relu(Convolve(first, width, width, 3, stride));
    const ge::Operator third = Convolve(second, width, 4 * width, 1, 1);
    const ge::Operator skip = in == 4 * width && stride == 1 ? x : Convolve(x, in, 4 * width, 1, stride);
    return Relu(ge::op::Add(Name("add")).set_input_x1(third).set_input_x2(skip));
  }

  int next_ = 0;
};

void CheckGraph(ge::graphStatus status) {
  if (status == ge::GRAPH_SUCCESS) return;
  std::fprintf(stderr, "%s\n", ge::GEGetErrorMsg().c_str());
  std::exit(1);
}

class Model {
 public:
  Model(const std::map<ge::AscendString, ge::AscendString>& options, size_t seed) {
    ge::ModelBufferData bytes;
    CheckGraph(ge::aclgrphBuildModel(Resnet().Build(), options, bytes));
    Check(aclmdlLoadFromMem(bytes.data.get(), bytes.length, &id_));
    aclmdlDesc* const desc = aclmdlCreateDesc();
    Check(aclmdlGetDesc(desc, id_));
    Add(inputs_, aclmdlGetInputSizeByIndex(desc, 0), seed);
    Add(outputs_, aclmdlGetOutputSizeByIndex(desc, 0), 0);
  }

  void Run() const { Check(aclmdlExecute(id_, inputs_, outputs_)); }

 private:
  static void Add(aclmdlDataset* set, size_t bytes, size_t seed) {
    void* memory = nullptr;
    Check(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    Check(aclrtMemset(memory, bytes, static_cast<int32_t>(seed), bytes));
    Check(aclmdlAddDatasetBuffer(set, aclCreateDataBuffer(memory, bytes)));
  }

  uint32_t id_ = 0;
  aclmdlDataset* inputs_ = aclmdlCreateDataset();
  aclmdlDataset* outputs_ = aclmdlCreateDataset();
};

int RunChild() {
  const std::string path =
      std::filesystem::temp_directory_path() / fmt::format("aipp_bench_{}.cfg", getpid());
  FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr || std::fputs(kSettings, file) < 0 || std::fclose(file) != 0) return 1;
  std::map<ge::AscendString, ge::AscendString> none;
  CheckGraph(ge::aclgrphBuildInitialize(none));
  Check(aclInit(nullptr));
  Check(aclrtSetDevice(0));
  const Model floats({}, 0), picture({{ge::ir_option::INSERT_OP_FILE, path.c_str()}}, 100);
  std::remove(path.c_str());
  double of_floats = 1e9, of_picture = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    of_floats = std::min(of_floats, BestInARow([&] { floats.Run(); }));
    of_picture = std::min(of_picture, BestInARow([&] { picture.Run(); }));
  }
  std::cout << fmt::format("{:.3f} {:.3f}\n", of_floats * 1e3, of_picture * 1e3);
  return 0;
}

std::vector<std::string> Measure(const std::string& self, int threads) {
  double floats = 0, picture = 0;
  FILE* child = popen(fmt::format("FOOTHOLD_THREADS={} '{}' --child", threads, self).c_str(), "r");
  const bool read = child != nullptr && std::fscanf(child, "%lf %lf", &floats, &picture) == 2;
  if (child != nullptr) pclose(child);
  if (!read) return {std::to_string(threads), "-", "-", "-", "1.05", "1.02"};
  return {std::to_string(threads),
          fmt::format("{:.2f}", floats),
          fmt::format("{:.2f}", picture),
          fmt::format("{:.3f}", picture / floats),
          "1.05",
          "1.02"};
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--child") == 0) return bench::RunChild();
  bench::Report report("Media: pictures inside models");
  report.Section("ResNet-50 from NV12",
                 "ResNet-50, batch 1, milliseconds of the best run, by turns: on ready floats, and from a "
                 "picture in NV12 with conversion of colours and normalisation (docs/aipp.md). The last "
                 "column is the second divided by the first.");
  report.Table({"threads", "floats", "NV12 with AIPP", "times as long", "at most", "goal"},
               {bench::Measure(argv[0], 1), bench::Measure(argv[0], 2)});
  report.Write(argc > 1 ? argv[1] : "bench/results.md");
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The sequence of the sample that multiplies matrices: a directory with the model of GEMM, everything copied
// to the device, the factors too, one product on a stream, the result copied back. First through aclblas,
// then by the name of the operator.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_op_compiler.h"
#include "acl/ops/acl_cblas.h"
#include "clients/check.h"
#include "ge/ge_ir_build.h"

namespace {

constexpr int kSize = 16;
constexpr size_t kElements = size_t{kSize} * kSize, kBytes = kElements * sizeof(aclFloat16);

// What atc does for the sample.
void MakeModel(const std::string& directory) {
  const ge::TensorDesc matrix(ge::Shape({kSize, kSize}), ge::FORMAT_ND, ge::DT_FLOAT16);
  const ge::TensorDesc factor(ge::Shape({1}), ge::FORMAT_ND, ge::DT_FLOAT16);
  std::map<ge::AscendString, ge::AscendString> none;
  ge::Graph graph;
  ge::ModelBufferData model;
  REQUIRE(mkdir(directory.c_str(), 0700) == 0);
  REQUIRE(ge::aclgrphBuildInitialize(none) == ge::GRAPH_SUCCESS);
  REQUIRE(ge::aclgrphGenerateForOp("GEMM", {matrix, matrix, matrix, factor, factor}, {matrix}, graph) ==
          ge::GRAPH_SUCCESS);
  REQUIRE(ge::aclgrphBuildModel(graph, none, model) == ge::GRAPH_SUCCESS);
  REQUIRE(ge::aclgrphSaveModel((directory + "/gemm").c_str(), model) == ge::GRAPH_SUCCESS);
  ge::aclgrphBuildFinalize();
}

// Memory on both sides, as the sample keeps it.
struct Operand {
  explicit Operand(size_t bytes) : bytes(bytes) {
    REQUIRE(aclrtMalloc(&device, bytes, ACL_MEM_MALLOC_NORMAL_ONLY) == ACL_SUCCESS);
    REQUIRE(aclrtMallocHost(&host, bytes) == ACL_SUCCESS);
  }
  ~Operand() {
    REQUIRE(aclrtFree(device) == ACL_SUCCESS);
    REQUIRE(aclrtFreeHost(host) == ACL_SUCCESS);
  }
  Operand(const Operand&) = delete;
  Operand& operator=(const Operand&) = delete;

  aclFloat16* values() const { return static_cast<aclFloat16*>(host); }
  void Upload() const {
    REQUIRE(aclrtMemcpy(device, bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE) == ACL_SUCCESS);
  }
  void Download() const {
    REQUIRE(aclrtMemcpy(host, bytes, device, bytes, ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  }

  size_t bytes;
  void* device = nullptr;
  void* host = nullptr;
};

float Left(int row, int column) {
  return static_cast<float>((row + column) % 4);
}
float Right(int row, int column) {
  return static_cast<float>((row * 3 + column) % 5);
}
float Added(int row, int column) {
  return static_cast<float>(row - column);
}

class Product {
 public:
  Product() {
    for (int row = 0; row < kSize; ++row)
      for (int column = 0; column < kSize; ++column) {
        const int at = row * kSize + column;
        a.values()[at] = aclFloatToFloat16(Left(row, column));
        b.values()[at] = aclFloatToFloat16(Right(row, column));
        c.values()[at] = aclFloatToFloat16(Added(row, column));
      }
    alpha.values()[0] = aclFloatToFloat16(1);
    beta.values()[0] = aclFloatToFloat16(2);
    for (const Operand* operand : {&a, &b, &c, &alpha, &beta})
      operand->Upload();
  }

  void Check() const {
    c.Download();
    for (int row = 0; row < kSize; ++row)
      for (int column = 0; column < kSize; ++column) {
        float expected = 2 * Added(row, column);
        for (int k = 0; k < kSize; ++k)
          expected += Left(row, k) * Right(k, column);
        REQUIRE(aclFloat16ToFloat(c.values()[row * kSize + column]) == expected);
      }
  }

  Operand a{kBytes}, b{kBytes}, c{kBytes}, alpha{sizeof(aclFloat16)}, beta{sizeof(aclFloat16)};
};

void MultiplyWithBlas(aclrtStream stream) {
  const Product product;
  REQUIRE(aclblasGemmEx(ACL_TRANS_N, ACL_TRANS_N, ACL_TRANS_N, kSize, kSize, kSize, product.alpha.device,
                        product.a.device, -1, ACL_FLOAT16, product.b.device, -1, ACL_FLOAT16,
                        product.beta.device, product.c.device, -1, ACL_FLOAT16, ACL_COMPUTE_HIGH_PRECISION,
                        stream) == ACL_SUCCESS);
  REQUIRE(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
  product.Check();
}

void MultiplyByName(aclrtStream stream) {
  const Product product;
  const int64_t square[] = {kSize, kSize}, one[] = {1};
  std::vector<aclTensorDesc*> descs;
  std::vector<aclDataBuffer*> buffers;
  for (const Operand* operand : {&product.a, &product.b, &product.c, &product.alpha, &product.beta}) {
    const bool matrix = operand->bytes == kBytes;
    descs.push_back(aclCreateTensorDesc(ACL_FLOAT16, matrix ? 2 : 1, matrix ? square : one, ACL_FORMAT_ND));
    buffers.push_back(aclCreateDataBuffer(operand->device, operand->bytes));
  }
  aclopAttr* attributes = aclopCreateAttr();
  REQUIRE(aclopSetAttrBool(attributes, "transpose_a", 0) == ACL_SUCCESS);
  REQUIRE(aclopSetAttrBool(attributes, "transpose_b", 0) == ACL_SUCCESS);
  REQUIRE(aclopExecuteV2("GEMM", 5, descs.data(), buffers.data(), 1, &descs[2], &buffers[2], attributes,
                         stream) == ACL_SUCCESS);
  REQUIRE(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
  product.Check();
  aclopDestroyAttr(attributes);
  for (aclTensorDesc* desc : descs)
    aclDestroyTensorDesc(desc);
  for (aclDataBuffer* buffer : buffers)
    REQUIRE(aclDestroyDataBuffer(buffer) == ACL_SUCCESS);
}

}  // namespace

int main() {
  const std::string models = "gemm_op_models_" + std::to_string(getpid());
  MakeModel(models);
  REQUIRE(aclInit(nullptr) == ACL_SUCCESS);
  REQUIRE(aclopSetModelDir(models.c_str()) == ACL_SUCCESS);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  aclrtRunMode mode;
  REQUIRE(aclrtGetRunMode(&mode) == ACL_SUCCESS && mode == ACL_HOST);
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == ACL_SUCCESS);
  MultiplyWithBlas(stream);
  MultiplyByName(stream);
  REQUIRE(aclrtDestroyStream(stream) == ACL_SUCCESS);
  REQUIRE(aclrtResetDevice(0) == ACL_SUCCESS);
  REQUIRE(aclFinalize() == ACL_SUCCESS);
  REQUIRE(unlink((models + "/gemm.om").c_str()) == 0 && rmdir(models.c_str()) == 0);
  std::puts("Run op success");
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A graph that lives in a pool of the program: what it needs on a stream is taken from there and given back.
#include <acl/acl.h>
#include <all_ops.h>
#include <ge/ge_api.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
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

#define CHECK_GE(call)                                                                     \
  do {                                                                                     \
    ge::Status code = (call);                                                              \
    if (code != ge::SUCCESS) {                                                             \
      std::printf("%s returned %u\n%s\n", #call, code, ge::GEGetErrorMsgV2().GetString()); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

namespace {

const size_t kPoolBytes = 64u << 10;
const size_t kPiece = 1024;  // the pool hands out multiples of it
const int64_t kRows = 16;
const int64_t kColumns = 64;

using Options = std::map<ge::AscendString, ge::AscendString>;

// First fit in one piece of device memory; counts and draws what is out.
class Pool : public ge::Allocator {
 public:
  Pool() : memory_(nullptr), owners_(kPoolBytes / kPiece, kFree), taken_(0), given_back_(0) {
    void* memory = nullptr;
    CHECK(aclrtMalloc(&memory, kPoolBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
    memory_ = static_cast<uint8_t*>(memory);
  }
  ~Pool() override { CHECK(aclrtFree(memory_)); }

  ge::MemBlock* Malloc(size_t size) override {
    const size_t pieces = (size + kPiece - 1) / kPiece;
    for (size_t first = 0; first + pieces <= owners_.size(); ++first) {
      if (owners_.find_first_not_of(kFree, first) < first + pieces) continue;
      owners_.replace(first, pieces, pieces, static_cast<char>('A' + taken_ % 26));
      ++taken_;
      return new ge::MemBlock(*this, memory_ + first * kPiece, pieces * kPiece);
    }
    return nullptr;  // the engine reports it
  }

  void Free(ge::MemBlock* block) override {
    const size_t pieces = block->GetSize() / kPiece;
    owners_.replace(OffsetOf(block->GetAddr()) / kPiece, pieces, pieces, kFree);
    ++given_back_;
    delete block;
  }

  bool Holds(const void* address) const {
    const uint8_t* byte = static_cast<const uint8_t*>(address);
    return byte >= memory_ && byte < memory_ + kPoolBytes;
  }
  size_t OffsetOf(const void* address) const { return static_cast<const uint8_t*>(address) - memory_; }
  int Out() const { return taken_ - given_back_; }
  int taken() const { return taken_; }
  void Draw(const char* when) const {
    std::printf("%-22s|%s| %d taken, %d given back\n", when, owners_.c_str(), taken_, given_back_);
  }

 private:
  static const char kFree = '.';
  uint8_t* memory_;
  std::string owners_;  // of each piece: the block, as a letter
  int taken_, given_back_;
};

// y = Relu(x * w) * w: weights, an intermediate value and an output.
ge::Graph BuildGraph() {
  const ge::TensorDesc rows(ge::Shape({kRows, kColumns}), ge::FORMAT_ND, ge::DT_FLOAT);
  const ge::TensorDesc square(ge::Shape({kColumns, kColumns}), ge::FORMAT_ND, ge::DT_FLOAT);
  auto x = ge::op::Data("x").set_attr_index(0);
  x.update_input_desc_x(rows);
  x.update_output_desc_y(rows);
  std::vector<float> twice(kColumns * kColumns, 0);
  for (int64_t i = 0; i < kColumns; ++i)
    twice[i * kColumns + i] = 2;
  auto w = ge::op::Const("w").set_attr_value(
      ge::Tensor(square, reinterpret_cast<const uint8_t*>(twice.data()), twice.size() * sizeof(float)));
  auto first = ge::op::MatMulV2("first").set_input_x1(x).set_input_x2(w);
  auto middle = ge::op::Relu("middle").set_input_x(first);
  auto y = ge::op::MatMulV2("second").set_input_x1(middle).set_input_x2(w);
  ge::Graph graph("two_products");
  graph.SetInputs({x}).SetOutputs({y});
  return graph;
}

ge::Tensor DeviceTensor(void* address) {
  ge::TensorDesc desc(ge::Shape({kRows, kColumns}), ge::FORMAT_ND, ge::DT_FLOAT);
  desc.SetPlacement(ge::kPlacementDevice);
  ge::Tensor tensor(desc);
  tensor.SetData(static_cast<uint8_t*>(address), kRows * kColumns * sizeof(float), [](uint8_t*) {});
  return tensor;
}

// x is 1, 2, 3, ...; every run doubles it twice.
bool IsFourfold(const void* device_y) {
  std::vector<float> y(kRows * kColumns);
  CHECK(aclrtMemcpy(y.data(), y.size() * sizeof(float), device_y, y.size() * sizeof(float),
                    ACL_MEMCPY_DEVICE_TO_HOST));
  for (size_t i = 0; i < y.size(); ++i) {
    if (y[i] != 4 * static_cast<float>(i + 1)) return false;
  }
  return true;
}

bool RunInPool(ge::Session& session, aclrtStream stream, const Pool& pool, void* device_x) {
  bool right = true;
  const std::vector<ge::Tensor> inputs{DeviceTensor(device_x)};
  for (int run = 0; run < 3; ++run) {
    std::vector<ge::Tensor> outputs;  // empty: the engine takes them from the pool
    CHECK_GE(session.RunGraphWithStreamAsync(1, stream, inputs, outputs));
    CHECK(aclrtSynchronizeStream(stream));
    const void* y = outputs[0].GetData();
    pool.Draw(("run " + std::to_string(run)).c_str());
    std::printf("    the output is at %p, %s the pool at offset %zu\n", y, pool.Holds(y) ? "in" : "NOT IN",
                pool.OffsetOf(y));
    right = right && pool.Holds(y) && IsFourfold(y);
  }
  return right;
}

}  // namespace

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  CHECK_GE(ge::GEInitialize(Options()));
  aclrtStream stream;
  CHECK(aclrtCreateStream(&stream));
  std::vector<float> x(kRows * kColumns);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i + 1);
  void* device_x;
  CHECK(aclrtMalloc(&device_x, x.size() * sizeof(float), ACL_MEM_MALLOC_NORMAL_ONLY));
  CHECK(aclrtMemcpy(device_x, x.size() * sizeof(float), x.data(), x.size() * sizeof(float),
                    ACL_MEMCPY_HOST_TO_DEVICE));

  std::shared_ptr<Pool> pool = std::make_shared<Pool>();
  std::printf("a pool of %zu KiB; a letter is %zu KiB of a block that is out\n\n", kPoolBytes >> 10,
              kPiece >> 10);
  bool right = false;
  {
    ge::Session session((Options()));
    CHECK_GE(session.RegisterExternalAllocator(stream, pool));
    CHECK_GE(session.AddGraph(1, BuildGraph()));
    CHECK_GE(session.CompileGraph(1));
    pool->Draw("registered");
    CHECK_GE(session.LoadGraph(1, Options(), stream));
    pool->Draw("graph loaded");
    right = RunInPool(session, stream, *pool, device_x);
    pool->Draw("outputs dropped");
    CHECK_GE(session.RemoveGraph(1));
    pool->Draw("graph removed");
    CHECK_GE(session.UnregisterExternalAllocator(stream));
  }
  right = right && pool->taken() > 0 && pool->Out() == 0;
  std::printf("\n%d blocks are left outside of the pool; results are %s\n", pool->Out(),
              right ? "right" : "WRONG");
  pool.reset();
  CHECK(aclrtFree(device_x));
  CHECK(aclrtDestroyStream(stream));
  CHECK_GE(ge::GEFinalize());
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return right ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ggml's CPU library as a peer: its C API, taken from the shared libraries of the npm package that
// tools/peers.sh brings. That holds no header, so the few functions needed are declared in the source. Of the
// variants of the library, each built for a kind of processor, the one that ggml itself would choose here is
// loaded. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bench {

// The numbers are ggml's.
enum class GgmlType : int { kF32 = 0, kF16 = 1, kQ4_0 = 2, kQ8_0 = 8, kI32 = 26, kBf16 = 30 };
enum class GgmlRope : int { kInterleaved = 0, kHalves = 2 };

struct GgmlFunctions;
struct GgmlTensor;  // belongs to its graph
struct GgmlMemory;

class Ggml {
 public:
  // Null if it is not there; `why` then says what would bring it.
  static std::unique_ptr<Ggml> Load(std::string& why);
  ~Ggml();
  const std::string& variant() const { return variant_; }  // "zen4", "haswell" ...
  // Any function of the library; throws if there is none of the name.
  void* Function(const char* name) const;

 private:
  friend class GgmlGraph;
  Ggml() = default;

  std::unique_ptr<GgmlFunctions> functions_;
  void* library_ = nullptr;
  std::string variant_;
};

// Make the inputs and nodes, Finish with the last node, Set the inputs, Run as often as wanted. Dimensions
// are counted as ggml does: the one whose elements lie side by side comes first.
class GgmlGraph {
 public:
  using Dims = std::vector<std::int64_t>;

  GgmlGraph(Ggml& ggml, int threads);
  ~GgmlGraph();
  GgmlGraph(const GgmlGraph&) = delete;
  GgmlGraph& operator=(const GgmlGraph&) = delete;

  GgmlTensor* Input(GgmlType type, const Dims& dims);
  // The left operand of MulMat, [depth, columns], in the order ggml likes best where it has one.
  GgmlTensor* Weight(GgmlType type, std::int64_t depth, std::int64_t columns);
  bool repacked() const { return repacked_; }  // the last weight is in such an order

  GgmlTensor* MulMat(GgmlTensor* weight, GgmlTensor* x);  // x [depth, rows], result [columns, rows], float
  GgmlTensor* RmsNorm(GgmlTensor* x, float epsilon);
  GgmlTensor* Mul(GgmlTensor* x, GgmlTensor* y);
  GgmlTensor* SoftMax(GgmlTensor* x, GgmlTensor* mask, float scale);  // mask: null, or [keys, rows]
  GgmlTensor* SwiGlu(GgmlTensor* x);                                  // silu(first half) * second half
  GgmlTensor* Rope(GgmlTensor* x, GgmlTensor* positions, GgmlRope mode, int dims, float base);
  // q [size, rows, heads], k and v [size, keys, heads of k], mask null or [keys, rows] in float16.
  GgmlTensor* FlashAttention(GgmlTensor* q, GgmlTensor* k, GgmlTensor* v, GgmlTensor* mask, float scale);
  // The same elements in another order: dimension i of x is dimension places[i] of the result.
  GgmlTensor* Permute(GgmlTensor* x, int first, int second, int third, int fourth);

  void* context() const { return context_; }  // for nodes of other kinds
  void* graph() const { return graph_; }

  void Finish(GgmlTensor* result);
  // Converted, or quantised, to the type of the tensor.
  void Set(GgmlTensor* tensor, const std::vector<float>& values);
  void SetInts(GgmlTensor* tensor, const std::vector<std::int32_t>& values);
  std::vector<float> Get(GgmlTensor* tensor) const;  // of type kF32
  void Run();

 private:
  GgmlTensor* Make(void* context, GgmlType type, const Dims& dims);
  bool Accepts(GgmlTensor* weight, std::int64_t depth) const;
  std::unique_ptr<GgmlMemory> PlaceWeight(void* kind, GgmlType type, const Dims& dims, GgmlTensor*& weight);

  const GgmlFunctions& api_;
  void* backend_;
  void* threads_;
  void* context_;
  void* buffer_ = nullptr;
  void* graph_ = nullptr;
  bool repacked_ = false;
  struct Kept {
    GgmlTensor* tensor;
    GgmlType type;
    std::int64_t row;  // elements
  };
  std::vector<Kept> made_;
  std::vector<std::unique_ptr<GgmlMemory>> weights_;
};

}  // namespace bench

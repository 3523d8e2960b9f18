// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The way llama.cpp generates text: weights are uploaded, those of half precision with well-known names are
// rearranged, a prompt and then single tokens pass through a layer, node by node, with all memory from a pool
// whose pieces are given back while the work is queued. Both ways of attention, in one call and in three. The
// numbers for the next token are those of plain loops in double.
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "clients/check.h"
#include "llama/model.h"
#include "llama/nodes.h"

namespace {

using llama::Model;
using llama::Tensor;
using llama::Type;

constexpr double kMostError = 5e-4;
constexpr float kEpsilon = 1e-5f;
constexpr std::int64_t kRowPadding = 8;  // elements behind each row of a view

void Upload(const void* from, std::size_t bytes, char* to) {
  llama::Check(aclrtMemcpy(to, bytes, from, bytes, ACL_MEMCPY_HOST_TO_DEVICE), "upload");
}

// Rearranged if it is one of those whose names llama.cpp looks for.
Tensor Load(llama::Backend& backend, const llama::Weight& weight, bool rearrange) {
  Tensor tensor = llama::Lay(weight.type, {weight.depth, weight.columns, 1, 1}, nullptr);
  tensor.data = backend.Allocate(rearrange ? llama::RearrangedBytes(tensor) : weight.bytes.size());
  Upload(weight.bytes.data(), weight.bytes.size(), tensor.data);
  if (rearrange) llama::Rearrange(backend, tensor);
  return tensor;
}

class Layer {
 public:
  Layer(llama::Backend& backend, const Model& model, bool one_call)
      : backend_(backend),
        one_call_(one_call),
        embedding_(Load(backend, model.embedding, false)),
        query_(Load(backend, model.query, true)),
        key_(Load(backend, model.key, true)),
        value_(Load(backend, model.value, true)),
        joined_(Load(backend, model.joined, false)),
        gate_up_(Load(backend, model.gate_up, true)),
        down_(Load(backend, model.down, false)),
        head_(Load(backend, model.head, true)),
        norm_(Load(backend, model.norm, false)),
        inner_norm_(Load(backend, model.inner_norm, false)),
        last_norm_(Load(backend, model.last_norm, false)),
        keys_(Cache()),
        values_(Cache()) {}

  // What the last of the tokens makes of the next.
  std::vector<float> Next(const std::vector<std::int32_t>& tokens);
  std::int32_t Likeliest() const;  // of the same, as the device finds it

 private:
  Tensor Cache() {
    const Tensor cache =
        llama::Make(backend_, Type::kF16, {Model::kKvHeads * Model::kDepth, Model::kContext, 1, 1});
    llama::Check(aclrtMemset(cache.data, llama::BytesOf(cache), 0, llama::BytesOf(cache)), "clearing");
    return cache;
  }
  Tensor Floats(std::int64_t width) { return llama::Make(backend_, Type::kF32, {width, count_, 1, 1}); }
  void SetInputs(const std::vector<std::int32_t>& tokens);
  Tensor Normed(const Tensor& x, const Tensor& gamma);
  Tensor Times(const Tensor& weight, const Tensor& x, bool rearranged);
  Tensor Turned(const Tensor& x, std::int64_t heads);
  Tensor Attended(const Tensor& query);
  Tensor AttendedInThree(const Tensor& query, const Tensor& keys, const Tensor& values, float scale);
  Tensor Gated(const Tensor& x);
  Tensor Sum(const Tensor& x, const Tensor& y);

  llama::Backend& backend_;
  const bool one_call_;
  Tensor embedding_, query_, key_, value_, joined_, gate_up_, down_, head_, norm_, inner_norm_, last_norm_;
  Tensor keys_, values_;
  Tensor tokens_, positions_, places_, mask_, result_;
  std::int64_t past_ = 0, count_ = 0;
};

template <typename T>
Tensor Uploaded(llama::Backend& backend, Type type, std::array<std::int64_t, 4> ne,
                const std::vector<T>& values) {
  const Tensor tensor = llama::Make(backend, type, ne);
  Upload(values.data(), values.size() * sizeof(T), tensor.data);
  return tensor;
}

void Layer::SetInputs(const std::vector<std::int32_t>& tokens) {
  past_ += count_;
  count_ = static_cast<std::int64_t>(tokens.size());
  std::vector<std::int32_t> positions;
  std::vector<std::int64_t> places;
  std::vector<aclFloat16> mask;
  for (std::int64_t i = past_; i < past_ + count_; ++i) {
    positions.push_back(static_cast<std::int32_t>(i));
    places.push_back(i);
    for (std::int64_t key = 0; key < Model::kContext; ++key)
      mask.push_back(aclFloatToFloat16(key <= i ? 0.0f : -std::numeric_limits<float>::infinity()));
  }
  tokens_ = Uploaded(backend_, Type::kI32, {count_, 1, 1, 1}, tokens);
  positions_ = Uploaded(backend_, Type::kI32, {count_, 1, 1, 1}, positions);
  places_ = Uploaded(backend_, Type::kI64, {count_, 1, 1, 1}, places);
  mask_ = Uploaded(backend_, Type::kF16, {Model::kContext, count_, 1, 1}, mask);
}

Tensor Layer::Normed(const Tensor& x, const Tensor& gamma) {
  const Tensor normed = Floats(x.ne[0]);
  llama::RmsNorm(backend_, x, kEpsilon, normed);
  llama::Binary(backend_, "MUL", normed, gamma, normed);  // in place
  return normed;
}

Tensor Layer::Times(const Tensor& weight, const Tensor& x, bool rearranged) {
  const Tensor out = Floats(weight.ne[1]);
  llama::MulMat(backend_, weight, x, out, rearranged);
  return out;
}

Tensor Layer::Turned(const Tensor& x, std::int64_t heads) {
  const Tensor from = llama::Lay(Type::kF32, {Model::kDepth, heads, count_, 1}, x.data);
  const Tensor out = llama::Make(backend_, Type::kF32, from.ne);
  llama::RopeParams params;
  params.dims = Model::kDepth;
  params.halves = true;
  llama::Rope(backend_, from, positions_, nullptr, params, out);
  return out;
}

// [depth, tokens, heads] of rows in a cache.
Tensor Heads(const Tensor& cache, std::int64_t heads, std::int64_t tokens) {
  Tensor view = cache;
  view.ne = {Model::kDepth, tokens, heads, 1};
  const std::size_t row = cache.nb[0] * static_cast<std::size_t>(heads * Model::kDepth);
  view.nb = {cache.nb[0], row, cache.nb[0] * std::size_t{Model::kDepth},
             row * static_cast<std::size_t>(tokens)};
  return view;
}

Tensor Layer::Attended(const Tensor& query) {
  const float scale = 1 / std::sqrt(static_cast<float>(Model::kDepth));
  const Tensor heads = Heads(query, Model::kHeads, count_);
  const Tensor keys = Heads(keys_, Model::kKvHeads, Model::kContext);
  const Tensor values = Heads(values_, Model::kKvHeads, Model::kContext);
  if (!one_call_) return AttendedInThree(heads, keys, values, scale);
  const Tensor out = llama::Make(backend_, Type::kF32, {Model::kDepth, Model::kHeads, count_, 1});
  llama::FlashAttention(backend_, heads, keys, values, &mask_, scale, 0, out);
  return llama::Lay(Type::kF32, {Model::kDepth * Model::kHeads, count_, 1, 1}, out.data);
}

Tensor Layer::AttendedInThree(const Tensor& query, const Tensor& keys, const Tensor& values, float scale) {
  const Tensor scores = llama::Make(backend_, Type::kF32, {Model::kContext, count_, Model::kHeads, 1});
  llama::MulMat(backend_, keys, query, scores);
  llama::SoftMax(backend_, scores, &mask_, scale, 0, scores);
  Tensor columns = values;
  std::swap(columns.ne[0], columns.ne[1]);
  std::swap(columns.nb[0], columns.nb[1]);
  const Tensor out = llama::Make(backend_, Type::kF32, {Model::kDepth, count_, Model::kHeads, 1});
  llama::MulMat(backend_, columns, scores, out);
  Tensor rows = out;
  std::swap(rows.ne[1], rows.ne[2]);
  std::swap(rows.nb[1], rows.nb[2]);
  const Tensor joined = llama::Make(backend_, Type::kF32, {Model::kDepth * Model::kHeads, count_, 1, 1});
  llama::Copy(backend_, rows, llama::Lay(Type::kF32, rows.ne, joined.data));
  return joined;
}

// Gate and value side by side in rows with something behind them.
Tensor Layer::Gated(const Tensor& x) {
  Tensor wide = Floats(2 * Model::kInner + kRowPadding);
  wide.ne[0] = 2 * Model::kInner;
  llama::MulMat(backend_, gate_up_, x, wide, true);
  const Tensor out = Floats(Model::kInner);
  llama::Glu(backend_, "SWIGLU", wide, nullptr, false, out);
  return out;
}

Tensor Layer::Sum(const Tensor& x, const Tensor& y) {
  llama::Binary(backend_, "ADD", x, y, x);
  return x;
}

std::vector<float> Layer::Next(const std::vector<std::int32_t>& tokens) {
  SetInputs(tokens);
  const Tensor x = Floats(Model::kWidth);
  llama::GetRows(backend_, embedding_, tokens_, x);
  const Tensor normed = Normed(x, norm_);
  const Tensor query = Turned(Times(query_, normed, true), Model::kHeads);
  const Tensor key = Turned(Times(key_, normed, true), Model::kKvHeads);
  const Tensor value = Times(value_, normed, true);
  llama::SetRows(backend_, llama::Lay(Type::kF32, value.ne, key.data), places_, keys_);
  llama::SetRows(backend_, value, places_, values_);
  Sum(x, Times(joined_, Attended(query), false));
  Sum(x, Times(down_, Gated(Normed(x, inner_norm_)), false));
  result_ = Times(head_, Normed(x, last_norm_), true);
  result_.data += static_cast<std::size_t>(count_ - 1) * result_.nb[1];
  result_.ne[1] = 1;
  std::vector<float> numbers(Model::kTokens);
  const std::size_t bytes = numbers.size() * sizeof(float);
  llama::Check(aclrtMemcpyAsync(numbers.data(), bytes, result_.data, bytes, ACL_MEMCPY_DEVICE_TO_HOST,
                                backend_.stream()),
               "reading the result");
  backend_.Synchronize();
  return numbers;
}

std::int32_t Layer::Likeliest() const {
  const Tensor index = llama::Make(backend_, Type::kI32, {1, 1, 1, 1});
  llama::ArgMax(backend_, result_, index);
  backend_.Synchronize();
  std::int32_t token = -1;
  llama::Check(aclrtMemcpy(&token, sizeof token, index.data, sizeof token, ACL_MEMCPY_DEVICE_TO_HOST),
               "argmax");
  return token;
}

double Nmse(const std::vector<float>& found, const std::vector<double>& expected) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    difference += (double{found[i]} - expected[i]) * (double{found[i]} - expected[i]);
    size += expected[i] * expected[i];
  }
  return difference / size;
}

void Generate(llama::Backend& backend, const Model& model, bool one_call) {
  Layer layer(backend, model, one_call);
  llama::Reference reference(model);
  std::vector<std::int32_t> tokens = {3, 14, 15, 9, 26};  // then one after the other
  for (int step = 0; step < 12; ++step) {
    const std::vector<float> found = layer.Next(tokens);
    const double error = Nmse(found, reference.Next(tokens));
    if (!(error < kMostError)) std::fprintf(stderr, "step %d: NMSE %g\n", step, error);
    REQUIRE(error < kMostError);
    tokens = {layer.Likeliest()};
    REQUIRE(tokens[0] >= 0 && tokens[0] < Model::kTokens);
    for (const float other : found)
      REQUIRE(other <= found[static_cast<std::size_t>(tokens[0])]);
  }
  REQUIRE(backend.pool().pages() >= 1);
}

}  // namespace

int main() {
  try {
    REQUIRE(llama::RegisterDevices() >= 1);
    const Model model;
    for (const bool one_call : {true, false}) {
      llama::Backend backend(0);
      Generate(backend, model, one_call);
    }
    const llama::Backend unused(0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;  // without aclFinalize
}

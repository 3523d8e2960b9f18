// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// KvRmsNormRopeCache: the first part of each row of kv, as long as gamma, is normalised by its root mean
// square, the rest is turned as InterleaveRope does; both are written to caches at the places 'index' names
// (-1: to none), as int8 if their scales are given, and to outputs as they are.
#include <algorithm>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "kernels/normalize.h"
#include "ops/attention/paged_cache.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/input_checks.h"
#include "ops/matrix/broadcast_bias.h"
#include "ops/norm/normalized_rows.h"
#include "ops/quantized/quantized_row.h"

namespace foothold {
namespace {

// How an index leads to a slot: one for each token within its batch, one for each token, or one for each
// block.
enum class Place { kInBatch, kToken, kBlock };

struct Mode {
  Place place;
  bool pieces;
};

Mode ModeOf(const OpContext& context) {
  const std::string mode = context.node().Text("cache_mode", "Norm");
  if (mode == "Norm") return {Place::kInBatch, false};
  if (mode == "PA" || mode == "PA_BNSD") return {Place::kToken, false};
  if (mode == "PA_NZ") return {Place::kToken, true};
  if (mode == "PA_BLK_BNSD") return {Place::kBlock, false};
  if (mode == "PA_BLK_NZ") return {Place::kBlock, true};
  context.Refuse(
      "attribute 'cache_mode' is '{}', expected Norm, PA, PA_BNSD, PA_NZ, PA_BLK_BNSD or PA_BLK_NZ", mode);
}

struct Sizes {
  std::size_t batch, length;  // sequences, and tokens of each
  std::size_t norm, turned;   // of a row
};

Sizes SizesOf(const OpContext& context) {
  const Dims& kv = context.In("kv").dims;
  const Dims& gamma = context.In("gamma").dims;
  if (kv.size() != 4 || kv[1] != 1)
    context.Refuse("'kv' is {}, expected [batch, 1, tokens, width]", ToString(context.In("kv")));
  if (gamma.size() != 1 || gamma[0] > kv[3] || (kv[3] - gamma[0]) % 2 != 0)
    context.Refuse("'gamma' is {} for rows of {}; what it leaves is turned in pairs", ToString(gamma), kv[3]);
  const auto size = [](std::int64_t dim) { return static_cast<std::size_t>(dim); };
  return {size(kv[0]), size(kv[2]), size(gamma[0]), size(kv[3] - gamma[0])};
}

// One of the two caches: [batch, 1, slots, width] or [blocks, slots, 1, width].
struct Cache {
  int input, output;
  PagedCache layout;
  int scale = -1;  // there is one if it is int8
};

Cache CacheOf(const OpContext& context, const char* name, const char* scale, std::size_t width) {
  const TensorType& cache = context.In(name);
  const Mode mode = ModeOf(context);
  const std::size_t one = mode.place == Place::kInBatch ? 1 : 2;
  if (cache.dims.size() != 4 || cache.dims[one] != 1 || cache.dims[3] != static_cast<std::int64_t>(width))
    context.Refuse("'{}' is {}, expected {} with rows of {}", name, ToString(cache),
                   one == 1 ? "[batch, 1, slots, width]" : "[blocks, slots, 1, width]", width);
  Cache made{context.Port(name), context.node().OutputIndex(name), {}, OptionalPort(context, scale)};
  const bool bytes = cache.type == DataType::kInt8;
  if (bytes != (made.scale >= 0) || (!bytes && cache.type != context.In("kv").type))
    context.Refuse("'{}' is {} and '{}' is {}; with a scale it is int8, without as kv", name, ToString(cache),
                   scale, made.scale >= 0 ? "there" : "not there");
  CheckCount(context, scale, width, "element of a row");
  const std::size_t piece = !mode.pieces ? width : bytes ? 32 : 16;
  if (width % std::max<std::size_t>(1, piece) != 0)
    context.Refuse("rows of {} of '{}' have no pieces of {}", width, name, piece);
  made.layout = {static_cast<std::size_t>(cache.dims[0]), static_cast<std::size_t>(cache.dims[3 - one]),
                 piece == 0 ? 0 : width / piece, piece};
  return made;
}

Cache TurnedCache(const OpContext& context, const Sizes& sizes) {
  return CacheOf(context, "k_cache", "k_rope_scale", sizes.turned);
}
Cache NormCache(const OpContext& context, const Sizes& sizes) {
  return CacheOf(context, "ckv_cache", "c_kv_scale", sizes.norm);
}

template <typename T>
class KvKernel : public Kernel {
 public:
  explicit KvKernel(const OpContext& context)
      : sizes_(SizesOf(context)),
        place_(ModeOf(context).place),
        turned_(TurnedCache(context, sizes_)),
        norm_(NormCache(context, sizes_)),
        bytes_{ByteSize(context.In("k_cache")), ByteSize(context.In("ckv_cache"))},
        shared_(context.In("cos").dims != context.In("kv").dims && context.In("cos").dims[0] == 1),
        epsilon_(context.node().Float("epsilon", 1e-5f)),
        name_(context.node().Description()) {}

  // A row before and after, and gamma.
  std::size_t WorkspaceBytes() const override {
    return (2 * (sizes_.norm + sizes_.turned) + sizes_.norm) * sizeof(float);
  }

  void Run(const RunArgs& args) const override {
    for (int i = 0; i < 2; ++i) {
      const Cache& cache = i == 0 ? turned_ : norm_;
      if (bytes_[i] > 0 && args.outputs[cache.output] != args.inputs[cache.input])
        std::memcpy(args.outputs[cache.output], args.inputs[cache.input], bytes_[i]);
    }
    auto* scratch = reinterpret_cast<float*>(args.workspace);
    Widen(args.In<T>(1), sizes_.norm, scratch + 2 * (sizes_.norm + sizes_.turned));
    for (std::size_t row = 0; row < sizes_.batch * sizes_.length; ++row)
      RunRow(args, row, scratch);
  }

 private:
  static void Widen(const T* from, std::size_t count, float* to) {
    for (std::size_t i = 0; i < count; ++i)
      to[i] = static_cast<float>(from[i]);
  }

  void RunRow(const RunArgs& args, std::size_t row, float* scratch) const {
    const std::size_t width = sizes_.norm + sizes_.turned;
    float* x = scratch;
    float* y = scratch + width;
    Widen(args.In<T>(0) + row * width, width, x);
    NormalizeRow(x, sizes_.norm, 0, InverseRms(x, sizes_.norm, epsilon_), scratch + 2 * width, nullptr, y);
    Turn(args, row, x + sizes_.norm, y + sizes_.norm);
    Store(args, norm_, row, 3, y);
    Store(args, turned_, row, 2, y + sizes_.norm);
  }

  void Turn(const RunArgs& args, std::size_t row, const float* x, float* y) const {
    const std::size_t half = sizes_.turned / 2;
    const std::size_t angle = (shared_ ? row % sizes_.length : row) * sizes_.turned;
    const T* cosine = args.In<T>(2) + angle;
    const T* sine = args.In<T>(3) + angle;
    for (std::size_t i = 0; i < half; ++i) {
      const float a = x[2 * i], b = x[2 * i + 1];
      y[i] = a * static_cast<float>(cosine[i]) - b * static_cast<float>(sine[i]);
      y[i + half] = b * static_cast<float>(cosine[i + half]) + a * static_cast<float>(sine[i + half]);
    }
  }

  // Nothing for -1, which fills up batches that are not full.
  std::optional<std::size_t> Slot(const RunArgs& args, std::size_t row, const PagedCache& cache) const {
    const std::size_t batch = row / sizes_.length, token = row % sizes_.length;
    const std::size_t size = cache.block_size,
                      blocks = (sizes_.length + size - 1) / std::max<std::size_t>(1, size);
    const auto* index = args.In<std::int64_t>(4);
    const bool block = place_ == Place::kBlock;
    const std::int64_t named = block ? index[batch * blocks + token / size] : index[row];
    if (named == -1) return std::nullopt;
    const std::int64_t at = named + (block ? static_cast<std::int64_t>(token % size) : 0);
    const std::size_t most = place_ == Place::kInBatch ? size : cache.slots();
    if (named < 0 || static_cast<std::size_t>(at) >= most)
      Fail(kInvalidParam, "{}: token {} goes to slot {} of {}", name_, row, at, most);
    return static_cast<std::size_t>(at) + (place_ == Place::kInBatch ? batch * size : 0);
  }

  void Store(const RunArgs& args, const Cache& cache, std::size_t row, int output, const float* y) const {
    const PagedCache& layout = cache.layout;
    T* plain = args.Out<T>(output) + row * layout.row();
    for (std::size_t i = 0; i < layout.row(); ++i)
      plain[i] = static_cast<T>(y[i]);
    const std::optional<std::size_t> slot = Slot(args, row, layout);
    if (!slot) return;
    for (std::size_t i = 0; i < layout.row(); ++i) {
      const std::size_t at = layout.Offset(*slot, i / layout.piece) + i % layout.piece;
      if (cache.scale < 0)
        args.Out<T>(cache.output)[at] = plain[i];
      else
        args.Out<std::int8_t>(cache.output)[at] = ToInt8(y[i] * args.In<float>(cache.scale)[i]);
    }
  }

  Sizes sizes_;
  Place place_;
  Cache turned_, norm_;
  std::size_t bytes_[2];
  bool shared_;  // angles for one batch
  float epsilon_;
  std::string name_;
};

void CheckIndex(const OpContext& context, const Sizes& sizes, const Cache& cache) {
  if (cache.layout.slots() == 0 && sizes.batch * sizes.length > 0)
    context.Refuse("a cache has no slots for {} tokens", sizes.batch * sizes.length);
  const std::size_t size = std::max<std::size_t>(1, cache.layout.block_size);
  const bool blocks = ModeOf(context).place == Place::kBlock;
  if (context.In("index").type != DataType::kInt64)
    context.Refuse("'index' is {}, expected int64", ToString(context.In("index")));
  CheckCount(context, "index", sizes.batch * (blocks ? (sizes.length + size - 1) / size : sizes.length),
             blocks ? "block of a sequence" : "token");
  if (ModeOf(context).place == Place::kInBatch && cache.layout.blocks != sizes.batch)
    context.Refuse("a cache has {} batches, kv has {}", cache.layout.blocks, sizes.batch);
}

void CheckAngles(const OpContext& context, const Sizes& sizes) {
  const auto dim = [](std::size_t size) { return static_cast<std::int64_t>(size); };
  for (const char* name : {"cos", "sin"}) {
    const TensorType& angles = context.In(name);
    const Dims one{1, 1, dim(sizes.length), dim(sizes.turned)}, all{dim(sizes.batch), 1, one[2], one[3]};
    if (angles.type != context.In("kv").type || (angles.dims != one && angles.dims != all))
      context.Refuse("'{}' is {}, expected {} of the type of kv", name, ToString(angles), ToString(all));
  }
  if (context.In("cos").dims != context.In("sin").dims) context.Refuse("'cos' and 'sin' have two shapes");
}

void InferKv(OpContext& context) {
  CheckAbsent(context, {"k_rope_offset", "c_kv_offset"}, "how an offset is applied is not published");
  CheckAbsent(context, {"v"}, "what becomes of it is not published");
  const Sizes sizes = SizesOf(context);
  CheckAngles(context, sizes);
  const Cache turned = TurnedCache(context, sizes), norm = NormCache(context, sizes);
  CheckIndex(context, sizes, turned);
  CheckIndex(context, sizes, norm);
  const TensorType& kv = context.In("kv");
  if (context.In("gamma").type != kv.type)
    context.Refuse("'gamma' is {}, expected the type of kv", ToString(context.In("gamma")));
  context.SetOut(turned.output, context.In("k_cache"));
  context.SetOut(norm.output, context.In("ckv_cache"));
  Dims out = kv.dims;
  out.back() = static_cast<std::int64_t>(sizes.turned);
  context.SetOut(2, kv.type, out, kv.format);
  out.back() = static_cast<std::int64_t>(sizes.norm);
  context.SetOut(3, kv.type, out, kv.format);
}

std::unique_ptr<Kernel> LowerKv(OpContext& context) {
  CheckFloats(context, {"kv"});
  for (const char* name : {"k_rope_scale", "c_kv_scale"})
    if (context.Has(name) && context.In(name).type != DataType::kFloat)
      context.Unsupported("no kernel for '{}' of {}; float would run", name,
                          DataTypeName(context.In(name).type));
  switch (context.In("kv").type) {
    case DataType::kFloat16:
      return std::make_unique<KvKernel<Half>>(context);
    case DataType::kBfloat16:
      return std::make_unique<KvKernel<Bfloat16>>(context);
    default:
      return std::make_unique<KvKernel<float>>(context);
  }
}

const RegisterOp kv_rms_norm_rope_cache(OpDef("KvRmsNormRopeCache")
                                            .Infer(InferKv)
                                            .Lower(LowerKv)
                                            .Stateful()
                                            .Types({DataType::kFloat, DataType::kFloat16,
                                                    DataType::kBfloat16}));

}  // namespace
}  // namespace foothold

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/maps/fractal.h"

#include <algorithm>
#include <string>

#include "aclnn/types.h"
#include "calls/view.h"
#include "ops/matrix/stored_operands.h"

namespace foothold::aclnn {
namespace {

constexpr std::size_t kFractalRank = 4;
constexpr std::int64_t kFractalRows = 16;

bool IsPadded(const Tensor& view) {
  return view.storage.size() >= kFractalRank;
}

// The last two dimensions are seen the other way round.
bool IsTransposed(const Tensor& view) {
  const std::size_t rank = view.dims.size();
  return view.strides[rank - 2] == 1 && view.dims[rank - 1] > 1 &&
         view.strides[rank - 1] == view.dims[rank - 2];
}

// Nothing else is unusual about it.
bool IsDenseTransposed(const Tensor& view) {
  auto order = DenseOrder(view.dims, view.strides);
  if (!order || std::is_sorted(order->begin(), order->end())) return false;
  std::swap((*order)[order->size() - 1], (*order)[order->size() - 2]);
  return std::is_sorted(order->begin(), order->end());
}

void CheckMatrix(const Call& call, const Tensor& view, std::string_view name) {
  if (view.dims.size() < 2) call.Refuse("'{}' is {}; a matrix is expected", name, ToString(view));
  if (!DenseOrder(view.dims, view.strides))
    call.NotSupported("views with holes of tensors in layout FRACTAL_NZ");
}

// The matrices as they were before they became fractals.
Dims StoredDims(const Tensor& view, bool transposed) {
  Dims dims = view.dims.ToDims();
  if (transposed) std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
  return dims;
}

// Those of aclnnTransMatmulWeight have no filling.
Dims FractalDims(const Call& call, const Tensor& view, const Dims& plain) {
  if (IsPadded(view)) return view.storage.ToDims();
  Dims dims(plain.begin(), plain.end() - 2);
  const std::int64_t width = FractalWidth(call, view.type);
  dims.insert(dims.end(),
              {plain.back() / width, plain[plain.size() - 2] / kFractalRows, kFractalRows, width});
  return dims;
}

Value Unfolded(Call& call, std::string_view name, std::size_t index, const Tensor& view, const Dims& plain) {
  const Value fractals =
      call.Memory(name, index, {view.type, Format::kFractalNz, FractalDims(call, view, plain)});
  Op change = call.Op("TransData", {fractals});
  change.Set("src_format", std::string("FRACTAL_NZ")).Set("dst_format", std::string("ND"));
  return change.WantsDims(plain);
}

void SetTransposed(Op& product, const char* port) {
  product.Set(std::string("adj_") + port, true);
}

}  // namespace

std::int64_t FractalWidth(const Call& call, DataType type) {
  switch (type) {
    case DataType::kFloat16:
    case DataType::kBfloat16:
      return 16;
    case DataType::kFloat:
      return 8;
    case DataType::kInt8:
      return 32;
    default:
      call.NotSupported("layout FRACTAL_NZ of {}", DataTypeName(type));
  }
}

bool FitsFractals(const Call& call, DataType type, std::int64_t rows, std::int64_t columns) {
  return rows % kFractalRows == 0 && columns % FractalWidth(call, type) == 0;
}

StoredMatrix PlainMatrix(Call& call, std::string_view name, std::size_t index) {
  const Tensor view = call.View(name, index);
  if (view.dims.size() < 2) call.Refuse("'{}' is {}; a matrix is expected", name, ToString(view));
  if (!IsPrivateLayout(view.format)) {
    if (!IsDenseTransposed(view)) return {call.In(name, index)};
    return {call.Memory(name, index, {view.type, Format::kNd, StoredDims(view, true)}), true};
  }
  CheckMatrix(call, view, name);
  const bool transposed = IsTransposed(view);
  const Dims plain = StoredDims(view, transposed);
  if (!IsPadded(view) && !FitsFractals(call, view.type, plain[plain.size() - 2], plain.back()))
    return {call.Memory(name, index, {view.type, Format::kNd, plain}), transposed};
  return {Unfolded(call, name, index, view, plain), transposed};
}

void AddFractal(Call& call, Op& product, const char* port, std::string_view name) {
  const Tensor view = call.View(name);
  CheckMatrix(call, view, name);
  const bool transposed = IsTransposed(view);
  const Dims plain = StoredDims(view, transposed);
  if (IsPadded(view)) {
    product.In(port, Unfolded(call, name, 0, view, plain));
    if (transposed) SetTransposed(product, port);
    return;
  }
  product.In(port, call.Memory(name, 0, {view.type, Format::kNd, plain}));
  if (transposed) SetTransposed(product, port);
  if (!FitsFractals(call, view.type, plain[plain.size() - 2], plain.back())) return;
  const bool fits = transposed && std::string(port) == "x2" && IsFloat(view.type);
  if (!fits)
    call.NotSupported("fractals of aclnnTransMatmulWeight that are not the transposed second operand");
  product.Set(kFractalAttribute, FractalWidth(call, view.type));
}

namespace {

// In place; what fractals do not fit stays as it is. Programs rearrange weights on the default stream and
// read them on others, without a wait between them.
void MapTransMatmulWeight(Call& call) {
  const Tensor view = call.View("mmWeightRef");
  if (view.dims.size() < 2) call.Refuse("'mmWeightRef' is {}; a matrix is expected", ToString(view));
  if (!IsContiguous(view.dims, view.strides)) call.NotSupported("weights that are not contiguous");
  const std::size_t rank = view.dims.size();
  if (!FitsFractals(call, view.type, view.dims[rank - 2], view.dims[rank - 1])) return;
  const Value plain = call.Memory("mmWeightRef", 0, {view.type, Format::kNd, view.dims.ToDims()});
  Op change = call.Op("TransData", {plain});
  change.Set("src_format", std::string("ND"))
      .Set("dst_format", std::string("FRACTAL_NZ"))
      .Set("_in_place", true);
  call.OutMemory("mmWeightRef", change);
  call.EndsOnDefaultStream();
}

void CheckCast(const Call& call, const Tensor& from, const Tensor& to) {
  if (from.type != to.type)
    call.NotSupported("a change of the type of elements together with that of the layout");
  if (from.dims.ToDims() != to.dims.ToDims())
    call.Refuse("'srcTensor' is {} and 'dstTensor' {}; views of one size are expected", ToString(from),
                ToString(to));
  for (const Tensor* one : {&from, &to})
    if (IsPrivateLayout(one->format) && one->format != Format::kFractalNz)
      call.NotSupported("layouts other than ND and FRACTAL_NZ");
}

// The storage of the second tensor is the layout with its filling.
void FillFractals(Call& call, const Tensor& to) {
  const Value fractals = call.Op("TransData", {call.In("srcTensor")})
                             .Set("src_format", std::string("ND"))
                             .Set("dst_format", std::string("FRACTAL_NZ"));
  if (!IsPadded(to) || to.storage.ToDims() != DimsOf(fractals))
    call.Refuse("the storage of 'dstTensor' is {}, expected {}", foothold::ToString(to.storage.ToDims()),
                foothold::ToString(DimsOf(fractals)));
  call.OutMemory("dstTensor", fractals);
}

void MapFormatCast(Call& call) {
  const Tensor from = call.View("srcTensor"), to = call.View("dstTensor");
  CheckCast(call, from, to);
  const bool folded = IsPrivateLayout(from.format), folds = IsPrivateLayout(to.format);
  if (folded && folds) call.NotSupported("from FRACTAL_NZ to FRACTAL_NZ");
  if (folds) return FillFractals(call, to);
  if (!folded) return call.Out("dstTensor", call.In("srcTensor"));
  const StoredMatrix plain = PlainMatrix(call, "srcTensor");
  if (plain.transposed) call.NotSupported("transposed views of tensors in layout FRACTAL_NZ");
  call.Out("dstTensor", plain.value);
}

const RegisterMapping fractal_maps({{"aclnnTransMatmulWeight", MapTransMatmulWeight},
                                    {"aclnnNpuFormatCast", MapFormatCast}});

}  // namespace
}  // namespace foothold::aclnn

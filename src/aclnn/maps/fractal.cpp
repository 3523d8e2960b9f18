// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/maps/fractal.h"

#include <string>

#include "aclnn/types.h"
#include "aclnn/view.h"
#include "ops/matrix/stored_operands.h"

namespace foothold::aclnn {
namespace {

constexpr std::size_t kFractalRank = 4;
constexpr std::int64_t kFractalRows = 16;

// The last two dimensions are seen the other way round.
bool IsTransposed(const Tensor& view) {
  const std::size_t rank = view.dims.size();
  return view.strides[rank - 2] == 1 && view.dims[rank - 1] > 1 &&
         view.strides[rank - 1] == view.dims[rank - 2];
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

Value Unfolded(Call& call, std::string_view name, const Tensor& view, const Dims& plain) {
  const Value fractals = call.Memory(name, 0, {view.type, Format::kFractalNz, view.storage.ToDims()});
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

void AddFractal(Call& call, Op& product, const char* port, std::string_view name) {
  const Tensor view = call.View(name);
  CheckMatrix(call, view, name);
  const bool transposed = IsTransposed(view);
  const Dims plain = StoredDims(view, transposed);
  if (view.storage.size() >= kFractalRank) {
    product.In(port, Unfolded(call, name, view, plain));
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

// In place; what fractals do not fit stays as it is.
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
}

const RegisterMapping registered("aclnnTransMatmulWeight", MapTransMatmulWeight);

}  // namespace
}  // namespace foothold::aclnn

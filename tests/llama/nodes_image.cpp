// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Windows over images and sequences.
#include <cfloat>
#include <cmath>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_arange.h"
#include "aclnnop/aclnn_avgpool2d.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_constant_pad_nd.h"
#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_im2col.h"
#include "aclnnop/aclnn_max_pool.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_mv.h"
#include "aclnnop/aclnn_permute.h"
#include "aclnnop/aclnn_sin.h"
#include "llama/nodes.h"

namespace llama {
namespace {

std::size_t FloatBytes(std::int64_t count) {
  return static_cast<std::size_t>(count) * sizeof(float);
}

// One image after the other; columns become rows and get the type of the result.
void Unfold(Backend& backend, const Described& x, const Im2ColParams& p, std::int64_t kernel_height,
            std::int64_t kernel_width, bool rows_of_channels, const Described& out) {
  const std::int64_t rows = out.dims[1] * (rows_of_channels ? 3 : 1), columns = out.dims[2],
                     images = out.dims[0];
  const auto size = static_cast<std::size_t>(ByteSize(x.type));
  const Buffer unfolded(backend.pool(), static_cast<std::size_t>(images * rows * columns) * size);
  const Buffer turned(backend.pool(), static_cast<std::size_t>(images * rows * columns) * size);
  const Described a(x.type, {images, columns, rows}, unfolded.data());
  const Described b(x.type, {images, rows, columns}, turned.data());
  const Ints kernel{kernel_height, kernel_width};
  if (rows_of_channels) {
    Run(backend, NN(Im2col), x, kernel, Ints{1, p.d0}, Ints{1, p.p0}, Ints{1, p.s0}, a);
  } else {
    Run(backend, NN(Im2col), x, kernel, Ints{p.d1, p.d0}, Ints{p.p1, p.p0}, Ints{p.s1, p.s0}, a);
  }
  Run(backend, NN(Permute), a, Ints{0, 2, 1}, b);
  const std::int64_t middle = rows_of_channels ? out.dims[1] * columns : 0;
  const Described wanted(x.type, out.dims, {rows * columns, columns, 1}, turned.data(), middle);
  Run(backend, NN(Cast), wanted, out.type, out);
}

}  // namespace

void Pool2d(Backend& backend, In x, const PoolParams& p, In out) {
  const Ints kernel{p.k1, p.k0}, strides{p.s1, p.s0};
  if (p.average)
    return Run(backend, NN(AvgPool2d), All(x), kernel, strides, Ints{p.p1, p.p0}, false, true, 0, 0,
               All(out));
  const Dims padded{x.ne[3], x.ne[2], x.ne[1] + 2 * p.p1, x.ne[0] + 2 * p.p0};
  const Buffer buffer(backend.pool(), FloatBytes(padded[0] * padded[1] * padded[2] * padded[3]));
  const Described wide(TypeOf(x.type), padded, buffer.data());
  Run(backend, NN(ConstantPadNd), All(x), Ints{p.p0, p.p0, p.p1, p.p1, 0, 0, 0, 0}, Scalar{-FLT_MAX}, wide);
  Run(backend, NN(MaxPool), wide, kernel, strides, 0, Ints{0, 0, 0, 0}, Ints{1, 1}, false, All(out));
}

void Im2Col(Backend& backend, In kernel, In x, const Im2ColParams& p, In out) {
  const aclDataType type = TypeOf(out.type);
  if (p.two)
    return Unfold(backend, All(x), p, kernel.ne[1], kernel.ne[0], false,
                  Described(type, {x.ne[3], out.ne[1] * out.ne[2], out.ne[0]}, out.data));
  for (std::int64_t i = 0; i < x.ne[2]; ++i) {
    Described image = Slice(x, 4);
    image.dims = {1, 1, x.ne[1], x.ne[0]};
    image.offset = i * image.strides[1];
    const Described rows(type, {1, out.ne[1], out.ne[0]}, out.data + static_cast<std::size_t>(i) * out.nb[2]);
    Unfold(backend, image, p, x.ne[1], kernel.ne[0], true, rows);
  }
}

void ConvTranspose1d(Backend& backend, In kernel, In x, int stride, In out) {
  constexpr std::int64_t kMostTaps = 255;
  const std::int64_t taps = kernel.ne[0], channels = kernel.ne[1], length = out.ne[0];
  Run(backend, NN(InplaceFillScalar), All(out), Scalar{0});
  for (std::int64_t first = 0; first < taps; first += kMostTaps) {
    const std::int64_t count = std::min(kMostTaps, taps - first), part = (x.ne[0] - 1) * stride + count;
    Described weight = Slice(kernel, 3);
    weight.dims[2] = count;
    weight.offset = first;
    const Buffer buffer(backend.pool(), FloatBytes(channels * part));
    const Described partial(ACL_FLOAT, {1, channels, part}, buffer.data());
    Run(backend, NN(Convolution), Slice(x, 3), weight, nullptr, Ints{stride}, Ints{0}, Ints{1}, true, Ints{0},
        1, partial, 0);
    const Described target(ACL_FLOAT, {1, channels, part}, {channels * length, length, 1}, out.data, first);
    Run(backend, NN(InplaceAdd), target, partial, Scalar{1});
  }
}

void SsmConv(Backend& backend, In x, In kernel, In out) {
  const std::int64_t taps = kernel.ne[0], channels = kernel.ne[1], length = out.ne[1], sequences = out.ne[2];
  const Described weight(TypeOf(kernel.type), {channels, 1, taps}, {taps, taps, 1}, kernel.data);
  const Described result(TypeOf(out.type), {sequences, channels, length}, {channels * length, 1, channels},
                         out.data);
  Run(backend, NN(Convolution), Slice(x, 3), weight, nullptr, Ints{1}, Ints{0}, Ints{1}, false, Ints{0},
      channels, result, 0);
}

void TimestepEmbedding(Backend& backend, In steps, int dims, int period, In out) {
  const std::int64_t half = dims / 2, rows = steps.ne[0], width = out.ne[0];
  const Buffer buffer(backend.pool(), FloatBytes(half)), products(backend.pool(), FloatBytes(rows * half));
  const Described frequencies(ACL_FLOAT, {1, half}, buffer.data());
  Run(backend, NN(Arange), Scalar{0}, Scalar{static_cast<float>(half)}, Scalar{1}, frequencies);
  Run(backend, NN(InplaceMuls), frequencies,
      Scalar{-std::log(static_cast<float>(period)) / static_cast<float>(half)});
  Run(backend, NN(InplaceExp), frequencies);
  const Described angles(ACL_FLOAT, {rows, half}, products.data());
  Run(backend, NN(Mul), Described(ACL_FLOAT, {rows, 1}, steps.data), frequencies, angles);
  Run(backend, NN(Cos), angles, Described(ACL_FLOAT, {rows, half}, {width, 1}, out.data));
  Run(backend, NN(Sin), angles, Described(ACL_FLOAT, {rows, half}, {width, 1}, out.data, half));
}

void GatedLinearAttention(Backend& backend, In k, In v, In q, In gate, In state, float scale, In out) {
  const std::int64_t size = k.ne[0], heads = k.ne[1], tokens = k.ne[2], sequences = state.ne[1];
  char* const states = out.data + FloatBytes(size * heads * tokens);
  Run(backend, NN(InplaceCopy), Described(ACL_FLOAT, {state.size()}, states),
      Described(ACL_FLOAT, {state.size()}, state.data));
  const Buffer buffer(backend.pool(), FloatBytes(size * size));
  const Described product(ACL_FLOAT, {size, size}, buffer.data());
  for (std::int64_t i = 0; i < tokens * heads; ++i) {
    const std::int64_t sequence = i / heads / (tokens / sequences), head = i % heads;
    char* const mine = states + FloatBytes((sequence * heads + head) * size * size);
    const Described kept(ACL_FLOAT, {size, size}, mine), flipped(ACL_FLOAT, {size, size}, {1, size}, mine);
    const auto column = [&](In x) { return Described(ACL_FLOAT, {size, 1}, x.data + FloatBytes(i * size)); };
    const Described row(ACL_FLOAT, {1, size}, v.data + FloatBytes(i * size));
    const Described result(ACL_FLOAT, {size}, out.data + FloatBytes(i * size));
    Run(backend, NN(Mul), column(k), row, product);
    Run(backend, NN(InplaceMul), kept, column(gate));
    Run(backend, NN(InplaceAdd), kept, product, Scalar{1});
    Run(backend, NN(Mv), flipped, Described(ACL_FLOAT, {size}, q.data + FloatBytes(i * size)), result, 0);
    Run(backend, NN(InplaceMuls), result, Scalar{scale});
  }
}

}  // namespace llama

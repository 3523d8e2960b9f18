// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ZerosLike, OnesLike: a constant in the shape and type of x.
#include <cstring>

#include "ops/element_types.h"
#include "ops/op.h"

namespace foothold {
namespace {

class FillKernel final : public Kernel {
 public:
  FillKernel(std::size_t count, std::size_t size, std::uint64_t bits)
      : count_(count), size_(size), bits_(bits) {}

  void Run(const RunArgs& args) const override {
    if (bits_ == 0 && count_ > 0) std::memset(args.outputs[0], 0, count_ * size_);
    if (bits_ == 0) return;
    for (std::size_t i = 0; i < count_; ++i)
      std::memcpy(args.outputs[0] + i * size_, &bits_, size_);  // little-endian: the low bytes come first
  }

 private:
  std::size_t count_, size_;
  std::uint64_t bits_;
};

template <typename T>
std::uint64_t BitsOfOne() {
  T one{};
  if constexpr (kIsHalf<T>) {
    one = T(1.0f);
  } else {
    one = static_cast<T>(1);
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, &one, sizeof(T));
  return bits;
}

std::unique_ptr<Kernel> Lower(OpContext& context, bool ones) {
  const TensorType& type = context.Out(0);
  const auto count = static_cast<std::size_t>(ElementCount(type.dims));
  const auto fill = [&](std::uint64_t bits) -> std::unique_ptr<Kernel> {
    context.SetUnused(0);
    return std::make_unique<FillKernel>(count, BytesPerElement(type.type), bits);
  };
  return VisitType(
      type.type, [&](auto tag) { return fill(ones ? BitsOfOne<typename decltype(tag)::Type>() : 0); },
      [&]() -> std::unique_ptr<Kernel> { context.Unsupported("no kernel for {}", DataTypeName(type.type)); });
}

OpDef Def(const char* type, bool ones) {
  return OpDef(type).Infer(SameAsInput).Lower([ones](OpContext& context) { return Lower(context, ones); });
}

const RegisterOp like({Def("ZerosLike", false), Def("OnesLike", true)});

}  // namespace
}  // namespace foothold

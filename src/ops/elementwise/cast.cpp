// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Cast: the elements of x in another type. CastLike: in that of another tensor.
#include "ops/elementwise/cast.h"

#include <cmath>
#include <complex>
#include <limits>

#include "ops/elementwise/element_step.h"
#include "ops/elementwise/plain_loop.h"
#include "ops/elementwise/strided_rows.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

template <typename To>
To FromFloating(double value) {
  if (std::isnan(value)) return 0;
  const double beyond = std::ldexp(1.0, std::numeric_limits<To>::digits);
  if (value >= beyond) return std::numeric_limits<To>::max();
  const auto lowest = static_cast<double>(std::numeric_limits<To>::min());
  return value <= lowest ? std::numeric_limits<To>::min() : static_cast<To>(value);
}

template <typename T>
struct IsComplex : std::false_type {};
template <typename T>
struct IsComplex<std::complex<T>> : std::true_type {};

// Of a complex number only the real part is real.
template <typename From, typename To>
To Convert(From value) {
  if constexpr (IsComplex<From>::value && IsComplex<To>::value) {
    return static_cast<To>(value);
  } else if constexpr (IsComplex<To>::value) {
    return To(Convert<From, typename To::value_type>(value));
  } else if constexpr (IsComplex<From>::value && std::is_same_v<To, bool>) {
    return value != From{};
  } else if constexpr (IsComplex<From>::value) {
    return Convert<typename From::value_type, To>(value.real());
  } else if constexpr (kIsHalf<From>) {
    return Convert<float, To>(static_cast<float>(value));
  } else if constexpr (kIsHalf<To>) {
    return To(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From{};
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return FromFloating<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

template <typename From, typename To>
void Loop(const std::byte* from, std::byte* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const To value = Convert<From, To>(plain_loop_detail::Load<From>(from + i * sizeof(From)));
    std::memcpy(to + i * sizeof(To), &value, sizeof(To));
  }
}

// Complex numbers as well.
template <typename Visit>
CastLoop VisitNumber(DataType type, Visit&& visit) {
  if (type == DataType::kComplex64) return visit(ElementTag<std::complex<float>>());
  if (type == DataType::kComplex128) return visit(ElementTag<std::complex<double>>());
  return VisitType(type, visit, [] { return CastLoop(nullptr); });
}

template <typename From>
CastLoop LoopFrom(DataType to) {
  return VisitNumber(to, [](auto tag) -> CastLoop { return &Loop<From, typename decltype(tag)::Type>; });
}

class CastKernel final : public Kernel {
 public:
  CastKernel(const OpContext& context, CastLoop loop)
      : loop_(loop), rows_(context, {{0, context.InDims(0)}}, StridedRows::Elements::kPacked) {}

  void Run(const RunArgs& args) const override {
    rows_.Run(args, [this](const std::byte* const* from, const std::ptrdiff_t*, std::byte* to,
                           std::size_t count) { loop_(from[0], to, count); });
  }

 private:
  CastLoop loop_;
  StridedRows rows_;
};

void Infer(OpContext& context) {
  const Attribute* given = context.node().FindAttribute("dst_type");
  if (given == nullptr) context.Refuse("attribute 'dst_type' is required");
  const auto* named = std::get_if<DataType>(given);
  const auto type = named != nullptr ? *named : static_cast<DataType>(context.node().Int("dst_type", 0));
  if (!BitsPerElement(type))
    context.Refuse("attribute 'dst_type' is {}, which is no type", static_cast<int>(type));
  context.SetOut(0, type, context.InDims(0), context.In(0).format);
}

// Through float where one side is; integers that float cannot hold are not among the element types, except
// int32, which rounds the same way on its own.
std::optional<ElementFormula> Formula(const OpContext& context) {
  const DataType from = context.In(0).type, to = context.Out(0).type;
  if (!ElementTypeOf(from) || !ElementTypeOf(to) || (!IsFloatType(from) && !IsFloatType(to)))
    return std::nullopt;
  ElementFormula formula{context.Out(0).dims, {{0, context.InDims(0)}}, {}, {{0, 0}}};
  if (to == DataType::kBool) {
    formula.steps.push_back({"NotZero", {0}, {}});
    formula.results = {{1, 0}};
  }
  return formula;
}

std::unique_ptr<Kernel> Lower(OpContext& context) {
  if (const auto formula = Formula(context)) return LowerFormula(context, *formula);
  const CastLoop loop = CastLoopOf(context.In(0).type, context.Out(0).type);
  if (loop == nullptr)
    context.Unsupported("no kernel for {} to {}", DataTypeName(context.In(0).type),
                        DataTypeName(context.Out(0).type));
  return std::make_unique<CastKernel>(context, loop);
}

void InferLike(OpContext& context) {
  context.SetOut(0, context.In("target").type, context.InDims(0), context.In(0).format);
}

std::unique_ptr<Kernel> LowerLike(OpContext& context) {
  context.SetUnused(context.Port("target"));
  return Lower(context);
}

struct RegisterCast : RegisterOp {
  RegisterCast()
      : RegisterOp({OpDef("Cast").Infer(Infer).Lower(Lower).ReadsViews({"x"}).WritesViews().Types(
                        NumberAndBoolTypes()),
                    OpDef("CastLike")
                        .Infer(InferLike)
                        .Lower(LowerLike)
                        .ReadsViews({"x"})
                        .WritesViews()
                        .Types(NumberAndBoolTypes())}) {
    AddFormulaRule("Cast", Formula);
  }
};
const RegisterCast cast;

}  // namespace

CastLoop CastLoopOf(DataType from, DataType to) {
  return VisitNumber(from, [&](auto tag) -> CastLoop { return LoopFrom<typename decltype(tag)::Type>(to); });
}

}  // namespace foothold

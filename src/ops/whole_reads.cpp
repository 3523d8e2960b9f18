// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/whole_reads.h"

#include <algorithm>

namespace foothold {
namespace {

// Sorted.
constexpr std::string_view kOps[] = {
    "Abs",          "AccumulateNV2", "Acos",        "Acosh",      "Add",          "AddN",
    "AddV2",        "Adds",          "ArgMaxD",     "ArgMaxV2",   "ArgMin",       "Asin",
    "Asinh",        "Atan",          "Atan2",       "Atanh",      "Axpy",         "AxpyV2",
    "BatchMatMul",  "BatchMatMulV2", "BatchNorm",   "BiasAdd",    "BitwiseAnd",   "BitwiseOr",
    "BitwiseXor",   "Cast",          "Ceil",        "Celu",       "ClipByValue",  "Cos",
    "Cosh",         "Cumsum",        "Div",         "DivNoNan",   "Dot",          "Elu",
    "Equal",        "Erf",           "Erfc",        "Exp",        "Expm1",        "FastGelu",
    "Floor",        "FloorDiv",      "FloorMod",    "GEMM",       "Gelu",         "Greater",
    "GreaterEqual", "GroupNorm",     "HardSigmoid", "HardSwish",  "InstanceNorm", "Inv",
    "Invert",       "IsFinite",      "IsInf",       "IsNan",      "L2Normalize",  "LayerNorm",
    "LayerNormV3",  "LayerNormV4",   "LeakyRelu",   "Less",       "LessEqual",    "Log",
    "Log1p",        "LogSoftmaxV2",  "LogicalAnd",  "LogicalNot", "LogicalOr",    "MatMul",
    "MatMulV2",     "Maximum",       "Minimum",     "Mish",       "Mod",          "Mul",
    "Muls",         "Neg",           "NotEqual",    "PRelu",      "Pow",          "Power",
    "RealDiv",      "Reciprocal",    "ReduceAll",   "ReduceAny",  "ReduceMax",    "ReduceMaxD",
    "ReduceMean",   "ReduceMeanD",   "ReduceMin",   "ReduceMinD", "ReduceProd",   "ReduceSum",
    "ReduceSumD",   "Relu",          "Relu6",       "Rint",       "RmsNorm",      "Round",
    "Rsqrt",        "Selu",          "Sigmoid",     "Sign",       "Sin",          "Sinh",
    "SoftmaxV2",    "Softplus",      "Softsign",    "Sqrt",       "Square",       "SquaredDifference",
    "Sub",          "Swish",         "Tan",         "Tanh",       "TopKV2",       "Trunc",
    "TruncateDiv",  "TruncateMod",   "Xdivy",       "Xlogy",
};
static_assert(std::is_sorted(std::begin(kOps), std::end(kOps)));

}  // namespace

bool ReadsAll(std::string_view type) noexcept {
  return std::binary_search(std::begin(kOps), std::end(kOps), type);
}

std::span<const std::string_view> OpsThatReadAll() noexcept {
  return kOps;
}

}  // namespace foothold

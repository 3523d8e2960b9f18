// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators of a program's own: REG_OP describes one and declares its class, and the other macros register
// the functions that check it and infer what it produces.
//
//   namespace ge {
//   REG_OP(Amplify)
//       .INPUT(x, TensorType({DT_FLOAT}))
//       .OUTPUT(y, TensorType({DT_FLOAT}))
//       .ATTR(factor, Float, 1.0)
//       .OP_END_FACTORY_REG(Amplify)
//   IMPLEMT_INFERFUNC(Amplify, InferAmplify) { return op.update_output_desc_y(op.get_input_desc_x()); }
//   INFER_FUNC_REG(Amplify, InferAmplify);
//   }
//
// The macros are used inside namespace ge. Data types of ports are kept as text and never evaluated.
#ifndef FOOTHOLD_GRAPH_OPERATOR_REG_H_
#define FOOTHOLD_GRAPH_OPERATOR_REG_H_

#include <stdint.h>

#include <functional>
#include <string>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/graph.h"
#include "graph/operator.h"
#include "graph/operator_factory.h"
#include "graph/operator_members.h"
#include "graph/operator_prototype.h"
#include "graph/string_overloads.h"
#include "graph/tensor.h"
#include "graph/types.h"

namespace ge {

// What the words of a REG_OP chain without a meaning here are called on.
class OpReg {
 public:
  OpReg& N() { return *this; }
  OpReg& ATTR() { return *this; }
  OpReg& REQUIRED_ATTR() { return *this; }
  OpReg& INPUT() { return *this; }
  OpReg& OPTIONAL_INPUT() { return *this; }
  OpReg& OUTPUT() { return *this; }
  OpReg& GRAPH() { return *this; }
  OpReg& DYNAMIC_GRAPH() { return *this; }
  OpReg& INFER_SHAPE_AND_TYPE() { return *this; }
};

// Shapes are aligned at their last dimensions, and a dimension of 1 stretches. GRAPH_FAILED, and no call of
// `set_out_shape`, if they do not fit.
GE_FUNC_HOST_VISIBILITY graphStatus
BroadCastInfer(const std::function<std::vector<int64_t>()>& get_in1_shape,
               const std::function<std::vector<int64_t>()>& get_in2_shape,
               const std::function<void(const std::vector<int64_t>& y_shape)>& set_out_shape);

template <typename T>
AscendString ConvertToAscendString(T str) {
  return AscendString(str.c_str());
}

template <>
inline AscendString ConvertToAscendString<const char*>(const char* str) {
  return AscendString(str);
}

template <>
inline AscendString ConvertToAscendString<AscendString>(AscendString str) {
  return str;
}

template <typename T>
std::vector<AscendString> ConvertToListAscendString(T strs) {
  return string_overloads::ToAscend(strs);
}

template <>
inline std::vector<AscendString> ConvertToListAscendString(std::vector<AscendString> strs) {
  return strs;
}

namespace op {

// Describes the operator on the first call.
template <class ThisOp>
const char* RegisteredType(const char* type, void (*describe)(OperatorPrototype&)) {
  static const bool registered = [type, describe]() {
    OperatorPrototype prototype(type);
    describe(prototype);
    prototype.Register();
    return true;
  }();
  static_cast<void>(registered);
  return type;
}

// The function for one class of operators as a function for all of them. Operators are handles: the one given
// to the function is the one it was called with.
template <class ThisOp>
std::function<graphStatus(Operator&)> ForAnyOperator(graphStatus (*function)(ThisOp&)) {
  return [function](Operator& op) {
    ThisOp typed;
    static_cast<Operator&>(typed) = op;
    return function(typed);
  };
}

inline graphStatus InferElementwise(Operator& op, const char* in_name, const char* out_name) {
  const TensorDesc input = op.GetInputDescByName(in_name);
  TensorDesc output      = op.GetOutputDescByName(out_name);
  output.SetShape(input.GetShape());
  output.SetDataType(input.GetDataType());
  return op.UpdateOutputDesc(out_name, output);
}

inline graphStatus InferBroadcast(Operator& op, const char* in1_name, const char* in2_name,
                                  const char* out_name) {
  const TensorDesc first  = op.GetInputDescByName(in1_name);
  const TensorDesc second = op.GetInputDescByName(in2_name);
  TensorDesc output       = op.GetOutputDescByName(out_name);
  output.SetDataType(first.GetDataType());
  const graphStatus status = BroadCastInfer(
      [&first]() { return first.GetShape().GetDims(); }, [&second]() { return second.GetShape().GetDims(); },
      [&output](const std::vector<int64_t>& dims) { output.SetShape(Shape(dims)); });
  return status == GRAPH_SUCCESS ? op.UpdateOutputDesc(out_name, output) : status;
}

}  // namespace op
}  // namespace ge

#ifndef FORCE_INLINE
#define FORCE_INLINE inline __attribute__((always_inline))
#endif

// Each word of the chain ends the function that describes what came before, declares members, and begins a
// function of its own.
#define REG_OP(x)                                                                                   \
  namespace op {                                                                                    \
  class x : public ::ge::Operator {                                                                 \
    typedef x ThisOp;                                                                               \
                                                                                                    \
   public:                                                                                          \
    x() : Operator(RegisteredType()) {}                                                             \
    explicit x(const char* name) : Operator(name, RegisteredType()) {}                              \
    explicit x(const ::ge::AscendString& name) : Operator(name.GetString(), RegisteredType()) {}    \
    explicit x(const std::string& name) : Operator(name.c_str(), RegisteredType()) {}               \
    static const char* RegisteredType() { return ::ge::op::RegisteredType<ThisOp>(#x, &Describe); } \
                                                                                                    \
   private:                                                                                         \
    static void Describe(::ge::OperatorPrototype& prototype) {                                      \
      static_cast<void>(prototype);                                                                 \
      ::ge::OpReg()

#define GE_REG_WORD(function, members, statement)              \
  N();                                                         \
  function(prototype);                                         \
  }                                                            \
                                                               \
 public:                                                       \
  members                                                      \
                                                               \
      private : static void                                    \
                function(::ge::OperatorPrototype& prototype) { \
    prototype.statement;                                       \
    ::ge::OpReg()

#define INPUT(x, t)          GE_REG_WORD(Describe_input_##x, GE_OP_INPUT_MEMBERS(x), AddInput(#x, #t))
#define OPTIONAL_INPUT(x, t) GE_REG_WORD(Describe_input_##x, GE_OP_INPUT_MEMBERS(x), AddOptionalInput(#x, #t))
#define DYNAMIC_INPUT(x, t) \
  GE_REG_WORD(Describe_input_##x, GE_OP_DYNAMIC_INPUT_MEMBERS(x), AddDynamicInput(#x, #t))
#define OUTPUT(x, t) GE_REG_WORD(Describe_output_##x, GE_OP_OUTPUT_MEMBERS(x), AddOutput(#x, #t))
#define DYNAMIC_OUTPUT(x, t) \
  GE_REG_WORD(Describe_output_##x, GE_OP_DYNAMIC_OUTPUT_MEMBERS(x), AddDynamicOutput(#x, #t))
#define GRAPH(x)         GE_REG_WORD(Describe_graph_##x, GE_OP_GRAPH_MEMBERS(x), AddGraph(#x))
#define DYNAMIC_GRAPH(x) GE_REG_WORD(Describe_graph_##x, GE_OP_DYNAMIC_GRAPH_MEMBERS(x), AddDynamicGraph(#x))
#define DATATYPE(x, t)   GE_REG_WORD(Describe_type_##x, , AddSymbol(#x, t))
#define REQUIRED_ATTR(x, Type) \
  GE_REG_WORD(Describe_attr_##x, GE_OP_##Type##_ATTR_MEMBERS(x), AddRequiredAttr(#x, #Type))

#define ATTR(x, Type, ...)                                                          \
  N();                                                                              \
  Describe_attr_##x(prototype);                                                     \
  }                                                                                 \
  static Op##Type Default_##x(Op##Type value = Op##Type()) {                        \
    return value;                                                                   \
  }                                                                                 \
                                                                                    \
 public:                                                                            \
  GE_OP_##Type##_ATTR_MEMBERS(x)                                                    \
                                                                                    \
      private : static void Describe_attr_##x(::ge::OperatorPrototype& prototype) { \
    prototype.AddAttr(#x, Default_##x(__VA_ARGS__));                                \
    ::ge::OpReg()

#define OP_END() \
  N();           \
  }              \
  }              \
  ;              \
  }

#define PASTE(g_register, y)         g_register##y
#define GE_REG_NAME(prefix, counter) PASTE(prefix, counter)

#ifdef DISABLE_COMPILE_V1
#define OP_END_FACTORY_REG(x) OP_END()
#else
#define OP_END_FACTORY_REG(x)                                                                         \
  N();                                                                                                \
  }                                                                                                   \
  }                                                                                                   \
  ;                                                                                                   \
  static const ::ge::OperatorCreatorRegister GE_REG_NAME(g_register, __COUNTER__)(                    \
      x::RegisteredType(), [](const ::ge::AscendString& name) -> ::ge::Operator { return x(name); }); \
  }
#endif

// Functions: IMPLEMT_* begin their definition, the parameter is `op`; *_FUNC_REG register them.
#define IMPLEMT_INFERFUNC(op_name, func_name)           static ::ge::graphStatus func_name(op::op_name& op)
#define IMPLEMT_COMMON_INFERFUNC(func_name)             static ::ge::graphStatus func_name(::ge::Operator& op)
#define IMPLEMT_INFERFORMAT_FUNC(op_name, func_name)    static ::ge::graphStatus func_name(op::op_name& op)
#define IMPLEMT_VERIFIER(op_name, func_name)            static ::ge::graphStatus func_name(op::op_name& op)
#define IMPL_INFER_VALUE_RANGE_FUNC(op_name, func_name) static ::ge::graphStatus func_name(op::op_name& op)

#define INFER_VERIFY_FUNC(op_name, x)      ::ge::op::ForAnyOperator<op::op_name>(x)
#define INFER_FORMAT_FUNC(op_name, x)      ::ge::op::ForAnyOperator<op::op_name>(x)
#define INFER_VALUE_RANGE_FUNC(op_name, x) ::ge::op::ForAnyOperator<op::op_name>(x)
#define COMMON_INFER_VERIFY_FUNC(x)        (x)

#define GE_REG_FUNCTION(Register, ...) \
  static const ::ge::Register GE_REG_NAME(g_register_function, __COUNTER__)(__VA_ARGS__)

#define INFER_FUNC_REG(op_name, x) \
  GE_REG_FUNCTION(InferShapeFuncRegister, #op_name, INFER_VERIFY_FUNC(op_name, x))
#define COMMON_INFER_FUNC_REG(op_name, x) \
  GE_REG_FUNCTION(InferShapeFuncRegister, #op_name, COMMON_INFER_VERIFY_FUNC(x))
#define INFER_FORMAT_FUNC_REG(op_name, x) \
  GE_REG_FUNCTION(InferFormatFuncRegister, #op_name, INFER_FORMAT_FUNC(op_name, x))
#define VERIFY_FUNC_REG(op_name, x) \
  GE_REG_FUNCTION(VerifyFuncRegister, #op_name, INFER_VERIFY_FUNC(op_name, x))
#define INFER_VALUE_RANGE_DEFAULT_REG(op_name) GE_REG_FUNCTION(InferValueRangeFuncRegister, #op_name)
#define INFER_VALUE_RANGE_CUSTOM_FUNC_REG(op_name, when_call, x) \
  GE_REG_FUNCTION(InferValueRangeFuncRegister, #op_name, ::ge::when_call, INFER_VALUE_RANGE_FUNC(op_name, x))

// Functions that need no definition, to be given to COMMON_INFER_FUNC_REG.
#define ELMTWISE_INFER_SHAPEANDTYPE(in_name, out_name) \
  [](::ge::Operator& op) -> ::ge::graphStatus { return ::ge::op::InferElementwise(op, in_name, out_name); }
#define BROADCAST_INFER(in1_name, in2_name, out_name)                  \
  [](::ge::Operator& op) -> ::ge::graphStatus {                        \
    return ::ge::op::InferBroadcast(op, in1_name, in2_name, out_name); \
  }

#endif  // FOOTHOLD_GRAPH_OPERATOR_REG_H_

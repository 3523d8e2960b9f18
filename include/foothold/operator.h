// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
/*
 * Operators of your own for this CPU: prototype, shape rule and kernel in a shared object that exports
 * foothold_operators. It is found through ASCEND_CUSTOM_OPP_PATH, a list of folders and files separated by
 * colons: a folder's own *.so and those of its subfolder foothold are loaded. From then on its operators are
 * part of graphs, offline models, aclop calls and ONNX models like those of the library.
 *
 *   cc -O2 -shared -fPIC -I"$ASCEND_HOME_PATH/include" my_operators.c -o operators/my_operators.so
 *   export ASCEND_CUSTOM_OPP_PATH="$PWD/operators"
 *
 * C and C++. Structures may grow at their ends: struct_size says how much of one its maker knew of, so that
 * objects built with an older or newer header work.
 */
#ifndef FOOTHOLD_OPERATOR_H_
#define FOOTHOLD_OPERATOR_H_

#include "foothold/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FOOTHOLD_OPERATOR_VERSION 1

/* A tensor. Numbers of types and formats are those of aclDataType and aclFormat. */
typedef struct FootholdTensor {
  size_t struct_size;
  int32_t data_type;
  int32_t format;
  const int64_t* dims;
  size_t rank;
  /* For a kernel: its elements, packed. In rules: those of an input that is a constant, else NULL. */
  void* data;
} FootholdTensor;

/* A node of a graph as the functions of its operator see it. Functions get the node itself first. */
typedef struct FootholdNode {
  size_t struct_size;
  const char* name;
  const char* type;
  /* By position. Each member of a list is one. NULL: an optional input that is not there. */
  const FootholdTensor* const* inputs;
  size_t input_count;
  const FootholdTensor* const* outputs;
  size_t output_count;

  /* Attributes, as set or by default. 1 if there is one of that kind, else 0; bools are integers. Lists and
   * texts live as long as the node. */
  int (*get_int)(const struct FootholdNode*, const char* attribute, int64_t* value);
  int (*get_float)(const struct FootholdNode*, const char* attribute, float* value);
  int (*get_string)(const struct FootholdNode*, const char* attribute, const char** value);
  int (*get_ints)(const struct FootholdNode*, const char* attribute, const int64_t** values, size_t* count);
  int (*get_floats)(const struct FootholdNode*, const char* attribute, const float** values, size_t* count);

  /* In a shape rule: says what an output is. Its format is that of the first input. */
  void (*set_output)(struct FootholdNode*, size_t output, int32_t data_type, const int64_t* dims,
                     size_t rank);
  /* In rules: refuses the node with this text (copied). Answers FOOTHOLD_FAILED, to be returned. */
  int (*fail)(struct FootholdNode*, const char* text);
  void* library; /* not the operator's */
} FootholdNode;

enum { FOOTHOLD_DONE = 0, FOOTHOLD_FAILED = -1 };
/* From a shape rule that needs the value of an input whose data is NULL: it is called again once that is
 * known. */
#define FOOTHOLD_NEEDS_INPUT(index) ((int)(index) + 1)

/* The arguments of an operator's kernel. */
typedef struct FootholdCall {
  size_t struct_size;
  const FootholdNode* node;
  const FootholdTensor* const* inputs; /* as in the node, with data */
  FootholdTensor* const* outputs;
  void* workspace;
  size_t workspace_size;
} FootholdCall;

/* How a node is run; zero where the operator says nothing. */
typedef struct FootholdPlan {
  size_t struct_size;
  uint32_t blocks; /* 0: one for a small tensor, else one for each core */
  size_t workspace_size;
} FootholdPlan;

enum { FOOTHOLD_REQUIRED = 0, FOOTHOLD_OPTIONAL = 1, FOOTHOLD_LIST = 2 };
typedef struct FootholdPort {
  const char* name;
  uint32_t kind;
  const int32_t* types; /* that it takes; NULL: any */
  size_t type_count;
} FootholdPort;

enum {
  FOOTHOLD_INT    = 0,
  FOOTHOLD_FLOAT  = 1,
  FOOTHOLD_STRING = 2,
  FOOTHOLD_BOOL   = 3,
  FOOTHOLD_INTS   = 4,
  FOOTHOLD_FLOATS = 5
};
typedef struct FootholdAttribute {
  const char* name;
  uint32_t kind;
  uint32_t required;   /* 1: must be set, so there is no default */
  int64_t int_default; /* of FOOTHOLD_INT and FOOTHOLD_BOOL */
  float float_default;
  const char* string_default; /* NULL: empty */
  const int64_t* ints_default;
  const float* floats_default;
  size_t default_count; /* of the lists */
} FootholdAttribute;

typedef struct FootholdOperator {
  size_t struct_size;
  const char* type; /* "AddCustom" */
  const FootholdPort* inputs;
  size_t input_count;
  const FootholdPort* outputs;
  size_t output_count;
  const FootholdAttribute* attributes;
  size_t attribute_count;
  /* The shape rule, called when the shapes of all inputs are known. NULL: each output is like the first
   * input. */
  int (*infer)(FootholdNode* node);
  /* Its `args` is a FootholdCall. Runs on any thread, several runs at once, so it keeps no state. */
  FootholdKernel kernel;
  /* NULL: nothing to say. Called once for a node and its shapes. */
  int (*plan)(FootholdNode* node, FootholdPlan* plan);
} FootholdOperator;

/* Exported as foothold_operators: operator `index` of the object, NULL behind the last one. `version` is
 * FOOTHOLD_OPERATOR_VERSION of the library. What it answers lives as long as the process. */
typedef const FootholdOperator* (*FootholdOperators)(uint32_t version, size_t index);
#define FOOTHOLD_OPERATORS() \
  FOOTHOLD_EXPORT const FootholdOperator* foothold_operators(uint32_t version, size_t index)

#ifdef __cplusplus
}
#endif

#endif

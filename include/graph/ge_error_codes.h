// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Results of the functions that build graphs.
#ifndef FOOTHOLD_GRAPH_GE_ERROR_CODES_H_
#define FOOTHOLD_GRAPH_GE_ERROR_CODES_H_

#include <stdint.h>

#ifndef GE_FUNC_HOST_VISIBILITY
#if defined(_MSC_VER)
#define GE_FUNC_HOST_VISIBILITY __declspec(dllexport)
#elif defined(__GNUC__)
#define GE_FUNC_HOST_VISIBILITY __attribute__((visibility("default")))
#else
#define GE_FUNC_HOST_VISIBILITY
#endif
#endif

// Kept for programs that use it on declarations of their own.
#ifndef GE_FUNC_DEV_VISIBILITY
#define GE_FUNC_DEV_VISIBILITY GE_FUNC_HOST_VISIBILITY
#endif

#ifndef ATTRIBUTED_DEPRECATED
#if defined(__GNUC__)
#define ATTRIBUTED_DEPRECATED(replacement) __attribute__((deprecated("use " #replacement)))
#else
#define ATTRIBUTED_DEPRECATED(replacement)
#endif
#endif

#ifndef ATTRIBUTED_NOT_SUPPORT
#if defined(__GNUC__)
#define ATTRIBUTED_NOT_SUPPORT() __attribute__((deprecated("not supported")))
#else
#define ATTRIBUTED_NOT_SUPPORT()
#endif
#endif

namespace ge {

using graphStatus = uint32_t;

const graphStatus GRAPH_SUCCESS                     = 0U;
const graphStatus GRAPH_FAILED                      = 0xFFFFFFFFU;
const graphStatus GRAPH_NOT_CHANGED                 = 1343242304U;
const graphStatus GRAPH_PARAM_INVALID               = 50331649U;
const graphStatus GRAPH_NODE_WITHOUT_CONST_INPUT    = 50331648U;
const graphStatus GRAPH_NODE_NEED_REPASS            = 50331647U;
const graphStatus GRAPH_INVALID_IR_DEF              = 50331646U;
const graphStatus OP_WITHOUT_IR_DATATYPE_INFER_RULE = 50331645U;
const graphStatus GRAPH_PARAM_OUT_OF_RANGE          = 50331644U;
const graphStatus GRAPH_MEM_OPERATE_FAILED          = 50331539U;
const graphStatus GRAPH_NULL_PTR                    = 50331538U;
const graphStatus GRAPH_MEMCPY_FAILED               = 50331537U;
const graphStatus GRAPH_MEMSET_FAILED               = 50331536U;
const graphStatus GRAPH_MATH_CAL_FAILED             = 50331429U;
const graphStatus GRAPH_ADD_OVERFLOW                = 50331428U;
const graphStatus GRAPH_MUL_OVERFLOW                = 50331427U;
const graphStatus GRAPH_RoundUp_Overflow            = 50331426U;

}  // namespace ge

#endif  // FOOTHOLD_GRAPH_GE_ERROR_CODES_H_

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <array>

#include "acl/acl_base.h"
#include "python/chapters.h"

namespace foothold {
namespace {

using Dims = std::vector<std::int64_t>;
using Ranges = std::vector<Dims>;

int CountOf(const Dims& dims) {
  return static_cast<int>(dims.size());
}

aclTensorDesc* CreateTensorDesc(aclDataType type, const Dims& dims, aclFormat format) {
  return aclCreateTensorDesc(type, CountOf(dims), dims.data(), format);
}

aclError GetDimRange(const aclTensorDesc* desc, std::size_t index, std::size_t count, Dims* range) {
  // C writes two numbers whatever the caller has room for.
  range->resize(std::max<std::size_t>(count, ACL_TENSOR_SHAPE_RANGE_NUM));
  const aclError code = aclGetTensorDescDimRange(desc, index, count, range->data());
  if (code != ACL_SUCCESS) range->clear();
  return code;
}

aclError SetShape(aclTensorDesc* desc, const Dims& dims) {
  return aclSetTensorShape(desc, CountOf(dims), dims.data());
}

aclError SetOriginShape(aclTensorDesc* desc, const Dims& dims) {
  return aclSetTensorOriginShape(desc, CountOf(dims), dims.data());
}

aclError SetStorageShape(aclTensorDesc* desc, const Dims& dims) {
  return aclSetTensorStorageShape(desc, CountOf(dims), dims.data());
}

using Pair = std::int64_t[2];

template <aclError (*kSet)(aclTensorDesc*, std::size_t, Pair*)>
aclError SetRanges(aclTensorDesc* desc, const Ranges& ranges) {
  std::vector<std::int64_t> flat;
  for (const Dims& range : ranges) {
    if (range.size() != 2) return ACL_ERROR_INVALID_PARAM;
    flat.insert(flat.end(), range.begin(), range.end());
  }
  return kSet(desc, ranges.size(), reinterpret_cast<Pair*>(flat.data()));
}

const Function kTensorFunctions[] = {
    BindQuick<CreateTensorDesc>("create_tensor_desc", "data_type, dims, format -> desc",
                                "Describes a tensor.", "aclCreateTensorDesc"),
    BindQuick<aclDestroyTensorDesc>("destroy_tensor_desc", "desc -> None", "Forgets a description."),
    BindQuick<aclGetTensorDescType>("get_tensor_desc_type", "desc -> data_type", "The element type."),
    BindQuick<aclGetTensorDescFormat>("get_tensor_desc_format", "desc -> format", "The format."),
    BindQuick<aclGetTensorDescSize>("get_tensor_desc_size", "desc -> size", "Bytes of all elements."),
    BindQuick<aclGetTensorDescElementCount>("get_tensor_desc_element_count", "desc -> count", "Elements."),
    BindQuick<aclGetTensorDescNumDims>("get_tensor_desc_num_dims", "desc -> count", "Dimensions."),
    BindQuick<aclGetTensorDescDim>("get_tensor_desc_dim", "desc, index -> dim",
                                   "One dimension; get_tensor_desc_dim_v2 tells failures apart."),
    BindQuick<aclGetTensorDescDimV2>("get_tensor_desc_dim_v2", "desc, index -> dim, ret", "One dimension."),
    BindQuick<GetDimRange>("get_tensor_desc_dim_range", "desc, index, count -> range, ret",
                           "The least and the greatest value of a dimension.", "aclGetTensorDescDimRange"),
    BindQuick<aclGetTensorDescName>("get_tensor_desc_name", "desc -> name", "The name."),
    BindQuick<aclGetTensorDescAddress>("get_tensor_desc_address", "desc -> ptr", "The address, or 0."),
    BindQuick<aclGetTensorDescByIndex>("get_tensor_desc_by_index", "desc, index -> desc",
                                       "One of several descriptions made together."),
    BindQuick<aclSetTensorDescName>("set_tensor_desc_name", "desc, name -> None", "Names it."),
    BindQuick<aclSetTensorFormat>("set_tensor_format", "desc, format -> ret", "Sets the storage format."),
    BindQuick<SetShape>("set_tensor_shape", "desc, dims -> ret", "Sets the storage shape.",
                        "aclSetTensorShape"),
    BindQuick<aclSetTensorOriginFormat>("set_tensor_origin_format", "desc, format -> ret",
                                        "Sets the format before conversion."),
    BindQuick<SetOriginShape>("set_tensor_origin_shape", "desc, dims -> ret",
                              "Sets the shape before conversion.", "aclSetTensorOriginShape"),
    BindQuick<aclSetTensorStorageFormat>("set_tensor_storage_format", "desc, format -> ret",
                                         "Sets the format in memory."),
    BindQuick<SetStorageShape>("set_tensor_storage_shape", "desc, dims -> ret", "Sets the shape in memory.",
                               "aclSetTensorStorageShape"),
    BindQuick<SetRanges<aclSetTensorShapeRange>>("set_tensor_shape_range", "desc, ranges -> ret",
                                                 "Sets [least, greatest] for each dimension.",
                                                 "aclSetTensorShapeRange"),
    BindQuick<SetRanges<aclSetTensorValueRange>>("set_tensor_value_range", "desc, ranges -> ret",
                                                 "Sets [least, greatest] for each value.",
                                                 "aclSetTensorValueRange"),
    BindQuick<aclSetTensorDynamicInput>("set_tensor_dynamic_input", "desc, name -> ret",
                                        "Names the list of inputs it belongs to."),
    Bind<aclSetTensorConst>("set_tensor_const", "desc, ptr, size -> ret",
                            "Gives it a value known beforehand."),
    BindQuick<aclSetTensorPlaceMent>("set_tensor_place_ment", "desc, mem_type -> ret",
                                     "Says where the data is: device 0, host 1."),
    Bind<aclTransTensorDescFormat>("trans_tensor_desc_format", "desc, format -> result, ret",
                                   "Makes a description of the tensor in another format."),
};

}  // namespace

std::span<const Function> TensorFunctions() {
  return kTensorFunctions;
}

}  // namespace foothold

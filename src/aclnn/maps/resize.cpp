// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Images, lines and volumes of other sizes, and the gradients of that.
#include <algorithm>

#include "aclnn/mapping.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

struct Resizing {
  const char* mode;
  std::size_t axes;
  std::vector<std::string_view> scales;  // parameters, one for each axis; none: sizes say all

  // Elements are weighted, not picked.
  bool weighs() const { return std::string_view(mode).find("nearest") != 0; }
};

// 0 for an axis whose sizes say how far apart elements lie.
std::vector<float> ScalesOf(Call& call, const Resizing& way) {
  std::vector<float> scales;
  for (const std::string_view name : way.scales)
    scales.push_back(static_cast<float>(std::max(call.GetReal(name), 0.0)));
  return std::any_of(scales.begin(), scales.end(), [](float scale) { return scale > 0; })
             ? scales
             : std::vector<float>();
}

std::vector<std::int64_t> OutputSize(Call& call, const Resizing& way) {
  const std::vector<std::int64_t> size = call.GetInts("outputSize");
  if (size.size() != way.axes ||
      std::any_of(size.begin(), size.end(), [](std::int64_t one) { return one <= 0; }))
    call.Refuse("'outputSize' is {}; {} positive numbers are expected", foothold::ToString(Dims(size)),
                way.axes);
  return size;
}

Value InRank(Call& call, std::string_view name, const Resizing& way) {
  const Value value = call.In(name);
  if (DimsOf(value).size() != way.axes + 2)
    call.Refuse("'{}' is {}; {} dimensions are expected", name, ToString(call.View(name)), way.axes + 2);
  return way.weighs() ? call.To(value, ComputeType(TypeOf(value).type)) : value;
}

void Describe(Call& call, Op& op, const Resizing& way) {
  op.Set("mode", std::string(way.mode)).Set("output_size", OutputSize(call, way));
  if (way.weighs()) op.Set("align_corners", call.GetFlag("alignCorners"));
  const std::vector<float> scales = ScalesOf(call, way);
  if (!scales.empty()) op.Set("scales", scales);
}

void MapForward(Call& call, const Resizing& way, std::string_view x = "self") {
  Op resize = call.OwnOp("AclnnUpsample", {{"x", InRank(call, x, way)}}, {"y"});
  Describe(call, resize, way);
  call.Out("out", resize);
}

void MapBackward(Call& call, const Resizing& way, std::string_view out,
                 std::string_view arriving = "gradOut") {
  const Value given = InRank(call, arriving, way);
  const Value gradient = call.To(given, ComputeType(TypeOf(given).type));
  const std::vector<std::int64_t> size = call.GetInts("inputSize");
  if (size.size() != way.axes + 2)
    call.Refuse("'inputSize' is {}; {} entries are expected", foothold::ToString(Dims(size)), way.axes + 2);
  Op resize = call.OwnOp("AclnnUpsampleGrad", {{"grad", gradient}}, {"y"});
  Describe(call, resize, way);
  call.Out(out, resize.Set("input_size", size));
}

// Exact where a product of floats would fall short of an element.
void MapNearest2d(Call& call) {
  const Resizing way{"nearest", 2, {}};
  const std::vector<std::int64_t> size = OutputSize(call, way);
  const std::vector<std::int32_t> narrow(size.begin(), size.end());
  const Value self = Call::As(InRank(call, "self", way), Format::kNchw);
  call.Out("out", call.Op("ResizeNearestNeighborV2",
                          {self, call.Const(TensorValue::Of<std::int32_t>(DataType::kInt32, {2}, narrow))}));
}

const RegisterMapping resize_maps({
    {"aclnnUpsampleNearest2d", MapNearest2d},
    {"aclnnUpsampleNearest1dV2",
     [](Call& call) {
       MapForward(call, {"nearest", 1, {"scaleL"}});
     }},
    {"aclnnUpsampleNearest2dV2",
     [](Call& call) {
       MapForward(call, {"nearest", 2, {"scalesH", "scalesW"}});
     }},
    {"aclnnUpsampleNearest1d",
     [](Call& call) {
       MapForward(call, {"nearest", 1, {}});
     }},
    {"aclnnUpsampleNearest3d",
     [](Call& call) {
       MapForward(call, {"nearest", 3, {"scalesD", "scalesH", "scalesW"}});
     }},
    {"aclnnUpsampleLinear1d",
     [](Call& call) {
       MapForward(call, {"linear", 1, {"scale"}});
     }},
    {"aclnnUpsampleBilinear2d",
     [](Call& call) {
       MapForward(call, {"linear", 2, {"scalesH", "scalesW"}});
     }},
    {"aclnnUpsampleTrilinear3d",
     [](Call& call) {
       MapForward(call, {"linear", 3, {"scalesD", "scalesH", "scalesW"}});
     }},
    {"aclnnUpsampleNearest1dBackward",
     [](Call& call) {
       MapBackward(call, {"nearest", 1, {"scales"}}, "out");
     }},
    {"aclnnUpsampleNearest2dBackward",
     [](Call& call) {
       MapBackward(call, {"nearest", 2, {"scalesH", "scalesW"}}, "gradInput");
     }},
    {"aclnnUpsampleNearest3dBackward",
     [](Call& call) {
       MapBackward(call, {"nearest", 3, {"scalesD", "scalesH", "scalesW"}}, "gradInput");
     }},
    {"aclnnUpsampleLinear1dBackward",
     [](Call& call) {
       MapBackward(call, {"linear", 1, {"scales"}}, "out");
     }},
    {"aclnnUpsampleBilinear2dBackward",
     [](Call& call) {
       MapBackward(call, {"linear", 2, {"scalesH", "scalesW"}}, "out");
     }},
    {"aclnnUpsampleTrilinear3dBackward",
     [](Call& call) {
       MapBackward(call, {"linear", 3, {"scalesD", "scalesH", "scalesW"}}, "gradInput");
     }},
    {"aclnnUpsampleBilinear2dBackwardV2",
     [](Call& call) {
       MapBackward(call, {"linear", 2, {"scalesH", "scalesW"}}, "out");
     }},
    {"aclnnUpsampleBicubic2d",
     [](Call& call) {
       MapForward(call, {"cubic", 2, {"scalesH", "scalesW"}});
     }},
    {"aclnnUpsampleBicubic2dBackward",
     [](Call& call) {
       MapBackward(call, {"cubic", 2, {"scalesH", "scalesW"}}, "gradInput");
     }},
    {"aclnnUpsampleBilinear2dAA",
     [](Call& call) {
       MapForward(call, {"smooth_linear", 2, {"scalesH", "scalesW"}}, "input");
     }},
    {"aclnnUpsampleBilinear2dAABackward",
     [](Call& call) {
       MapBackward(call, {"smooth_linear", 2, {"scalesH", "scalesW"}}, "out", "gradOutput");
     }},
    {"aclnnUpsampleBicubic2dAA",
     [](Call& call) {
       MapForward(call, {"smooth_cubic", 2, {"scalesH", "scalesW"}}, "x");
     }},
    {"aclnnUpsampleBicubic2dAAGrad",
     [](Call& call) {
       MapBackward(call, {"smooth_cubic", 2, {"scalesH", "scalesW"}}, "out", "gradOutput");
     }},
    {"aclnnUpsampleNearestExact1d",
     [](Call& call) {
       MapForward(call, {"nearest_exact", 1, {"scales"}});
     }},
    {"aclnnUpsampleNearestExact1dBackward",
     [](Call& call) {
       MapBackward(call, {"nearest_exact", 1, {"scales"}}, "out", "gradOutput");
     }},
    {"aclnnUpsampleNearestExact2d",
     [](Call& call) {
       MapForward(call, {"nearest_exact", 2, {"scalesH", "scalesW"}});
     }},
    {"aclnnUpsampleNearestExact2dBackward",
     [](Call& call) {
       MapBackward(call, {"nearest_exact", 2, {"scalesH", "scalesW"}}, "out", "gradOutput");
     }},
    {"aclnnUpsampleNearestExact3d",
     [](Call& call) {
       MapForward(call, {"nearest_exact", 3, {"scalesD", "scalesH", "scalesW"}});
     }},
    {"aclnnUpsampleNearestExact3dBackward",
     [](Call& call) {
       MapBackward(call, {"nearest_exact", 3, {"scalesD", "scalesH", "scalesW"}}, "gradInput");
     }},
});

}  // namespace
}  // namespace foothold::aclnn

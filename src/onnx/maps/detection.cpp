// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/mapping.h"
#include "onnx/maps/shaping.h"

namespace foothold::onnx {
namespace {

void MapNonMaxSuppression(NodeImport& node) {
  const OutputRef limit = node.Has(2) ? node.In(2) : node.builder().Int(0);
  const OutputRef chosen =
      node.Op("NonMaxSuppressionV6", {node.In(0), node.In(1), limit, node.InOr(3), node.InOr(4)})
          .Set("center_point_box", node.Int("center_point_box", 0));
  node.Out(0, node.Cast(chosen, DataType::kInt64));
}

// Boxes with the number of their image in front.
void MapRoiAlign(NodeImport& node) {
  const std::string mode =
      node.Text("coordinate_transformation_mode", node.version() < 16 ? "output_half_pixel" : "half_pixel");
  const OutputRef images = UnsqueezeAxes(node, node.Cast(node.In(2), node.ElementType(1)), {1});
  const OutputRef boxes = node.Op("ConcatD")
                              .InList("x", {images, node.In(1)})
                              .Set("concat_dim", std::int64_t{1})
                              .Set("N", std::int64_t{2});
  node.Out(0, node.Op("ROIAlign", {node.In(0), boxes})
                  .Set("spatial_scale", node.Float("spatial_scale", 1))
                  .Set("pooled_height", node.Int("output_height", 1))
                  .Set("pooled_width", node.Int("output_width", 1))
                  .Set("sample_num", node.Int("sampling_ratio", 0))
                  .Set("roi_end_mode", std::int64_t{mode == "half_pixel" ? 2 : 0})
                  .Set("pool_mode", node.Text("mode", "avg")));
}

void MapMaxRoiPool(NodeImport& node) {
  const Ints shape = node.IntList("pooled_shape");
  if (shape.size() != 2)
    node.Unsupported("attribute 'pooled_shape' has {} entries, expected 2", shape.size());
  const float scale = node.Float("spatial_scale", 1);
  node.Out(0, node.Op("ROIPooling", {node.In(0), node.In(1)})
                  .Set("pooled_h", shape[0])
                  .Set("pooled_w", shape[1])
                  .Set("spatial_scale_h", scale)
                  .Set("spatial_scale_w", scale));
}

void MapGridSample(NodeImport& node) {
  std::string mode = node.Text("mode", "bilinear");
  if (mode == "linear") mode = "bilinear";
  if (mode == "cubic") mode = "bicubic";
  const bool volume = node.KnownRank(0) == 5u;
  node.Out(0, node.Op(volume ? "GridSampler3D" : "GridSampler2D", {node.In(0), node.In(1)})
                  .Set("interpolation_mode", mode)
                  .Set("padding_mode", node.Text("padding_mode", "zeros"))
                  .Set("align_corners", node.Int("align_corners", 0) != 0));
}

const RegisterMapping non_max_suppression("NonMaxSuppression", MapNonMaxSuppression);
const RegisterMapping roi_align("RoiAlign", MapRoiAlign);
const RegisterMapping max_roi_pool("MaxRoiPool", MapMaxRoiPool);
const RegisterMapping grid_sample("GridSample", MapGridSample);

}  // namespace
}  // namespace foothold::onnx

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ROIAlign and ROIPooling: cells of regions (image, left, top, right, bottom) of feature planes.
#include "base/error.h"
#include "base/thread_pool.h"
#include "kernels/pooling.h"
#include "kernels/regions.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/through_float.h"
#include "ops/window/window.h"

namespace foothold {
namespace {

constexpr double kMostSamples = 1 << 12;  // along one direction of a cell
constexpr double kFarthest = 1e9;         // pixels from the plane; beyond that nothing is to be found

struct RoiShape {
  std::size_t images, channels, regions;
  PlaneSize plane;
  RegionGrid grid;
};

std::size_t GridSide(const OpContext& context, const char* attribute) {
  const std::int64_t side = RequiredInt(context, attribute);
  if (side < 1 || side > kMostExtent) context.Refuse("{} is {}; it must be at least 1", attribute, side);
  return static_cast<std::size_t>(side);
}

RoiShape RoiShapeOf(const OpContext& context, const char* rows, const char* columns) {
  const TensorType& x = context.In(0);
  const TensorType& rois = context.In("rois");
  if (x.format == Format::kNhwc) context.Unsupported("no kernel for NHWC; NCHW would run");
  const ImageDims image = ImageDimsOf(context, x.dims, false, "the first input");
  if (rois.dims.size() != 2 || rois.dims[1] != 5)
    context.Refuse("rois is {}; expected [regions, 5]", ToString(rois));
  if (rois.type != x.type)
    context.Refuse("rois is {} and the planes are {}; they must have the same type", ToString(rois),
                   ToString(x));
  return {static_cast<std::size_t>(image.batch),
          static_cast<std::size_t>(image.channels),
          static_cast<std::size_t>(rois.dims[0]),
          {static_cast<std::size_t>(image.height), static_cast<std::size_t>(image.width)},
          {GridSide(context, rows), GridSide(context, columns)}};
}

void InferRoi(OpContext& context, const RoiShape& shape) {
  const TensorType& x = context.In(0);
  const Dims dims{context.In("rois").dims[0], x.dims[1], static_cast<std::int64_t>(shape.grid.rows),
                  static_cast<std::int64_t>(shape.grid.columns)};
  ElementCount(dims);
  context.SetOut(0, x.type, dims, x.format);
}

// Runs over channels of regions; the derived kernel fills one plane of cells.
template <typename T>
class RoiKernel : public Kernel {
 public:
  RoiKernel(const OpContext& context, const RoiShape& shape)
      : shape_(shape), name_(context.node().Description()) {}

  void Run(const RunArgs& args) const final {
    const std::size_t cells = shape_.grid.rows * shape_.grid.columns;
    const std::size_t pixels = shape_.plane.height * shape_.plane.width;
    ParallelFor(shape_.regions * shape_.channels, 1 + 2048 / cells, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const T* roi = args.In<T>(1) + i / shape_.channels * 5;
        const T* plane = args.In<T>(0) + (ImageOf(roi) * shape_.channels + i % shape_.channels) * pixels;
        RunPlane(roi, plane, args.Out<T>(0) + i * cells);
      }
    });
  }

 protected:
  virtual void RunPlane(const T* roi, const T* plane, T* out) const = 0;

  // Not further away than anything can be found.
  double Coordinate(T value) const {
    if (value != value) Fail(kInvalidParam, "{}: a coordinate of a region is NaN", name_);
    return std::clamp(static_cast<double>(value), -kFarthest, kFarthest);
  }

  RoiShape shape_;
  std::string name_;

 private:
  std::size_t ImageOf(const T* roi) const {
    if (!(roi[0] >= T{} && roi[0] < static_cast<T>(shape_.images)))
      Fail(kInvalidParam, "{}: a region is in image {}; there are {}", name_, static_cast<double>(roi[0]),
           shape_.images);
    return static_cast<std::size_t>(roi[0]);
  }
};

struct AlignWay {
  double scale;
  std::size_t samples;  // 0: as many as a cell has pixels
  std::int64_t end_mode;
  bool maximum;
};

template <typename T>
class RoiAlign : public RoiKernel<T> {
 public:
  RoiAlign(const OpContext& context, const RoiShape& shape, AlignWay way)
      : RoiKernel<T>(context, shape), way_(way) {}

 protected:
  void RunPlane(const T* roi, const T* plane, T* out) const override {
    const RegionGrid grid = this->shape_.grid;
    const Region region = RegionOf(roi);
    const RegionGrid samples{Samples(region.height, grid.rows), Samples(region.width, grid.columns)};
    for (std::size_t row = 0; row < grid.rows; ++row)
      for (std::size_t column = 0; column < grid.columns; ++column)
        out[row * grid.columns + column] =
            SampledCell(plane, this->shape_.plane, region, grid, row, column, samples, way_.maximum);
  }

 private:
  // Mode 1 counts the last pixel in, mode 2 puts pixels at their centres.
  Region RegionOf(const T* roi) const {
    const double far = way_.end_mode == 1 ? 1 : 0, shift = way_.end_mode == 2 ? 0.5 : 0;
    const double left = this->Coordinate(roi[1]) * way_.scale - shift;
    const double top = this->Coordinate(roi[2]) * way_.scale - shift;
    double width = (this->Coordinate(roi[3]) + far) * way_.scale - shift - left;
    double height = (this->Coordinate(roi[4]) + far) * way_.scale - shift - top;
    if (way_.end_mode != 2) {
      width = std::max(width, 1.0);
      height = std::max(height, 1.0);
    }
    return {top, left, height, width};
  }

  std::size_t Samples(double extent, std::size_t cells) const {
    if (way_.samples > 0) return way_.samples;
    const double count = std::ceil(extent / static_cast<double>(cells));
    if (count > kMostSamples)
      Fail(kInvalidParam, "{}: a region is {} pixels long, too much for {} cells", this->name_, extent,
           cells);
    return static_cast<std::size_t>(std::max(count, 0.0));
  }

  AlignWay way_;
};

double ScaleOf(const OpContext& context, const char* attribute) {
  const auto scale = static_cast<double>(context.node().Float(attribute, 1.0f));
  if (!std::isfinite(scale)) context.Refuse("{} is {}; it must be a finite number", attribute, scale);
  return scale;
}

AlignWay AlignWayOf(const OpContext& context) {
  const Node& node = context.node();
  const std::int64_t samples = node.Int("sample_num", 2), mode = node.Int("roi_end_mode", 1);
  const std::string pool = node.Text("pool_mode", "avg");
  if (samples < 0 || samples > static_cast<std::int64_t>(kMostSamples))
    context.Refuse("sample_num is {}, which is out of range", samples);
  if (mode < 0 || mode > 2) context.Refuse("roi_end_mode is {}; 0, 1 and 2 are possible", mode);
  if (pool != "avg" && pool != "max") context.Refuse("pool_mode is '{}'; avg and max are possible", pool);
  return {ScaleOf(context, "spatial_scale"), static_cast<std::size_t>(samples), mode, pool == "max"};
}

// Caffe's: cells of whole pixels.
template <typename T>
class RoiPooling : public RoiKernel<T> {
 public:
  RoiPooling(const OpContext& context, const RoiShape& shape, double scale_y, double scale_x)
      : RoiKernel<T>(context, shape), scale_y_(scale_y), scale_x_(scale_x) {}

 protected:
  void RunPlane(const T* roi, const T* plane, T* out) const override {
    const auto [size, grid] = std::pair(this->shape_.plane, this->shape_.grid);
    for (std::size_t row = 0; row < grid.rows; ++row) {
      const Cell rows = CellOf(roi[2], roi[4], scale_y_, row, grid.rows, size.height);
      for (std::size_t column = 0; column < grid.columns; ++column) {
        const Cell columns = CellOf(roi[1], roi[3], scale_x_, column, grid.columns, size.width);
        T best = rows.begin < rows.end && columns.begin < columns.end ? LowestOf<T>() : T{};
        for (std::size_t y = rows.begin; y < rows.end; ++y)
          for (std::size_t x = columns.begin; x < columns.end; ++x)
            best = MaxOrNaN(best, plane[y * size.width + x]);
        out[row * grid.columns + column] = best;
      }
    }
  }

 private:
  struct Cell {
    std::size_t begin, end;
  };
  Cell CellOf(T from, T to, double scale, std::size_t i, std::size_t cells, std::size_t extent) const {
    const double begin = std::round(this->Coordinate(from) * scale);
    const double length = std::max(std::round(this->Coordinate(to) * scale) - begin + 1, 1.0);
    const double step = length / static_cast<double>(cells), most = static_cast<double>(extent);
    const double first = std::floor(static_cast<double>(i) * step) + begin;
    const double last = std::ceil(static_cast<double>(i + 1) * step) + begin;
    return {static_cast<std::size_t>(std::clamp(first, 0.0, most)),
            static_cast<std::size_t>(std::clamp(last, 0.0, most))};
  }

  double scale_y_, scale_x_;
};

// Calls make(ElementTag<T>) with the type that computes.
template <typename Make>
std::unique_ptr<Kernel> LowerRoi(OpContext& context, const char* counts, Make&& make) {
  if (context.Has(counts)) context.Unsupported("no kernel with {}; every region of rois counts", counts);
  const DataType type = context.In(0).type;
  if (type == DataType::kDouble) return make(ElementTag<double>());
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; floating-point types have one", DataTypeName(type));
  return ThroughFloat(context, make(ElementTag<float>()));
}

std::unique_ptr<Kernel> LowerAlign(OpContext& context) {
  const RoiShape shape = RoiShapeOf(context, "pooled_height", "pooled_width");
  return LowerRoi(context, "rois_n", [&](auto tag) -> std::unique_ptr<Kernel> {
    return std::make_unique<RoiAlign<typename decltype(tag)::Type>>(context, shape, AlignWayOf(context));
  });
}

std::unique_ptr<Kernel> LowerPooling(OpContext& context) {
  const RoiShape shape = RoiShapeOf(context, "pooled_h", "pooled_w");
  return LowerRoi(context, "roi_actual_num", [&](auto tag) -> std::unique_ptr<Kernel> {
    return std::make_unique<RoiPooling<typename decltype(tag)::Type>>(
        context, shape, ScaleOf(context, "spatial_scale_h"), ScaleOf(context, "spatial_scale_w"));
  });
}

const RegisterOp regions({
    OpDef("ROIAlign")
        .Infer([](OpContext& context) {
          AlignWayOf(context);
          InferRoi(context, RoiShapeOf(context, "pooled_height", "pooled_width"));
        })
        .Lower(LowerAlign)
        .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble}),
    OpDef("ROIPooling")
        .Infer([](OpContext& context) { InferRoi(context, RoiShapeOf(context, "pooled_h", "pooled_w")); })
        .Lower(LowerPooling)
        .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble}),
});

}  // namespace
}  // namespace foothold

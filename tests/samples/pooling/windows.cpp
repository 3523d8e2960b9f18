// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pooling by windows over planes of two or three dimensions, and its gradients.
#include <cmath>

#include "samples/table.h"

namespace samples {
namespace {

const std::vector<aclDataType> kFloating = FloatTypes() + std::vector<aclDataType>{ACL_DOUBLE};
constexpr const char* kInfinities = "infinities of both signs in one window";

struct Axis {
  int in, out, kernel, stride, padding, dilation;
  int Begin(int i) const { return i * stride - padding; }
};

// The last dimensions of a tensor, as the settings lay windows over them.
struct Planes {
  Planes(const Dims& dims, const Given& in) : whole(dims) {
    const std::vector<double>& kernel = in.List("kernel");
    const auto entry = [&](const char* name, std::size_t i, double otherwise) {
      if (in.Find(name) == nullptr || in.List(name).empty()) return static_cast<int>(otherwise);
      const std::vector<double>& list = in.List(name);
      return static_cast<int>(list[list.size() == 1 ? 0 : i]);
    };
    const std::size_t first = dims.size() - kernel.size();
    for (std::size_t i = 0; i < kernel.size(); ++i) {
      Axis axis{static_cast<int>(dims[first + i]),
                0,
                static_cast<int>(kernel[i]),
                entry("stride", i, kernel[i]),
                entry("padding", i, 0),
                entry("dilation", i, 1)};
      const int room = axis.in + 2 * axis.padding - axis.dilation * (axis.kernel - 1) - 1;
      axis.out = room / axis.stride + 1;
      if (in.Flag("ceil") && room % axis.stride != 0 && axis.out * axis.stride < axis.in + axis.padding)
        ++axis.out;
      axes.push_back(axis);
      points *= static_cast<std::size_t>(axis.in);
      windows *= static_cast<std::size_t>(axis.out);
    }
    for (std::size_t i = 0; i < first; ++i)
      count *= static_cast<std::size_t>(dims[i]);
  }
  Dims Pooled() const {
    Dims pooled = whole;
    for (std::size_t i = 0; i < axes.size(); ++i)
      pooled[whole.size() - axes.size() + i] = axes[i].out;
    return pooled;
  }
  // visit(place in the plane) for what lies in a window; the number of all of its places up to the padding's
  // end.
  template <typename Visit>
  double ForWindow(std::size_t window, Visit visit) const {
    std::vector<int> begin(axes.size());
    double padded = 1;
    for (std::size_t i = axes.size(); i-- > 0;) {
      begin[i] = axes[i].Begin(static_cast<int>(window) % axes[i].out);
      padded *= std::min(begin[i] + axes[i].kernel, axes[i].in + axes[i].padding) - begin[i];
      window /= static_cast<std::size_t>(axes[i].out);
    }
    int taps = 1;
    for (const Axis& axis : axes)
      taps *= axis.kernel;
    for (int tap = 0; tap < taps; ++tap) {
      int rest = tap, place = 0, step = 1;
      bool inside = true;
      for (std::size_t i = axes.size(); i-- > 0;) {
        const int at = begin[i] + rest % axes[i].kernel * axes[i].dilation;
        rest /= axes[i].kernel;
        inside = inside && at >= 0 && at < axes[i].in;
        place += at * step;
        step *= axes[i].in;
      }
      if (inside) visit(static_cast<std::size_t>(place));
    }
    return padded;
  }
  Dims whole;
  std::vector<Axis> axes;
  std::size_t count = 1, points = 1, windows = 1;
};

double Divisor(const Given& in, double padded, double inside) {
  return in.Number("divisor") != 0 ? in.Number("divisor") : in.Flag("count_pad") ? padded : inside;
}

Block Average(const Given& in) {
  const Planes planes(in[0].dims, in);
  Block out{planes.Pooled(), {}};
  for (std::size_t plane = 0; plane < planes.count; ++plane)
    for (std::size_t w = 0; w < planes.windows; ++w) {
      double sum = 0, inside = 0;
      const double padded = planes.ForWindow(w, [&](std::size_t i) {
        sum += in[0].values[plane * planes.points + i];
        ++inside;
      });
      out.values.push_back(sum / Divisor(in, padded, inside));
    }
  return out;
}

// What arrives, and what was pooled.
Block AverageGradient(const Given& in) {
  const Planes planes(in[1].dims, in);
  Block out{in[1].dims, Values(in[1].values.size(), 0)};
  for (std::size_t i = 0; i < in[0].values.size(); ++i) {
    double inside = 0;
    const double padded = planes.ForWindow(i % planes.windows, [&](std::size_t) { ++inside; });
    planes.ForWindow(i % planes.windows, [&](std::size_t place) {
      out.values[i / planes.windows * planes.points + place] += in[0].values[i] / Divisor(in, padded, inside);
    });
  }
  return out;
}

// The maxima, and their places in the planes.
std::vector<Block> Maximum(const Block& x, const Planes& planes) {
  Block out{planes.Pooled(), {}}, places{planes.Pooled(), {}};
  for (std::size_t plane = 0; plane < planes.count; ++plane)
    for (std::size_t w = 0; w < planes.windows; ++w) {
      double best = -1, most = 0;
      planes.ForWindow(w, [&](std::size_t i) {
        const double value = x.values[plane * planes.points + i];
        if (best < 0 || value > most || std::isnan(value)) best = static_cast<double>(i), most = value;
      });
      out.values.push_back(most);
      places.values.push_back(best);
    }
  return {out, places};
}

std::vector<Block> Maxima(const Given& in) {
  return Maximum(in[0], Planes(in[0].dims, in));
}

// What arrives goes to the maxima of what was pooled.
Block MaximumGradient(const Given& in) {
  const Planes planes(in[1].dims, in);
  const Block places = Maximum(in[1], planes)[1];
  Block out{in[1].dims, Values(in[1].values.size(), 0)};
  for (std::size_t i = 0; i < in[0].values.size(); ++i)
    out.values[i / planes.windows * planes.points + static_cast<std::size_t>(places.values[i])] +=
        in[0].values[i];
  return out;
}

Settings Window(std::initializer_list<double> kernel, std::initializer_list<double> stride,
                std::initializer_list<double> padding, bool ceil) {
  return {{"kernel", kernel}, {"stride", stride}, {"padding", padding}, {"ceil", ceil}};
}
Settings Averaged(Settings settings, bool count_pad, int divisor) {
  settings.emplace_back("count_pad", count_pad);
  settings.emplace_back("divisor", divisor);
  return settings;
}
Settings Dilated(Settings settings, std::initializer_list<double> dilation) {
  settings.emplace_back("dilation", dilation);
  return settings;
}

const Table averages({
    Functions("AvgPool3d")
        .Types(kFloating + std::vector<aclDataType>{ACL_INT64})
        .Calls(NN(AvgPool3d),
               {X(0), V("kernel"), V("stride"), V("padding"), V("ceil"), V("count_pad"), V("divisor"), Y(0)})
        .Form({{2, 3, 4, 5, 6}}, Averaged(Window({2, 3, 2}, {2, 1, 2}, {1, 1, 0}, false), true, 0))
        .Form({{3, 4, 5, 6}}, Averaged(Window({2, 2, 3}, {}, {1, 1, 1}, true), false, 0))
        .Form({{1, 2, 5, 5, 5}}, Averaged(Window({2, 2, 2}, {2}, {0}, true), true, 3))
        .Form({{0, 3, 4, 5, 6}}, Averaged(Window({2, 2, 2}, {2}, {0}, false), true, 0))
        .Within(4)
        .Without(Part::kSpecial, kInfinities)
        .Is([](const Given& in) {
          Block out = Average(in);
          if (in.type == ACL_INT64)
            for (double& value : out.values)
              value = std::trunc(value);
          return out;
        }),
    Functions("AvgPool3dGradient")
        .Types(kFloating)
        .Calls(NN(AvgPool3dBackward), {X(0), X(1), V("kernel"), V("stride"), V("padding"), V("ceil"),
                                       V("count_pad"), V("divisor"), Y(0)})
        .Form({{2, 3, 3, 5, 3}, {2, 3, 4, 5, 6}},
              Averaged(Window({2, 3, 2}, {2, 1, 2}, {1, 1, 0}, false), true, 0))
        .Form({{3, 3, 3, 3}, {3, 4, 5, 6}}, Averaged(Window({2, 2, 3}, {}, {1, 1, 1}, true), false, 0))
        .Form({{0, 3, 2, 2, 3}, {0, 3, 4, 5, 6}}, Averaged(Window({2, 2, 2}, {2}, {0}, false), true, 0))
        .Within(8)
        .Without(Part::kSpecial, kInfinities)
        .Is(AverageGradient),
});

Values Different(std::size_t count) {
  Values values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(static_cast<double>(i * 37 % 101) - 50);
  return values;
}

const Table maxima({
    Functions("MaxPool3d")
        .Types(kFloating)
        .Calls(NN(MaxPool3dWithArgmax),
               {X(0), V("kernel"), V("stride"), V("padding"), V("dilation"), V("ceil"), Y(0), Y(1)})
        .Gives({kSame, ACL_INT32})
        .Form({{2, 3, 4, 5, 6}}, Dilated(Window({2, 3, 2}, {2, 1, 2}, {1, 1, 0}, false), {1}))
        .Form({{3, 4, 5, 6}}, Dilated(Window({2, 2, 3}, {}, {1, 1, 1}, true), {1, 2, 1}))
        .Form({{0, 3, 4, 5, 6}}, Dilated(Window({2, 2, 2}, {2}, {0}, false), {1}))
        .Are(Maxima),
    Functions("MaxPool3dGradient")
        .Types(kFloating)
        .Calls(NN(MaxPool3dWithArgmaxBackward),
               {X(0), X(1), X(2), V("kernel"), V("stride"), V("padding"), V("dilation"), V("ceil"), Y(0)})
        .TypeOf(2, ACL_INT32)
        .Whole(2, 0, 119)
        .Form({{2, 3, 2, 2, 3}, {2, 3, 4, 5, 6}, {2, 3, 2, 2, 3}},
              Dilated(Window({2, 2, 2}, {2}, {0}, false), {1}))
        .Form({{3, 2, 2, 3}, {3, 4, 5, 6}, {3, 2, 2, 3}}, Dilated(Window({2, 2, 2}, {2}, {0}, false), {1}))
        .Form({{0, 3, 2, 2, 3}, {0, 3, 4, 5, 6}, {0, 3, 2, 2, 3}},
              Dilated(Window({2, 2, 2}, {2}, {0}, false), {1}))
        .Within(4)
        .Without(Part::kSpecial, kInfinities)
        .Is([](const Given& in) {
          const Planes planes(in[1].dims, in);
          Block out{in[1].dims, Values(in[1].values.size(), 0)};
          for (std::size_t i = 0; i < in[0].values.size(); ++i)
            out.values[i / planes.windows * planes.points + static_cast<std::size_t>(in[2].values[i])] +=
                in[0].values[i];
          return out;
        }),
    Functions("MaxPool2dWithMask")
        .Types(kFloating)
        .Calls(NN(MaxPool2dWithMask),
               {X(0), V("kernel"), V("stride"), V("padding"), V("dilation"), V("ceil"), Y(0), X(1)})
        .TypeOf(1, ACL_INT8)
        .Form({{2, 3, 5, 6}, {0}}, Dilated(Window({3, 2}, {2, 1}, {1, 0}, false), {1}))
        .Form({{3, 5, 6}, {0}}, Dilated(Window({2, 2}, {}, {1}, true), {1, 2}))
        .Form({{2, 3, 5, 6}, {0}}, Dilated(Window({1, 1}, {2}, {0}, false), {1}))
        .Form({{0, 3, 5, 6}, {0}}, Dilated(Window({2, 2}, {2}, {0}, false), {1}))
        .Is([](const Given& in) { return Maximum(in[0], Planes(in[0].dims, in))[0]; }),
    Functions("MaxPool2dWithMaskGradient")
        .Types(kFloating)
        .Calls(NN(MaxPool2dWithMaskBackward),
               {X(0), X(1), X(2), V("kernel"), V("stride"), V("padding"), V("dilation"), V("ceil"), Y(0)})
        .TypeOf(2, ACL_INT8)
        .Holds(1, [](const Form& form) { return Different(nn::CountOf(form.dims[1])); })
        .Form({{2, 3, 3, 5}, {2, 3, 5, 6}, {0}}, Dilated(Window({3, 2}, {2, 1}, {1, 0}, false), {1}))
        .Form({{3, 3, 4}, {3, 5, 6}, {0}}, Dilated(Window({2, 2}, {}, {1}, true), {1, 2}))
        .Form({{0, 3, 2, 3}, {0, 3, 5, 6}, {0}}, Dilated(Window({2, 2}, {2}, {0}, false), {1}))
        .Within(4)
        .Without(Part::kSpecial, kInfinities)
        .Is(MaximumGradient),
});

}  // namespace
}  // namespace samples

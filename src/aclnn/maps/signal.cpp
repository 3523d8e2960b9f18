// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Spectra of signals.
#include "aclnn/mapping.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

void MapStft(Call& call) {
  const Value self = call.In("self"), window = call.InIfGiven("windowOptional");
  const DataType type = TypeOf(self).type;
  const DataType part = type == DataType::kComplex64    ? DataType::kFloat
                        : type == DataType::kComplex128 ? DataType::kDouble
                                                        : type;
  if (window && IsComplex(TypeOf(window).type))
    call.NotSupported("'windowOptional' is {}; windows of real numbers run", ToString(TypeOf(window)));
  call.Out("out", call.Op("STFT", {self, window ? call.To(window, part) : window})
                      .Set("n_fft", call.GetInt("nFft"))
                      .Set("hop_length", call.GetInt("hopLength"))
                      .Set("win_length", call.GetInt("winLength"))
                      .Set("normalized", call.GetFlag("normalized"))
                      .Set("onesided", call.GetFlag("onesided"))
                      .Set("return_complex", call.GetFlag("returnComplex")));
}

const RegisterMapping signal_maps({
    {"aclStft", MapStft},
});

}  // namespace
}  // namespace foothold::aclnn

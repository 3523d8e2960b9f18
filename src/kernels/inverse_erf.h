// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The number whose error function a number is. Any thread.
#pragma once

namespace foothold {

// Infinite at 1 and -1, NaN beyond.
double InverseErf(double x);

}  // namespace foothold

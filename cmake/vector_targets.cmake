# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Instruction sets kernels are not built for. Kernels keep tiles of vectors in registers and structures, which vectors
# whose length is known only at run time cannot be part of: Arm processors use NEON.
set(FOOTHOLD_DISABLED_TARGETS "(HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_mdl.h"
#include "python/chapters.h"
#include "python/structures.h"

namespace foothold {
namespace {

const Function kAippFunctions[] = {
    Bind<aclmdlCreateAIPP>("create_aipp", "batch -> aipp",
                           "Makes parameters of the preprocessing of images."),
    Bind<aclmdlDestroyAIPP>("destroy_aipp", "aipp -> ret", "Forgets them."),
    Bind<aclmdlGetAippDataSize>("get_aipp_data_size", "batch -> size, ret", "Bytes of the parameters."),
    Bind<aclmdlSetAIPPInputFormat>("set_aipp_input_format", "aipp, format -> ret", "Format of the images."),
    Bind<aclmdlSetAIPPSrcImageSize>("set_aipp_src_image_size", "aipp, width, height -> ret",
                                    "Size of the images."),
    Bind<aclmdlSetAIPPCscParams>(
        "set_aipp_csc_params",
        "aipp, switch, r0c0, r0c1, r0c2, r1c0, r1c1, r1c2, r2c0, r2c1, r2c2, out_bias0, "
        "out_bias1, out_bias2, in_bias0, in_bias1, in_bias2 -> ret",
        "Conversion of colours."),
    Bind<aclmdlSetAIPPRbuvSwapSwitch>("set_aipp_rbuv_swap_switch", "aipp, switch -> ret", "Swaps channels."),
    Bind<aclmdlSetAIPPAxSwapSwitch>("set_aipp_ax_swap_switch", "aipp, switch -> ret", "Swaps channels."),
    Bind<aclmdlSetAIPPScfParams>(
        "set_aipp_scf_params", "aipp, switch, in_width, in_height, out_width, out_height, batch_index -> ret",
        "Resizing."),
    Bind<aclmdlSetAIPPCropParams>("set_aipp_crop_params",
                                  "aipp, switch, left, top, width, height, batch_index -> ret", "Cropping."),
    Bind<aclmdlSetAIPPPaddingParams>(
        "set_aipp_padding_params", "aipp, switch, top, bottom, left, right, batch_index -> ret", "Padding."),
    Bind<aclmdlSetAIPPDtcPixelMean>("set_aipp_dtc_pixel_mean",
                                    "aipp, mean0, mean1, mean2, mean3, batch_index -> ret",
                                    "What is subtracted from channels."),
    Bind<aclmdlSetAIPPDtcPixelMin>("set_aipp_dtc_pixel_min",
                                   "aipp, min0, min1, min2, min3, batch_index -> ret",
                                   "What is subtracted from channels next."),
    Bind<aclmdlSetAIPPPixelVarReci>("set_aipp_pixel_var_reci",
                                    "aipp, var0, var1, var2, var3, batch_index -> ret",
                                    "What channels are multiplied with."),
    Bind<aclmdlSetInputAIPP>("set_input_aipp", "model_id, dataset, index, aipp -> ret",
                             "Sets the parameters for the next run."),
    Bind<aclmdlSetAIPPByInputIndex>("set_aipp_by_input_index", "model_id, dataset, index, aipp -> ret",
                                    "Sets the parameters of one input for the next run."),
    Bind<aclmdlGetAippType>("get_aipp_type", "model_id, index -> type, attached_index, ret",
                            "Whether an input is preprocessed."),
    Bind<aclmdlGetFirstAippInfo>("get_first_aipp_info", "model_id, index -> info, ret",
                                 "How an input is preprocessed."),
};

}  // namespace

std::span<const Function> AippFunctions() {
  return kAippFunctions;
}

}  // namespace foothold

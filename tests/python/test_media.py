# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Image and video processing where it is not supported."""
import unittest

import acl
from calls import NOT_SUPPORTED
from on_device import DeviceCase
from pictures import UNSUPPORTED


@unittest.skipUnless({"acldvppCreateChannel", "aclvdecCreateChannel"} <= UNSUPPORTED, "it is supported")
class Media(DeviceCase):
    def test_says_that_it_is_not_supported(self):
        self.assertEqual(acl.media.dvpp_create_channel_desc(), 0)
        self.assertIn("not supported", acl.get_recent_err_msg())
        self.assertIn(acl.media.dvpp_create_channel(0), NOT_SUPPORTED)
        self.assertEqual(acl.media.dvpp_vpc_batch_crop_async(0, 0, [1], 5, [0], 0)[0], 5)
        self.assertIn(acl.media.vdec_set_channel_desc_callback(0, print), NOT_SUPPORTED)
        self.assertIn(acl.media.venc_send_frame(0, 0, 0, 0, None), NOT_SUPPORTED)

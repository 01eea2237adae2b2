"""Stands for the kms++ bindings of Raspberry Pi's archive: picamera2 imports them for a preview that is never shown."""

import enum

PixelFormat = enum.Enum("PixelFormat", "RGB888 BGR888 XRGB8888 XBGR8888 YUV420 YVU420 NV12 ABGR8888")

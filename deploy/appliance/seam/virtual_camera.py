"""Lets the real picamera2 drive libcamera's virtual camera on a kernel without dma-buf. Only for the appliance test.

Replaced are the allocator of buffers (plain memory files) and the question for the sensor's raw modes (there is no
sensor); and the virtual camera, which gives hundreds of frames a second, is slowed down to what a sensor gives.
Everything else is picamera2 and libcamera as they are. `sitecustomize` beside this file installs it.
"""

import mmap
import os
import sys
import time

import libcamera
import picamera2.picamera2
from picamera2.allocators.allocator import Allocator, Sync

FRAMES_PER_SECOND = 5
"""Few, since the user-mode kernel has one slow processor for everything."""
PATIENCE_S = 30.0
"""For one frame, there; on a Pi a frame that takes two seconds will not come."""


class MemoryAllocator(Allocator):
    """Buffers in memory files, with two planes as the virtual camera's NV12 wants them."""

    def __init__(self):
        super().__init__()
        self._buffers, self._maps, self._files = {}, {}, []
        self.sync = _Held

    def allocate(self, libcamera_config, _use_case):
        self.close()
        for stream in libcamera_config:
            luma = stream.stride * stream.size.height
            self._buffers[stream.stream] = [self._buffer(stream.frame_size, luma) for _ in range(stream.buffer_count)]

    def _buffer(self, size, luma):
        file = os.memfd_create("virtual-camera", os.MFD_CLOEXEC)
        os.ftruncate(file, size)
        self._files.append(file)
        planes = []
        for offset, length in ((0, luma), (luma, size - luma)):
            plane = libcamera.FrameBuffer.Plane()
            plane.fd, plane.offset, plane.length = file, offset, length
            planes.append(plane)
        buffer = libcamera.FrameBuffer(planes)
        self._maps[buffer] = mmap.mmap(file, size, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
        return buffer

    def buffers(self, stream):
        return self._buffers[stream]

    def close(self):
        for file in self._files:
            os.close(file)
        self._buffers, self._maps, self._files = {}, {}, []


class _Held(Sync):
    """A buffer in use."""

    def __init__(self, allocator, buffer, _write):
        self._map = allocator._maps[buffer]

    def __enter__(self):
        return self._map

    def __exit__(self, *_):
        pass

    def get_buffer(self):
        return self._map


def _raw_modes(self):
    wanted = libcamera.StreamRole
    configuration = self.camera.generate_configuration([wanted.Raw]) or self.camera.generate_configuration(
        [wanted.VideoRecording]
    )
    formats = configuration.at(0).formats
    return [
        {"format": str(pixels), "size": (size.width, size.height)}
        for pixels in formats.pixel_formats
        for size in formats.sizes(pixels)
    ]


_process_requests = picamera2.Picamera2.process_requests


def _paced(self, display):
    # A request comes back to the camera only when it was processed, so waiting here holds the camera back too.
    time.sleep(1 / FRAMES_PER_SECOND)
    return _process_requests(self, display)


picamera2.Picamera2.process_requests = _paced
if "vision.cameras.picamera" in sys.modules:
    sys.modules["vision.cameras.picamera"].FRAME_TIMEOUT_S = PATIENCE_S
picamera2.picamera2.DmaAllocator = MemoryAllocator
picamera2.Picamera2._get_raw_modes = _raw_modes

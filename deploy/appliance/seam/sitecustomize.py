"""Python imports this at its start: once picamera2 has been imported, the virtual camera's seam is put in."""

import importlib.util
import sys


class _AfterPicamera2:
    def find_spec(self, name, _path=None, _target=None):
        if name != "picamera2":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            import virtual_camera  # noqa: F401

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, _AfterPicamera2())

"""Small networks that say what lies on each cell and edge: crops, ONNX files and their runner."""

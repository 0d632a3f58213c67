"""A mesh as OBJ and its frames as PC2, the pair that pelt reads fastest."""

import struct

import numpy as np

PC2_HEADER = struct.Struct("<12siiffi")


def write_obj(path, positions, loop_totals, loop_vertices):
    """Positions and polygons, without UVs and normals: the vertices of the result are then those of the mesh, in order.

    positions      n x 3
    loop_totals    corners of each polygon
    loop_vertices  vertex of each corner, polygon after polygon
    """
    starts = np.cumsum(loop_totals) - loop_totals
    with open(path, "w", encoding="ascii", newline="\n") as file:
        # Nine digits give every 32-bit float back.
        file.write(("v %.9g %.9g %.9g\n" * len(positions)) % tuple(positions.ravel().tolist()))
        for size in np.unique(loop_totals[loop_totals > 2]):
            corners = starts[loop_totals == size][:, None] + np.arange(size)
            vertices = loop_vertices[corners] + 1
            file.write((("f" + " %d" * int(size) + "\n") * len(vertices)) % tuple(vertices.ravel().tolist()))


class Pc2Writer:
    """A point cache that grows by a frame at a time, so that memory does not."""

    def __init__(self, path, points):
        self._file = open(path, "wb")
        self._points = points
        self.frames = 0
        self._write_header()

    def add(self, positions):
        """positions  n x 3"""
        if positions.shape != (self._points, 3):
            raise ValueError(f"a frame has {len(positions)} points, the cache {self._points}")
        self._file.write(np.ascontiguousarray(positions, dtype="<f4").data)
        self.frames += 1

    def close(self):
        if self._file.closed:
            return
        self._file.seek(0)
        self._write_header()
        self._file.close()

    def _write_header(self):
        self._file.write(PC2_HEADER.pack(b"POINTCACHE2\0", 1, self._points, 0.0, 1.0, self.frames))

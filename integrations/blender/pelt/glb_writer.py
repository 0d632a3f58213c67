"""Writes a rig with its motion as a skinned GLB, for the commands that start from a rig."""

import json
import struct

import numpy as np

from . import trs

FLOAT, UNSIGNED_SHORT, UNSIGNED_INT = 5126, 5123, 5125


def write_rig(path, mesh, bones, motion):
    """All in the axes of glTF.

    mesh    positions (n x 3), triangles (f x 3), joints and weights (n x K)
    bones   names, parents (a parent before its children, or -1) and binds (m x 4 x 4, rigid)
    motion  times (S) and matrices (S x m x 4 x 4, bones in the scene)
    Returns the most that a matrix has lost by having no shear, in elements of the linear part.
    """
    binary = _Binary()
    m = len(bones["names"])
    matrices, parents = motion["matrices"], bones["parents"]
    nodes = [{"name": name} for name in bones["names"]]
    for k, parent in enumerate(parents):
        if parent >= 0:
            nodes[parent].setdefault("children", []).append(k)
    channels, samplers = [], []
    times = binary.add(motion["times"][:, None], FLOAT, bounds=True)
    lost = 0.0
    # Children are relative to what their parents became, so that a loss is not handed down.
    kept = np.empty_like(matrices)
    for k, parent in enumerate(parents):
        local = matrices[:, k] if parent < 0 else np.linalg.inv(kept[:, parent]) @ matrices[:, k]
        location, rotation, scale = trs.decompose(local)
        rotation = trs.continuous(rotation)
        reached = trs.compose(location, rotation, scale)
        kept[:, k] = reached if parent < 0 else kept[:, parent] @ reached
        lost = max(lost, float(np.abs(kept[:, k, :3, :3] - matrices[:, k, :3, :3]).max()))
        rest = bones["binds"][k] if parent < 0 else np.linalg.inv(bones["binds"][parent]) @ bones["binds"][k]
        rest_location, rest_rotation, _ = trs.decompose(rest)
        nodes[k]["translation"] = rest_location.tolist()
        nodes[k]["rotation"] = rest_rotation[[1, 2, 3, 0]].tolist()
        curves = {"translation": location, "rotation": rotation[:, [1, 2, 3, 0]], "scale": scale}
        for target, values in curves.items():
            if target == "scale" and np.abs(scale - 1).max() < 1e-6:
                continue
            channels.append({"sampler": len(samplers), "target": {"node": k, "path": target}})
            samplers.append({"input": times, "output": binary.add(values, FLOAT)})
    roots = [k for k, parent in enumerate(parents) if parent < 0]
    if len(roots) > 1:
        # Joints need a common root.
        nodes.append({"name": "rig", "children": roots})
        roots = [len(nodes) - 1]
    nodes.append({"name": "mesh", "mesh": 0, "skin": 0})
    binds = np.linalg.inv(bones["binds"]).transpose(0, 2, 1).reshape(m, 16)
    attributes = {"POSITION": binary.add(mesh["positions"], FLOAT, bounds=True)}
    for k in range(0, mesh["joints"].shape[1], 4):
        attributes[f"JOINTS_{k // 4}"] = binary.add(mesh["joints"][:, k : k + 4], UNSIGNED_SHORT)
        attributes[f"WEIGHTS_{k // 4}"] = binary.add(mesh["weights"][:, k : k + 4], FLOAT)
    primitive = {"attributes": attributes, "indices": binary.add(mesh["triangles"].reshape(-1, 1), UNSIGNED_INT)}
    document = {
        "asset": {"version": "2.0", "generator": "pelt for Blender"},
        "scene": 0,
        "scenes": [{"nodes": [*roots, len(nodes) - 1]}],
        "nodes": nodes,
        "meshes": [{"primitives": [primitive]}],
        "skins": [{"joints": list(range(m)), "inverseBindMatrices": binary.add(binds, FLOAT)}],
        "animations": [{"name": "clip", "channels": channels, "samplers": samplers}],
        "accessors": binary.accessors,
        "bufferViews": binary.views,
        "buffers": [{"byteLength": len(binary.bytes)}],
    }
    _write(path, document, bytes(binary.bytes))
    return lost


class _Binary:
    """The binary chunk as it grows, with a view and an accessor for each array."""

    KINDS = {FLOAT: "<f4", UNSIGNED_SHORT: "<u2", UNSIGNED_INT: "<u4"}
    TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}

    def __init__(self):
        self.bytes, self.views, self.accessors = bytearray(), [], []

    def add(self, values, kind, bounds=False):
        """values  elements x components; returns the index of the accessor"""
        array = np.ascontiguousarray(values, dtype=self.KINDS[kind])
        self.views.append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": array.nbytes})
        self.bytes += array.tobytes()
        self.bytes += bytes(-len(self.bytes) % 4)
        accessor = {"bufferView": len(self.views) - 1, "componentType": kind, "count": len(array)}
        accessor["type"] = self.TYPES[array.shape[1]]
        if bounds:
            accessor["min"], accessor["max"] = array.min(axis=0).tolist(), array.max(axis=0).tolist()
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def _write(path, document, binary):
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    with open(path, "wb") as file:
        file.write(struct.pack("<III", 0x46546C67, 2, 28 + len(text) + len(binary)))
        file.write(struct.pack("<II", len(text), 0x4E4F534A) + text)
        file.write(struct.pack("<II", len(binary), 0x004E4942) + binary)

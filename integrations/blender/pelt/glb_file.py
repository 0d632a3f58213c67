"""Reads the skinned GLB files that pelt writes: one mesh, one skin, one animation.

Blender's own importer is not used: it makes objects where an existing one shall be kept, and resamples curves.
"""

import json
import struct

import numpy as np

from . import trs

TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
# Share of the span between two keys within which a time is that of the key.
SAME_MOMENT = 1e-4
MAGIC, JSON_CHUNK, BINARY_CHUNK = 0x46546C67, 0x4E4F534A, 0x004E4942


class GlbError(Exception):
    """The file is not one that pelt writes for Blender."""


class SkinnedGlb:
    """n vertices, m joints.

    positions      n x 3, as stored
    joints         n x K joints of the skin
    weights        n x K
    inverse_binds  m x 4 x 4
    joint_nodes    node of each joint
    names, parents of the nodes; a parent comes before its children in `order`
    """

    def __init__(self, data):
        self._json, self._binary = _chunks(data)
        nodes = self._json.get("nodes", [])
        self.names = [node.get("name", f"node {k}") for k, node in enumerate(nodes)]
        self.parents = [-1] * len(nodes)
        for k, node in enumerate(nodes):
            for child in node.get("children", []):
                self.parents[child] = k
        self.order = []
        for root in (k for k, parent in enumerate(self.parents) if parent < 0):
            waiting = [root]
            while waiting:
                at = waiting.pop()
                self.order.append(at)
                waiting += reversed(nodes[at].get("children", []))
        skin, primitive = self._skinned_part(nodes)
        self.joint_nodes = skin["joints"]
        # Stored by columns.
        self.inverse_binds = self._accessor(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
        attributes = primitive["attributes"]
        self.positions = self._accessor(attributes["POSITION"])
        sets = [k for k in range(4) if f"JOINTS_{k}" in attributes]
        self.joints = np.concatenate([self._accessor(attributes[f"JOINTS_{k}"]) for k in sets], axis=1).astype(np.int64)
        self.weights = np.concatenate([self._accessor(attributes[f"WEIGHTS_{k}"]) for k in sets], axis=1)

    def _skinned_part(self, nodes):
        skinned = [node for node in nodes if "mesh" in node and "skin" in node]
        if len(skinned) != 1:
            raise GlbError(f"pelt's file has {len(skinned)} skinned meshes, and not one")
        primitives = self._json["meshes"][skinned[0]["mesh"]]["primitives"]
        if len(primitives) != 1:
            raise GlbError(f"the mesh of pelt's file has {len(primitives)} parts, and not one")
        return self._json["skins"][skinned[0]["skin"]], primitives[0]

    def rest_matrices(self):
        """nodes x 4 x 4: each node in the scene, without the animation."""
        return self._globals(self._rest())[0]

    def matrices_at(self, times):
        """S x nodes x 4 x 4: each node in the scene at each of S seconds."""
        return self._globals(self._local_at(times))

    def locals_at(self, times):
        """S x nodes x 4 x 4: each node in its parent."""
        local = self._local_at(times)
        return trs.compose(local["translation"], local["rotation"], local["scale"])

    def _local_at(self, times):
        local = self._rest()
        local = {path: np.repeat(values, len(times), axis=0) for path, values in local.items()}
        animations = self._json.get("animations", [])
        for channel in animations[0]["channels"] if animations else []:
            target, sampler = channel["target"], animations[0]["samplers"][channel["sampler"]]
            path = target["path"]
            if path not in local:
                raise GlbError(f"pelt's file animates '{path}', which bones do not have")
            values = self._accessor(sampler["output"])
            if path == "rotation":
                values = values[:, [3, 0, 1, 2]]
            way = sampler.get("interpolation", "LINEAR")
            local[path][:, target["node"]] = _sampled(self._accessor(sampler["input"])[:, 0], values, times, path, way)
        return local

    def _rest(self):
        nodes = self._json["nodes"]
        if any("matrix" in node for node in nodes):
            raise GlbError("a node of pelt's file has a matrix, and not a translation, rotation and scale")
        column = lambda key, standard: np.array([[node.get(key, standard) for node in nodes]], dtype=np.float64)
        return {
            "translation": column("translation", [0, 0, 0]),
            "rotation": column("rotation", [0, 0, 0, 1])[..., [3, 0, 1, 2]],
            "scale": column("scale", [1, 1, 1]),
        }

    def _globals(self, local):
        matrices = trs.compose(local["translation"], local["rotation"], local["scale"])
        for node in self.order:
            if self.parents[node] >= 0:
                matrices[:, node] = matrices[:, self.parents[node]] @ matrices[:, node]
        return matrices

    def _accessor(self, index):
        """Elements x components, as 64-bit floats."""
        accessor = self._json["accessors"][index]
        kind, size, count = np.dtype(TYPES[accessor["componentType"]]), SIZES[accessor["type"]], accessor["count"]
        if "bufferView" not in accessor:
            return np.zeros((count, size))
        if "sparse" in accessor:
            raise GlbError("pelt's file has a sparse accessor, which is not read here")
        view = self._json["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", kind.itemsize * size)
        strided = np.ndarray((count, size), kind, self._binary, start, (stride, kind.itemsize))
        values = strided.astype(np.float64)
        return values / np.iinfo(kind).max if accessor.get("normalized") else values


def read_glb(path):
    with open(path, "rb") as file:
        return SkinnedGlb(file.read())


def _chunks(data):
    if len(data) < 20 or struct.unpack_from("<I", data)[0] != MAGIC:
        raise GlbError("the result is not a GLB file")
    found, at = {}, 12
    while at + 8 <= len(data):
        length, kind = struct.unpack_from("<II", data, at)
        found[kind] = data[at + 8 : at + 8 + length]
        at += 8 + length
    return json.loads(found[JSON_CHUNK]), found.get(BINARY_CHUNK, b"")


def _sampled(keys, values, times, path, way):
    """A curve at some times, as a glTF player has it: held before the first key and after the last."""
    if way == "CUBICSPLINE":
        raise GlbError("pelt's file has cubic curves, which are not read here")
    after = np.clip(np.searchsorted(keys, times, side="right"), 1, max(1, len(keys) - 1))
    before = after - 1
    after = np.minimum(after, len(keys) - 1)
    span = keys[after] - keys[before]
    share = np.clip((times - keys[before]) / np.where(span > 0, span, 1), 0, 1)
    # Keys are 32-bit numbers: a time that is one but for rounding is that key, to the bit.
    share = np.where(np.abs(share - np.round(share)) < SAME_MOMENT, np.round(share), share)
    if way == "STEP":
        share = np.floor(share)
    if path == "rotation":
        return trs.slerp(values[before], values[after], share)
    return values[before] + share[:, None] * (values[after] - values[before])

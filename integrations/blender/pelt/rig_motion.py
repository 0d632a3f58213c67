"""From the joints of a GLB to bones as Blender has them.

A bone of Blender has a rigid frame B at rest, and its pose P deforms the mesh by P B^-1; a joint of glTF deforms it by
G I, its matrix in the scene times its inverse bind matrix. In the same axes P = G I B, for any B, so that bones may
point where they are useful. Only where joints stretch must a bone keep the axes of its joint, because a pose
can scale along its own axes alone. Nodes above such joints that are not joints themselves (pelt writes bones that
shear as pairs of nodes) become bones that deform nothing.
"""

import numpy as np

from . import trs

# Difference of a matrix from a rotation that counts as none: what 32-bit curves leave.
ROUNDING = 1e-4
# A curve that stays this near to its value at rest is left out; locations relative to the size of the model.
STILL = 1e-6
# Length of a bone that has nothing to point to, relative to the size of the model and to its parent.
LOOSE_LENGTH, LEAF_LENGTH = 0.05, 0.5


class RigMotion:
    """m bones over S frames, parents first.

    names, parents  of the bones
    deforms         whether a bone has weights
    joints          bone of each joint of the skin
    rests           m x 4 x 4: B
    lengths         m
    """

    def __init__(self, glb, times, size):
        matrices, in_parent, at_rest = glb.matrices_at(times), glb.locals_at(times), glb.rest_matrices()
        joint_of = {node: j for j, node in enumerate(glb.joint_nodes)}
        needed = _needed_nodes(glb, matrices, joint_of)
        bone_of = {node: k for k, node in enumerate(needed)}
        self.names = [glb.names[node] for node in needed]
        self.parents = [_nearest(glb.parents, node, bone_of) for node in needed]
        self.deforms = [node in joint_of for node in needed]
        self.joints = [bone_of[node] for node in glb.joint_nodes]
        # I of each bone; that of a node that is not a joint is chosen so that the bone has the axes of the node.
        own = {node: glb.inverse_binds[j] for node, j in joint_of.items()}
        self._inverses = np.array(
            [own[node] if node in own else trs.rigid(np.linalg.inv(at_rest[node])) for node in needed]
        )
        self._matrices = trs.GLTF_TO_BLENDER @ matrices[:, needed]
        self._locals = [
            self._matrices[:, k] if parent < 0 else _between(glb.parents, in_parent, needed[parent], node)
            for k, (node, parent) in enumerate(zip(needed, self.parents))
        ]
        self.rests = trs.rigid(trs.GLTF_TO_BLENDER @ np.linalg.inv(self._inverses))
        self.lengths = np.full(len(needed), LOOSE_LENGTH * size)
        if _is_rigid(self._matrices @ self._inverses):
            self._point_at_children(size)

    def _point_at_children(self, size):
        """Bones from joint to joint, as animators draw them; the last of a chain goes on straight."""
        heads = self.rests[:, :3, 3].copy()
        for k, parent in enumerate(self.parents):
            children = [heads[c] for c, above in enumerate(self.parents) if above == k]
            along = np.mean(children, axis=0) - heads[k] if children else np.zeros(3)
            length = np.linalg.norm(along)
            if length <= STILL * size:
                if parent < 0:
                    continue
                along, length = self.rests[parent, :3, 1], LEAF_LENGTH * self.lengths[parent]
            self.rests[k, :3, :3] = _frame_along(along)
            self.lengths[k] = length

    def curves(self, rests, size):
        """For each bone, in order: location (S x 3), rotation (S x 4) and scale (S x 3), None where it stays at rest.

        The second value is the most by which a linear part misses its target: shear, which no bone has.

        With E = I B, constant, P = G E, so that a bone relative to its parent is E_p^-1 (G_p^-1 G) E. The matrix in
        brackets comes from the file: poses are not inverted, as bones that flatten what they move cannot be.

        rests  m x 4 x 4: the frames at rest that Blender made of `rests`, in 32-bit floats
        """
        constants = self._inverses @ trs.BLENDER_TO_GLTF @ rests
        poses, found, missed = [], [], 0.0
        for k, parent in enumerate(self.parents):
            local = self._locals[k] @ constants[k]
            offset = rests[k]
            if parent >= 0:
                local = np.linalg.inv(constants[parent]) @ local
                offset = np.linalg.inv(rests[parent]) @ rests[k]
            location, rotation, scale = trs.decompose(np.linalg.inv(offset) @ local)
            still = [
                np.abs(location).max() <= STILL * size,
                np.abs(rotation[:, 1:]).max() <= STILL,
                np.abs(scale - 1).max() <= STILL,
            ]
            values = [location, trs.continuous(rotation), scale]
            identity = [np.zeros(3), np.array([1.0, 0, 0, 0]), np.ones(3)]
            curves = [None if stays else value.astype(np.float32) for stays, value in zip(still, values)]
            played = [base if curve is None else curve.astype(np.float64) for curve, base in zip(curves, identity)]
            pose = offset @ trs.compose(*played)
            poses.append(pose if parent < 0 else poses[parent] @ pose)
            wanted = self._matrices[:, k] @ constants[k]
            missed = max(missed, float(np.abs((poses[k] - wanted)[:, :3, :3]).max()))
            found.append(curves)
        return found, missed


def _needed_nodes(glb, matrices, joint_of):
    """Joints, and the nodes above them that move; parents first."""
    above = set()
    for node in glb.joint_nodes:
        while node >= 0 and node not in above:
            above.add(node)
            node = glb.parents[node]
    moves = np.abs(matrices - matrices[:1]).max(axis=(0, 2, 3)) > 0
    return [node for node in glb.order if node in above and (node in joint_of or moves[node])]


def _between(parents, in_parent, above, node):
    """S x 4 x 4: a node in one that is above it."""
    matrix = in_parent[:, node]
    while parents[node] != above:
        node = parents[node]
        matrix = in_parent[:, node] @ matrix
    return matrix


def _nearest(parents, node, bone_of):
    node = parents[node]
    while node >= 0 and node not in bone_of:
        node = parents[node]
    return bone_of[node] if node >= 0 else -1


def _is_rigid(motions):
    linear = motions[..., :3, :3]
    gram = np.swapaxes(linear, -1, -2) @ linear
    return np.abs(gram - np.eye(3)).max() < ROUNDING and np.linalg.det(linear).min() > 0


def _frame_along(direction):
    """A rotation whose second axis, along which bones of Blender lie, is a direction."""
    y = direction / np.linalg.norm(direction)
    # Any axis will do that is far from parallel.
    other = np.eye(3)[np.abs(y).argmin()]
    z = np.cross(y, other)
    z /= np.linalg.norm(z)
    return np.stack([np.cross(y, z), y, z], axis=1)

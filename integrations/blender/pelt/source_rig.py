"""The armature of a mesh, as the rig that pelt starts from: names, hierarchy, motion and weights."""

import numpy as np

from . import trs
from .evaluate import mesh_at_rest
from .glb_writer import write_rig
from .mesh_cache import write_obj
from .task_error import TaskError

RIG_FILE = "rig.glb"
# Weights per vertex that a file may have.
MOST_WEIGHTS = 16
# Shear of bones, in elements of a matrix, from which on it is told.
VISIBLE_SHEAR = 1e-3


def armature_of(context, obj):
    """The armature that deforms an object, carries it or is selected with it; None if there is none."""
    for modifier in obj.modifiers:
        if modifier.type == "ARMATURE" and modifier.object and modifier.show_viewport:
            return modifier.object
    if obj.parent and obj.parent.type == "ARMATURE":
        return obj.parent
    selected = [other for other in context.selected_objects if other.type == "ARMATURE"]
    return selected[0] if len(selected) == 1 else None


class RigRecorder:
    """Records the pose of every frame while frames are evaluated, then writes the rig.

    weighted  whether the mesh has to have weights for it
    """

    def __init__(self, armature, objects, weighted):
        self.name = armature.name
        self._objects = objects
        self._weighted = weighted
        chosen = [bone for bone in armature.data.bones if bone.use_deform]
        if weighted:
            groups = {group.name for group in objects()[0].vertex_groups}
            chosen = [bone for bone in chosen if bone.name in groups]
        if not chosen:
            raise TaskError(f"no bone of '{armature.name}' deforms '{objects()[0].name}'; bind the mesh to it")
        # Bones of an armature are listed parents first.
        self._bones = [bone.name for bone in chosen]
        index = {name: k for k, name in enumerate(self._bones)}
        self._parents = [_nearest(bone, index) for bone in chosen]
        self._rests = np.array([np.array(bone.matrix_local) for bone in chosen])
        self._first = None
        self._motions, self._places = [], []

    def record(self, context, found):
        """Takes the current frame."""
        obj, armature = self._objects()
        graph = context.evaluated_depsgraph_get()
        shown = armature.evaluated_get(graph)
        world = np.linalg.inv(found.origin) @ np.array(shown.matrix_world)
        if self._first is None:
            self._first = world
        poses = np.array([np.array(shown.pose.bones[name].matrix) for name in self._bones])
        self._motions.append(world @ poses @ np.linalg.inv(self._rests) @ np.linalg.inv(self._first))
        self._places.append(np.linalg.inv(found.origin) @ np.array(obj.evaluated_get(graph).matrix_world))

    def write(self, context, found, folder, times):
        """Writes `rig.glb`, and the mesh at rest in place of that of the first frame; returns warnings.

        The scene has to be in the first frame.
        """
        obj, armature = self._objects()
        positions, faces, weights = mesh_at_rest(context, obj, armature, found)
        if len(positions) != found.vertices:
            raise TaskError(
                f"'{obj.name}' has {found.vertices} vertices in the first frame and {len(positions)} in the rest "
                f"position of '{armature.name}'; disable the modifier that depends on the pose"
            )
        write_obj(f"{folder}/rest.obj", positions, *faces)
        names, parents = list(self._bones), list(self._parents)
        rests, motions = self._first @ self._rests, np.array(self._motions)
        joints, values = self._slots(weights, obj, len(positions))
        loose = values.sum(axis=1) <= 0
        if loose.all():
            # A mesh that was never bound: pelt finds weights where all are with one of several bones.
            joints[:, 0], values[:, 0] = 0, 1
        elif loose.any():
            # What has no weights follows the object.
            names.append("unweighted")
            parents.append(-1)
            places = np.array(self._places)
            rests = np.concatenate([rests, places[:1]])
            motions = np.concatenate([motions, (places @ np.linalg.inv(places[0]))[:, None]], axis=1)
            joints[loose, 0], values[loose, 0] = len(names) - 1, 1
        values /= values.sum(axis=1, keepdims=True)
        binds = trs.rigid(trs.BLENDER_TO_GLTF @ rests)
        matrices = trs.BLENDER_TO_GLTF @ motions @ trs.GLTF_TO_BLENDER @ binds
        lost = write_rig(
            f"{folder}/{RIG_FILE}",
            {"positions": positions, "triangles": _fans(*faces), "joints": joints, "weights": values},
            {"names": names, "parents": parents, "binds": binds},
            {"times": times, "matrices": matrices},
        )
        return [f"bones of '{armature.name}' shear, which glTF does not have"] if lost > VISIBLE_SHEAR else []

    def _slots(self, rows, obj, n):
        """n x K bones and weights, the largest first."""
        index = {name: k for k, name in enumerate(self._bones)}
        bone_of = np.array([index.get(group.name, -1) for group in obj.vertex_groups] or [-1])
        groups = rows[:, 1].astype(np.int64)
        rows = rows[groups < len(bone_of)]
        bones = bone_of[rows[:, 1].astype(np.int64)]
        vertices, weights = rows[bones >= 0, 0].astype(np.int64), rows[bones >= 0, 2]
        bones = bones[bones >= 0]
        if self._weighted and len(bones) == 0:
            raise TaskError(f"'{obj.name}' has no weights for the bones of '{self.name}'; bind the mesh to it")
        order = np.lexsort((-weights, vertices))
        vertices, bones, weights = vertices[order], bones[order], weights[order]
        slot = np.arange(len(vertices)) - np.searchsorted(vertices, vertices)
        width = min(MOST_WEIGHTS, max(4, 4 * -(-(int(slot.max(initial=0)) + 1) // 4)))
        kept = slot < width
        joints, values = np.zeros((n, width), dtype=np.int64), np.zeros((n, width))
        joints[vertices[kept], slot[kept]] = bones[kept]
        values[vertices[kept], slot[kept]] = weights[kept]
        return joints, values


def _fans(totals, vertices):
    """f x 3 triangles: every polygon as a fan."""
    starts = np.cumsum(totals) - totals
    fans = []
    for size in np.unique(totals[totals > 2]):
        corners = vertices[starts[totals == size][:, None] + np.arange(size)]
        fans += [corners[:, [0, k, k + 1]] for k in range(1, size - 1)]
    return np.concatenate(fans)


def _nearest(bone, index):
    bone = bone.parent
    while bone and bone.name not in index:
        bone = bone.parent
    return index[bone.name] if bone else -1

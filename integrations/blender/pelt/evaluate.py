"""The frames of an object as Blender shows them: modifiers, caches, shape keys, constraints and parents included.

Positions are in the axes of the world about the object's origin in the first frame. In the space of the object, a
scale that is not uniform would turn rotations into shears, which rigid bones cannot follow; far from the world's
origin, 32-bit positions would lose digits.
"""

import os

import numpy as np

from . import trs
from .mesh_cache import Pc2Writer, write_obj
from .task_error import TaskError

REST_FILE, CACHE_FILE = "rest.obj", "clip.pc2"


class Frames:
    """What was evaluated.

    numbers    of the frames
    origin     4 x 4, of the armature in the world: axes of the world, at the object in the first frame
    placement  4 x 4, the object in the world in the first frame
    size       diagonal of the box around the first frame, in units of the world
    vertices   n
    """

    def __init__(self, numbers):
        self.numbers = numbers
        self.origin = self.placement = None
        self.size = 0.0
        self.vertices = 0


def evaluate_frames(context, find_object, numbers, folder, recorder=None, points=True):
    """A generator that goes through the frames and yields the share that is done; its value is `Frames`.

    find_object  gives the object
    recorder     of a rig (`source_rig`), if its motion is wanted too
    points       whether the points of every frame are written, or those of the first alone
    """
    scene, found = context.scene, Frames(numbers)
    for number in range(_cache_start(find_object(), numbers[0]), numbers[0]):
        scene.frame_set(number)
        yield 0.0
    cache, topology = None, None
    try:
        for k, number in enumerate(numbers):
            scene.frame_set(number)
            graph = context.evaluated_depsgraph_get()
            shown = find_object().evaluated_get(graph)
            if k == 0:
                found.placement = np.array(shown.matrix_world)
                found.origin = np.eye(4)
                found.origin[:3, 3] = found.placement[:3, 3]
                if abs(np.linalg.det(found.placement[:3, :3])) < 1e-30:
                    raise TaskError(f"'{find_object().name}' has a scale of zero")
            to_file = trs.BLENDER_TO_GLTF @ np.linalg.inv(found.origin) @ np.array(shown.matrix_world)
            if points or k == 0:
                positions, faces = _points(shown, to_file, number)
                if k == 0:
                    topology = faces
                    found.vertices = len(positions)
                    found.size = float(np.linalg.norm(positions.max(axis=0) - positions.min(axis=0)))
                    write_obj(os.path.join(folder, REST_FILE), positions, *faces)
                    cache = Pc2Writer(os.path.join(folder, CACHE_FILE), len(positions)) if points else None
                _require_same(topology, faces, found.vertices, len(positions), numbers[0], number)
                if cache:
                    cache.add(positions)
            if recorder:
                recorder.record(context, found)
            yield (k + 1) / len(numbers)
    finally:
        if cache:
            cache.close()
    return found


def mesh_at_rest(context, obj, armature, found):
    """An object with its armature in the rest position: n x 3 positions in the axes and place of the files, its faces,
    and its weights as rows of vertex, group and weight.
    """
    position = armature.data.pose_position
    armature.data.pose_position = "REST"
    try:
        graph = context.evaluated_depsgraph_get()
        shown = obj.evaluated_get(graph)
        mesh = shown.to_mesh(preserve_all_data_layers=True, depsgraph=graph)
        to_file = trs.BLENDER_TO_GLTF @ np.linalg.inv(found.origin) @ np.array(shown.matrix_world)
        positions = _transformed(mesh, to_file)
        rows = [(i, g.group, g.weight) for i, vertex in enumerate(mesh.vertices) for g in vertex.groups if g.weight > 0]
        faces = _faces(mesh)
        shown.to_mesh_clear()
    finally:
        armature.data.pose_position = position
    weights = np.array(rows, dtype=np.float64).reshape(-1, 3)
    return positions, faces, weights


def _points(shown, to_file, number):
    mesh = shown.to_mesh()
    try:
        if len(mesh.polygons) == 0:
            raise TaskError(f"'{shown.name}' has no faces in frame {number}")
        positions = _transformed(mesh, to_file)
        if not np.isfinite(positions).all():
            raise TaskError(f"'{shown.name}' has a vertex that is nowhere (not a number) in frame {number}")
        return positions, _faces(mesh)
    finally:
        shown.to_mesh_clear()


def _transformed(mesh, matrix):
    local = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", local)
    return (local.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]).astype(np.float32)


def _faces(mesh):
    """Corners of each polygon, and the vertex of each corner."""
    totals = np.empty(len(mesh.polygons), dtype=np.int32)
    mesh.polygons.foreach_get("loop_total", totals)
    vertices = np.empty(len(mesh.loops), dtype=np.int32)
    mesh.loops.foreach_get("vertex_index", vertices)
    return totals, vertices


def _require_same(first, other, vertices, count, first_number, number):
    if vertices != count:
        raise TaskError(
            f"the topology changes: {vertices} vertices in frame {first_number}, {count} in frame {number}; "
            "choose frames before that, or disable the modifier that changes it"
        )
    if not all(np.array_equal(a, b) for a, b in zip(first, other)):
        raise TaskError(
            f"the topology changes: other faces in frame {number} than in frame {first_number}; "
            "choose frames before that, or disable the modifier that changes it"
        )


def _cache_start(obj, first):
    """The frame from which a simulation that is not baked has to run."""
    caches = [getattr(modifier, "point_cache", None) for modifier in obj.modifiers]
    caches += [system.point_cache for system in obj.particle_systems]
    return min([first, *(cache.frame_start for cache in caches if cache and not cache.is_baked)])

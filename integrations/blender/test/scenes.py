"""Scenes for the tests, made from nothing, and what is measured on them."""

import json
import math
import os
import struct
import subprocess

import bpy
import numpy as np


def clear(frames=12):
    """An empty scene with so many frames."""
    for block in (bpy.data.objects, bpy.data.meshes, bpy.data.armatures, bpy.data.actions, bpy.data.materials):
        for item in list(block):
            block.remove(item)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, frames
    scene.frame_set(1)
    return scene


def grid(cells=20, name="Grid"):
    """A sheet of two units in the plane of x and y, with UVs."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=cells, y_subdivisions=cells, size=2, calc_uvs=True)
    obj = bpy.context.active_object
    obj.name = name
    return obj


def waving(cells=20):
    """A sheet with a modifier that moves it."""
    obj = grid(cells)
    wave = obj.modifiers.new("Wave", "WAVE")
    wave.height, wave.width, wave.speed = 0.3, 0.8, 0.1
    return obj


def cloth(cells, levels=0):
    """A sheet that hangs from two corners and falls: a simulation that is not baked, subdivided so many times."""
    obj = grid(cells, "Cloth")
    pinned = obj.vertex_groups.new(name="Pinned")
    far = [v.index for v in obj.data.vertices if v.co.y > 0.99 and abs(v.co.x) > 0.8]
    pinned.add(far, 1.0, "REPLACE")
    modifier = obj.modifiers.new("Cloth", "CLOTH")
    modifier.settings.vertex_group_mass = pinned.name
    modifier.settings.quality = 4
    modifier.point_cache.frame_start = bpy.context.scene.frame_start
    modifier.point_cache.frame_end = bpy.context.scene.frame_end
    if levels:
        obj.modifiers.new("Subdivision", "SUBSURF").levels = levels
    return obj


def shape_keyed():
    """A sheet whose two shape keys come and go."""
    obj = grid(16)
    obj.shape_key_add(name="Basis")
    for k, name in enumerate(("Bend", "Twist")):
        key = obj.shape_key_add(name=name)
        for i, vertex in enumerate(obj.data.vertices):
            x, y, z = vertex.co
            angle = x * 0.9
            key.data[i].co = (x, y, z + 0.6 * x * x) if k == 0 else (x, y * math.cos(angle), y * math.sin(angle))
        for frame, value in ((1, 0.0), (6 + 2 * k, 1.0), (12, 0.2 * k)):
            key.value = value
            key.keyframe_insert("value", frame=frame)
    return obj


def limb(segments=24, around=16):
    """A closed cylinder along x with an armature of two bones that bends, and weights that are smooth."""
    bpy.ops.mesh.primitive_cylinder_add(vertices=around, radius=0.25, depth=2, end_fill_type="TRIFAN")
    obj = bpy.context.active_object
    obj.name = "Limb"
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.bisect(plane_co=(0, 0, 0), plane_no=(0, 0, 1))
    for k in range(1, segments):
        bpy.ops.mesh.select_all(action="SELECT")
        bpy.ops.mesh.bisect(plane_co=(0, 0, -1 + 2 * k / segments), plane_no=(0, 0, 1))
    bpy.ops.object.mode_set(mode="OBJECT")
    for vertex in obj.data.vertices:
        x, y, z = vertex.co
        vertex.co = (z, y, -x)
    armature = bpy.data.objects.new("Skeleton", bpy.data.armatures.new("Skeleton"))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    upper = armature.data.edit_bones.new("Upper")
    upper.head, upper.tail = (-0.95, 0, 0), (0, 0, 0)
    lower = armature.data.edit_bones.new("Lower")
    lower.head, lower.tail, lower.parent = (0, 0, 0), (0.95, 0, 0), upper
    bpy.ops.object.mode_set(mode="OBJECT")
    bone = armature.pose.bones["Lower"]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (12, 1.6)):
        bone.rotation_euler = (angle, 0, 0.3 * angle)
        bone.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)
    return obj, armature


def bind(obj, armature, **settings):
    """Weights that change smoothly about the middle, and the modifier."""
    groups = [obj.vertex_groups.new(name=name) for name in ("Upper", "Lower")]
    for vertex in obj.data.vertices:
        share = min(1.0, max(0.0, 0.5 + vertex.co.x / 0.6))
        for group, weight in zip(groups, (1 - share, share)):
            if weight > 0:
                group.add([vertex.index], weight, "REPLACE")
    obj.parent = armature
    modifier = obj.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    for key, value in settings.items():
        setattr(modifier, key, value)


def curve_paths(obj):
    """The paths that the action of an object animates."""
    action = obj.animation_data.action
    if hasattr(action, "fcurves"):
        return {curve.data_path for curve in action.fcurves}
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return {curve.data_path for bag in bags for curve in bag.fcurves}


def world_points(obj):
    """n x 3: the points of an object as they are shown."""
    graph = bpy.context.evaluated_depsgraph_get()
    shown = obj.evaluated_get(graph)
    mesh = shown.to_mesh()
    points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    shown.to_mesh_clear()
    matrix = np.array(shown.matrix_world)
    return points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def frames_of(obj, numbers):
    """S x n x 3"""
    found = []
    for number in numbers:
        bpy.context.scene.frame_set(number)
        found.append(world_points(obj))
    return np.array(found)


def pelt(*words):
    """Runs a command; returns its report."""
    ended = subprocess.run(["node", os.environ["PELT"], *words], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def played_by_pelt(glb, origin):
    """S x n x 3: a GLB as pelt itself plays it, in the axes of Blender, about an origin."""
    cache = os.path.splitext(glb)[0] + "-played.pc2"
    pelt("convert", glb, "-o", cache, "--json")
    with open(cache, "rb") as file:
        _, _, points, _, _, frames = struct.unpack("<12siiffi", file.read(32))
        positions = np.fromfile(file, dtype="<f4").reshape(frames, points, 3).astype(np.float64)
    return positions[..., [0, 2, 1]] * (1, -1, 1) + np.array(origin)


def diagonal(points):
    return float(np.linalg.norm(points.max(axis=(0, 1)) - points.min(axis=(0, 1))))

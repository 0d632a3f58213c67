"""Brings a result into the scene: an armature with an action, and a copy of the object that it deforms."""

import bpy
import numpy as np
from mathutils import Matrix

from . import compat, trs
from .live_modifiers import keep_only
from .rig_motion import RigMotion
from .task_error import TaskError

# Difference of an object's placement from location, rotation and scale, relative to its size, that counts as shear.
SHEAR = 1e-6
# Loss by shear of bones, in elements of a matrix, from which on it is told.
VISIBLE_SHEAR = 1e-4

PATHS = ("location", "rotation_quaternion", "scale")


def build_rig(context, obj, glb, found, seconds, name, live=()):
    """Returns the new object and warnings.

    found    what `evaluate_frames` gave
    seconds  of each frame in the file
    name     of what is made, after the object's
    live     names of modifiers that stay on the new object, behind the armature
    """
    if len(glb.positions) != found.vertices:
        raise TaskError(f"pelt's file has {len(glb.positions)} vertices, and the mesh {found.vertices}")
    motion = RigMotion(glb, seconds, found.size)
    if context.object and context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    copy = _copy_of(context, obj, glb, found, name, live)
    armature = _new_armature(context, obj, motion, found, name)
    missed = _animate(armature, motion, found)
    _bind(copy, armature, glb, motion, found)
    for other in context.selected_objects:
        other.select_set(False)
    copy.select_set(True)
    context.view_layer.objects.active = copy
    if live:
        bpy.ops.object.modifier_move_to_index(modifier=copy.modifiers[-1].name, index=0)
    warnings = ["bones shear, which Blender's bones cannot; the result is not exact"] if missed > VISIBLE_SHEAR else []
    return copy, warnings


def _copy_of(context, obj, glb, found, name, live):
    """The object without what made it move, with the mesh of the first frame and the rest pose of the result."""
    graph = context.evaluated_depsgraph_get()
    shown = obj.evaluated_get(graph)
    mesh = bpy.data.meshes.new_from_object(shown, preserve_all_data_layers=True, depsgraph=graph)
    if len(mesh.vertices) != found.vertices:
        bpy.data.meshes.remove(mesh)
        raise TaskError(f"'{obj.name}' has changed while pelt was running: {found.vertices} vertices before")
    mesh.name = f"{obj.data.name} {name}"
    to_object = np.linalg.inv(found.placement) @ found.origin @ trs.GLTF_TO_BLENDER
    local = glb.positions @ to_object[:3, :3].T + to_object[:3, 3]
    mesh.vertices.foreach_set("co", local.astype(np.float32).ravel())
    mesh.update()
    copy = obj.copy()
    copy.name = f"{obj.name} {name}"
    copy.data = mesh
    copy.animation_data_clear()
    keep_only(copy, live)
    copy.constraints.clear()
    copy.parent = None
    for collection in obj.users_collection:
        collection.objects.link(copy)
    return copy


def _new_armature(context, obj, motion, found, name):
    armature = bpy.data.objects.new(f"{obj.name} {name} rig", bpy.data.armatures.new(f"{obj.name} {name} rig"))
    armature.matrix_world = Matrix(found.origin.tolist())
    armature.show_in_front = True
    for collection in obj.users_collection:
        collection.objects.link(armature)
    context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bones = []
    for k, bone_name in enumerate(motion.names):
        bone = armature.data.edit_bones.new(bone_name)
        # A bone needs a length before it can have a direction.
        bone.head, bone.tail = (0, 0, 0), (0, float(motion.lengths[k]), 0)
        bone.matrix = Matrix(motion.rests[k].tolist())
        bone.use_deform = motion.deforms[k]
        if motion.parents[k] >= 0:
            bone.parent = bones[motion.parents[k]]
        bones.append(bone)
    # Names may have been taken, or too long.
    motion.names = [bone.name for bone in bones]
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def _animate(armature, motion, found):
    rests = np.array([np.array(armature.data.bones[bone].matrix_local) for bone in motion.names])
    curves, missed = motion.curves(rests, found.size)
    add_curve = compat.new_action(armature.name, armature)
    frames = np.array(found.numbers, dtype=np.float32)
    points = np.empty((len(frames), 2), dtype=np.float32)
    points[:, 0] = frames
    linear = bpy.types.Keyframe.bl_rna.properties["interpolation"].enum_items["LINEAR"].value
    straight = np.full(len(frames), linear, dtype=np.int32)
    for bone, channels in zip(motion.names, curves):
        for path, values in zip(PATHS, channels):
            if values is None:
                continue
            for index in range(values.shape[1]):
                curve = add_curve(f'pose.bones["{bpy.utils.escape_identifier(bone)}"].{path}', index, bone)
                points[:, 1] = values[:, index]
                curve.keyframe_points.add(len(frames))
                curve.keyframe_points.foreach_set("co", points.ravel())
                curve.keyframe_points.foreach_set("interpolation", straight)
                curve.update()
    return missed


def _bind(copy, armature, glb, motion, found):
    bones = set(motion.names)
    for group in [group for group in copy.vertex_groups if group.name in bones]:
        copy.vertex_groups.remove(group)
    # A vertex may name a joint twice.
    joints, n = np.array(motion.joints)[glb.joints], len(glb.positions)
    weighted = glb.weights > 0
    keys = (joints * n + np.arange(n)[:, None])[weighted]
    pairs, slots = np.unique(keys, return_inverse=True)
    weights = np.bincount(slots, glb.weights[weighted]).tolist()
    groups = [
        copy.vertex_groups.new(name=bone) if deforms else None for bone, deforms in zip(motion.names, motion.deforms)
    ]
    for bone, vertex, weight in zip((pairs // n).tolist(), (pairs % n).tolist(), weights):
        groups[bone].add([vertex], weight, "REPLACE")
    # The original may have been the child of a bone, or of vertices.
    copy.parent, copy.parent_type = armature, "OBJECT"
    _place(copy, np.linalg.inv(found.origin) @ found.placement)
    modifier = copy.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    modifier.use_vertex_groups, modifier.use_bone_envelopes = True, False


def _place(copy, matrix):
    """Under its parent, as location, rotation and scale if that is all; shear goes into the inverse of the parent."""
    copy.delta_location, copy.delta_scale = (0, 0, 0), (1, 1, 1)
    copy.delta_rotation_euler, copy.delta_rotation_quaternion = (0, 0, 0), (1, 0, 0, 0)
    plain = trs.compose(*trs.decompose(matrix))
    sheared = np.abs(plain - matrix).max() > SHEAR * np.abs(matrix[:3, :3]).max()
    copy.matrix_parent_inverse = Matrix(matrix.tolist()) if sheared else Matrix.Identity(4)
    copy.matrix_basis = Matrix.Identity(4) if sheared else Matrix(matrix.tolist())

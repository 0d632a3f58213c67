"""Imports a file into Blender and writes where the corners of its triangles are, at moments of its clips.

blender --background --factory-startup --python blender_play.py -- ORDER.json

The order is {file, output, moments: [[clip or null, seconds], ...]}; the output begins with a line of JSON, and the
positions of all corners follow as 32-bit floats, moment by moment, with the y axis up.
"""

import array
import json
import sys

import bpy


def main():
    with open(sys.argv[sys.argv.index("--") + 1], encoding="utf-8") as file:
        order = json.load(file)
    # Without its animation first: afterwards what no clip moves stands as the first clip has left it.
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.fbx(filepath=order["file"], use_anim=False)
    imported = {owner.name: pose_of(owner) for owner in owners()}
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.fbx(filepath=order["file"])
    offset = 1.0
    scene = bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base
    meshes = [obj for obj in scene.objects if obj.type == "MESH"]
    clips = sorted({action.name.split("|")[1] for action in bpy.data.actions if action.name.count("|") >= 2})
    head = {
        "clips": clips,
        "materials": sorted({slot.name for obj in meshes for slot in obj.material_slots}),
        "parts": [[obj.name, len(obj.data.loops)] for obj in meshes],
    }
    animated = [owner for owner in owners() if owner.animation_data]
    with open(order["output"], "wb") as out:
        out.write(json.dumps(head).encode() + b"\n")
        for clip, seconds in order["moments"]:
            for owner in animated:
                owner.animation_data.action = None
            # A clip moves some of the bones; the others stay as they came.
            for owner in owners():
                restore(owner, imported[owner.name])
            for owner in animated:
                owner.animation_data.action = action_of(owner, clip)
            frame = seconds * rate + offset
            whole = int(frame // 1)
            scene.frame_set(whole, subframe=min(frame - whole, 0.999999))
            graph = bpy.context.evaluated_depsgraph_get()
            for obj in meshes:
                out.write(corners(obj.evaluated_get(graph)))


def owners():
    yield from bpy.context.scene.objects
    yield from bpy.data.shape_keys


def action_of(owner, clip):
    if clip is None:
        return None
    label = owner.user.name if hasattr(owner, "user") and hasattr(owner.user, "name") else owner.name
    exact = [action for action in bpy.data.actions if action.name.split("|")[:2] in ([label, clip], [owner.name, clip])]
    return exact[0] if exact else None


def pose_of(owner):
    if isinstance(owner, bpy.types.Key):
        return [block.value for block in owner.key_blocks]
    bones = owner.pose.bones if owner.pose else []
    return owner.matrix_basis.copy(), [bone.matrix_basis.copy() for bone in bones]


def restore(owner, pose):
    if isinstance(owner, bpy.types.Key):
        for block, value in zip(owner.key_blocks, pose):
            block.value = value
        return
    owner.matrix_basis = pose[0]
    for bone, basis in zip(owner.pose.bones if owner.pose else [], pose[1]):
        bone.matrix_basis = basis


def corners(obj):
    mesh = obj.to_mesh()
    points = array.array("f", [0.0]) * (3 * len(mesh.vertices))
    mesh.vertices.foreach_get("co", points)
    loops = array.array("i", [0]) * len(mesh.loops)
    mesh.loops.foreach_get("vertex_index", loops)
    world = obj.matrix_world
    rows = [list(world[k]) for k in range(3)]
    placed = []
    for i in range(0, len(points), 3):
        x, y, z = points[i : i + 3]
        placed.append([row[0] * x + row[1] * y + row[2] * z + row[3] for row in rows])
    out = array.array("f")
    for i in loops:
        x, y, z = placed[i]
        out.extend((x, z, -y))
    obj.to_mesh_clear()
    return out.tobytes()


main()

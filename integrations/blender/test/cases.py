"""The add-on as users have it: installed from its zip, on scenes that are made here, without a window.

    blender -b --factory-startup --python-exit-code 1 --python cases.py
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

import bpy
import numpy as np

sys.path.insert(0, os.path.dirname(__file__))
from install_addon import install  # noqa: E402

MODULE = install()
sys.modules.setdefault("pelt", sys.modules[MODULE])
from pure import PURE_CASES  # noqa: E402
from scenes import (  # noqa: E402
    bind,
    clear,
    cloth,
    curve_paths,
    diagonal,
    frames_of,
    grid,
    limb,
    pelt,
    played_by_pelt,
    shape_keyed,
    waving,
    world_points,
)

# Largest distance from what pelt plays, relative to the size of the model.
EXACT = 1e-5
FOLDER = tempfile.mkdtemp(prefix="pelt-blender-test-")
GLB = os.path.join(FOLDER, "saved.glb")


def run(name, **options):
    """Runs an operator on the active object; returns what it made."""
    assert getattr(bpy.ops.pelt, name)(save_glb=GLB, **options) == {"FINISHED"}
    return bpy.context.active_object


def message_of(name, **options):
    """What an operator that fails reports."""
    try:
        getattr(bpy.ops.pelt, name)(**options)
    except RuntimeError as error:
        return str(error)
    raise AssertionError(f"{name} did not fail")


def numbers():
    scene = bpy.context.scene
    return range(scene.frame_start, scene.frame_end + 1)


def check_exact(result, source=None, within=None):
    """A result is what its file says, at every frame; and as near to its source as it should be."""
    shown = frames_of(result, numbers())
    bpy.context.scene.frame_set(bpy.context.scene.frame_start)
    played = played_by_pelt(GLB, result.parent.matrix_world.translation)
    size = diagonal(played)
    off = np.linalg.norm(shown - played, axis=2).max() / size
    # Blender places objects by 32-bit numbers: far away that is what counts.
    rounding = 2 * np.spacing(np.float32(np.abs(played).max())) / size
    assert off < EXACT + rounding, f"{result.name} is {off:.2e} of its size from its file"
    if source is not None:
        far = np.sqrt(((shown - frames_of(source, numbers())) ** 2).sum(axis=2).mean()) / size
        assert far < within, f"{result.name} is {far:.2e} of its size from {source.name}"
    return off


def check_modifiers():
    clear()
    obj = waving()
    bpy.context.scene.frame_set(7)
    result = run("fit_bones", bones=10)
    assert bpy.context.scene.frame_current == 7
    check_exact(result, obj, 5e-3)
    assert len(result.parent.data.bones) == 10
    assert [m.type for m in result.modifiers] == ["ARMATURE"]
    assert obj.hide_get() and [m.type for m in obj.modifiers] == ["WAVE"], "the original is kept, and hidden"


def check_max_error():
    """As few bones as an error needs, of at most so many, or of any number."""
    clear()
    waving(8)
    for bones in (0, 12):
        source = bpy.context.view_layer.objects.active = bpy.data.objects["Grid"]
        source.hide_set(False)
        result = run("fit_bones", bones=bones, max_error=8)
        assert 1 < len(result.parent.data.bones) <= 12


def check_simulation():
    clear(20)
    obj = cloth(16)
    result = run("fit_bones", bones=12)
    moved = frames_of(obj, numbers())
    assert np.abs(moved[-1] - moved[0]).max() > 0.1, "the cloth falls"
    check_exact(result, obj, 5e-3)


def check_recipe():
    """A cloth to three.js: pelt's own file packed, and what Blender's exporter makes of the result."""
    clear(16)
    obj = cloth(12)
    obj.data.materials.append(bpy.data.materials.new("Silk"))
    result = run("fit_bones", bones=10)
    small = pelt("reduce", GLB, "--target", "three", "--no-loops", "-o", os.path.join(FOLDER, "small.glb"), "--json")
    assert small["after"]["bytes"] < os.path.getsize(GLB)
    result.parent.select_set(True)
    exported = os.path.join(FOLDER, "exported.glb")
    bpy.ops.export_scene.gltf(filepath=exported, use_selection=True)
    with open(exported, "rb") as file:
        assert b"Silk" in file.read()
    error = pelt("compare", GLB, exported, "--fps", "24", "--json")["error"]
    assert error["max"] < 1e-3, error


def check_late_start():
    """A simulation that is not baked runs from its own first frame, not from that of the range."""
    clear(20)
    expected = frames_of(cloth(12), range(1, 21))[9:]
    clear(20)
    cloth(12)
    result = run("fit_bones", bones=12, custom_range=True, frame_start=10, frame_end=20, hide_original=False)
    found = frames_of(result, range(10, 21))
    assert np.linalg.norm(found - expected, axis=2).max() < 0.03 * diagonal(expected)


def check_shape_keys():
    clear()
    obj = shape_keyed()
    check_exact(run("fit_bones", bones=8), obj, 1e-2)


def check_placement():
    """Parents, scales that are not uniform, shear, mirrors, deltas, a place far away, and objects that move."""
    one = (1, 1, 1)
    for scale, parent_scale, far in (((1, 2, 0.5), (2, 1, 1), 0), ((-1, 1.5, 1), one, 0), (one, one, 5000)):
        clear()
        holder = bpy.data.objects.new("Holder", None)
        bpy.context.collection.objects.link(holder)
        holder.location, holder.rotation_euler, holder.scale = (far + 3, -4, 2), (0.4, 0.2, 1.1), parent_scale
        obj = waving()
        obj.parent, obj.scale = holder, scale
        obj.location, obj.rotation_euler, obj.delta_location = (0.5, 0.2, 0.1), (0.3, 0.7, 0.2), (0.1, 0.2, 0.3)
        for frame, height in ((1, 0.0), (12, 1.0)):
            obj.location.z = height
            obj.keyframe_insert("location", frame=frame)
        bpy.context.scene.frame_set(1)
        before = np.array(obj.matrix_world)
        result = run("fit_bones", bones=12)
        check_exact(result, obj, 1e-2)
        bpy.context.scene.frame_set(1)
        assert np.allclose(np.array(result.matrix_world), before, rtol=1e-5, atol=1e-5), "the copy is in place"


def check_child_of_a_bone():
    clear()
    _, armature = limb()
    obj = waving()
    obj.parent, obj.parent_type, obj.parent_bone = armature, "BONE", "Lower"
    result = run("fit_bones", bones=10)
    assert result.parent != armature
    check_exact(result, obj, 1e-2)


def check_kept():
    """Vertex order, polygons, materials, UVs, custom properties and groups of the object stay."""
    clear()
    obj = waving(6)
    for name in ("Red", "Blue"):
        obj.data.materials.append(bpy.data.materials.new(name))
    for k, polygon in enumerate(obj.data.polygons):
        polygon.material_index, polygon.use_smooth = k % 2, k % 3 == 0
    obj["asset"] = "sheet 7"
    obj.vertex_groups.new(name="Mask").add([3, 4], 0.5, "REPLACE")
    obj.vertex_groups.new(name="bone-0").add([5], 1.0, "REPLACE")
    result = run("fit_bones", bones=3)
    check_exact(result)
    old, new = obj.data, result.data
    assert [m.name for m in new.materials] == ["Red", "Blue"]
    assert [p.material_index for p in new.polygons] == [p.material_index for p in old.polygons]
    assert [p.use_smooth for p in new.polygons] == [p.use_smooth for p in old.polygons]
    assert [tuple(p.vertices) for p in new.polygons] == [tuple(p.vertices) for p in old.polygons]
    uvs = [[tuple(corner.uv) for corner in mesh.uv_layers.active.data] for mesh in (old, new)]
    assert uvs[0] == uvs[1] and len(set(uvs[0])) > 9
    assert result["asset"] == "sheet 7"
    mask = result.vertex_groups["Mask"]
    assert [v.index for v in new.vertices if any(g.group == mask.index for g in v.groups)] == [3, 4]
    assert obj.data.name != result.data.name and obj.vertex_groups["bone-0"], "the original has its own"


def check_generated_topology():
    """Modifiers that make vertices: the copy has the mesh that is shown."""
    clear()
    obj = waving(6)
    obj.data.materials.append(bpy.data.materials.new("Red"))
    obj.modifiers.new("Subdivision", "SUBSURF").levels = 2
    obj.modifiers.new("Solidify", "SOLIDIFY").thickness = 0.1
    result = run("fit_bones", bones=8)
    check_exact(result, obj, 2e-2)
    assert len(result.data.vertices) > 10 * len(obj.data.vertices)
    assert result.data.uv_layers and result.data.materials[0].name == "Red"


def check_live_modifiers():
    """Modifiers that only add detail stay live on the result, behind its armature."""
    clear()
    obj = waving(8)
    subdivision = obj.modifiers.new("Subdivision", "SUBSURF")
    subdivision.levels = 2
    obj.modifiers.new("Solidify", "SOLIDIFY").thickness = 0.1
    result = run("fit_bones", bones=12, keep_modifiers=True)
    assert [m.type for m in result.modifiers] == ["ARMATURE", "SUBSURF", "SOLIDIFY"]
    assert [(m.type, m.show_viewport) for m in obj.modifiers] == [("WAVE", True), ("SUBSURF", True), ("SOLIDIFY", True)]
    assert len(result.data.vertices) == len(obj.data.vertices)
    shown, wanted = frames_of(result, numbers()), frames_of(obj, numbers())
    assert shown.shape == wanted.shape and shown.shape[1] > 10 * len(obj.data.vertices)
    far = np.sqrt(((shown - wanted) ** 2).sum(axis=2).mean()) / diagonal(wanted)
    assert far < 2e-2, f"{far:.2e} of its size from what it replaces"
    result.modifiers["Subdivision"].levels = 1
    assert frames_of(result, [1]).shape[1] < shown.shape[1], "it is live"
    # One that moves is motion, and is fitted.
    subdivision.levels = 1
    solid = obj.modifiers["Solidify"]
    for frame, value in ((1, 0.1), (10, 0.3)):
        solid.thickness = value
        solid.keyframe_insert("thickness", frame=frame)
    obj.hide_set(False)
    bpy.context.view_layer.objects.active = obj
    other = run("fit_bones", bones=8, keep_modifiers=True)
    assert [m.type for m in other.modifiers] == ["ARMATURE"]


def check_loose_vertices():
    clear()
    obj = waving(6)
    obj.data.vertices.add(2)
    obj.data.vertices[-1].co = (0.3, 0.2, 1.0)
    obj.data.update()
    check_exact(run("fit_bones", bones=4))


def check_changed_topology():
    clear()
    obj = grid(12)
    decimate = obj.modifiers.new("Decimate", "DECIMATE")
    for frame, ratio in ((1, 1.0), (5, 1.0), (6, 0.5)):
        decimate.ratio = ratio
        decimate.keyframe_insert("ratio", frame=frame)
    bpy.context.scene.frame_set(3)
    count = len(bpy.data.objects)
    message = message_of("fit_bones")
    assert "vertices in frame 1" in message and "in frame 6" in message, message
    assert len(bpy.data.objects) == count and bpy.context.scene.frame_current == 3


def check_errors():
    clear()
    obj = waving(4)
    assert "no armature to reduce" in message_of("reduce")
    assert "select one together" in message_of("volume")
    assert "choose from 2" in message_of("fit_bones", custom_range=True, frame_start=5, frame_end=5)
    # An error of pelt's own comes through as it is.
    assert "bones" in message_of("fit_bones", bones=100000)
    obj.scale = (0, 0, 0)
    assert "scale of zero" in message_of("fit_bones")
    clear()
    obj = bpy.data.objects.new("Points", bpy.data.meshes.new("Points"))
    obj.data.vertices.add(3)
    bpy.context.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    assert "has no faces" in message_of("fit_bones")
    settings = bpy.context.preferences.addons[MODULE].preferences
    before, settings.pelt = settings.pelt, "/nowhere/pelt"
    assert "there is no pelt at '/nowhere/pelt'" in message_of("fit_bones")
    assert "there is no pelt" in message_of("check")
    settings.pelt = before
    assert bpy.ops.pelt.check() == {"FINISHED"}


def check_skeleton():
    clear()
    obj, armature = limb()
    bind(obj, armature)
    result = run("fit_skeleton")
    check_exact(result, obj, 1e-2)
    bones = result.parent.data.bones
    assert len(bones) >= 2 and sum(bone.parent is None for bone in bones) == 1
    paths = curve_paths(result.parent)
    assert not any(path.endswith("scale") for path in paths)
    moved = {path for path in paths if path.endswith("location")}
    assert len(moved) <= 1, f"joints only rotate: {moved}"


def check_stretch():
    """Bones that shear are pairs of nodes in the file."""
    clear()
    obj = shape_keyed()
    result = run("fit_bones", bones=5, method="affine")
    check_exact(result, obj, 5e-3)
    assert any(not bone.use_deform for bone in result.parent.data.bones)


def check_reduce():
    clear()
    obj, armature = limb()
    bind(obj, armature, use_deform_preserve_volume=True)
    result = run("reduce", weights=2)
    check_exact(result, obj, 2e-2)
    assert {bone.name for bone in result.parent.data.bones} == {"Upper", "Lower"}
    assert max(len(v.groups) for v in result.data.vertices) <= 2
    assert armature.data.pose_position == "POSE"


def check_reduce_of_fit():
    """What was fitted can be reduced: fewer bones."""
    clear()
    source = waving()
    run("fit_bones", bones=12)
    result = run("reduce", bones=8, weights=3)
    assert len(result.parent.data.bones) == 8
    check_exact(result, source, 1e-2)


def check_scaled_armature():
    """As importers of other formats leave them: hundredths of a unit, and turned."""
    clear()
    obj, armature = limb()
    bind(obj, armature)
    armature.scale, armature.rotation_euler, armature.location = (0.01,) * 3, (1.5708, 0, 0.4), (1, 2, 3)
    for vertex in obj.data.vertices[-3:]:
        for group in obj.vertex_groups:
            group.remove([vertex.index])
    bpy.context.scene.frame_set(1)
    result = run("reduce", weights=4)
    check_exact(result, obj, 1e-2)


def check_learn_skin():
    clear()
    obj, armature = limb()
    bind(obj, armature, use_deform_preserve_volume=True)
    result = run("learn_skin", proxies=12)
    check_exact(result, obj, 1e-2)


def check_learn_skin_without_armature():
    clear()
    obj, armature = limb()
    bind(obj, armature)
    shown = frames_of(obj, numbers())
    plain = obj.copy()
    bpy.context.collection.objects.link(plain)
    # The same motion without an armature: as shape keys.
    plain.modifiers.clear()
    plain.parent, plain.data = None, obj.data.copy()
    plain.vertex_groups.clear()
    plain.shape_key_add(name="Basis")
    for t, points in enumerate(shown):
        key = plain.shape_key_add(name=f"Frame {t}")
        key.data.foreach_set("co", points.astype(np.float32).ravel())
        for frame, value in ((t, 0.0), (t + 1, 1.0), (t + 2, 0.0)):
            key.value = value
            key.keyframe_insert("value", frame=frame)
    armature.select_set(False)
    bpy.context.view_layer.objects.active = plain
    check_exact(run("learn_skin", proxies=10), plain, 2e-2)


def check_volume():
    clear(6)
    obj, armature = limb()
    armature.select_set(True)
    result = run("volume", bones=10)
    check_exact(result)
    tip = world_points(obj)[:, 0] > 0.99
    bent = frames_of(result, [6])[0]
    tail = np.array(armature.matrix_world @ armature.pose.bones["Lower"].tail)
    assert abs(tail[0]) < 0.9, "the skeleton bends"
    assert np.linalg.norm(bent[tip].mean(axis=0) - tail) < 0.15, "the limb follows"


def check_command_line():
    """As the guide has it, on a file, in a folder that has nothing to do with pelt."""
    clear(6)
    waving(8)
    path = os.path.join(FOLDER, "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    script = "import bpy; bpy.ops.pelt.fit_bones(bones=4, save_glb='//beside.glb'); bpy.ops.wm.save_mainfile()"
    words = [bpy.app.binary_path, "-b", path, "--addons", MODULE, "--python-exit-code", "1", "--python-expr", script]
    ended = subprocess.run(words, cwd=FOLDER, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert os.path.exists(os.path.join(FOLDER, "beside.glb"))
    with bpy.data.libraries.load(path) as (names, _):
        assert {"Grid", "Grid fitted", "Grid fitted rig"} <= set(names.objects), names.objects


def check_settings_of_scene():
    """What the panel shows is kept with the scene, and has the defaults of the option tables."""
    shown = bpy.context.scene.pelt
    assert shown.fit_bones.bones == 20 and shown.fit_bones.weights == 4 and shown.frames.frame_step == 1
    operations = sys.modules[f"{MODULE}.operations"]
    for name, controls in operations.CONTROLS.items():
        group, operator = getattr(shown, name), getattr(bpy.ops.pelt, name).get_rna_type()
        for control in controls:
            value, default = getattr(group, control["property"]), control["default"]
            assert value == default or abs(value - default) < 1e-6 * abs(default), control
            told = operator.properties[control["property"]]
            assert told.name == control["name"] and told.description == control["description"], control


def check_options_without_effect():
    """What a method would refuse is neither shown nor sent."""
    clear()
    waving(8)
    operations = sys.modules[f"{MODULE}.operations"]
    shown = bpy.context.scene.pelt.fit_bones
    keys = lambda: {control["property"] for control in operations.shown_controls("fit_bones", shown)}  # noqa: E731
    assert {"smooth", "rest_pose"} <= keys()
    shown.method = "sma"
    assert not {"smooth", "rest_pose"} & keys()
    shown.method = "ssdr"
    check_exact(run("fit_bones", bones=6, method="sma", smooth=1.0))


CASES = [value for name, value in list(globals().items()) if name.startswith("check_") and name != "check_exact"]


def main():
    wanted = os.environ.get("PELT_CASES", "")
    failed = 0
    for case in [*PURE_CASES, *CASES]:
        if wanted not in case.__name__:
            continue
        started = time.monotonic()
        try:
            case()
            outcome = "ok  "
        except Exception:
            traceback.print_exc()
            failed += 1
            outcome = "FAIL"
        print(f"{outcome} {case.__name__} ({time.monotonic() - started:.1f} s)", flush=True)
    shutil.rmtree(FOLDER, ignore_errors=True)
    if failed:
        raise SystemExit(f"{failed} failed")


main()

"""The add-on in a window: progress, cancel by a key and by the button, undo, and a picture of the sidebar.

Blender calls a timer between its events, so that a case is a generator: it yields where Blender shall go on.
"""

import os
import sys
import time
import traceback

import bpy
import numpy as np

sys.path.insert(0, os.path.dirname(__file__))
from install_addon import install  # noqa: E402

bpy.context.preferences.view.show_splash = False
MODULE = install()
from scenes import clear, frames_of, waving  # noqa: E402

operators = sys.modules[f"{MODULE}.operators"]
# Seconds after which a case is stuck.
PATIENCE = 600
STEP = 0.05


def in_window(function, *arguments, **options):
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    region = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(window=window, area=area, region=region):
        return function(*arguments, **options)


def start(**options):
    """A scene that can be undone to, and a fit under way."""
    clear(30)
    obj = waving(40)
    in_window(bpy.ops.ed.undo_push, message="scene")
    names = sorted(bpy.data.objects.keys())
    assert in_window(bpy.ops.pelt.fit_bones, "INVOKE_DEFAULT", **options) == {"RUNNING_MODAL"}
    assert operators.running is not None
    return obj, names


def until_it_ends():
    """Goes on until nothing runs; returns the stages that were seen."""
    stages = []
    while operators.running:
        stage = (operators.running.stage, operators.running.fraction)
        if stage not in stages:
            stages.append(stage)
        yield
    yield
    return stages


def check_progress_and_undo():
    obj, names = start(bones=12)
    stages = yield from until_it_ends()
    seen = {stage for stage, _ in stages}
    assert "evaluating frames" in seen and len(seen) > 1, seen
    assert max(share for _, share in stages) > 0, stages
    made = set(bpy.data.objects.keys()) - set(names)
    assert made == {"Grid fitted", "Grid fitted rig"}, made
    assert bpy.data.objects["Grid"].hide_get()
    in_window(bpy.ops.ed.undo)
    yield
    assert sorted(bpy.data.objects.keys()) == names, list(bpy.data.objects.keys())
    assert not bpy.data.objects["Grid"].hide_get()
    in_window(bpy.ops.ed.redo)
    yield
    assert "Grid fitted" in bpy.data.objects
    shown = frames_of(bpy.data.objects["Grid fitted"], [1, 15])
    assert np.abs(shown[1] - shown[0]).max() > 0.05, "the action plays after undo and redo"


def check_cancel_by_key():
    for stage in ("evaluating frames", "fitting"):
        _, names = start(bones=30)
        bpy.context.scene.frame_set(3)
        while operators.running and not operators.running.stage.startswith(stage[:3]):
            yield
        process, folder = operators.running._process, operators.running._folder
        window = bpy.context.window_manager.windows[0]
        window.event_simulate(type="ESC", value="PRESS", x=400, y=400)
        window.event_simulate(type="ESC", value="RELEASE", x=400, y=400)
        yield from until_it_ends()
        assert sorted(bpy.data.objects.keys()) == names
        assert process is None or process._process.poll() is not None, "pelt has ended"
        assert folder is None or not os.path.exists(folder)
        assert bpy.context.scene.frame_current in (1, 3)


def check_cancel_by_button():
    _, names = start(bones=30)
    yield
    assert in_window(bpy.ops.pelt.cancel) == {"FINISHED"}
    yield from until_it_ends()
    assert sorted(bpy.data.objects.keys()) == names
    assert not bpy.ops.pelt.cancel.poll()


def check_one_at_a_time():
    start(bones=12)
    assert not in_window(bpy.ops.pelt.fit_bones.poll)
    yield
    in_window(bpy.ops.pelt.cancel)
    yield from until_it_ends()
    assert in_window(bpy.ops.pelt.fit_bones.poll)


def check_object_deleted_meanwhile():
    start(bones=12)
    while operators.running.owns_scene:
        yield
    bpy.data.objects.remove(bpy.data.objects["Grid"])
    yield from until_it_ends()
    assert len(bpy.data.objects) == 0


def check_undo_meanwhile():
    """An undo replaces all objects and the scene under a run."""
    start(bones=12)
    while operators.running.owns_scene:
        yield
    bpy.data.objects["Grid"].location.x = 1
    in_window(bpy.ops.ed.undo_push, message="move")
    in_window(bpy.ops.ed.undo)
    yield from until_it_ends()
    assert "Grid fitted" in bpy.data.objects, list(bpy.data.objects.keys())


def check_picture():
    """The picture of the guide, where somebody wants it: the sidebar, and a result that plays."""
    path = os.environ.get("PELT_PICTURE")
    clear(30)
    obj = waving(40)
    obj.modifiers[0].height = 0.5
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    area.spaces.active.show_region_ui = True
    area.spaces.active.shading.show_cavity = True
    for _ in range(5):
        yield
    yield from show_tab(window, next(region for region in area.regions if region.type == "UI"))
    in_window(bpy.ops.pelt.fit_bones, "INVOKE_DEFAULT", bones=12)
    yield from until_it_ends()
    bpy.context.scene.frame_set(24)
    bpy.context.view_layer.objects.active.parent.select_set(True)
    in_window(bpy.ops.view3d.view_selected)
    for _ in range(20):
        yield
    if path:
        in_window(bpy.ops.screen.screenshot, filepath=path)


def show_tab(window, sidebar):
    """Brings the add-on's tab of the sidebar to the front."""
    try:
        sidebar.active_panel_category = "pelt"
    except AttributeError:
        # Before Blender 4.2 by the pointer: the fourth tab.
        place = {"x": sidebar.x + sidebar.width - 12, "y": sidebar.y + sidebar.height - 160}
        for kind, value in (("MOUSEMOVE", "NOTHING"), ("LEFTMOUSE", "PRESS"), ("LEFTMOUSE", "RELEASE")):
            window.event_simulate(type=kind, value=value, **place)
            for _ in range(4):
                yield
        window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=10, y=10)


def run_all():
    failed, wanted = 0, os.environ.get("PELT_CASES", "")
    for name, case in list(globals().items()):
        if not name.startswith("check_") or wanted not in name:
            continue
        started = time.monotonic()
        try:
            for _ in case():
                if time.monotonic() - started > PATIENCE:
                    raise AssertionError("it is stuck")
                yield
            outcome = "ok  "
        except Exception:
            traceback.print_exc()
            failed += 1
            outcome = "FAIL"
        print(f"{outcome} {name} ({time.monotonic() - started:.1f} s)", flush=True)
    # Blender has no exit code of its own while a timer runs.
    sys.stdout.flush()
    os._exit(1 if failed else 0)


cases = run_all()


def tick():
    next(cases)
    return STEP


bpy.app.timers.register(tick, first_interval=1.0)

"""The round trip of a simulated cloth beside its parts: what `npm run bench -- blender` measures.

Prints one line of JSON: medians of seconds of processor time, measured in turn, and the distance from what pelt plays
of its own file.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

import bpy
import numpy as np

sys.path.insert(0, os.path.dirname(__file__))
from install_addon import install  # noqa: E402

MODULE = install()
from scenes import clear, cloth, diagonal, frames_of, played_by_pelt  # noqa: E402

evaluate = sys.modules[f"{MODULE}.evaluate"]
ROUNDS, FRAMES, BONES = int(os.environ.get("PELT_ROUNDS", "3")), 100, 20
# Simulated coarsely and subdivided twice, as cloth mostly is: 101 x 101 vertices.
CELLS, LEVELS = 25, 2


def timed(work):
    """Seconds of processor time, of this process and of those that it waited for: waiting for others counts nothing."""
    before = sum(os.times()[:4])
    work()
    return sum(os.times()[:4]) - before


def export(obj, folder):
    for _ in evaluate.evaluate_frames(bpy.context, lambda: obj, list(range(1, FRAMES + 1)), folder):
        pass


def command(folder):
    words = ["fit", "rest.obj", "clip.pc2", "--fps", "24", "--bones", str(BONES), "-o", "out.glb", "--quiet"]
    subprocess.run(["node", os.environ["PELT"], *words], cwd=folder, check=True)


def round_trip(saved):
    bpy.ops.pelt.fit_bones(bones=BONES, save_glb=saved, hide_original=False)


def main():
    clear(FRAMES)
    obj = cloth(CELLS, LEVELS)
    # The simulation is not what is measured: it is in Blender's cache from now on.
    frames_of(obj, range(1, FRAMES + 1))
    folder = tempfile.mkdtemp(prefix="pelt-blender-measure-")
    saved = os.path.join(folder, "saved.glb")
    seconds = {"export": [], "command": [], "round trip": []}
    result = None
    for _ in range(ROUNDS):
        if result:
            bpy.data.objects.remove(result.parent)
            bpy.data.objects.remove(result)
        bpy.context.view_layer.objects.active = obj
        seconds["export"].append(timed(lambda: export(obj, folder)))
        seconds["command"].append(timed(lambda: command(folder)))
        seconds["round trip"].append(timed(lambda: round_trip(saved)))
        result = bpy.context.active_object
    shown = frames_of(result, range(1, FRAMES + 1))
    played = played_by_pelt(saved, result.parent.matrix_world.translation)
    off = float(np.linalg.norm(shown - played, axis=2).max() / diagonal(played))
    shutil.rmtree(folder, ignore_errors=True)
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    print("MEASURED", json.dumps({"vertices": shown.shape[1], "frames": FRAMES, "off": off, **medians}), flush=True)


main()

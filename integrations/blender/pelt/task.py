"""One run of an operation, in small steps: evaluate frames, run pelt, bring back the result.

Blender calls it from a timer, so that its window stays alive, or in one go where there is no window.
"""

import os
import shutil
import tempfile
import time

import bpy
import numpy as np

from .build_rig import build_rig
from .evaluate import evaluate_frames
from .find_pelt import PeltNotFound, find_pelt
from .glb_file import GlbError, read_glb
from .live_modifiers import live_modifiers, without
from .operations import RESULT_FILE, summary
from .pelt_process import PeltFailed, PeltProcess
from .preferences import preferences_of
from .source_rig import RigRecorder, armature_of
from .task_error import TaskError

# Errors that are the user's to read; all others are bugs, and have a traceback.
EXPECTED = (TaskError, PeltFailed, PeltNotFound, GlbError)
# Frames beyond which a range is a mistake.
MOST_FRAMES = 100_000


class Task:
    """operation  an instance of one of the classes in `operations`, with `FrameOptions`"""

    def __init__(self, context, operation):
        self.title = operation.title
        self.stage = "evaluating frames"
        self.fraction = 0.0
        # What is evaluated changes the scene, so that nobody else may in the meantime.
        self.owns_scene = True
        self.cancelled = False
        self.result = self.message = None
        self.warnings = []
        self._operation = operation
        self._object = context.active_object.name
        self._frame = context.scene.frame_current
        self._process = None
        self._folder = None
        self._steps = self._run(context)

    def advance(self, seconds, wait=0.0):
        """Works for so long; True once it is done.

        wait  seconds to wait for pelt where there is nothing else to do
        """
        self._wait = wait
        end = time.monotonic() + seconds
        while True:
            try:
                next(self._steps)
            except StopIteration:
                return True
            if time.monotonic() >= end or self._process:
                return False

    def close(self, context):
        """Ends pelt, removes the temporary folder, and goes back to the frame that was shown."""
        self._steps.close()
        if self._process:
            self._process.cancel()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
        if context.scene.frame_current != self._frame:
            context.scene.frame_set(self._frame)

    def _obj(self):
        obj = bpy.data.objects.get(self._object)
        if obj is None:
            raise TaskError(f"'{self._object}' has gone while pelt was running")
        return obj

    def _run(self, context):
        # Nothing of the scene is kept over a yield: an undo in the meantime replaces it.
        operation, scene = self._operation, context.scene
        settings = preferences_of(context)
        threads = settings.threads
        command = find_pelt(settings.pelt, settings.node, [os.path.dirname(__file__), os.getcwd()])
        numbers = _frame_numbers(scene, operation)
        fps = scene.render.fps / scene.render.fps_base / operation.frame_step
        recorder = self._recorder(context)
        self._folder = tempfile.mkdtemp(prefix="pelt-blender-", dir=bpy.app.tempdir or None)
        live = live_modifiers(self._obj()) if operation.keep_modifiers else []
        seconds = np.arange(len(numbers)) / fps
        with without(self._obj, live):
            evaluating = evaluate_frames(
                context, self._obj, numbers, self._folder, recorder, points=operation.rig != "moves"
            )
            found = yield from self._evaluated(evaluating)
            context.scene.frame_set(numbers[0])
            if recorder:
                self.warnings += recorder.write(context, found, self._folder, seconds)
        self.owns_scene = False
        context.scene.frame_set(self._frame)
        report = {}
        for job in operation.jobs(fps, recorder is not None):
            self._process = PeltProcess(command, job, self._folder, threads)
            while not self._process.poll(self._wait):
                self.stage, self.fraction = self._process.stage, self._process.fraction
                yield
            self.warnings += self._process.warnings
            report = self._process.report
        self._process = None
        result = os.path.join(self._folder, RESULT_FILE)
        glb = read_glb(result)
        # All that can fail comes before the scene is changed.
        if operation.save_glb:
            _save(result, bpy.path.abspath(operation.save_glb))
        obj = self._obj()
        if obj.name not in context.view_layer.objects:
            raise TaskError(f"'{obj.name}' is not in the scene that is shown now")
        self._frame = context.scene.frame_current
        with without(self._obj, live):
            context.scene.frame_set(numbers[0])
            self.result, warnings = build_rig(context, obj, glb, found, seconds, operation.suffix, live)
        self.warnings += warnings
        if operation.hide_original:
            obj.hide_set(True)
        self.message = f"{self.result.name}: {summary(report)}"

    def _evaluated(self, frames):
        """Goes through the frames; the cache is closed whatever happens."""
        try:
            while True:
                self.fraction = next(frames)
                yield
        except StopIteration as end:
            return end.value
        finally:
            frames.close()

    def _recorder(self, context):
        """What records the armature, where the operation starts from one."""
        wants = self._operation.rig
        armature = None if wants == "none" else armature_of(context, self._obj())
        if armature is None:
            if wants == "needed":
                raise TaskError(f"'{self._object}' has no armature to reduce; use 'Fit bones' or 'Fit skeleton' first")
            if wants == "moves":
                raise TaskError(f"'{self._object}' has no armature; select one together with the mesh")
            return None
        name = armature.name
        return RigRecorder(armature, lambda: (self._obj(), bpy.data.objects[name]), weighted=wants != "moves")


def _save(result, path):
    try:
        shutil.copyfile(result, path)
    except OSError as error:
        raise TaskError(f"'{path}' was not written: {error.strerror}") from error


def _frame_numbers(scene, options):
    first, last = scene.frame_start, scene.frame_end
    if options.custom_range:
        first, last = options.frame_start, options.frame_end
    elif scene.use_preview_range:
        first, last = scene.frame_preview_start, scene.frame_preview_end
    numbers = list(range(first, last + 1, options.frame_step))
    if not 2 <= len(numbers) <= MOST_FRAMES:
        raise TaskError(f"frames {first} to {last} are {len(numbers)} frames; choose from 2 to {MOST_FRAMES}")
    return numbers

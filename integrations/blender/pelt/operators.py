"""The operators: in the background with progress in the status bar, or in one go from a script."""

import bpy

from . import operations
from .task import EXPECTED, Task

# Seconds from tick to tick, and those of a tick that are spent on evaluating frames.
TICK, SHARE = 0.05, 0.1
# Seconds to wait for pelt where there is no window that has to stay alive.
PATIENCE = 0.05

# The task that is under way, for the panel; there is at most one.
running = None


class PeltOperator(operations.FrameOptions):
    # Without REGISTER: to repeat a fit at every move of a slider would freeze Blender.
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context):
        obj = context.active_object
        if obj is None or obj.type != "MESH":
            cls.poll_message_set("The active object is not a mesh")
            return False
        if running is not None:
            cls.poll_message_set("pelt is running")
            return False
        return True

    def invoke(self, context, _event):
        global running
        if bpy.app.background:
            return self.execute(context)
        self._leave_mode(context)
        self._task = running = Task(context, self)
        self._timer = context.window_manager.event_timer_add(TICK, window=context.window)
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        task = self._task
        if task.cancelled or (event.type == "ESC" and event.value == "PRESS"):
            self._end(context)
            self.report({"INFO"}, f"{task.title} was cancelled")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"} if task.owns_scene else {"PASS_THROUGH"}
        try:
            done = task.advance(SHARE)
        except EXPECTED as error:
            self._end(context)
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        except Exception:
            self._end(context)
            raise
        if done:
            self._end(context)
            self._tell(task)
            return {"FINISHED"}
        self._show(context, task)
        return {"RUNNING_MODAL"} if task.owns_scene else {"PASS_THROUGH"}

    def cancel(self, context):
        """Called by Blender where it ends the operator: another file is loaded, the window is closed."""
        self._end(context)

    def execute(self, context):
        self._leave_mode(context)
        task = Task(context, self)
        try:
            while not task.advance(60.0, PATIENCE):
                pass
        except EXPECTED as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        finally:
            task.close(context)
        self._tell(task)
        return {"FINISHED"}

    def _leave_mode(self, context):
        # What is being edited is not in the mesh yet.
        if context.active_object.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")

    def _tell(self, task):
        for warning in task.warnings:
            self.report({"WARNING"}, warning)
        self.report({"INFO"}, task.message)

    def _show(self, context, task):
        context.workspace.status_text_set(f"{task.title}: {task.stage}, {100 * task.fraction:.0f} %   Esc: cancel")
        context.window_manager.progress_update(100 * task.fraction)
        for area in context.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()

    def _end(self, context):
        global running
        running = None
        self._task.close(context)
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)


class PELT_OT_cancel(bpy.types.Operator):
    bl_idname = "pelt.cancel"
    bl_label = "Cancel"
    bl_description = "Cancel what pelt is doing"

    @classmethod
    def poll(cls, _context):
        return running is not None

    def execute(self, _context):
        running.cancelled = True
        return {"FINISHED"}


def _operator(options, name):
    """A class of operators is its options on top of what all have in common."""
    body = {"bl_idname": f"pelt.{name}", "bl_label": options.title, "bl_description": options.about}
    return type(f"PELT_OT_{name}", (options, PeltOperator, bpy.types.Operator), body)


OPERATIONS = {
    "fit_bones": operations.FitOptions,
    "fit_skeleton": operations.SkeletonOptions,
    "reduce": operations.ReduceOptions,
    "learn_skin": operations.LearnOptions,
    "volume": operations.VolumeOptions,
}

CLASSES = (PELT_OT_cancel, *(_operator(options, name) for name, options in OPERATIONS.items()))

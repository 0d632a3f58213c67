"""The sidebar of the 3D viewport: an operation with its options below, and the progress of what runs."""

import bpy
from bpy.props import PointerProperty

from . import compat, operations, operators


class PELT_PG_frames(operations.FrameOptions, bpy.types.PropertyGroup):
    pass


def _settings(options, name):
    return type(f"PELT_PG_{name}", (options, bpy.types.PropertyGroup), {})


SETTINGS = {name: _settings(options, name) for name, options in operators.OPERATIONS.items()}


class PELT_PG_scene(bpy.types.PropertyGroup):
    """What the panel shows, kept with the scene."""

    __annotations__ = {
        "frames": PointerProperty(type=PELT_PG_frames),
        **{name: PointerProperty(type=group) for name, group in SETTINGS.items()},
    }


class PeltPanel:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "pelt"


class PELT_PT_main(PeltPanel, bpy.types.Panel):
    bl_idname = "PELT_PT_main"
    bl_label = "pelt"

    def draw(self, context):
        layout, task = self.layout, operators.running
        if task:
            compat.draw_progress(layout, task.fraction, f"{task.title}: {task.stage}")
            layout.operator("pelt.cancel", icon="CANCEL")
            return
        obj = context.active_object
        if obj is None or obj.type != "MESH":
            layout.label(text="Select a mesh", icon="INFO")
            return
        frames = context.scene.pelt.frames
        layout.prop(frames, "custom_range")
        if frames.custom_range:
            column = layout.column(align=True)
            column.prop(frames, "frame_start")
            column.prop(frames, "frame_end")
        layout.prop(frames, "frame_step")
        layout.prop(frames, "hide_original")
        layout.prop(frames, "keep_modifiers")
        layout.prop(frames, "save_glb", text="GLB")


def _panel(name, options):
    def draw_header_preset(self, context):
        button = self.layout.operator(f"pelt.{name}", text="Run", icon="PLAY")
        shown = context.scene.pelt
        for settings, group in ((shown.frames, operations.FrameOptions), (getattr(shown, name), options)):
            for key in group.__annotations__:
                setattr(button, key, getattr(settings, key))

    def draw(self, context):
        self.layout.use_property_split = True
        # Options cannot be animated.
        self.layout.use_property_decorate = False
        settings = getattr(context.scene.pelt, name)
        for control in operations.shown_controls(name, settings):
            self.layout.prop(settings, control["property"])

    body = {
        "bl_idname": f"PELT_PT_{name}",
        "bl_label": options.title,
        "bl_parent_id": PELT_PT_main.bl_idname,
        "bl_options": {"DEFAULT_CLOSED"} if name != "fit_bones" else set(),
        "draw": draw,
        "draw_header_preset": draw_header_preset,
    }
    return type(f"PELT_PT_{name}", (PeltPanel, bpy.types.Panel), body)


def add_settings():
    bpy.types.Scene.pelt = PointerProperty(type=PELT_PG_scene)


def remove_settings():
    del bpy.types.Scene.pelt


CLASSES = (
    PELT_PG_frames,
    *SETTINGS.values(),
    PELT_PG_scene,
    PELT_PT_main,
    *(_panel(name, options) for name, options in operators.OPERATIONS.items()),
)

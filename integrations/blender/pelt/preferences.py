"""Where pelt is, if it does not find itself."""

import os
import types

import bpy
from bpy.props import IntProperty, StringProperty

from .find_pelt import PeltNotFound, find_pelt, version_of


class PELT_AP_preferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    pelt: StringProperty(
        name="pelt",
        description="The command pelt, pelt.mjs, or a folder that pelt is installed in; empty: found by itself",
        subtype="FILE_PATH",
    )
    node: StringProperty(
        name="Node", description="Node 20.19 or newer; empty: found by itself", subtype="FILE_PATH"
    )
    threads: IntProperty(name="Threads", description="Threads that pelt uses; 0 for all cores", default=0, min=0)

    def draw(self, _context):
        for name in ("pelt", "node", "threads"):
            self.layout.prop(self, name)
        self.layout.operator(PELT_OT_check.bl_idname)


class PELT_OT_check(bpy.types.Operator):
    bl_idname = "pelt.check"
    bl_label = "Check"
    bl_description = "Find pelt and print its version"

    def execute(self, context):
        settings = preferences_of(context)
        try:
            command = find_pelt(settings.pelt, settings.node, [os.path.dirname(__file__), os.getcwd()])
            self.report({"INFO"}, f"pelt {version_of(command)}: {' '.join(command)}")
        except PeltNotFound as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


def preferences_of(context):
    addon = context.preferences.addons.get(__package__)
    # A script may have registered the module without enabling it as an add-on.
    return addon.preferences if addon else types.SimpleNamespace(pelt="", node="", threads=0)


CLASSES = (PELT_AP_preferences, PELT_OT_check)

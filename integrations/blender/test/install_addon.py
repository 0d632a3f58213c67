"""Installs the zip of the add-on as a user does. pelt is in it, and is not told of anywhere else."""

import os

import bpy


def install():
    archive = os.environ["PELT_ADDON"]
    if bpy.app.version >= (4, 2, 0):
        bpy.ops.extensions.package_install_files(filepath=archive, repo="user_default", enable_on_install=True)
        module = "bl_ext.user_default.pelt"
    else:
        bpy.ops.preferences.addon_install(filepath=archive)
        module = "pelt"
        bpy.ops.preferences.addon_enable(module=module)
    return module

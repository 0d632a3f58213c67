"""pelt in Blender: bones, weights, skeletons and learnt skin for the selected mesh.

The modules that need nothing of Blender (`find_pelt`, `pelt_process`, `mesh_cache`, `glb_file`, `glb_writer`,
`rig_motion`) import nothing of it either, so that they can be tested and read on their own.
"""

# Read by Blender without running the file; Blender 4.2 and newer read `blender_manifest.toml` instead.
bl_info = {
    "name": "pelt",
    "description": "Bones, weights and skeletons from meshes that move",
    "author": "The pelt authors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D Viewport > Sidebar > pelt",
    "category": "Rigging",
}


def _classes():
    from . import operators, panel, preferences

    return (*preferences.CLASSES, *operators.CLASSES, *panel.CLASSES)


def register():
    import bpy

    try:
        import numpy  # noqa: F401
    except ImportError as error:
        raise ImportError("pelt needs numpy in Blender's Python; on Debian: apt install python3-numpy") from error
    for cls in _classes():
        bpy.utils.register_class(cls)
    from . import panel

    panel.add_settings()


def unregister():
    import bpy

    from . import panel

    panel.remove_settings()
    for cls in reversed(_classes()):
        bpy.utils.unregister_class(cls)

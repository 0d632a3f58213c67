"""What differs between the versions of Blender, from 3.4 on; all else is the same API in all of them."""

import bpy


def new_action(name, animated):
    """An empty action that an object plays from now on; returns a function that adds a curve to it.

    Since Blender 4.4 an action has slots, one for each object that it animates, and its curves are in the bag of a
    slot; `Action.fcurves`, which was before, is gone in 5.0.
    """
    action = bpy.data.actions.new(name)
    data = animated.animation_data_create()
    data.action = action
    # 4.2 and 4.3 have parts of it already, which do not work yet.
    if bpy.app.version < (4, 4, 0):
        return lambda path, index, group: action.fcurves.new(path, index=index, action_group=group)
    slot = action.slots.new(id_type="OBJECT", name=animated.name)
    data.action_slot = slot
    bag = action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(slot, ensure=True)
    groups = {}

    def add_curve(path, index, group):
        curve = bag.fcurves.new(path, index=index)
        if group not in groups:
            groups[group] = bag.groups.new(group)
        curve.group = groups[group]
        return curve

    return add_curve


def draw_progress(layout, fraction, text):
    """A bar, since Blender 4.0; before, the share in words."""
    if hasattr(layout, "progress"):
        layout.progress(factor=fraction, text=text)
    else:
        layout.label(text=f"{text}: {100 * fraction:.0f} %", icon="SORTTIME")

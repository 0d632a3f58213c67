"""Modifiers that stay live on a result: those at the end of the stack that add detail to a shape and no motion of their own.

A subdivided sheet is fitted by its cage, and Subdivision goes on smoothing it while it plays.
"""

import contextlib

DETAIL = {"BEVEL", "EDGE_SPLIT", "SOLIDIFY", "SUBSURF", "TRIANGULATE", "WEIGHTED_NORMAL"}


def live_modifiers(obj):
    """Their names, in the order of the stack."""
    names = []
    for modifier in reversed(obj.modifiers):
        if not modifier.show_viewport:
            continue
        if modifier.type not in DETAIL or _is_animated(obj, modifier):
            break
        names.insert(0, modifier.name)
    return names


@contextlib.contextmanager
def without(find_object, names):
    """Shows an object without these modifiers for as long as it lasts.

    find_object  gives the object, which an undo may replace meanwhile
    """
    _show(find_object(), names, False)
    try:
        yield
    finally:
        _show(find_object(), names, True)


def keep_only(copy, names):
    """Removes the other modifiers of a copy that was made meanwhile."""
    for modifier in list(copy.modifiers):
        if modifier.name not in names:
            copy.modifiers.remove(modifier)
    _show(copy, names, True)


def _show(obj, names, shown):
    for name in names:
        if name in obj.modifiers:
            obj.modifiers[name].show_viewport = shown


def _is_animated(obj, modifier):
    data = obj.animation_data
    if data is None:
        return False
    path = modifier.path_from_id()
    curves = [*data.drivers, *(data.action.fcurves if data.action and hasattr(data.action, "fcurves") else [])]
    return any(curve.data_path.startswith(path) for curve in curves)

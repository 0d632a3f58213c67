"""The five operations: their options in Blender, and the pelt jobs that they become."""

import json
import os

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

RESULT_FILE = "result.glb"
SEQUENCE = ["rest.obj", "clip.pc2"]
RIG = "rig.glb"


# The controls of each operation, from the option tables of pelt; made by `options.mjs`.
with open(os.path.join(os.path.dirname(__file__), "options.json"), encoding="utf-8") as _file:
    CONTROLS = json.load(_file)

MAKERS = {"int": IntProperty, "float": FloatProperty, "bool": BoolProperty, "enum": EnumProperty}


def _properties(operation):
    """The properties of an operation, as Blender reads them from the annotations of a class."""
    return {control["property"]: _property(control) for control in CONTROLS[operation]}


def _property(control):
    shared = {key: control[key] for key in ("name", "description", "default")}
    if control["type"] == "enum":
        return EnumProperty(**shared, items=[(value, words, "") for value, words in control["items"]])
    ranges = {key: control[key] for key in ("min", "max", "soft_min", "soft_max") if key in control}
    if control["type"] == "float":
        ranges["precision"] = 4
    return MAKERS[control["type"]](**shared, **ranges)


def has_effect(settings, control):
    """Whether an option has an effect with what is chosen of another; with others pelt refuses it."""
    only = control.get("only")
    return only is None or getattr(settings, only["property"]) in only["values"]


def shown_controls(operation, settings):
    return [control for control in CONTROLS[operation] if has_effect(settings, control)]


def _given(operation, settings):
    """What is asked for, as the options of a request."""
    options = {}
    for control in shown_controls(operation, settings):
        value = getattr(settings, control["property"])
        # Numbers in Blender cannot be empty: 0 stands for a word, or for nothing.
        if value == 0 and "zero" in control and not isinstance(value, bool):
            value = control["zero"]
        if value != "":
            options[control["option"]] = value
    return options


class FrameOptions:
    """Which frames are evaluated; an operator has these as properties, and the panel shows them."""

    custom_range: BoolProperty(
        name="Frame range", description="Evaluate other frames than those of the scene", default=False
    )
    frame_start: IntProperty(name="Start", description="First frame; the rest pose is taken from it", default=1)
    frame_end: IntProperty(name="End", description="Last frame", default=250)
    frame_step: IntProperty(name="Step", description="Evaluate every nth frame", default=1, min=1)
    hide_original: BoolProperty(
        name="Hide original", description="Hide the object in the viewport, as its copy is in its place", default=True
    )
    keep_modifiers: BoolProperty(
        name="Keep modifiers",
        description="Leave the last modifiers that only add detail, such as Subdivision, live on the result",
        default=False,
    )
    save_glb: StringProperty(
        name="Save GLB",
        description="Keep the GLB that pelt wrote, which has no materials, in this file",
        subtype="FILE_PATH",
    )


class FitOptions:
    title = "Fit bones"
    suffix = "fitted"
    about = "Find bones and weights that reproduce the motion of the mesh"
    rig = "none"
    __annotations__ = _properties("fit_bones")

    def jobs(self, fps, _has_rig):
        options = {"fps": fps, **_given("fit_bones", self)}
        # An error says how many bones there are, unless a number bounds it.
        if "maxError" in options and options["bones"] == "auto":
            del options["bones"]
        return [_job("fit", SEQUENCE, options)]


class SkeletonOptions:
    title = "Fit skeleton"
    suffix = "jointed"
    about = "Find joints, a hierarchy and weights that reproduce the motion of the mesh"
    rig = "none"
    __annotations__ = _properties("fit_skeleton")

    def jobs(self, fps, _has_rig):
        return [_job("skeleton", SEQUENCE, {"fps": fps, **_given("fit_skeleton", self)})]


class ReduceOptions:
    title = "Reduce"
    suffix = "reduced"
    about = "Fewer weights and bones for a mesh with an armature, fitted to what it shows now"
    rig = "needed"
    __annotations__ = _properties("reduce")

    def jobs(self, fps, _has_rig):
        # A motion that repeats would be stored once, but every frame is wanted here.
        return [_job("reduce", [RIG, *SEQUENCE], {"fps": fps, "loops": False, **_given("reduce", self)})]


class LearnOptions:
    title = "Learn skin"
    suffix = "learnt"
    about = "Learn how the skin depends on the joints of its armature, or of a skeleton that is fitted first"
    rig = "welcome"
    __annotations__ = _properties("learn_skin")

    def jobs(self, fps, has_rig):
        # Blender has no run time for the learnt skin itself: its proxy bones are baked.
        learn = _job("envelope", [RIG, *SEQUENCE], {"fps": fps, "bake": True, **_given("learn_skin", self)})
        return [learn] if has_rig else [_job("skeleton", SEQUENCE, {"fps": fps}, RIG), learn]


class VolumeOptions:
    title = "Volume"
    suffix = "solid"
    about = "Move a closed mesh by an armature as a solid body that keeps its volume; weights are not needed"
    rig = "moves"
    __annotations__ = _properties("volume")

    def jobs(self, _fps, _has_rig):
        return [_job("volume", SEQUENCE[:1], {"rig": RIG, **_given("volume", self)})]


def _job(command, inputs, options, output=RESULT_FILE):
    # Blender keeps 0.1 as a 32-bit float; nobody typed 0.10000000149.
    rounded = {key: round(value, 6) if isinstance(value, float) else value for key, value in options.items()}
    return {"command": command, "inputs": inputs, "output": output, "options": rounded}


def summary(report):
    """What a report says, in a few words."""
    words = []
    bones = report.get("bones", report.get("after", {}).get("bones"))
    if "fit" in report:
        bones = report["fit"].get("bones")
    if bones is not None:
        words.append(f"{bones} bones")
    error = report.get("error") or report.get("after", {}).get("error")
    if error:
        words.append(f"E_RMS {error['eRms']:.3g}")
    if "training" in report:
        words.append(f"{report['proxies']} proxies, enveloping error {report['training']['error']['error']:.3g} %")
    if "volume" in report:
        words.append(f"volume from {100 * report['volume']:.1f} %")
    return ", ".join(words)

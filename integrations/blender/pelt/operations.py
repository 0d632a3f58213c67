"""The five operations: their options in Blender, and the pelt jobs that they become."""

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

RESULT_FILE = "result.glb"
SEQUENCE = ["rest.obj", "clip.pc2"]
RIG = "rig.glb"


def _weights(most):
    about = "Most weights per vertex; engines read 4 or 8"
    return IntProperty(name="Weights", description=about, default=4, min=1, max=most)


FIT_BONES = "Number of bones, or the most to try with a maximum error; 0 lets the motion say how many"


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

    bones: IntProperty(name="Bones", description=FIT_BONES, default=20, min=0)
    max_error: FloatProperty(
        name="Max error",
        description="Use as few bones as reach this E_RMS, in thousandths of the model's radius; 0 for no limit",
        default=0,
        min=0,
    )
    weights: _weights(16)
    smooth: FloatProperty(
        name="Smooth", description="Trade error for smooth weights; 0.1 is a little, 3 is much", default=0, min=0
    )
    stretch: BoolProperty(
        name="Stretch", description="Bones that also stretch and shear: less error, two bones for one", default=False
    )
    rest_pose: EnumProperty(
        name="Rest pose",
        description="Whether the rest pose may move where that lowers the error",
        items=[
            ("keep", "Keep", "Leave the rest pose as it is"),
            ("near", "Near", "Move it by at most the error of the frames"),
            ("free", "Free", "Move it as it lowers the error"),
        ],
        default="near",
    )

    def jobs(self, fps, _has_rig):
        options = {
            "fps": fps,
            "bones": self.bones or "auto",
            "weights": self.weights,
            "smooth": self.smooth,
            "restPose": self.rest_pose,
            "method": "affine" if self.stretch else "ssdr",
        }
        if self.max_error > 0:
            options["maxError"] = self.max_error
            if self.bones == 0:
                del options["bones"]
        return [_job("fit", SEQUENCE, options)]


class SkeletonOptions:
    title = "Fit skeleton"
    suffix = "jointed"
    about = "Find joints, a hierarchy and weights that reproduce the motion of the mesh"
    rig = "none"

    bones: IntProperty(name="Bones", description="Most bones; 0 for as many as are worth it", default=0, min=0)
    weights: _weights(8)
    symmetry: BoolProperty(
        name="Symmetry",
        description="Name bones in mirrored pairs; the rest pose must have a mirror plane",
        default=False,
    )
    bone_names: EnumProperty(
        name="Names",
        description="Convention of the names of a person's bones",
        items=[
            ("plain", "Plain", "LeftUpperLeg"),
            ("mixamo", "Mixamo", "mixamorig:LeftUpLeg"),
            ("vrm", "VRM", "leftUpperLeg"),
        ],
    )

    def jobs(self, fps, _has_rig):
        options = {"fps": fps, "weights": self.weights, "symmetry": self.symmetry, "names": self.bone_names}
        if self.bones > 0:
            options["bones"] = self.bones
        return [_job("skeleton", SEQUENCE, options)]


class ReduceOptions:
    title = "Reduce"
    suffix = "reduced"
    about = "Fewer weights and bones for a mesh with an armature, fitted to what it shows now"
    rig = "needed"

    weights: _weights(16)
    bones: IntProperty(name="Bones", description="Most bones; 0 keeps all of them", default=0, min=0)
    keep_bones: BoolProperty(
        name="Keep bones", description="Leave bones and rest pose where they are; only weights change", default=False
    )

    def jobs(self, fps, _has_rig):
        # A motion that repeats would be stored once, but every frame is wanted here.
        options = {"fps": fps, "weights": self.weights, "keepBones": self.keep_bones, "loops": False}
        if self.bones > 0:
            options["bones"] = self.bones
        return [_job("reduce", [RIG, *SEQUENCE], options)]


class LearnOptions:
    title = "Learn skin"
    suffix = "learnt"
    about = "Learn how the skin depends on the joints of its armature, or of a skeleton that is fitted first"
    rig = "welcome"

    proxies: IntProperty(
        name="Proxies", description="Number of proxy bones that the learnt skin is written with", default=30, min=1
    )
    weights: _weights(16)

    def jobs(self, fps, has_rig):
        # Blender has no run time for the learnt skin itself: its proxy bones are baked.
        options = {"fps": fps, "proxies": self.proxies, "weights": self.weights, "bake": True}
        learn = _job("envelope", [RIG, *SEQUENCE], options)
        return [learn] if has_rig else [_job("skeleton", SEQUENCE, {"fps": fps}, RIG), learn]


class VolumeOptions:
    title = "Volume"
    suffix = "solid"
    about = "Move a closed mesh by an armature as a solid body that keeps its volume; weights are not needed"
    rig = "moves"

    bones: IntProperty(name="Bones", description="Number of bones that the result is fitted with", default=32, min=1)
    weights: _weights(16)
    volume_weight: FloatProperty(
        name="Volume weight", description="Weight of volume preservation; 0 for none", default=40, min=0
    )

    def jobs(self, _fps, _has_rig):
        options = {"rig": RIG, "bones": self.bones, "weights": self.weights, "volumeWeight": self.volume_weight}
        return [_job("volume", SEQUENCE[:1], options)]


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

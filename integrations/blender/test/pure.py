"""The parts that need nothing of Blender, or nothing of this version of it."""

import json
import os
import stat
import sys
import tempfile
import time
from types import SimpleNamespace

import numpy as np

from pelt import compat, find_pelt, glb_file, glb_writer, mesh_cache, pelt_process, trs


def check_find_pelt():
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "packages", "cli", "bin", "pelt.mjs")
        os.makedirs(os.path.dirname(script))
        open(script, "w").close()
        node = find_pelt.find_node()
        given = [node, script]
        assert find_pelt.find_pelt(script) == given
        assert find_pelt.find_pelt(folder) == given
        path, os.environ["PATH"] = os.environ["PATH"], os.path.dirname(node)
        try:
            inside = os.path.join(folder, "integrations", "blender")
            assert find_pelt.find_pelt("", "", [inside], home=folder) == [node, os.path.realpath(script)]
            # The one in the add-on comes first.
            bundled = os.path.join(folder, "javascript", "bin", "pelt.mjs")
            os.makedirs(os.path.dirname(bundled))
            open(bundled, "w").close()
            assert find_pelt.find_pelt("", "", [inside], home=folder) == [node, bundled]
            assert find_pelt.find_pelt(script, "", [inside], home=folder) == given
        finally:
            os.environ["PATH"] = path
        command = os.path.join(folder, "pelt")
        with open(command, "w") as file:
            file.write("#!/bin/sh\necho 9.8.7\n")
        os.chmod(command, os.stat(command).st_mode | stat.S_IXUSR)
        assert find_pelt.find_pelt(command) == [command]
        assert find_pelt.version_of([command]) == "9.8.7"
        for wrong in ((f"{folder}/none",), (f"{folder}/integrations",), (script, "/none")):
            try:
                find_pelt.find_pelt(*wrong)
            except find_pelt.PeltNotFound as error:
                assert "preferences" in str(error)
            else:
                raise AssertionError(wrong)


def check_events():
    event = pelt_process.parse_event('{"type": "progress", "progress": {"stage": "a", "fraction": 0.5}}\n')
    assert event["type"] == "progress"
    for line in ("", "no json", "[1]", '{"type": 3}', "null"):
        assert pelt_process.parse_event(line) is None


def _fake_pelt(folder, lines):
    script = os.path.join(folder, "fake.py")
    with open(script, "w") as file:
        file.write("import sys, time, json\n" + lines)
    return [sys.executable if "python" in os.path.basename(sys.executable) else "python3", script]


def check_process():
    with tempfile.TemporaryDirectory() as folder:
        events = [
            {"type": "progress", "progress": {"stage": "fitting", "fraction": 0.25}},
            {"type": "warning", "message": "beware"},
            {"type": "done", "report": {"bones": 3}},
        ]
        command = _fake_pelt(folder, f"for e in {events!r}:\n    print(json.dumps(e), flush=True)\n")
        process = pelt_process.PeltProcess(command, {"command": "fit"}, folder)
        while not process.poll(0.05):
            pass
        assert (process.stage, process.fraction, process.warnings) == ("fitting", 0.25, ["beware"])
        assert process.report == {"bones": 3}
        assert json.load(open(os.path.join(folder, "job.json"))) == {"command": "fit"}
        for lines, said in (
            ("print(json.dumps({'type': 'failed', 'message': 'no mesh'})); sys.exit(2)", "no mesh"),
            ("sys.stderr.write('error: bad option\\n'); sys.exit(1)", "bad option"),
            ("sys.exit(7)", "exit code 7"),
        ):
            process = pelt_process.PeltProcess(_fake_pelt(folder, lines), {}, folder)
            try:
                while not process.poll(0.05):
                    pass
            except pelt_process.PeltFailed as error:
                assert said in str(error), error
            else:
                raise AssertionError(lines)
        stuck = pelt_process.PeltProcess(_fake_pelt(folder, "time.sleep(60)"), {}, folder)
        assert not stuck.poll()
        started = time.monotonic()
        stuck.cancel()
        assert time.monotonic() - started < 30
        stuck.cancel()


def check_cache_files():
    with tempfile.TemporaryDirectory() as folder:
        positions = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.1, 1e-7, 123456.789]], dtype=np.float32)
        path = os.path.join(folder, "a.obj")
        mesh_cache.write_obj(path, positions, np.array([3, 4]), np.array([0, 1, 4, 0, 1, 2, 3]))
        lines = open(path).read().split("\n")
        read = np.array([line.split()[1:] for line in lines if line.startswith("v")], dtype=np.float32)
        assert np.array_equal(read, positions)
        assert [line for line in lines if line.startswith("f")] == ["f 1 2 5", "f 1 2 3 4"]
        path = os.path.join(folder, "a.pc2")
        cache = mesh_cache.Pc2Writer(path, 5)
        cache.add(positions)
        cache.add(2 * positions)
        cache.close()
        header = mesh_cache.PC2_HEADER.unpack(open(path, "rb").read(32))
        assert header == (b"POINTCACHE2\0", 1, 5, 0.0, 1.0, 2)
        assert os.path.getsize(path) == 32 + 2 * 5 * 12
        try:
            mesh_cache.Pc2Writer(path, 5).add(positions[:3])
        except ValueError:
            pass
        else:
            raise AssertionError("another number of points")


def check_transforms():
    random = np.random.default_rng(7)
    q = random.normal(size=(500, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    location, scale = random.normal(size=(500, 3)), random.uniform(0.2, 3, size=(500, 3))
    scale[::7, 0] *= -1
    matrix = trs.compose(location, q, scale)
    assert np.abs(trs.compose(*trs.decompose(matrix)) - matrix).max() < 1e-12
    # Half turns, at which one component is all there is.
    for axis in np.eye(4):
        assert np.abs(np.abs(trs.quaternion(trs.rotation_matrix(axis)) @ axis) - 1) < 1e-12
    flat = trs.compose(location, q, scale * (1, 0, 1))
    assert np.isfinite(np.concatenate([part.ravel() for part in trs.decompose(flat)])).all()
    steady = trs.continuous(np.array([[1, 0, 0, 0], [-1, 0, 0, 0], [1, 0, 0, 0.0]]))
    assert (steady[:, 0] == 1).all()


def check_glb_round_trip():
    """Two bones in a chain, written and read back: the same matrices at every frame, and between them."""
    random = np.random.default_rng(3)
    q = random.normal(size=(5, 2, 4))
    q /= np.linalg.norm(q, axis=-1, keepdims=True)
    matrices = trs.compose(random.normal(size=(5, 2, 3)), q, np.ones((5, 2, 3)))
    binds = trs.compose(random.normal(size=(2, 3)), q[0], np.ones((2, 3)))
    positions = random.normal(size=(4, 3)).astype(np.float32)
    joints, weights = np.array([[0, 1, 0, 0]] * 4), np.array([[0.25, 0.75, 0, 0]] * 4)
    times = np.arange(5) / 24
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rig.glb")
        triangles = np.array([[0, 1, 2], [0, 2, 3]])
        mesh = {"positions": positions, "triangles": triangles, "joints": joints, "weights": weights}
        bones = {"names": ["a", "b"], "parents": [-1, 0], "binds": binds}
        lost = glb_writer.write_rig(path, mesh, bones, {"times": times, "matrices": matrices})
        glb = glb_file.read_glb(path)
        data = open(path, "rb").read()
    assert lost < 1e-12
    assert glb.names[:2] == ["a", "b"] and glb.parents[:2] == [-1, 0] and glb.joint_nodes == [0, 1]
    assert np.array_equal(glb.positions, positions.astype(np.float64)) and np.array_equal(glb.joints, joints)
    assert np.abs(glb.matrices_at(times)[:, :2] - matrices).max() < 1e-6
    assert np.abs(glb.rest_matrices()[:2] - binds).max() < 1e-6
    assert np.abs(glb.inverse_binds - np.linalg.inv(binds)).max() < 1e-6
    held = glb.matrices_at(np.array([-1.0, times[-1] + 1]))[:, :2]
    assert np.abs(held - matrices[[0, -1]]).max() < 1e-6
    between = glb.matrices_at(times[:1] + 0.5 / 24)[0, 0]
    assert np.abs(between[:3, :3] @ between[:3, :3].T - np.eye(3)).max() < 1e-6
    for broken in (b"", data[:16], b"nope" + data[4:]):
        try:
            glb_file.SkinnedGlb(broken)
        except glb_file.GlbError:
            pass
        else:
            raise AssertionError("a broken file was read")


def check_slotted_actions():
    """The way of Blender 4.4 and newer, on stand-ins with the signatures that its documentation gives."""
    made = []

    class Curves:
        def new(self, data_path, *, index=0):
            made.append(SimpleNamespace(data_path=data_path, index=index, group=None))
            return made[-1]

    class Named:
        def new(self, name):
            return SimpleNamespace(name=name, strips=Strips())

    class Strips:
        def new(self, *, type="KEYFRAME"):
            assert type == "KEYFRAME"
            return Strip()

    class Strip:
        def channelbag(self, slot, *, ensure=False):
            assert slot.id_type == "OBJECT" and ensure
            return SimpleNamespace(fcurves=Curves(), groups=Named())

    class Slots:
        def new(self, id_type, name):
            return SimpleNamespace(id_type=id_type, name=name)

    action = SimpleNamespace(slots=Slots(), layers=Named())
    data = SimpleNamespace(action=None, action_slot=None)
    animated = SimpleNamespace(name="Rig", animation_data_create=lambda: data)
    real = compat.bpy
    actions = SimpleNamespace(new=lambda name: action)
    compat.bpy = SimpleNamespace(app=SimpleNamespace(version=(4, 4, 0)), data=SimpleNamespace(actions=actions))
    try:
        add_curve = compat.new_action("Motion", animated)
        curves = [add_curve("location", k, "Bone") for k in range(3)]
    finally:
        compat.bpy = real
    assert data.action is action and data.action_slot.name == "Rig"
    assert [curve.index for curve in made] == [0, 1, 2]
    assert curves[0].group is curves[2].group and curves[0].group.name == "Bone"


PURE_CASES = [value for name, value in list(globals().items()) if name.startswith("check_")]

"""Finds the command that runs pelt: what the preferences name, else the one in this folder, else one that is installed.

A Blender that was started from a desktop does not have the PATH of a shell, so the usual places of Node are searched
as well.
"""

import glob
import os
import shutil
import subprocess

# In the add-on itself, as it comes from its zip.
BUNDLED = os.path.join("javascript", "bin", "pelt.mjs")
# Inside a checkout of pelt, and inside a folder in which pelt was installed by npm.
CHECKOUT = os.path.join("packages", "cli", "bin", "pelt.mjs")
INSTALLED = os.path.join("node_modules", "pelt", "bin", "pelt.mjs")

NODE_PLACES = (
    "/usr/local/bin/node",
    "/opt/homebrew/bin/node",
    "~/.volta/bin/node",
    "~/.local/share/fnm/aliases/default/bin/node",
    "~/.nvm/versions/node/*/bin/node",
    "C:\\Program Files\\nodejs\\node.exe",
)

# Where every message ends that a path can cure.
IN_PREFERENCES = "its path in the preferences of the add-on"


class PeltNotFound(Exception):
    """One line that says what is missing and what to do about it."""


def find_pelt(pelt="", node="", near=(), home=os.path.dirname(os.path.abspath(__file__))):
    """The words that run pelt.

    pelt  path of the command, of `pelt.mjs` or of a folder that contains it; empty: search for it
    node  path of Node; empty: search for it
    near  files or folders beside which pelt may be installed, such as the blend file
    home  the folder of the add-on
    """
    if pelt:
        return _given(os.path.expanduser(pelt), node)
    bundled = os.path.join(home, BUNDLED)
    if os.path.isfile(bundled):
        return [find_node(node), bundled]
    on_path = shutil.which("pelt")
    if on_path:
        return _given(on_path, node)
    for place in near:
        script = _script_above(place)
        if script:
            return [find_node(node), script]
    installed = _installed_beside(node)
    if installed:
        return installed
    raise PeltNotFound(f"pelt is not installed: run 'npm install --global pelt', or set {IN_PREFERENCES}")


def find_node(node=""):
    """The path of Node."""
    if node:
        path = os.path.expanduser(node)
        if os.path.isdir(path):
            path = os.path.join(path, "node.exe" if os.name == "nt" else "node")
        if os.path.isfile(path):
            return path
        raise PeltNotFound(f"there is no Node at '{node}'; correct {IN_PREFERENCES}")
    on_path = shutil.which("node")
    if on_path:
        return on_path
    for pattern in NODE_PLACES:
        # Of several versions the highest one.
        found = sorted(glob.glob(os.path.expanduser(pattern)), key=_version_key)
        if found:
            return found[-1]
    raise PeltNotFound(f"Node is not installed: get version 20.19 or newer, or set {IN_PREFERENCES}")


def version_of(command):
    """What `pelt --version` prints; raises PeltNotFound if the command does not run."""
    try:
        ended = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=30, **hidden_window())
    except (OSError, subprocess.SubprocessError) as error:
        raise PeltNotFound(f"'{' '.join(command)}' does not run: {error}") from error
    if ended.returncode != 0:
        said = (ended.stderr.strip() or f"exit code {ended.returncode}").splitlines()[-1]
        raise PeltNotFound(f"'{' '.join(command)}' does not run: {said}")
    return ended.stdout.strip()


def hidden_window():
    """Arguments of a process that keep Windows from opening a console for it."""
    return {"creationflags": subprocess.CREATE_NO_WINDOW} if os.name == "nt" else {}


def _given(path, node):
    if os.path.isdir(path):
        for inner in ("pelt.cmd" if os.name == "nt" else "pelt", "pelt.mjs", INSTALLED, CHECKOUT):
            inside = os.path.join(path, inner)
            if os.path.isfile(inside):
                return _given(inside, node)
        raise PeltNotFound(f"there is no pelt in the folder '{path}'; correct {IN_PREFERENCES}")
    if not os.path.isfile(path):
        raise PeltNotFound(f"there is no pelt at '{path}'; correct {IN_PREFERENCES}")
    # A batch file of Windows would be ended without the Node that it started.
    behind = os.path.join(os.path.dirname(path), INSTALLED)
    if path.lower().endswith(".cmd") and os.path.isfile(behind):
        path = behind
    return [find_node(node), path] if path.endswith((".mjs", ".js")) else [path]


def _script_above(place):
    """pelt in the folder of a file or in any folder above it."""
    folder = os.path.realpath(place)
    while True:
        for inner in (INSTALLED, CHECKOUT):
            script = os.path.join(folder, inner)
            if os.path.isfile(script):
                return script
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _installed_beside(node):
    """pelt where `npm install --global` puts it, beside the Node that is not on the PATH."""
    try:
        path = find_node(node)
    except PeltNotFound:
        return None
    folder = os.path.dirname(path)
    for script in (os.path.join(folder, INSTALLED), os.path.join(os.path.dirname(folder), "lib", INSTALLED)):
        if os.path.isfile(script):
            return [path, script]
    return None


def _version_key(path):
    return [int(word) if word.isdigit() else -1 for word in path.replace("v", ".").replace(os.sep, ".").split(".")]

"""Translations, rotations and scales, many at a time. Quaternions are (w, x, y, z), as in Blender."""

import numpy as np

# Blender has z up, glTF y: (x, y, z) of Blender is (x, z, -y) of glTF.
BLENDER_TO_GLTF = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]], dtype=np.float64)
GLTF_TO_BLENDER = BLENDER_TO_GLTF.T

# A column shorter than this share of the longest has no direction of its own.
FLAT = 1e-9


def compose(location, rotation, scale):
    """... x 4 x 4 matrices from ... x 3, ... x 4 and ... x 3."""
    matrix = np.zeros((*np.broadcast_shapes(location.shape[:-1], rotation.shape[:-1], scale.shape[:-1]), 4, 4))
    matrix[..., :3, :3] = rotation_matrix(rotation) * scale[..., None, :]
    matrix[..., :3, 3] = location
    matrix[..., 3, 3] = 1
    return matrix


def decompose(matrix):
    """Location, rotation and scale of ... x 4 x 4 matrices; the nearest ones where there is shear."""
    linear = matrix[..., :3, :3]
    scale = np.linalg.norm(linear, axis=-2)
    scale[..., 0] *= np.where(np.linalg.det(linear) < 0, -1, 1)
    longest = np.abs(scale).max(axis=-1, keepdims=True)
    flat = np.abs(scale) <= FLAT * longest
    directions = linear / np.where(flat, 1, scale)[..., None, :]
    # The nearest rotation: what a flat column leaves open is filled in, rounding and shear are taken out.
    u, _, vt = np.linalg.svd(np.where(flat[..., None, :], 0, directions))
    u[..., 2] *= np.linalg.det(u @ vt)[..., None]
    return matrix[..., :3, 3].copy(), quaternion(u @ vt), scale


def rotation_matrix(q):
    """... x 3 x 3 from ... x 4 unit quaternions."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def quaternion(r):
    """... x 4 from ... x 3 x 3 rotations, by the largest of the four components, which is never small."""
    d = np.stack([r[..., 0, 0], r[..., 1, 1], r[..., 2, 2]], axis=-1)
    trace = d.sum(axis=-1, keepdims=True)
    squares = np.concatenate([1 + trace, 1 - trace + 2 * d], axis=-1)
    wx, wy, wz = r[..., 2, 1] - r[..., 1, 2], r[..., 0, 2] - r[..., 2, 0], r[..., 1, 0] - r[..., 0, 1]
    xy, xz, yz = r[..., 0, 1] + r[..., 1, 0], r[..., 0, 2] + r[..., 2, 0], r[..., 1, 2] + r[..., 2, 1]
    w2, x2, y2, z2 = np.moveaxis(squares, -1, 0)
    table = np.stack(
        [np.stack(row, axis=-1) for row in ([w2, wx, wy, wz], [wx, x2, xy, xz], [wy, xy, y2, yz], [wz, xz, yz, z2])],
        axis=-2,
    )
    best = squares.argmax(axis=-1)
    q = np.take_along_axis(table, best[..., None, None], axis=-2)[..., 0, :]
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def continuous(q):
    """S x 4 rotations with the sign that is nearest to the one before: curves are interpolated number by number."""
    flips = np.where((q[1:] * q[:-1]).sum(axis=-1) < 0, -1.0, 1.0)
    return q * np.concatenate([[1.0], np.cumprod(flips)])[:, None]


def slerp(a, b, share):
    """Shortest way from one rotation to another; ... x 4, ... x 4, ..."""
    dot = (a * b).sum(axis=-1)
    b = np.where(dot[..., None] < 0, -b, b)
    angle = np.arccos(np.clip(np.abs(dot), -1, 1))
    sine = np.sin(angle)
    near = sine < 1e-6
    safe = np.where(near, 1, sine)
    wa = np.where(near, 1 - share, np.sin((1 - share) * angle) / safe)
    wb = np.where(near, share, np.sin(share * angle) / safe)
    q = wa[..., None] * a + wb[..., None] * b
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def rigid(matrix):
    """... x 4 x 4 without scale and shear: rotation and translation alone."""
    location, rotation, _ = decompose(matrix)
    return compose(location, rotation, np.ones_like(location))

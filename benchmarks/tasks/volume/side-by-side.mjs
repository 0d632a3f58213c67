/** What a pose does to a body, and what other skinning makes of it. */
import { deformDualQuaternion, deformLinear, measureBody } from '@pelt/skin';

/**
 * Volume, inverted tetrahedra and the smallest cross-section of a posed body.
 *
 * @param subject    { mesh, rings, body }; the rings are lists of vertices of the mesh, from end to end
 * @param positions  v × 3 of the body
 */
export function judge({ mesh, rings, body }, positions) {
  const { volume, inverted } = measureBody(body, positions);
  const sections = rings.slice(1, -1).map((ring) => {
    const posed = ring.map((i) => 3 * body.surface[i]);
    const rest = ring.map((i) => 3 * i);
    return area(positions, posed) / area(mesh.positions, rest);
  });
  return { volume: 100 * volume, inverted, section: 100 * Math.min(...sections) };
}

/** The area of a polygon by its corners' places in an array, out of plane or not: ‖½ Σ pᵢ × pᵢ₊₁‖. */
function area(x, corners) {
  const sum = [0, 0, 0];
  const o = corners[0];
  corners.forEach((p, k) => {
    const q = corners[(k + 1) % corners.length];
    const u = [0, 1, 2].map((axis) => x[p + axis] - x[o + axis]);
    const v = [0, 1, 2].map((axis) => x[q + axis] - x[o + axis]);
    for (let axis = 0; axis < 3; axis++) {
      const [b, c] = [(axis + 1) % 3, (axis + 2) % 3];
      sum[axis] += 0.5 * (u[b] * v[c] - u[c] * v[b]);
    }
  });
  return Math.hypot(...sum);
}

/** Rows for linear blending and dual quaternions with the same automatic weights. */
export function otherSkinning(subject, name, pose) {
  const out = new Float32Array(subject.body.positions.length);
  return [
    ['linear blending', deformLinear],
    ['dual quaternions', deformDualQuaternion],
  ].flatMap(([method, deform]) => {
    deform(subject.body.positions, subject.skin, pose, out);
    const { volume, inverted, section } = judge(subject, out);
    return [
      { case: name, metric: `volume, ${method}`, value: volume, unit: '% of rest' },
      { case: name, metric: `inverted tetrahedra, ${method}`, value: inverted, unit: '' },
      { case: name, metric: `smallest cross-section, ${method}`, value: section, unit: '% of rest' },
    ];
  });
}

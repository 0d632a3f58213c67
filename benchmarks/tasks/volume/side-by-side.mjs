/** What a pose does to a body, and what other skinning makes of it. */
import { boundsOf, diagonalOf } from '@pelt/model';
import { deformDualQuaternion, deformLinear, measureBody } from '@pelt/skin';
import { carriedTriangles, crossingPairs, roughness } from '@pelt/testkit';

/** Roughness allowed, relative to dual quaternions, and mean distance of skin from its bones, in % of the diagonal. */
const ROUGHEST = 1;
const FARTHEST = 1.2;

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

/** How a posed surface looks: mean and p99 of its roughness in degrees, and pairs of triangles that cross. */
export function looks({ mesh, body }, positions) {
  const triangles = carriedTriangles(mesh, body);
  return { ...roughness(body.positions, positions, triangles), crossings: crossingPairs(positions, triangles) };
}

/** The same for dual quaternions with automatic weights. */
export function rivalLooks(subject, pose) {
  const posed = new Float32Array(subject.body.positions.length);
  return looks(subject, deformDualQuaternion(subject.body.positions, subject.skin, pose, posed));
}

/** Mean distance of the vertices that follow bones from where these put them, in % of the diagonal of the mesh. */
export function astray({ mesh, body, binding: { skin, fixed } }, pose, positions) {
  const placed = deformLinear(body.positions, skin, pose, new Float32Array(body.positions.length));
  let sum = 0;
  for (const v of fixed) sum += Math.hypot(...[0, 1, 2].map((axis) => positions[3 * v + axis] - placed[3 * v + axis]));
  return (100 * sum) / fixed.length / diagonalOf(boundsOf(mesh.positions));
}

/**
 * Rows of how smooth a deformation is beside dual quaternions.
 *
 * @param own      { mean, p99, crossings, astray }
 * @param rival    { mean, p99, crossings }
 * @param roughest  bound of the ratio of mean roughness
 */
export function smoothnessRows(name, own, rival, roughest = ROUGHEST) {
  const against = (metric, key, unit, most) => ({
    case: name,
    metric,
    value: own[key],
    unit,
    reference: rival[key],
    referenceName: 'dual quaternions',
    // A rival without crossings leaves no ratio.
    target: rival[key] > 0 ? `ratio <= ${most}` : 'value <= 0',
  });
  return [
    against('roughness', 'mean', '°', roughest),
    against('roughness, p99', 'p99', '°', ROUGHEST),
    against('crossing triangle pairs', 'crossings', '', 1),
    {
      case: name,
      metric: 'skin from its bones, mean',
      value: own.astray,
      unit: '% of diagonal',
      target: `value <= ${FARTHEST}`,
    },
  ];
}

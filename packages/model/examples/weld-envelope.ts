import {
  gatherDisplacements,
  IDENTITY_TRANSFORM,
  type Mesh,
  type ReducedEnvelope,
  unweldReducedEnvelope,
} from '@pelt/model';

// Vertex 1 of the welded triangle is vertices 1 and 3 of the original mesh.
const map = Uint32Array.of(0, 1, 2, 1);
const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
const mesh: Mesh = { name: 'welded', positions, triangles: Uint32Array.of(0, 1, 2) };
const original: Mesh = {
  name: 'original',
  positions: new Float32Array(12),
  triangles: Uint32Array.of(0, 1, 2, 0, 3, 2),
};
const weights = { slots: 1, bones: new Uint16Array(3), weights: new Float32Array(3).fill(1) };
const displacements = {
  poses: new Float64Array(3),
  displacements: Float32Array.of(0, 0, 0, 0, 0, 0.5, 0, 0, 0),
  axes: new Uint16Array(3),
};
const envelope: ReducedEnvelope = {
  rig: {
    name: 'triangle',
    mesh,
    bones: [{ name: 'bone', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) }],
    weights,
  },
  centres: new Float64Array(3),
  proxies: 0,
  keys: {
    form: 'improved',
    slots: 1,
    references: Uint16Array.of(0),
    blocks: Int32Array.of(-1),
    rotationMaps: new Float64Array(9),
    stretchMaps: new Float64Array(0),
  },
  linear: new Float64Array(0),
  translations: new Float64Array(0),
  skin: weights,
  displacements,
};

const whole = unweldReducedEnvelope(envelope, map, original);
if (whole.skin.weights.length !== 4) throw new Error('one weight for each vertex of the original');
const gathered = gatherDisplacements(displacements, 3, map);
if (gathered.displacements[11] !== 0.5 || whole.displacements?.displacements[11] !== 0.5) {
  throw new Error('the copy is displaced as its original is');
}

import {
  addedJointCount,
  type Envelope,
  envelopingError,
  IDENTITY_TRANSFORM,
  type ReducedEnvelope,
  type Rig,
  unweldReducedEnvelope,
  validateEnvelope,
  validateReducedEnvelope,
} from '@pelt/model';

const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
const rig: Rig = {
  name: 'triangle',
  mesh: { name: 'triangle', positions, triangles: Uint32Array.of(0, 1, 2) },
  bones: [{ name: 'bone', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) }],
  weights: { slots: 1, bones: new Uint16Array(3), weights: new Float32Array(3).fill(1) },
};

// Linear blending that adds a displacement of vertex 1, learnt at one example pose.
const displacements = Float32Array.of(0, 0, 0, 0, 0, 0.5, 0, 0, 0);
const envelope: Envelope = {
  rig,
  centres: new Float64Array(3),
  fixed: Uint8Array.of(1, 1, 1),
  pull: 0,
  blendDisplacements: { poses: new Float64Array(3), displacements },
};
validateEnvelope(envelope); // throws an InputError that names what is wrong

// The same for the run time: no proxies, weights over the bones alone, axes of one key gradient.
const reduced: ReducedEnvelope = {
  rig,
  centres: envelope.centres,
  proxies: 0,
  keys: {
    form: 'exponential-of-sum',
    slots: 1,
    references: Uint16Array.of(0),
    blocks: Int32Array.of(-1),
    rotationMaps: new Float64Array(9),
    stretchMaps: new Float64Array(36),
  },
  fromKeys: new Float64Array(0),
  fromBones: new Float64Array(0),
  skin: rig.weights,
  displacements: { poses: new Float64Array(3), displacements, axes: Uint16Array.of(0, 0, 0) },
};
validateReducedEnvelope(reduced);
if (addedJointCount(rig.bones) !== 0) throw new Error('joints are added where a bone has a parent');

// A file that splits vertex 1 at a seam: `map` has the envelope's vertex of each of its four vertices.
const original = { ...rig.mesh, positions: Float32Array.of(...positions, 1, 0, 0) };
const split = unweldReducedEnvelope(reduced, Uint32Array.of(0, 1, 2, 1), original);
if (split.displacements?.displacements[11] !== 0.5) throw new Error('displacements for every vertex of the file');

// A prediction that misses half of what the bone alone misses.
const truth = positions.map((x, k) => x + displacements[k]);
const predicted = positions.map((x, k) => x + displacements[k] / 2);
const { error } = envelopingError(positions, Float64Array.from(IDENTITY_TRANSFORM), truth, predicted);
if (error !== 0.5) throw new Error('half of the rigid error is left');

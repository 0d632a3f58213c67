import {
  type Clip,
  gatherWeights,
  IDENTITY_TRANSFORM,
  mostWeights,
  poseAt,
  poseFromJoints,
  type Rig,
  uniformTimes,
  unweldRig,
  validateClip,
  validatePose,
  validateRig,
  validateSkinWeights,
  weldRig,
  weldSequence,
} from '@pelt/model';

// A strip with a shoulder at x = 0 and an elbow at x = 1; the vertices at the elbow follow both bones.
const mesh = {
  name: 'arm',
  positions: Float32Array.of(0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 2, 0, 0, 2, 1, 0),
  triangles: Uint32Array.of(0, 2, 3, 0, 3, 1, 2, 4, 5, 2, 5, 3),
};
const rig: Rig = {
  name: 'arm',
  mesh,
  bones: [
    { name: 'upper', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) },
    { name: 'lower', parent: 0, rest: Float64Array.of(1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0) },
  ],
  weights: {
    slots: 2,
    bones: Uint16Array.of(0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0),
    weights: Float32Array.of(1, 0, 1, 0, 0.5, 0.5, 0.5, 0.5, 1, 0, 1, 0),
  },
};
validateRig(rig); // throws an InputError that names what is wrong
validateSkinWeights(rig.weights, 6, 2); // included in validateRig
if (mostWeights(rig.weights) !== 2) throw new Error('no vertex follows more than two bones');

// The elbow bends by 90° about z: the point (2, 0, 0) goes to (1, 1, 0).
const bent = poseFromJoints(rig.bones, { lower: { degrees: [0, 0, 90] } });
validatePose(bent, 2);
const [a, , , d] = bent.transforms.subarray(12, 16); // first row of the lower bone
if (Math.abs(2 * a + d - 1) > 1e-12) throw new Error('x of the moved point is 1');

const straight = poseFromJoints(rig.bones, {});
const clip: Clip = {
  name: 'bend',
  times: uniformTimes(2, 30),
  transforms: Float64Array.of(...straight.transforms, ...bent.transforms),
};
validateClip(clip, 2);
if (poseAt(clip, 1, 2).transforms[12] !== a) throw new Error('frame 1 is the bent pose');

// Rigs follow their vertices through welding; here none coincide, so that nothing changes.
const weld = weldSequence({ name: 'arm', rest: mesh, frames: mesh.positions, times: uniformTimes(1, 30) });
const again = unweldRig(weldRig(rig, weld), weld.map, mesh);
if (again.weights.weights.join() !== rig.weights.weights.join()) throw new Error('the same weights');

// The weights of the two vertices at the shoulder, the first of them twice, as at a seam.
const { weights } = gatherWeights(rig.weights, [0, 1, 0]);
if (weights.join() !== '1,0,1,0,1,0') throw new Error('they follow the upper bone alone');

import { dynamicsExtension, envelopeExtension, readDynamics, readGltf, readObj, writeSkinnedGlb } from '@pelt/io';
import { type Dynamics, IDENTITY_TRANSFORM, type ReducedEnvelope, type Rig } from '@pelt/model';

// A triangle on one bone and one proxy, which swings along x in one mode.
const rig: Rig = {
  name: 'triangle',
  mesh: readObj(new TextEncoder().encode('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')),
  bones: [{ name: 'bone', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) }],
  weights: { slots: 1, bones: new Uint16Array(3), weights: new Float32Array(3).fill(1) },
};
const envelope: ReducedEnvelope = {
  rig,
  centres: new Float64Array(3),
  proxies: 1,
  keys: {
    form: 'exponential-of-sum',
    slots: 1,
    references: new Uint16Array(0),
    blocks: new Int32Array(0),
    rotationMaps: new Float64Array(0),
    stretchMaps: new Float64Array(0),
  },
  fromKeys: new Float64Array(0),
  fromBones: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1),
  skin: rig.weights,
};
const dynamics: Dynamics = {
  gravity: Float64Array.of(0, -1, 0),
  drivers: Uint16Array.of(0),
  speeds: Float64Array.of(1, 1),
  posed: new Uint16Array(0),
  bones: Uint16Array.of(0),
  centres: new Float64Array(3),
  rest: new Float64Array(12),
  modes: new Float64Array(12).fill(1, 3, 4),
  limits: Float64Array.of(1),
  offsets: new Float64Array(1),
  poseMap: new Float64Array(3),
  motionMap: new Float64Array(0),
  poles: Float64Array.of(12.5, 0.25, 1),
  channels: new Float64Array(18).fill(1, 0, 1),
  readOut: Float64Array.of(0, -0.125),
};
const extensions = (map: Uint32Array) => [envelopeExtension(envelope, map), dynamicsExtension(dynamics)];
const { bytes } = await writeSkinnedGlb({ rig, clips: [], extensions });

const read = readDynamics(await readGltf(bytes));
if (read?.poles[0] !== 12.5 || read.readOut[1] !== -0.125) throw new Error('what was written is read');

/** The least that each kind of learnt skin may hold: one bone, one proxy, one mode. For examples and tests of files and players. */
import { type Dynamics, IDENTITY_TRANSFORM, type Poser, type ReducedEnvelope, type Rig } from '@pelt/model';

/** A triangle bound to one bone. */
export function triangleRig(): Rig {
  return {
    name: 'triangle',
    mesh: {
      name: 'triangle',
      positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
      triangles: Uint32Array.of(0, 1, 2),
    },
    bones: [{ name: 'bone', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) }],
    weights: oneBone(3),
  };
}

/** An envelope of one proxy that follows the first bone of a rig and has learnt nothing. */
export function smallestEnvelope(rig: Rig): ReducedEnvelope {
  return {
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
    skin: oneBone(rig.mesh.positions.length / 3),
  };
}

/** The first bone lags behind sideways motion of the joint it hangs on, in one mode along x, at 2 Hz. */
export function smallestDynamics(changes: Partial<Dynamics> = {}): Dynamics {
  return {
    gravity: Float64Array.of(0, -1, 0),
    drivers: Uint16Array.of(0),
    speeds: Float64Array.of(2, 2),
    posed: new Uint16Array(0),
    bones: Uint16Array.of(0),
    centres: new Float64Array(3),
    rest: new Float64Array(12),
    modes: new Float64Array(12).fill(1, 3, 4),
    limits: Float64Array.of(1),
    offsets: new Float64Array(1),
    poseMap: new Float64Array(3),
    motionMap: new Float64Array(0),
    poles: Float64Array.of(4 * Math.PI, 0.1, 1),
    channels: new Float64Array(18).fill(1, 0, 1),
    readOut: Float64Array.of(0, -0.1),
    ...changes,
  };
}

/** A poser with one control and one proxy, learnt from the rest pose alone. */
export function smallestPoser(rig: Rig): Poser {
  return {
    name: rig.name,
    rig,
    center: [0, 0, 0],
    size: Math.SQRT2,
    vertexProxies: new Uint32Array(rig.mesh.positions.length / 3),
    proxyWeights: Float64Array.of(1),
    blockStarts: Uint32Array.of(0, 1),
    blockControls: Uint16Array.of(0),
    blocks: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),
    exampleNames: ['rest'],
    exampleLogs: new Float64Array(3),
    exampleStretches: new Float64Array(6),
    exampleTransforms: Float64Array.from(IDENTITY_TRANSFORM),
    exampleDetails: [],
  };
}

function oneBone(n: number): Rig['weights'] {
  return { slots: 1, bones: new Uint16Array(n), weights: new Float32Array(n).fill(1) };
}

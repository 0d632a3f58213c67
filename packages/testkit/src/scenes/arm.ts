/**
 * An arm that bends at the elbow, twists in the forearm, closes its hand, and bulges: what a simulation or a good rig
 * gives, and linear blending with few bones cannot. The arm bends and twists as a rod, so no section collapses; the
 * muscles contract: their belly grows shorter along the arm and thicker across it by what keeps the local volume.
 *
 * In metres, along +x from the shoulder at the origin; +y is up and where biceps and palm face.
 */
import { type Mesh, resolveOptions } from '@pelt/model';
import { boneAt, type Scene } from '../scene.ts';
import { type DistanceField, ellipsoid, limb, smoothUnion } from '../shapes/distance-field.ts';
import { ease, Rod } from '../shapes/rod.ts';
import { gridLine, surfaceNets } from '../shapes/surface-nets.ts';
import type { Vector } from '../transform.ts';
import { rodScene } from './rod-scene.ts';

export interface ArmOptions {
  readonly frames: number;
  readonly fps: number;
  /** Bend of the elbow at its most; frame 0 is the rest pose, and the clip is a loop. */
  readonly bendDegrees: number;
  /** Twist of the forearm to either side. */
  readonly twistDegrees: number;
  /** Curl of the fingers at their most. */
  readonly gripDegrees: number;
  /** Share by which a muscle's belly shortens at full bend; 0 for none. */
  readonly bulge: number;
}

export const ARM_DEFAULTS: ArmOptions = {
  frames: 60,
  fps: 30,
  bendDegrees: 110,
  twistDegrees: 80,
  gripDegrees: 75,
  bulge: 0.42,
};

/** Where things are along the arm. */
const ELBOW = { start: 0.22, end: 0.38, at: 0.3 };
const TWIST = { start: 0.34, end: 0.56 };
const WRIST = 0.57;
const GRIP = { start: 0.625, end: 0.72 };
const LENGTH = 0.74;

/** A muscle lies at `at`, reaches about `reach` to either side, on the side that `side` points to (+1: y up). */
const MUSCLES = [
  { at: 0.155, reach: 0.07, side: 1, strength: 1 },
  { at: 0.165, reach: 0.06, side: -1, strength: -0.35 },
  { at: 0.4, reach: 0.045, side: 1, strength: 0.45 },
];

/** Linear blending of the rig's four bones does not give the frames, except the first. */
export function armScene(options?: Partial<ArmOptions>): Scene {
  const { frames, fps, bulge, ...degrees } = resolveOptions('armScene', ARM_DEFAULTS, options);
  const [bend, twist, grip] = [degrees.bendDegrees, degrees.twistDegrees, degrees.gripDegrees].map(
    (angle) => (angle * Math.PI) / 180,
  );
  const phases = Array.from({ length: frames }, (_, t) => (2 * Math.PI * t) / frames);
  const flexed = phases.map((phase) => (1 - Math.cos(phase)) / 2);
  return rodScene({
    name: 'arm',
    mesh: armMesh(),
    bones: [
      boneAt('upper arm', -1, [0, 0, 0]),
      boneAt('forearm', 0, [ELBOW.at, 0, 0]),
      boneAt('hand', 1, [WRIST, 0, 0]),
      boneAt('fingers', 2, [GRIP.start, 0, 0]),
    ],
    rides: [0, TWIST.start, WRIST, LENGTH],
    shares: (x) => {
      const [elbow, wrist, fingers] = [ELBOW, TWIST, GRIP].map(({ start, end }) => ease(start, end, x));
      return [1 - elbow, elbow - elbow * wrist, elbow * wrist - elbow * wrist * fingers, elbow * wrist * fingers];
    },
    fps,
    rods: phases.map(
      (phase, t) =>
        new Rod(LENGTH, [
          { axis: [0, 0, 1], angle: bend * flexed[t], ...ELBOW },
          { axis: [1, 0, 0], angle: twist * Math.sin(phase), ...TWIST },
          { axis: [0, 0, 1], angle: grip * flexed[t] ** 2, ...GRIP },
        ]),
    ),
    reshape: (t, point) => MUSCLES.reduce((p, muscle) => contract(p, muscle, bulge * flexed[t]), point),
  });
}

/**
 * Points slide towards the belly's middle by δ(x) = −ε (x − at) exp(−(x − at)²/2 reach²), and the section grows by
 * 1/√(1 + δ′), so that a slice keeps its volume. The far side of the arm takes no part.
 */
function contract([x, y, z]: Vector, muscle: (typeof MUSCLES)[number], amount: number): Vector {
  const u = (x - muscle.at) / muscle.reach;
  if (Math.abs(u) > 5) return [x, y, z];
  const near = ease(-0.05, 0.035, muscle.side * y);
  const epsilon = amount * muscle.strength * near;
  const fall = Math.exp((-u * u) / 2);
  const slide = -epsilon * muscle.reach * u * fall;
  const slope = -epsilon * (1 - u * u) * fall;
  const grow = 1 / Math.sqrt(1 + slope);
  return [x + slide, y * grow, z * grow];
}

/** The arm at rest: about 1600 vertices. */
function armMesh(): Mesh {
  const grid = {
    x: gridLine(-0.09, [0.54, 0.022], [0.78, 0.0095]),
    y: gridLine(-0.1, [0.1, 0.0105]),
    z: gridLine(-0.1, [0.1, 0.0105]),
  };
  return surfaceNets('arm', armField(), grid);
}

function armField(): DistanceField {
  const upper = smoothUnion(
    0.008,
    limb([0, 0, 0], 0.055, [0.28, 0, 0], 0.037),
    ellipsoid([0.15, 0.016, 0], [0.1, 0.036, 0.036]),
    ellipsoid([0.165, -0.018, 0], [0.11, 0.033, 0.034]),
    ellipsoid([0.01, 0.008, 0], [0.075, 0.062, 0.06]),
  );
  const lower = smoothUnion(
    0.008,
    limb([0.29, -0.004, 0], 0.037, [0.56, 0, 0], 0.021),
    ellipsoid([0.385, 0.004, 0.004], [0.09, 0.034, 0.038]),
    limb([0.54, 0, -0.008], 0.018, [0.585, 0, -0.01], 0.017),
    limb([0.54, 0, 0.008], 0.018, [0.585, 0, 0.01], 0.017),
  );
  const palm = smoothUnion(
    0.006,
    ...[-0.027, -0.009, 0.009, 0.027].map((z) => limb([0.585, 0, z * 0.6], 0.014, [0.645, 0, z], 0.0135)),
  );
  const reach = [0.7, 0.722, 0.729, 0.715];
  const fingers = [-0.0345, -0.0115, 0.0115, 0.0345].map((z, k) =>
    limb([0.64, 0, z * 0.92], 0.0112, [reach[k] - 0.006, 0.004, z * 1.12], 0.0098),
  );
  const thumb = smoothUnion(
    0.004,
    limb([0.59, 0.003, 0.018], 0.014, [0.625, 0.008, 0.052], 0.0125),
    limb([0.625, 0.008, 0.052], 0.0125, [0.658, 0.01, 0.064], 0.0098),
  );
  const hand = smoothUnion(0.0025, palm, ...fingers, thumb);
  return smoothUnion(0.009, upper, lower, hand);
}

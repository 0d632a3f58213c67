/**
 * A four-legged creature that walks on the spot, skinned by a known rig: linear blending of `rig` and `clip` gives the
 * frames, to float32. What a decomposition or a skeleton extraction should find.
 *
 * In metres, standing on y = 0, facing +z. Feet follow a path (back along the ground, forward through the air), legs
 * follow the feet by the law of cosines; the body bobs, sways and nods with the steps.
 */
import { type Clip, type Rig, resolveOptions, uniformTimes } from '@pelt/model';
import { blendFrames, boneAt, type Scene } from '../scene.ts';
import { type DistanceField, ellipsoid, limb, smoothUnion } from '../shapes/distance-field.ts';
import { ease } from '../shapes/rod.ts';
import { gridLine, surfaceNets } from '../shapes/surface-nets.ts';
import { apply, compose, type Transform, translation, turnAbout, type Vector } from '../transform.ts';
import { weightsBy } from './rod-scene.ts';

export interface CreatureOptions {
  readonly frames: number;
  readonly fps: number;
  /** Length of a step on the ground. */
  readonly stride: number;
  /** Height of a foot at the top of its way forward. */
  readonly lift: number;
  /** Edge length of the mesh, about. */
  readonly detail: number;
  /** Most bones a vertex. */
  readonly weights: number;
}

export const CREATURE_DEFAULTS: CreatureOptions = {
  frames: 48,
  fps: 30,
  stride: 0.34,
  lift: 0.12,
  detail: 0.034,
  weights: 4,
};

/** Thickness of the skin's transition between two bones. */
const BLEND = 0.02;

/** Joints of the leg that is on side ±1 of x, in front (+1) or behind (−1), and when in the cycle it steps. */
const LEGS = [
  { name: 'left hind', side: 1, front: -1, phase: 0 },
  { name: 'left fore', side: 1, front: 1, phase: 0.25 },
  { name: 'right hind', side: -1, front: -1, phase: 0.5 },
  { name: 'right fore', side: -1, front: 1, phase: 0.75 },
].map((leg) => ({
  ...leg,
  hip: [0.15 * leg.side, 0.56, 0.27 * leg.front] as Vector,
  // Hind knees point forwards, fore elbows backwards: bent a little at rest, so that the solution has a side.
  knee: [0.165 * leg.side, 0.31, 0.27 * leg.front - 0.045 * leg.front] as Vector,
  ankle: [0.17 * leg.side, 0.08, 0.27 * leg.front] as Vector,
}));

const NECK: Vector = [0, 0.78, 0.36];
const TAIL: Vector = [0, 0.72, -0.4];
const TAIL_MIDDLE: Vector = [0, 0.84, -0.58];
const CENTER: Vector = [0, 0.64, 0];

interface Part {
  readonly name: string;
  readonly parent: number;
  readonly origin: Vector;
  readonly field: DistanceField;
}

/** Bones with the solids that belong to them: body, head, tail, then hip and shin of each leg. */
const PARTS: readonly Part[] = [
  {
    name: 'body',
    parent: -1,
    origin: CENTER,
    field: smoothUnion(
      0.03,
      ellipsoid([0, 0.66, 0.2], [0.19, 0.2, 0.22]),
      ellipsoid([0, 0.64, -0.2], [0.2, 0.2, 0.23]),
      ellipsoid(CENTER, [0.19, 0.18, 0.36]),
    ),
  },
  {
    name: 'head',
    parent: 0,
    origin: NECK,
    field: smoothUnion(
      0.015,
      limb(NECK, 0.1, [0, 0.93, 0.5], 0.09),
      ellipsoid([0, 0.98, 0.55], [0.14, 0.13, 0.15]),
      ellipsoid([0, 0.93, 0.69], [0.085, 0.075, 0.1]),
      limb([0.09, 1.07, 0.52], 0.045, [0.13, 1.18, 0.48], 0.022),
      limb([-0.09, 1.07, 0.52], 0.045, [-0.13, 1.18, 0.48], 0.022),
    ),
  },
  { name: 'tail', parent: 0, origin: TAIL, field: limb(TAIL, 0.06, TAIL_MIDDLE, 0.045) },
  { name: 'tail tip', parent: 2, origin: TAIL_MIDDLE, field: limb(TAIL_MIDDLE, 0.045, [0, 1.02, -0.66], 0.035) },
  ...LEGS.flatMap(({ name, hip, knee, ankle }, k): Part[] => [
    { name: `${name} thigh`, parent: 0, origin: hip, field: limb(hip, 0.105, knee, 0.065) },
    {
      name: `${name} shin`,
      parent: 4 + 2 * k,
      origin: knee,
      field: smoothUnion(
        0.015,
        limb(knee, 0.064, ankle, 0.052),
        ellipsoid([ankle[0], 0.05, ankle[2] + 0.03], [0.07, 0.05, 0.095]),
      ),
    },
  ]),
];

export function creatureScene(options?: Partial<CreatureOptions>): Scene {
  const { frames, fps, stride, lift, detail, weights } = resolveOptions('creatureScene', CREATURE_DEFAULTS, options);
  const grid = {
    x: gridLine(-0.3, [0.3, detail]),
    y: gridLine(-0.06, [1.28, detail]),
    z: gridLine(-0.78, [0.86, detail]),
  };
  const mesh = surfaceNets('creature', smoothUnion(0.022, ...PARTS.map((part) => part.field)), grid);
  const shares = (i: number) => {
    const [x, y, z] = mesh.positions.subarray(3 * i, 3 * i + 3);
    const distances = PARTS.map((part) => part.field(x, y, z));
    const least = Math.min(...distances);
    return distances.map((distance) => {
      const share = Math.exp((least - distance) / BLEND);
      return share < 1e-3 ? 0 : share;
    });
  };
  const rig: Rig = {
    name: 'creature',
    mesh,
    bones: PARTS.map(({ name, parent, origin }) => boneAt(name, parent, origin)),
    weights: weightsBy(mesh.positions.length / 3, PARTS.length, shares, weights),
  };
  const times = uniformTimes(frames, fps);
  const poses = Array.from(times, (_, t) => walk(t / frames, stride, lift));
  const clip: Clip = { name: 'walk', times, transforms: Float64Array.from(poses.flat(2)) };
  return { sequence: { name: 'creature', rest: mesh, frames: blendFrames(rig, clip), times }, rig, clip };
}

/** The bones' transforms, rest → pose, at a phase of the cycle in [0, 1). */
function walk(phase: number, stride: number, lift: number): Transform[] {
  const wave = (turns: number, shift = 0) => Math.sin(2 * Math.PI * (turns * phase + shift));
  const body = [
    turnAbout(CENTER, [0, 0, 1], 0.05 * wave(1)),
    turnAbout(CENTER, [1, 0, 0], 0.03 * wave(2, 0.3)),
    translation([0.012 * wave(1, 0.1), -0.055 + 0.014 * wave(2), 0]),
  ].reduce((below, above) => compose(above, below));
  const tail = compose(body, turnAbout(TAIL, [0.2, 1, 0], 0.35 * wave(1, 0.2)));
  return [
    body,
    compose(body, turnAbout(NECK, [1, 0.2, 0], 0.12 * wave(2, 0.15))),
    tail,
    compose(tail, turnAbout(TAIL_MIDDLE, [0.2, 1, 0.4], 0.45 * wave(1, 0.05))),
    ...LEGS.flatMap((leg) =>
      reach(leg, apply(body, leg.hip), footAt((phase + leg.phase) % 1, leg.ankle, stride, lift)),
    ),
  ];
}

/** Two thirds of the cycle back along the ground, one third forward through the air. */
function footAt(phase: number, [x, y, z]: Vector, stride: number, lift: number): Vector {
  const ground = 2 / 3;
  if (phase < ground) return [x, y, z + stride * (0.5 - phase / ground)];
  const u = (phase - ground) / (1 - ground);
  return [x, y + lift * Math.sin(Math.PI * u) ** 2, z + stride * (ease(0, 1, u) - 0.5)];
}

/**
 * Thigh and shin so that the ankle meets its target: the knee opens to the angle that the distance asks for (law of
 * cosines), then the whole leg turns about the hip by the smallest rotation.
 */
function reach({ hip, knee, ankle }: (typeof LEGS)[number], hipTo: Vector, ankleTo: Vector): Transform[] {
  const [upper, lower] = [distance(hip, knee), distance(knee, ankle)];
  const interior = (length: number) => {
    const cosine = (upper * upper + lower * lower - length * length) / (2 * upper * lower);
    return Math.acos(Math.min(1, Math.max(-1, cosine)));
  };
  const opening = interior(distance(hipTo, ankleTo)) - interior(distance(hip, ankle));
  // Which way the knee opens depends on the side it points to.
  const hinge: Vector = [knee[2] > ankle[2] ? -1 : 1, 0, 0];
  const bend = turnAbout(knee, hinge, opening);
  const from = minus(apply(bend, ankle), hip);
  const to = minus(ankleTo, hipTo);
  const axis: Vector = [
    from[1] * to[2] - from[2] * to[1],
    from[2] * to[0] - from[0] * to[2],
    from[0] * to[1] - from[1] * to[0],
  ];
  const cosine = from[0] * to[0] + from[1] * to[1] + from[2] * to[2];
  const swing = turnAbout(hip, axis, Math.atan2(Math.hypot(...axis), cosine));
  const thigh = compose(translation(minus(hipTo, hip)), swing);
  return [thigh, compose(thigh, bend)];
}

function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function distance(a: Vector, b: Vector): number {
  return Math.hypot(...minus(a, b));
}

/**
 * A chain of links with hinges and ball joints at known places: what a search for joints should find. Linear blending
 * of `rig` and `clip` gives the frames, to float32; the joints hold exactly in every frame.
 *
 * The chain lies along +x. The first link wanders; every other one turns about its joint with the one before it, by
 * sums of sines whose amplitudes and phases come from the seed. A hinge leaves a line of points that fit as well as its
 * centre: all those on its axis.
 */
import { Random } from '@pelt/math';
import { type Clip, type Rig, resolveOptions, uniformTimes } from '@pelt/model';
import { blendFrames, boneAt, type Scene } from '../scene.ts';
import { tube } from '../shapes/tube.ts';
import { compose, type Transform, translation, turnAbout, type Vector } from '../transform.ts';
import { weightsBy } from './rod-scene.ts';

export type JointKind = 'hinge' | 'ball';

export interface ChainJoint {
  readonly kind: JointKind;
  /** The bones that meet in it. */
  readonly parent: number;
  readonly child: number;
  /** In the rest pose. */
  readonly center: Vector;
  /** Unit axis of a hinge in the rest pose; absent for a ball joint. */
  readonly axis?: Vector;
}

export interface ChainOptions {
  /** The joints along the chain; there is one link more. */
  readonly joints: readonly JointKind[];
  readonly frames: number;
  readonly fps: number;
  /** Largest turn of a joint, about. */
  readonly swingDegrees: number;
  readonly linkLength: number;
  readonly radius: number;
  /** Length over which the skin passes from one link to the next; 0 for rigid links. */
  readonly blend: number;
  readonly ringsPerLink: number;
  readonly sides: number;
  readonly seed: number;
}

export const CHAIN_DEFAULTS: ChainOptions = {
  joints: ['hinge', 'ball', 'hinge', 'ball'],
  frames: 60,
  fps: 30,
  swingDegrees: 50,
  linkLength: 0.4,
  radius: 0.07,
  blend: 0.1,
  ringsPerLink: 14,
  sides: 16,
  seed: 1,
};

export function chainScene(options?: Partial<ChainOptions>): Scene & { readonly joints: readonly ChainJoint[] } {
  const resolved = resolveOptions('chainScene', CHAIN_DEFAULTS, options);
  const { joints: kinds, frames, fps, linkLength, radius, blend, ringsPerLink, sides } = resolved;
  const random = new Random(resolved.seed);
  const joints = kinds.map((kind, k): ChainJoint => {
    const center: Vector = [(k + 1) * linkLength, 0, 0];
    if (kind === 'ball') return { kind, parent: k, child: k + 1, center };
    // Across the chain, at any angle about it: along the chain the surface would hardly show the turn.
    const angle = 2 * Math.PI * random.uniform();
    return { kind, parent: k, child: k + 1, center, axis: [0, Math.cos(angle), Math.sin(angle)] };
  });
  const m = kinds.length + 1;
  const length = m * linkLength;
  const mesh = tube({
    name: 'chain',
    length,
    rings: m * ringsPerLink + 1,
    sides,
    // Thinner at the joints, closing towards the ends; a little flat, so that a turn about the chain shows.
    section: (x) => {
      const link = 0.72 + 0.28 * Math.sin((Math.PI * x) / linkLength) ** 2;
      const end = Math.sqrt(Math.min(1, Math.max(0.02, x / radius, 0), Math.max(0.02, (length - x) / radius)));
      return [radius * link * end, 0.8 * radius * link * end];
    },
  });
  const shares = (i: number) => {
    const along = mesh.positions[3 * i] / linkLength;
    const width = Math.max(1e-9, blend / linkLength);
    const passed = (joint: number) => Math.min(1, Math.max(0, (along - joint) / width + 0.5));
    return Array.from({ length: m }, (_, j) => (j === 0 ? 1 : passed(j)) - (j + 1 === m ? 0 : passed(j + 1)));
  };
  const rig: Rig = {
    name: 'chain',
    mesh,
    bones: Array.from({ length: m }, (_, j) => boneAt(`link ${j + 1}`, j - 1, [j * linkLength, 0, 0])),
    weights: weightsBy(mesh.positions.length / 3, m, shares, 2),
  };
  const times = uniformTimes(frames, fps);
  const swing = (resolved.swingDegrees * Math.PI) / 180;
  const transforms = swings(random, joints, frames, swing, linkLength);
  const clip: Clip = { name: 'swing', times, transforms: Float64Array.from(transforms.flat(2)) };
  return { sequence: { name: 'chain', rest: mesh, frames: blendFrames(rig, clip), times }, rig, clip, joints };
}

/** S × m transforms, rest → pose. */
function swings(random: Random, joints: readonly ChainJoint[], S: number, swing: number, reach: number): Transform[][] {
  const curves = Array.from({ length: 6 + 3 * joints.length }, () => smoothCurve(random));
  return Array.from({ length: S }, (_, t) => {
    const at = (k: number) => curves[k](t / S);
    const wander = translation([0.3 * reach * at(0), 0.3 * reach * at(1), 0.3 * reach * at(2)]);
    const lean: Vector = [at(3), at(4), at(5)];
    const chain = [compose(wander, turnAbout([0, 0, 0], lean, 0.5 * swing * Math.hypot(...lean)))];
    joints.forEach(({ axis, center }, k) => {
      const turn: Vector = [0, 1, 2].map((c) => swing * at(6 + 3 * k + c)) as unknown as Vector;
      // A rotation vector for a ball, a share of one turn for a hinge.
      const local = axis ? turnAbout(center, axis, turn[0]) : turnAbout(center, turn, Math.hypot(...turn));
      chain.push(compose(chain[k], local));
    });
    return chain;
  });
}

/** A loop over [0, 1) within ±1: two sines with amplitudes and phases of their own. */
function smoothCurve(random: Random): (u: number) => number {
  const waves = [1, 2].map((turns) => ({ turns, amplitude: random.uniform(), phase: random.uniform() }));
  const total = waves.reduce((sum, { amplitude }) => sum + amplitude, 0);
  return (u) =>
    waves.reduce((sum, w) => sum + (w.amplitude / total) * Math.sin(2 * Math.PI * (w.turns * u + w.phase)), 0);
}
